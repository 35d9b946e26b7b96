/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/brief_sample.h"

#include "calib/constants.h"
#include "calib/course.h"
#include "calib/window_run.h"

#include <math.h>

/* ---- the GPU ------------------------------------------------------------- */

/* No policy knows anything when the grid begins. */
static bool run_start(struct sample *sample, double *sm_spread,
                      const struct sample_request *request, struct error *e)
{
    const struct window *w = &sample->window;
    const struct window first = window_first_wave(
        w, START_UNCOUNTED * w->start, (1 - START_UNCOUNTED) * w->start);
    struct progress p = progress_of(&first, NULL);
    struct sample_request naive = *request;
    naive.learned = NULL;
    bool ok = window_run(sample, &sample->start, &p, &naive, e);
    *sm_spread = p.sm_spread;
    return ok;
}

/* ---- one SM -------------------------------------------------------------- */

/* Waves of an SM's own blocks. */
struct lone_sm {
    struct window window;
    struct progress progress;
    struct sample sample;
};

/* Two of them, which begin together, or anywhere. */
static struct window lone_waves(const struct window *w, bool together)
{
    double wave = w->tb * w->wave / (double)w->resident;
    uint64_t at_most = 4 * (uint64_t)w->tb;
    return (struct window){.kind = WINDOW_MIDDLE,
                           .first = w->first,
                           .count = at_most < w->count ? at_most : w->count,
                           .resident = (uint64_t)w->tb,
                           .tb = w->tb,
                           .warm = w->warm,
                           .underway = together ? 0 : (uint64_t)w->tb,
                           .insts = 2 * wave,
                           .wave = wave,
                           .slice_sms = 1};
}

/* All of its share of the grid, which begins together. */
static struct window lone_share(const struct window *w)
{
    struct window out = window_slice(w);
    out.first = w->first;
    out.warm = w->warm;
    out.slice_sms = 1;
    return out;
}

static bool run_lone(struct lone_sm *lone, const struct window *w,
                     bool together, const struct sample_request *request,
                     struct error *e)
{
    bool all = together && w->slice_blocks > 0;
    *lone = (struct lone_sm){.window =
                                 all ? lone_share(w) : lone_waves(w, together)};
    lone->progress = progress_of_finely(&lone->window);
    return window_run_on_sm(&lone->sample, &lone->progress, request, w->shared,
                            e);
}

/* The cycle in which the SM has issued its share of so many warp instructions
 * of the GPU. */
static double lone_cycle(const struct lone_sm *lone, const struct window *w,
                         double insts)
{
    return course_cycle(lone->progress.mark, lone->progress.count,
                        insts * lone->window.wave / w->wave);
}

/* How many times as long the GPU takes as the SM of what was measured; no
 * shorter: SMs that begin fetch lines for each other, and have them later. */
static double slower(const struct lone_sm *lone, const struct window *w,
                     const struct steady *s)
{
    double end = lone_cycle(lone, w, s->begun);
    double begin = lone_cycle(lone, w, s->begun - s->insts);
    return end > begin ? fmax(1, s->insts * s->cycles_per_inst / (end - begin))
                       : 1;
}

/* ---- both ---------------------------------------------------------------- */

/* What is left of the first wave takes as many times as long as the SM as what
 * was run. */
static void set_first_wave(struct sample *sample, const struct lone_sm *lone)
{
    const struct window *w = &sample->window;
    const struct steady *s = &sample->start;
    double rest = lone_cycle(lone, w, w->wave) - lone_cycle(lone, w, s->begun);
    sample->first_alone = s->end_cycle + rest;
    sample->first_wave = s->end_cycle + slower(lone, w, s) * rest;
}

/* The SM is where others are once its first blocks have ended. Not all of how
 * much longer the GPU takes lasts (slice.h). */
static void set_later_wave(struct sample *sample, const struct lone_sm *lone)
{
    const struct window *w = &sample->window;
    double second =
        lone_cycle(lone, w, 2 * w->wave) - lone_cycle(lone, w, w->wave);
    sample->slower = slower(lone, w, &sample->steady);
    sample->later_wave = second * pow(sample->slower, SLICE_LASTS);
}

/* What the SM takes behind its first wave, to the end of its share: if that is
 * what it runs. */
static void set_after_first(struct sample *sample,
                            const struct lone_sm *together)
{
    const struct window *w = &sample->window;
    if (w->slice_blocks == 0)
        return;
    double after =
        together->sample.run.cycles - lone_cycle(together, w, w->wave);
    sample->after_first = after * pow(sample->slower, SLICE_LASTS);
}

/* Whether blocks that begin together are still in step where the window
 * begins. */
static bool still_in_step(const struct sample *sample)
{
    double waves = window_waves_before(&sample->window);
    return blocks_apart(sample->lone_spread, waves) < APART_IN_STEP;
}

static bool run_middle(struct sample *sample, bool in_step,
                       const struct sample_request *request, struct error *e)
{
    struct window middle = sample->window;
    double before = sample->insts;
    middle.underway = in_step ? 0 : middle.underway;
    struct progress p = progress_of(&middle, NULL);
    bool ok = window_run(sample, &sample->steady, &p, request, e);
    sample->insts += before;
    return ok;
}

/* ... which the SM runs as well, where its blocks are not in step. */
static bool run_later_waves(struct sample *sample,
                            const struct lone_sm *together,
                            const struct sample_request *request,
                            struct error *e)
{
    bool in_step = still_in_step(sample);
    struct lone_sm apart;
    if (!in_step && !run_lone(&apart, &sample->window, false, request, e))
        return false;
    if (!in_step && !sample_take(sample, &apart.sample))
        return true;
    if (!run_middle(sample, in_step, request, e))
        return false;
    if (!sample->done)
        return true;
    set_later_wave(sample, in_step ? together : &apart);
    set_after_first(sample, together);
    return true;
}

/* How far blocks and SMs are from each other: SMs come apart as they do at the
 * start, by chance, until the one has run its share. */
static void set_spreads(struct sample *sample, const struct lone_sm *lone,
                        double sm_spread)
{
    double start = sample->start.end_cycle;
    sample->lone_spread = isnan(lone->sample.spread) ? 0 : lone->sample.spread;
    sample->alike = block_times_alike(&lone->progress.blocks, sm_spread, start);
    if (sample->window.slice_blocks > 0)
        sample->apart = sm_spread * sqrt(start * lone->sample.run.cycles);
}

bool brief_sample_run(struct sample *sample,
                      const struct sample_request *request, struct error *e)
{
    struct lone_sm lone;
    double sm_spread;
    if (!run_start(sample, &sm_spread, request, e))
        return false;
    if (!sample->done || sample->partial)
        return true;
    if (!run_lone(&lone, &sample->window, true, request, e))
        return false;
    if (!sample_take(sample, &lone.sample))
        return true;
    set_spreads(sample, &lone, sm_spread);
    set_first_wave(sample, &lone);
    return run_later_waves(sample, &lone, request, e);
}
