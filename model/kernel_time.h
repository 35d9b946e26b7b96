/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the time of a block to that of the kernel. */
#ifndef MODEL_KERNEL_TIME_H
#define MODEL_KERNEL_TIME_H

#include "model/overlap.h"

struct gpu;

struct grid_run {
    const struct profile *profile;
    const struct gpu *gpu;
    const struct demand *demand;
    const struct overlap *overlap;
    int blocks_resident; /* an SM may hold at a time */
    double whole_waves;  /* of blocks, before the last one */
    /* Of a block in the last wave, which few others share the machine with, and
     * the blocks an SM holds then. */
    const struct demand *last_demand;
    const struct overlap *last_overlap;
    double last_resident;
    double tail_factor; /* on the spread of block times at the end */
};

/* Core cycles. */
struct kernel_time {
    double cycles;
    double block;    /* of a block when an SM holds as many as it may */
    double in_waves; /* of the grid's blocks if they start and end together */
    double longest;  /* share of the cycles that the longest block adds */
};

/* Core cycles of the blocks that an SM holds together, their launch included.
 */
double kernel_block_time(const struct demand *d, const struct overlap *o,
                         const struct gpu *g, double blocks);

struct kernel_time kernel_time(const struct grid_run *r);

#endif
