/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/over_time.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>

struct list {
    const struct gpu *gpu;
    struct sampler_counts last; /* at the end of the interval before */
    struct interval *interval;
    size_t count, room;
    bool failed; /* no memory */
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

/* A run of two passes begins again: what the first one told is dropped. */
static void tell(void *user, const struct sampler_counts *so_far,
                 uint64_t resident_warps)
{
    struct list *l = user;
    if (so_far->cycles <= l->last.cycles) {
        l->count = 0;
        l->last = (struct sampler_counts){0};
    }
    if (l->count == l->room) {
        size_t room = l->room > 0 ? 2 * l->room : 256;
        void *grown = realloc(l->interval, room * sizeof(*l->interval));
        l->failed |= grown == NULL;
        if (grown == NULL)
            return;
        l->interval = grown;
        l->room = room;
    }
    struct interval *to = &l->interval[l->count++];
    set_interval(to, l->gpu, &l->last, so_far);
    to->resident_warps = resident_warps;
    l->last = *so_far;
}

static bool run(struct list *l, const struct study *s, uint64_t period,
                const volatile int *cancel, struct error *e)
{
    const struct sampler_options options = {.block_limit = s->tb[0],
                                            .interval = tell,
                                            .interval_period = period,
                                            .user = l,
                                            .cancel = cancel};
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
    if (out.counts.cycles > l->last.cycles)
        tell(l, &out.counts, 0);
    return !l->failed || error_no_memory(e);
}

struct interval *over_time(const struct study *s, uint64_t period,
                           const volatile int *cancel, size_t *count,
                           struct error *e)
{
    struct list l = {.gpu = s->gpu};
    if (!run(&l, s, period, cancel, e)) {
        free(l.interval);
        return NULL;
    }
    *count = l.count;
    return l.interval;
}
