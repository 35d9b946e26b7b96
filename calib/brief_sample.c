/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/brief_start.h"

#include "calib/constants.h"
#include "calib/course.h"
#include "calib/window_run.h"
#include "configs/gpu.h"

#include <math.h>

/* The first wave of one SM, with the blocks that come behind it. */
static struct window lone_wave(const struct window *w)
{
    double wave = w->tb * w->wave / (double)w->resident;
    return (struct window){.kind = WINDOW_FIRST_WAVE,
                           .count = 2 * (uint64_t)w->tb,
                           .resident = (uint64_t)w->tb,
                           .tb = w->tb,
                           .insts = wave,
                           .wave = wave,
                           .slice_sms = 1};
}

static struct window beginning(const struct window *w)
{
    return (struct window){.kind = WINDOW_FIRST_WAVE,
                           .count = w->first + w->count,
                           .resident = w->resident,
                           .settle = START_UNCOUNTED * w->start,
                           .insts = (1 - START_UNCOUNTED) * w->start,
                           .wave = w->wave};
}

/* The SM's share of so many warp instructions, as the cycle in which it has
 * issued it. */
static double lone_cycle(const struct progress *lone, const struct window *w,
                         double insts)
{
    return course_cycle(lone->mark, lone->count,
                        insts * lone->window->wave / w->wave);
}

/* What is left of the first wave takes the GPU as many times as long as the SM
 * as what it has run. */
static void go_on(struct sample *out, const struct progress *lone)
{
    const struct window *w = &out->window;
    const struct steady *s = &out->start;
    double end = lone_cycle(lone, w, s->begun);
    double begin = lone_cycle(lone, w, s->begun - s->insts);
    out->slower =
        end > begin ? s->insts * s->cycles_per_inst / (end - begin) : 1;
    out->first_wave =
        s->end_cycle + out->slower * (lone_cycle(lone, w, w->wave) - end);
}

/* No policy knows anything when the grid begins. */
bool brief_start_run(struct sample *sample,
                     const struct sample_request *request, struct error *e)
{
    const struct window wave = lone_wave(&sample->window);
    const struct window first = beginning(&sample->window);
    struct progress lone = progress_of(&wave, NULL);
    struct progress start = progress_of(&first, NULL);
    struct steady looked;
    struct gpu gpu;
    struct sample_request naive = *request;
    naive.learned = NULL;
    struct sample_request on = window_request_on_slice(&naive, &wave, &gpu);
    on.oracle = NULL;
    if (!window_run(sample, &looked, &lone, &on, e))
        return false;
    if (sample->partial || !sample->done)
        return true;
    double insts = sample->insts, spread = sample->spread;
    if (!window_run(sample, &sample->start, &start, &naive, e))
        return false;
    sample->insts += insts;
    sample->lone_spread = isnan(spread) ? 0 : spread;
    if (sample->done && !sample->partial)
        go_on(sample, &lone);
    return true;
}
