/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Barrier objects in shared memory (PTX ISA 9.0, section 9.7.13.15): 8 bytes
 * that PTX leaves open. Here they hold, from the lowest bit on, the arrivals
 * that the phase still waits for (20 bits), those that it began with (20), the
 * bytes of copies that it still waits for (21, signed), whether the object is
 * there at all, and the phase's parity. */
#ifndef KERNELS_PTX_EXECUTE_MBARRIER_H
#define KERNELS_PTX_EXECUTE_MBARRIER_H

#include "kernels/ptx/execute/exec.h"

/* What is done to an object. Its phase ends when it waits for no arrival and no
 * byte; the next one waits for as many arrivals. */
struct ptx_mbarrier_change {
    int64_t arrivals; /* that have come; < 0: more to wait for */
    int64_t bytes;    /* to wait for in addition; < 0: that have come */
    bool drops;       /* those that have come do not come in later phases */
    bool must_not_end;
};

/* Change the object that `lane` of the instruction names, in shared memory or
 * by a generic address; *before becomes its state before. The first change of a
 * step is what raises a count, b->event.signal. False: a fault. */
bool ptx_mbarrier_change(struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int lane, uint64_t address,
                         const struct ptx_mbarrier_change *change,
                         uint64_t *before);

#endif
