/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/over_time.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>

struct telling {
    const struct gpu *gpu;
    const struct watcher *to;
    struct sampler_counts last; /* at the end of the interval before */
};

static double share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : NAN;
}

static void set_interval(struct interval *out, const struct gpu *g,
                         const struct sampler_counts *a,
                         const struct sampler_counts *b)
{
    uint64_t cycles = b->cycles - a->cycles, slots = 0;
    uint64_t l1 = b->l1_accesses - a->l1_accesses;
    uint64_t l2 = b->l2_accesses - a->l2_accesses;
    uint64_t l2_misses =
        b->l2_misses + b->l2_merges - a->l2_misses - a->l2_merges;
    *out = (struct interval){
        .from = a->cycles,
        .to = b->cycles,
        .warp_insts = (double)(b->warp_insts - a->warp_insts),
        .l1_miss = share(l1 - (b->l1_hits - a->l1_hits), l1),
        .l2_miss = share(l2_misses, l2),
        .dram_gbps = (double)(b->dram_bytes - a->dram_bytes) *
                     g->clock.core_mhz / ((double)cycles * 1000)};
    out->ipc = out->warp_insts / ((double)cycles * g->sms);
    for (int i = 0; i < STALLS; i++)
        slots += b->stalls[i] - a->stalls[i];
    for (int i = 0; i < STALLS; i++)
        out->stall[i] = share(b->stalls[i] - a->stalls[i], slots);
}

static void tell_interval(void *user, const struct sampler_counts *so_far,
                          uint64_t resident_warps)
{
    struct telling *t = user;
    struct interval i;
    set_interval(&i, t->gpu, &t->last, so_far);
    i.resident_warps = resident_warps;
    t->last = *so_far;
    t->to->interval(t->to->user, &i);
}

static bool tell_state(void *user, const struct sampler_state *s)
{
    const struct telling *t = user;
    return t->to->state(t->to->user, s);
}

bool over_time(const struct study *s, const struct watcher *w, struct error *e)
{
    struct telling t = {.gpu = s->gpu, .to = w};
    const struct sampler_options options = {
        .block_limit = s->tb[0],
        .interval = w->period > 0 ? tell_interval : NULL,
        .interval_period = w->period,
        .watch = w->state != NULL ? tell_state : NULL,
        .watched_sm = w->sm,
        .user = &t,
        .cancel = w->cancel};
    struct sampler_job job = {.kernel = (struct kernel *const *)&s->kernel,
                              .kernels = 1,
                              .gpu = s->gpu,
                              .policies = &s->policies[0],
                              .options = &options};
    struct sampler_run out;
    if (s->application != NULL) {
        job.kernel = s->application->kernel;
        job.kernels = (int)s->application->count;
    }
    if (!sampler_simulate(&out, &job, e))
        return false;
    if (out.result.partial)
        return error_set(e, STATUS_STOPPED, "stopped");
    if (w->period > 0 && out.counts.cycles > t.last.cycles)
        tell_interval(&t, &out.counts, 0);
    return true;
}
