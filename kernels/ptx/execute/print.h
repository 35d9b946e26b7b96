/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * printf() of kernels (CUDA C++ Programming Guide, "Formatted Output"). */
#ifndef KERNELS_PTX_EXECUTE_PRINT_H
#define KERNELS_PTX_EXECUTE_PRINT_H

#include "kernels/ptx/execute/exec.h"

/* Print to the launch's file what a lane's call of vprintf says: the text at
 * `format` with values from `values` on, each as an argument of a C function is
 * passed, at a multiple of its size. */
void ptx_print(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, int lane, uint64_t format,
               uint64_t values);

#endif
