/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a launch costs, from measured cycles of an empty kernel. */
#ifndef BENCH_CORRELATE_LAUNCH_H
#define BENCH_CORRELATE_LAUNCH_H

#include "base/error.h"

struct empty_run {
    double blocks, warps; /* of the grid, of a block */
    double resident;      /* blocks the whole GPU holds at once */
    double cycles;        /* measured */
};

/* cycles = fixed + max(period blocks,
 *                      (slot + slot_warp warps) blocks / resident):
 * either the GPU's distributor hands out blocks as fast as it can, or the SMs'
 * block slots are taken as soon as they are free again. */
struct launch_fit {
    double fixed, period, slot, slot_warp;
    double mean_abs_pct, worst_pct; /* of the fit; worst: signed */
};

double launch_cycles(const struct launch_fit *f, const struct empty_run *r);

/* Least squares of relative errors. */
bool launch_fit(struct launch_fit *out, const struct empty_run *run,
                size_t count, struct error *e);

#endif
