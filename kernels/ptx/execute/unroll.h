/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops laid out trip after trip as ptxas does: whole where constants decide
 * how often they run, else four and two trips at a time. What they compute does
 * not change. */
#ifndef KERNELS_PTX_EXECUTE_UNROLL_H
#define KERNELS_PTX_EXECUTE_UNROLL_H

#include "kernels/ptx/execute/decode.h"

/* Lay out the loops of a function whose body is one basic block, where
 * .pragma "nounroll" does not stand before them and a counter goes by a
 * constant to a limit that stays: as a whole where that is a constant as is its
 * start and unroll_ops[] allows it, by groups where GROUPED_INSTS does.
 * Registers that a trip defines once have other slots in each of UNROLL_SETS
 * trips on end, so that a trip's loads can be issued before the last one's
 * results are read. The function's ops must be the program's last, its branches
 * not yet have points of reconvergence. False: no memory. */
bool ptx_unroll(struct ptx_program *p, uint32_t function);

#endif
