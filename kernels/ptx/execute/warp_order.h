/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether what the warps of a block do depends on which of them goes first. */
#ifndef KERNELS_PTX_EXECUTE_WARP_ORDER_H
#define KERNELS_PTX_EXECUTE_WARP_ORDER_H

#include "kernels/ptx/execute/exec.h"
#include "kernels/ptx/execute/memory.h"

/* In *out, as far as the code shows, which may say so where it does not:
 * warps see each other by what atomics return, at mbarriers, in the shared
 * memory of a cluster's other blocks, and where what a load finds in a buffer
 * that the launch also writes decides a branch or an address. Which buffer an
 * access is in follows from the pointers among the launch's arguments; one
 * whose address is not made of them may be in any. What loads of constant
 * memory and ld.global.nc find is not written. False: no memory. */
bool ptx_warp_order_shows(bool *out, const struct ptx_launch *l,
                          const struct ptx_memory *m);

#endif
