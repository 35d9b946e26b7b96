/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of matrices in registers. What the hardware does inside a sum of
 * products is not documented (PTX ISA 9.0, section 9.7.14.5): here products and
 * sums are of 64 bits, rounded once. */
#ifndef KERNELS_PTX_EXECUTE_MATRIX_VALUE_H
#define KERNELS_PTX_EXECUTE_MATRIX_VALUE_H

#include "kernels/form/kernel.h"
#include "kernels/ptx/parse/ptx.h"

/* Values in a register of all lanes: at most four of 8 bits each. */
#define MATRIX_VALUES_MAX (4 * WARP_LANES)

/* Element e of a register. */
double ptx_matrix_element(uint64_t bits, enum ptx_type type, unsigned e);

/* d as the type of the instruction's result; whole numbers wrap, or stop with
 * .satfinite. */
uint64_t ptx_matrix_result(const struct ptx_inst *inst, double d);

/* The same of a register of all lanes: with n elements in a register, element e
 * of a lane is number n * lane + e. */
void ptx_matrix_elements(double *out, const uint64_t *reg, enum ptx_type type);
void ptx_matrix_results(uint64_t *reg, const double *value,
                        const struct ptx_inst *inst);

#endif
