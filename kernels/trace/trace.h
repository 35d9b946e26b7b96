/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accel-Sim traces: .traceg and .traceg.xz files, kernel lists and folders that
 * hold one; tracer versions 3 to 5, SASS of sm_35 to sm_90. A trace is read
 * once, whatever its size: its streams go to a temporary file in $TMPDIR, and
 * memory holds the distinct instructions and 8 bytes a block.
 *
 * - Addresses: shared-memory ones become offsets in the block's shared memory.
 *   Generic accesses go where the first active lane's address lies: in the
 *   shared or local window (16 MiB from the header's base addresses), else to
 *   global memory. Local addresses are private to a thread; they are spread so
 *   that the lanes of a warp lie side by side.
 * - An instruction without lanes (predicated off) counts as a warp instruction
 *   and 0 thread instructions.
 * - The lanes that take a jump are not in a trace. They follow from what the
 *   warp executes next: lanes found on the fall-through path did not jump.
 * - A warp whose trace does not end in EXIT ends where its trace does. */
#ifndef KERNELS_TRACE_TRACE_H
#define KERNELS_TRACE_TRACE_H

#include "kernels/form/load_options.h"

/* Load every kernel of `path`; phases are not analysed yet. With a grid in the
 * options the traced blocks are repeated (block b is block b mod traced), and
 * blocks or warps may be missing from the trace; with a block its warps are. */
bool trace_load(struct kernel_list *out, const char *path,
                const struct load_options *o, struct error *e);

#endif
