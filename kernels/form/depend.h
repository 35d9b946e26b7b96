/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the launches of an application read of each other's data, found by
 * walking their streams (ikra Sec. 3). Every word of 4 bytes that a thread
 * loads counts once a launch, by who wrote it last before this launch:
 *
 *   self   the same block (linear id) in the launch before
 *   ghost  a neighbour of it in the launch before
 *   other  any other block then, any block in an older launch, or the host
 *          between launches
 *   none   nobody: data that was there before, and read-only data
 *
 * Neighbours differ by at most one in every coordinate of the grid; where the
 * two grids differ, in their linear id. Loads are those of global memory, also
 * through the texture and constant caches; what a block loads after it has
 * written it in the same launch is no dependence. Atomics count as writes
 * alone. */
#ifndef KERNELS_FORM_DEPEND_H
#define KERNELS_FORM_DEPEND_H

#include "kernels/form/kernel.h"

struct depend_counts {
    uint64_t self, ghost, other, none;
    uint64_t older_self; /* of other: the same block in an older launch */
};

/* Count over all launches; each (may be NULL) gets one entry a launch. */
bool depend_count(struct depend_counts *out, struct depend_counts *each,
                  struct kernel *const *kernel, size_t count, struct error *e);

/* A class as percent of those with a writer; 0 when there are none. */
double depend_percent(const struct depend_counts *c, uint64_t loads);

#endif
