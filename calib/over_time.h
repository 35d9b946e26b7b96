/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a point counts over time, by a run of its own in full detail. */
#ifndef CALIB_OVER_TIME_H
#define CALIB_OVER_TIME_H

#include "calib/calib.h"

struct interval {
    uint64_t from, to; /* cycles */
    double warp_insts, ipc;
    double stall[STALLS]; /* shares of its issue slots, sum 1 */
    double l1_miss, l2_miss, dram_gbps;
    uint64_t resident_warps; /* at its end, of all SMs */
};

/* Run the study's first point and list what it counted in each `period` cycles,
 * the last interval ending with the run. To be freed by free(). NULL with e set
 * on failure and where a limit or *cancel cut the run short. */
struct interval *over_time(const struct study *s, uint64_t period,
                           const volatile int *cancel, size_t *count,
                           struct error *e);

#endif
