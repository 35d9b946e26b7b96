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

struct criticality_setup {
    uint64_t period; /* cycles between two looks at the predictor's accuracy,
                      * 0 = 1000 */
    bool is_signed;  /* the predictor counts below 0 (cpl.h) */
    bool keep_lines; /* count l1_critical_lost */
};

/* Observe the core from now on. NULL when memory is out. */
struct criticality *criticality_new(struct sm_core *core,
                                    const struct criticality_setup *s);
void criticality_free(struct criticality *c); /* NULL: nothing */

/* Whether the warp is the critical one of its block. */
bool criticality_is_critical(const struct criticality *c, int warp);

#endif
