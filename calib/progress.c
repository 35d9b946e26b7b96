/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/progress.h"

#include "calib/constants.h"

#include <math.h>

/* Marks that are due in a run of the length that was planned. Chosen. */
#define MARKS      64
#define MARKS_FINE 192

struct progress progress_of(const struct window *w,
                            const struct sampler_underway *underway)
{
    struct progress out = {
        .window = w,
        .due = MARKS,
        .blocks = {.first = w->first + w->underway, .resident = w->resident}};
    if (underway != NULL)
        out.underway = *underway;
    out.underway.blocks = w->underway;
    return out;
}

struct progress progress_of_finely(const struct window *w)
{
    struct progress out = progress_of(w, NULL);
    out.due = MARKS_FINE;
    return out;
}

/* ---- while it runs ------------------------------------------------------- */

/* Warp instructions that the window may take. */
static double most_insts(const struct window *w)
{
    double insts = w->settle + w->insts;
    return w->kind == WINDOW_FIRST_WAVE ? START_MOST * insts : insts + w->more;
}

static bool has_enough(struct progress *p, double insts)
{
    const struct window *w = p->window;
    struct steady s;
    bool to_its_end = w->kind == WINDOW_FIRST_WAVE && w->insts >= w->wave;
    bool goes_on = to_its_end ? p->first_ended < w->resident : p->goes_on;
    if (goes_on || insts < w->settle + w->insts)
        return insts >= most_insts(w);
    p->goes_on =
        w->more > 0 &&
        steady_measure(&s, p->mark, p->count, w->settle, INFINITY, w->wave) &&
        s.error > w->enough;
    return !p->goes_on;
}

/* Resident blocks have issued what those that ended have not, once blocks that
 * began in their middle have ended. */
static void look_at_residents(struct progress *p, uint64_t cycle,
                              uint64_t insts)
{
    const struct window *w = p->window;
    if (p->count == 0 || p->underway_ended < w->underway ||
        (double)insts < w->settle)
        return;
    double cycles = (double)(cycle - p->mark[p->count - 1].cycle);
    p->issued += (double)(insts - p->ended_insts) * cycles;
    p->time += cycles;
}

static bool on_progress(void *user, uint64_t cycle, uint64_t insts)
{
    struct progress *p = user;
    look_at_residents(p, cycle, insts);
    if (p->count < MARKS_MAX)
        p->mark[p->count++] = (struct mark){cycle, insts};
    p->stopped = !window_is_whole(p->window) &&
                 (p->count == MARKS_MAX || has_enough(p, (double)insts));
    return !p->stopped;
}

static bool on_block(void *user, const struct sampler_block *b)
{
    struct progress *p = user;
    const struct window *w = p->window;
    uint64_t of_window = b->block - w->first;
    bool of_first = of_window < w->resident;
    p->first_ended += of_first;
    p->underway_ended += of_window < w->underway;
    p->ended_insts += b->insts;
    if (of_window >= w->underway) {
        p->whole++;
        p->whole_insts += b->insts;
    }
    if (of_first || w->kind != WINDOW_FIRST_WAVE)
        block_times_add(&p->blocks, b->block, b->sm,
                        (double)(b->end - b->start));
    return true;
}

void progress_listen(struct progress *p, struct sampler_options *options)
{
    const struct window *w = p->window;
    options->block_done = on_block;
    options->progress = on_progress;
    options->progress_period = (uint64_t)((w->settle + w->insts) / p->due) + 1;
    options->user = p;
}

/* ---- what came of it ----------------------------------------------------- */

/* Blocks in step use the machine in turns, so that whole waves of them are
 * measured: of a start without the first, if there are others. */
static void set_whole_waves(double *from, double *to, const struct window *w,
                            double insts)
{
    double waves = floor(insts / w->wave);
    if (w->kind == WINDOW_START)
        *from = fmin(ceil(*from / w->wave), waves - 1) * w->wave;
    waves = floor((insts - *from) / w->wave);
    if (waves >= 1)
        *to = *from + waves * w->wave;
}

/* Of blocks underway; 0: they are anywhere. */
static bool is_in_step(double apart)
{
    return apart > 0 && apart < APART_IN_STEP;
}

/* Whether what is measured up to `to` is of a start that has gone on, since it
 * did not run evenly. */
static bool is_unsteady(const struct progress *p, double to)
{
    const struct window *w = p->window;
    return w->kind == WINDOW_START && p->goes_on && to > w->settle + w->insts;
}

bool progress_measure(struct steady *out, const struct progress *p,
                      double spread, double to)
{
    const struct window *w = p->window;
    double from = w->settle;
    double ran = p->count > 0 ? (double)p->mark[p->count - 1].insts : 0;
    double insts = fmin(ran, to);
    bool in_step = w->kind == WINDOW_START
                       ? blocks_apart(spread, insts / w->wave) < APART_IN_STEP
                       : is_in_step(p->underway.apart);
    if (is_unsteady(p, to))
        from = fmax(from, (1 - UNSTEADY_LAST) * insts);
    else if (in_step && insts >= w->wave)
        set_whole_waves(&from, &to, w, insts);
    return steady_measure(out, p->mark, p->count, from, to, w->wave);
}

double progress_uneven(const struct progress *p)
{
    const struct window *w = p->window;
    if (p->whole < w->resident || w->kind == WINDOW_GRID)
        return 0;
    double mean = w->wave / (double)w->resident;
    double apart = fabs(log((double)p->whole_insts / (double)p->whole / mean));
    return apart > UNEVEN_LEAST ? apart : 0;
}

double progress_issued(const struct progress *p)
{
    return p->issued / (p->time * p->window->wave);
}
