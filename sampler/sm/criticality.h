/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The criticality predictor of an SM (cpl.h) and what is counted with its help:
 * an observer of events, which changes nothing but warp_table.criticality. It
 * runs where a policy or the caller asks for it. */
#ifndef SAMPLER_SM_CRITICALITY_H
#define SAMPLER_SM_CRITICALITY_H

#include "sampler/sm/core.h"
#include "sampler/sm/cpl.h"
#include "sampler/sm/line_set.h"

#include <stdbool.h>
#include <stdint.h>

struct criticality {
    struct sm_core *core;
    struct cpl cpl;
    int ended;               /* the warp that ended last */
    bool keep_lines;         /* fill `evicted`, for l1_critical_lost */
    struct line_set evicted; /* lines that the L1 has evicted */
};

/* Observe the core from now on. period: cycles between two looks at the
 * predictor's accuracy, 0 = 1000. NULL when memory is out. */
struct criticality *criticality_new(struct sm_core *core, uint64_t period,
                                    bool keep_lines);
void criticality_free(struct criticality *c); /* NULL: nothing */

/* Whether the warp is the critical one of its block. */
bool criticality_is_critical(const struct criticality *c, int warp);

#endif
