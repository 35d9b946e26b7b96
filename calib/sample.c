/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/sample.h"

#include "calib/brief_sample.h"
#include "calib/constants.h"
#include "calib/course.h"
#include "calib/long_block.h"
#include "calib/progress.h"
#include "calib/window_run.h"
#include "configs/gpu.h"
#include "sampler/acting.h"
#include "sampler/learned.h"
#include "sampler/oracle.h"
#include "sampler/sampler.h"

#include <math.h>

/* What a slice that ran to its end, `whole`, says of what the start measured,
 * and of what comes behind it: of as large a part of its own blocks. */
static void compare(struct sample *out, const struct progress *start,
                    const struct progress *slice, const struct sample *whole)
{
    const struct window *w = &out->window;
    const struct steady *m = &out->steady;
    double share =
        whole->insts / ((double)w->count * w->wave / (double)w->resident);
    double end = course_cycle(slice->mark, slice->count, share * m->begun);
    double begin =
        course_cycle(slice->mark, slice->count, share * (m->begun - m->insts));
    out->slower =
        end > begin ? m->insts * m->cycles_per_inst / (end - begin) : 1;
    out->rest = whole->run.cycles - end;
    out->uneven = fmax(out->uneven, whole->uneven);
    out->lone_spread = isnan(whole->spread) ? 0 : whole->spread;
    out->alike =
        block_times_alike(&slice->blocks, start->sm_spread, m->end_cycle);
    double apart = block_times_spread_in_order(&slice->blocks);
    out->apart = isnan(apart) ? 0 : apart * block_times_mean(&slice->blocks);
}

/* The slice beside a start: whole blocks, of which it tells what they do. */
static bool run_slice(struct sample *out, const struct progress *start,
                      const struct sample_request *request, struct error *e)
{
    const struct window of_slice = window_slice(&out->window);
    struct progress slice = progress_of_finely(&of_slice);
    struct sample whole = *out;
    struct steady all;
    struct gpu gpu;
    const struct sample_request on =
        window_request_on_slice(request, &out->window, &gpu);
    if (!window_run(&whole, &all, &slice, &on, e))
        return false;
    out->insts += whole.insts;
    out->longest = whole.longest;
    out->departed |= whole.departed;
    out->partial |= whole.partial;
    out->done = whole.done;
    if (!out->done)
        return true;
    compare(out, start, &slice, &whole);
    out->run = whole.run;
    return true;
}

/* A start, and a slice where that may tell. */
static bool run_start(struct sample *out, const struct sample_request *request,
                      struct error *e)
{
    struct progress start = progress_of(&out->window, NULL);
    if (!window_run(out, &out->steady, &start, request, e))
        return false;
    bool alone = !out->done || out->partial || start.goes_on;
    return alone || run_slice(out, &start, request, e);
}

/* How far from step is how far after so many waves, as sampler_underway has it.
 */
static double apart_of(double spread, double waves)
{
    double apart = blocks_apart(spread, waves);
    return apart < APART_ANYWHERE ? fmax(apart, APART_LEAST) : 0;
}

/* Where the grid's first wave, which `start` ran, leaves the blocks that the
 * window begins with, whose warps take turns or do not. */
static void set_apart(struct sampler_underway *out, const struct window *w,
                      const struct progress *start, bool in_turns)
{
    double waves = window_waves_before(w);
    double all = block_times_spread(&start->blocks);
    double on_sm = block_times_spread_on_sm(&start->blocks);
    out->apart = apart_of(all, waves);
    if (on_sm >= APART_ALIKE * all)
        return;
    if (in_turns)
        out->apart_on_sm = fmin(blocks_apart(on_sm, waves), APART_IN_TURNS);
    else if (waves <= APART_ALIKE_WAVES)
        out->apart_on_sm = apart_of(on_sm, waves);
}

/* What a middle window begins with. */
struct beginning {
    struct sampler_underway underway;
    double course[COURSE_PARTS + 1];
};

/* Run the grid's first wave, of which no policy knows anything: as a part of
 * the sample where it has one, else for what the window begins with. */
static bool run_first_wave(struct beginning *out, struct sample *sample,
                           const struct window *w,
                           const struct sample_request *request,
                           struct error *e)
{
    struct steady looked;
    bool counts = w->start > 0;
    double insts = counts ? w->start - w->start_settle : w->wave;
    const struct window first = window_first_wave(w, w->start_settle, insts);
    struct progress p = progress_of(&first, &out->underway);
    struct sample_request naive = *request;
    naive.learned = NULL;
    if (!window_run(sample, counts ? &sample->start : &looked, &p, &naive, e))
        return false;
    set_apart(&out->underway, &sample->window, &p,
              policies_take_turns(&request->policies));
    if (course_of(out->course, p.mark, p.count, w->wave))
        out->underway.course = out->course;
    return true;
}

/* A middle window, and the first wave before it. */
static bool run_middle_from(struct sample *sample, const struct window *w,
                            const struct sample_request *request,
                            struct error *e)
{
    struct beginning from = {.underway = {.course = NULL}};
    bool looks = window_may_look(w) && policies_take_turns(&request->policies);
    double before = 0;
    if (w->start > 0 || looks) {
        if (!run_first_wave(&from, sample, w, request, e))
            return false;
        before = sample->insts;
        if (sample->partial || !sample->done)
            return true;
    }
    const struct window middle =
        from.underway.apart > 0 ? window_in_step(w) : *w;
    struct progress p = progress_of(&middle, &from.underway);
    bool ok = window_run(sample, &sample->steady, &p, request, e);
    sample->insts += before;
    return ok;
}

/* What the L1s' policy has learned by then, as far as one SM does of blocks
 * from there on. */
static bool learn(struct learned *out, struct sample *sample,
                  const struct window *w, const struct sample_request *request,
                  struct error *e)
{
    double block = w->wave / (double)w->resident;
    double before = (double)w->first * block / request->gpu->sms;
    const struct window one = {.kind = WINDOW_MIDDLE,
                               .first = w->first,
                               .count = w->count,
                               .resident = (uint64_t)w->tb,
                               .tb = w->tb,
                               .insts = fmin(before, LEARN_INSTS),
                               .wave = w->tb * block,
                               .slice_sms = 1};
    struct progress p = progress_of(&one, NULL);
    struct sampler_run run;
    struct gpu gpu;
    struct sample_request on = window_request_on_slice(request, &one, &gpu);
    on.learned = out;
    on.oracle = NULL;
    if (!window_simulate(&run, &p, &on, e))
        return false;
    sample->insts = (double)run.counts.warp_insts;
    sample->partial = run.result.partial && !p.stopped;
    return true;
}

/* A middle window as its slice has it, or the whole GPU. */
static bool run_middle(struct sample *sample, const struct window *w,
                       const struct sample_request *request, struct error *e)
{
    struct learned learned = {.size = 0};
    struct sample_request with = *request;
    bool learns =
        w->kind == WINDOW_MIDDLE && policies_learn(&request->policies);
    bool ok = !learns || learn(&learned, sample, w, request, e);
    double before = learns && ok ? sample->insts : 0;
    with.learned = learns ? &learned : NULL;
    if (ok && !sample->partial)
        ok = window_start_is_brief(w) ? brief_sample_run(sample, &with, e)
                                      : run_middle_from(sample, w, &with, e);
    sample->insts += before;
    learned_free(&learned);
    return ok;
}

/* What it measured is as though all of the GPU did. */
static bool run_middle_on_slice(struct sample *sample,
                                const struct sample_request *request,
                                struct error *e)
{
    const struct window w = window_on_slice(&sample->window);
    double times = 1 / window_slice_share(&sample->window);
    struct gpu gpu;
    const struct sample_request on = window_request_on_slice(request, &w, &gpu);
    if (!run_middle(sample, &w, &on, e))
        return false;
    steady_scale(&sample->steady, times);
    steady_scale(&sample->planned, times);
    steady_scale(&sample->start, times);
    return true;
}

static bool run_window(struct sample *sample,
                       const struct sample_request *request, struct error *e)
{
    const struct window *w = &sample->window;
    if (w->slice_sms == 0)
        return run_middle(sample, w, request, e);
    return w->kind == WINDOW_START ? run_start(sample, request, e)
                                   : run_middle_on_slice(sample, request, e);
}

/* The window, and the block that is run by itself. */
static bool run_parts(struct sample *sample,
                      const struct sample_request *request, struct error *e)
{
    if (!run_window(sample, request, e))
        return false;
    bool alone = sample->done && sample->window.long_block.insts > 0;
    return !alone || long_block_run(sample, request, e);
}

/* The first pass is the same sample under its own policy, of which the oracles
 * are kept alone: as those are where both are asked for. */
static bool run_twice(struct sample *sample,
                      const struct sample_request *request,
                      const struct policy_set *of_first, struct error *e)
{
    struct oracle oracle[SAMPLE_ORACLES] = {{.complete = false}};
    struct sample pass = *sample;
    struct sample_request first = *request, second = *request;
    first.policies = *of_first;
    first.explain = NULL;
    first.oracle = second.oracle = oracle;
    bool ok = run_parts(&pass, &first, e) && run_parts(sample, &second, e);
    for (int i = 0; i < SAMPLE_ORACLES; i++)
        oracle_free(&oracle[i]);
    return ok;
}

bool sample_tells_shares(const struct sample *s, bool blocks_share_lines)
{
    const struct window *w = &s->window;
    bool beside = s->rest > 0, on_slice = beside || window_slice_share(w) < 1;
    double measured = s->run.warp_insts / window_slice_share(w);
    if (window_is_whole(w))
        return true;
    return (beside || measured >= SHARES_WAVES * w->wave) &&
           !(on_slice && blocks_share_lines);
}

bool sample_run(struct sample *sample, const struct sample_request *request,
                struct error *e)
{
    struct policy_set first = request->policies;
    sample->alike = NAN;
    return request->oracle == NULL && policies_turn_to_first_pass(&first)
               ? run_twice(sample, request, &first, e)
               : run_parts(sample, request, e);
}
