/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/sample.h"

#include "calib/constants.h"
#include "configs/gpu.h"
#include "sampler/sampler.h"

#include <math.h>
#include <stdlib.h>

/* The ends of a run's blocks as they come. */
struct block_ends {
    const struct window *window;
    double precision;
    uint64_t *cycle;
    size_t count;
    size_t next_look;
    int looks;
    bool stopped; /* by us, not by a limit */
};

/* Whether a stream has run long enough. */
static bool enough(struct block_ends *ends)
{
    const struct window *w = ends->window;
    if (ends->count >= w->count)
        return true;
    if (!w->early_stop || ends->count < ends->next_look)
        return false;
    ends->next_look = (size_t)(LOOK_GROWTH * (double)ends->count) + 1;
    struct throughput t;
    return throughput_measure(&t, ends->cycle, ends->count, w->wave, w->wave) &&
           throughput_precise(&t, ++ends->looks, ends->precision);
}

static bool on_block(void *user, uint64_t block, uint64_t start_cycle,
                     uint64_t end_cycle, uint64_t block_insts)
{
    (void)block, (void)start_cycle, (void)block_insts;
    struct block_ends *ends = user;
    if (ends->stopped)
        return false;
    ends->cycle[ends->count++] = end_cycle;
    ends->stopped = ends->window->kind == WINDOW_STREAM && enough(ends);
    return !ends->stopped;
}

/* The blocks a run may launch: a stream must not see the grid's end before it
 * stops. */
static uint64_t launch_count(const struct window *w)
{
    if (w->kind == WINDOW_GRID)
        return 0;
    if (w->kind != WINDOW_STREAM)
        return w->count;
    uint64_t resident_after = w->count + 2 * w->wave;
    return resident_after < w->share ? resident_after : w->share;
}

/* Time of the whole share: what was run, and the rest at the steady throughput.
 */
static void extrapolate(struct sample *out, const struct block_ends *ends,
                        uint64_t cycles)
{
    const struct window *w = &out->window;
    size_t n = ends->count;
    bool whole = n >= w->share && !out->partial;
    throughput_measure(&out->throughput, ends->cycle, n, w->wave, w->wave);
    if (whole) {
        out->log_cycles = log((double)cycles);
        out->done = true;
        return;
    }
    if (n < w->wave)
        return;
    bool ran_out = n >= w->count && w->kind == WINDOW_PART;
    double until = ran_out ? (double)cycles : (double)ends->cycle[n - 1];
    bool steady = out->throughput.batches > 0;
    double per_block =
        steady ? out->throughput.cycles_per_block : until / (double)n;
    double rest = per_block * ((double)w->share - (double)n);
    out->log_cycles = log(until + rest);
    double se =
        isnan(out->throughput.relative_se) ? 0 : out->throughput.relative_se;
    out->log_se = se * rest / (until + rest);
    out->done = true;
}

static void keep_counts(struct sample *out, const struct sampler_run *run)
{
    const struct sampler_counts *c = &run->counts;
    out->started = true;
    out->run = run->result;
    out->blocks = c->blocks_done;
    out->insts = (double)c->warp_insts;
    out->bytes_per_inst =
        c->warp_insts > 0 ? (double)c->dram_bytes / (double)c->warp_insts : NAN;
}

/* A few SMs with their share of the GPU. Of the L2 they have as much as keeps
 * it in proportion to the lines of the blocks that run at once, shared ones
 * counted once. */
static void cut_slice(struct gpu *slice, const struct sample_request *request,
                      const struct window *w)
{
    const struct gpu *g = request->gpu;
    double own = request->private_share, here = (double)w->wave;
    double all = here * g->sms / w->sms;
    gpu_slice(slice, g, w->sms);
    gpu_slice_capacity(slice, g,
                       (1 + (here - 1) * own) / (1 + (all - 1) * own));
}

static struct sampler_options options_of(const struct sample_request *request,
                                         struct block_ends *ends)
{
    return (struct sampler_options){.block_limit = request->tb,
                                    .max_cycles = request->max_cycles,
                                    .time_limit_s = request->time_limit_s,
                                    .first_block = ends->window->first,
                                    .block_count = launch_count(ends->window),
                                    .block_done = on_block,
                                    .explain = request->explain,
                                    .user = ends,
                                    .cancel = request->cancel};
}

/* Run on the part of the GPU that the window is for. */
static bool simulate(struct sampler_run *run, struct block_ends *ends,
                     const struct sample_request *request, struct error *e)
{
    struct gpu gpu = *request->gpu;
    if (ends->window->kind != WINDOW_GRID)
        cut_slice(&gpu, request, ends->window);
    struct sampler_options options = options_of(request, ends);
    return sampler_simulate(
        run,
        &(struct sampler_job){.kernel = request->kernel,
                              .kernels = (int)request->kernels,
                              .gpu = &gpu,
                              .policies = request->policies,
                              .options = &options},
        e);
}

bool sample_run(struct sample *sample, const struct sample_request *request,
                struct error *e)
{
    const struct window *w = &sample->window;
    struct block_ends ends = {.window = w,
                              .precision = request->precision,
                              .next_look = w->wave * (ENOUGH_BATCHES + 1)};
    ends.cycle = malloc((size_t)w->count * sizeof(*ends.cycle));
    if (ends.cycle == NULL)
        return error_no_memory(e);
    struct sampler_run run;
    bool ok = simulate(&run, &ends, request, e);
    if (ok) {
        keep_counts(sample, &run);
        sample->partial = run.result.partial && !ends.stopped;
        if (request->kernels == 1 || !sample->partial)
            extrapolate(sample, &ends, run.counts.cycles);
    }
    free(ends.cycle);
    return ok;
}
