/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of matrices in registers. What the hardware does inside a sum of
 * products is not documented (PTX ISA 9.0, section 9.7.14.5): here products and
 * sums are of 64 bits, rounded once. */
#ifndef KERNELS_PTX_EXECUTE_MATRIX_VALUE_H
#define KERNELS_PTX_EXECUTE_MATRIX_VALUE_H

#include "kernels/ptx/parse/ptx.h"

/* Element e of a register. */
double ptx_matrix_element(uint64_t bits, enum ptx_type type, unsigned e);

/* d as the type of the instruction's result; whole numbers wrap, or stop with
 * .satfinite. */
uint64_t ptx_matrix_result(const struct ptx_inst *inst, double d);

#endif
