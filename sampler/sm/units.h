/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pipelines of an SM: which one an instruction enters and when it is free
 * again, and how many results can be written in a cycle. */
#ifndef SAMPLER_SM_UNITS_H
#define SAMPLER_SM_UNITS_H

#include "configs/exec.h"

#include <stdbool.h>
#include <stdint.h>

#define MAX_PIPELINES 64
#define RESULT_CYCLES 1024 /* > longest latency of a unit */

struct units {
    int count[EXEC_UNITS];  /* pipelines */
    int stride[EXEC_UNITS]; /* s, s + stride .. are scheduler s's, if > 1 */
    int results;            /* a cycle, 0 = any number */
    uint64_t free[EXEC_UNITS][MAX_PIPELINES]; /* cycle each is free */
    uint64_t result_cycle[RESULT_CYCLES]; /* by cycle modulo RESULT_CYCLES */
    uint8_t result_used[RESULT_CYCLES];   /* results that end in it */
};

void units_init(struct units *u, const struct gpu *g,
                const struct exec_table *t);

/* The pipeline of a kind that is free first, of those that a scheduler's
 * instructions may enter: with sub-cores it has its own where there are enough
 * to go round. */
static inline uint64_t *units_first(struct units *u, int unit, int scheduler,
                                    uint64_t now)
{
    uint64_t *free = u->free[unit];
    int count = u->count[unit], step = u->stride[unit];
    int best = step > 1 ? scheduler : 0;
    for (int i = best + step; i < count && free[best] > now; i += step)
        if (free[i] < free[best])
            best = i;
    return &free[best];
}

/* Whether one more result may end in cycle `end`; then it is counted. */
bool units_take_result(struct units *u, uint64_t end);

#endif
