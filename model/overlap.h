/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the warps of an SM overlap: bounds, queueing, lock-step. */
#ifndef MODEL_OVERLAP_H
#define MODEL_OVERLAP_H

#include "model/demand.h"

#include <stdbool.h>

/* How a scheduler runs its warps, as far as its traits tell. */
struct overlap {
    double schedulers;
    double unit_sets; /* of slow units: one, or each scheduler has its own */
    double servers_a_sm[2]; /* L2 slices and DRAM channels over active SMs */
    double issue_stretch;   /* of the issue demand, by a short ready queue */
    double limit;           /* warps of an SM that may issue, INFINITY: all */
    double drain;           /* time of a warp that has issued all */
    double beta;            /* share of lock-step between many blocks */
    bool aligned;           /* blocks advance together as well */
    double barriers;        /* block-wide waits of a block */
    double warps_per_block;
};

/* Time from a block's first issue to its end when `blocks` are resident and as
 * many start as end. */
double overlap_block_time(const struct demand *d, const struct overlap *o,
                          double blocks);

/* Time of `customers` that each take `path` cycles alone, `service` of them at
 * a server they share. */
double overlap_shared_time(double path, double service, double customers);

/* What bounds that time with `blocks` resident: the resource that is busy for
 * longest, RESOURCES when it is the latency of a warp alone. */
int overlap_bottleneck(const struct demand *d, const struct overlap *o,
                       double blocks);

#endif
