/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of a launch over live buffers, several at a time on several threads,
 * with what comes of them one after another, to the byte: each of a batch runs
 * apart (execute/apart.h) over what the batches before it left, and in its turn
 * what it wrote is taken over, unless a block of the batch before it wrote what
 * it read, it faulted, or it did not end: then it is run again. A kernel whose
 * blocks mostly are is run in order. */
#ifndef KERNELS_PTX_LAUNCH_TOGETHER_H
#define KERNELS_PTX_LAUNCH_TOGETHER_H

#include "kernels/ptx/launch/crew.h"
#include "kernels/ptx/launch/launch.h"

/* What launches of a kernel have shown, zeros at first. */
struct ptx_together {
    unsigned in_order; /* so many of its launches are not tried again */
    unsigned again;    /* ... and after the next that is of no use */
};

bool ptx_launch_run_together(const struct ptx_launch *l, struct ptx_memory *m,
                             struct ptx_crew *crew, struct ptx_together *t,
                             struct ptx_totals *out, struct error *e);

#endif
