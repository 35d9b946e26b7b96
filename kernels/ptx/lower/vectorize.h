/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loads of neighbouring words as one: ptxas (V13.0.88, sm_75) joins loads from
 * shared memory of 32 and 64 bits into one of 64 or 128 where it can tell that
 * the address is a multiple of that (four LDS.128 in place of sixteen LDS a
 * tile in examples/matmul.ptx, an LDS.64 in scan.ptx), and global ones never,
 * whose base comes with the launch. */
#ifndef KERNELS_PTX_LOWER_VECTORIZE_H
#define KERNELS_PTX_LOWER_VECTORIZE_H

#include "kernels/ptx/lower/lower_code.h"

/* Fill joined; the loads that others take in are dropped. After
 * ptx_peephole(). False: no memory. */
bool ptx_vectorize_loads(struct ptx_low_code *c);

#endif
