/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How fast a window advances, by the warp instructions that all SMs have issued
 * as time goes by. */
#ifndef CALIB_STEADY_H
#define CALIB_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mark {
    uint64_t cycle, insts;
};

struct steady {
    double cycles_per_inst;
    double error;            /* standard error of its logarithm, as the parts
                              * of what was measured differ */
    double insts;            /* measured */
    double end_cycle, begun; /* the last mark: its cycle, instructions */
};

/* From the first mark past `settle` warp instructions to the last. False when
 * that is no time at all. The error is that of a mean of parts taken for
 * independent (batch means: Law and Kelton, Simulation Modeling and Analysis),
 * 0 of too few marks for it. */
bool steady_measure(struct steady *out, const struct mark *mark, size_t count,
                    double settle);

#endif
