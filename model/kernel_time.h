/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the time of a block to that of the kernel. */
#ifndef MODEL_KERNEL_TIME_H
#define MODEL_KERNEL_TIME_H

#include "model/overlap.h"

struct gpu;

struct kernel_time {
    double cycles;
    double block;  /* a block's time at full residence */
    double steady; /* part of cycles in which SMs have all blocks they hold */
};

/* `spread_out`: blocks of an SM end one after the other, as when the oldest
 * goes first, and not all at about the same time. */
struct kernel_time kernel_time(const struct profile *p, const struct gpu *g,
                               const struct demand *d, const struct overlap *o,
                               int blocks_resident, bool spread_out,
                               double tail_factor);

#endif
