/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/window_run.h"

#include "configs/gpu.h"
#include "sampler/oracle.h"
#include "sampler/sampler.h"

#include <math.h>

static void keep_counts(struct sample *out, const struct sampler_run *run)
{
    const struct sampler_counts *c = &run->counts;
    out->started = true;
    out->run = run->result;
    out->blocks = c->blocks_done;
    out->insts = (double)c->warp_insts;
    out->longest = fmax(out->longest, (double)c->cycles);
    out->departed |= run->departed;
}

/* What is measured: blocks that begin later, where measuring goes on, count as
 * shorter than others. 0: all of the grid. */
static uint64_t first_pass(const struct window *w)
{
    double insts = w->settle + w->insts;
    return window_is_whole(w) ? 0 : (uint64_t)insts + 1;
}

/* NULL: none. */
static struct oracle *oracle_of(const struct sample_request *request,
                                const struct window *w)
{
    bool beside = w->kind == WINDOW_FIRST_WAVE || w->kind == WINDOW_SLICE;
    return request->oracle == NULL
               ? NULL
               : &request->oracle[beside ? ORACLE_BESIDE : ORACLE_WINDOW];
}

bool window_simulate(struct sampler_run *run, struct progress *p,
                     const struct sample_request *request, struct error *e)
{
    const struct window *w = p->window;
    bool part = w->kind != WINDOW_GRID;
    struct sampler_options options = {.block_limit = request->tb,
                                      .max_cycles = request->max_cycles,
                                      .time_limit_s = request->time_limit_s,
                                      .first_block = w->first,
                                      .block_count = part ? w->count : 0,
                                      .warm = w->warm,
                                      .warmed = request->warmed,
                                      .before = request->before,
                                      .befores = request->befores,
                                      .before_share = request->before_share,
                                      .underway = p->underway,
                                      .measured_from = (uint64_t)w->settle,
                                      .first_pass = first_pass(w),
                                      .oracle = oracle_of(request, w),
                                      .learned = request->learned,
                                      .explain = request->explain,
                                      .cancel = request->cancel};
    if (part)
        progress_listen(p, &options);
    return sampler_simulate(
        run,
        &(struct sampler_job){.kernel = request->kernel,
                              .kernels = (int)request->kernels,
                              .gpu = request->gpu,
                              .policies = &request->policies,
                              .options = &options},
        e);
}

bool window_run(struct sample *out, struct steady *measured, struct progress *p,
                const struct sample_request *request, struct error *e)
{
    const double planned = p->window->settle + p->window->insts;
    struct sampler_run run;
    if (!window_simulate(&run, p, request, e))
        return false;
    keep_counts(out, &run);
    p->sm_spread = run.sm_spread;
    out->spread = block_times_spread(&p->blocks);
    out->uneven = progress_uneven(p);
    out->issued = progress_issued(p);
    out->partial = run.result.partial && !p->stopped;
    out->done =
        window_is_whole(p->window)
            ? !out->partial
            : progress_measure(measured, p, out->spread, INFINITY) &&
                  progress_measure(&out->planned, p, out->spread, planned);
    return true;
}

struct sample_request
window_request_on_slice(const struct sample_request *request,
                        const struct window *w, struct gpu *slice)
{
    struct sample_request out = *request;
    gpu_slice(slice, request->gpu, w->slice_sms);
    out.gpu = slice;
    out.before_share *= (double)w->slice_sms / request->gpu->sms;
    return out;
}

bool window_run_on_sm(struct sample *out, struct progress *p,
                      const struct sample_request *request, bool all_of_l2,
                      struct error *e)
{
    struct steady looked;
    struct gpu gpu;
    struct sample_request on =
        window_request_on_slice(request, p->window, &gpu);
    if (all_of_l2)
        gpu_slice_capacity(&gpu, request->gpu, 1);
    on.oracle = NULL;
    return window_run(out, &looked, p, &on, e);
}

bool sample_take(struct sample *sample, const struct sample *beside)
{
    sample->insts += beside->insts;
    sample->longest = fmax(sample->longest, beside->longest);
    sample->departed |= beside->departed;
    sample->partial |= beside->partial;
    sample->done = beside->done && !beside->partial;
    return sample->done;
}
