/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/long_block.h"

#include "calib/constants.h"
#include "calib/window_run.h"

#include <math.h>

/* Waves of a grid, at least one. */
static double waves_of(const struct window_grid *grid, const struct window *w)
{
    return fmax(1, (double)grid->blocks / (double)w->resident);
}

void long_block_plan(struct window *w, const struct window_grid *grid,
                     struct long_block longest, double most_insts)
{
    if (w->kind != WINDOW_GRID && longest.insts <= most_insts &&
        longest.length >= LONG_BLOCK * waves_of(grid, w))
        w->long_block = longest;
}

bool long_block_run(struct sample *sample, const struct sample_request *request,
                    struct error *e)
{
    const struct window *w = &sample->window;
    const struct window one = {.kind = WINDOW_SLICE,
                               .first = w->long_block.block,
                               .count = 1,
                               .resident = 1,
                               .tb = w->tb,
                               .insts = w->long_block.insts,
                               .wave = w->long_block.insts,
                               .slice_sms = 1};
    struct progress p = progress_of(&one, NULL);
    struct sample alone = {.window = one};
    if (!window_run_on_sm(&alone, &p, request, true, e))
        return false;
    sample_take(sample, &alone);
    sample->long_cycles = alone.run.cycles;
    return true;
}

/* The share of it that is done when the others have ended: beside them it is as
 * much slower as they are. */
static double done_beside(const struct window_grid *grid,
                          const struct sample *s, double cycles)
{
    const struct window *w = &s->window;
    double blocks = (double)grid->blocks;
    double before = (double)w->long_block.block + 1 - (double)w->resident;
    double begins = fmax(0, before) / blocks * cycles;
    double block = cycles / waves_of(grid, w);
    return fmin(1, (cycles - begins) / (w->long_block.length * block));
}

double long_block_end(const struct window_grid *grid, const struct sample *s,
                      double cycles)
{
    if (s->long_cycles <= 0)
        return cycles;
    return cycles + (1 - done_beside(grid, s, cycles)) * s->long_cycles;
}

double long_block_unsure(const struct window_grid *grid, const struct sample *s,
                         double cycles)
{
    if (s->long_cycles <= 0)
        return 0;
    return done_beside(grid, s, cycles) * s->long_cycles;
}
