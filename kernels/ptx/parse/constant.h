/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a number in PTX text is as a value of a type. */
#ifndef KERNELS_PTX_PARSE_CONSTANT_H
#define KERNELS_PTX_PARSE_CONSTANT_H

#include "kernels/ptx/parse/ptx.h"

/* The bits that an OPERAND_INTEGER or OPERAND_FLOAT has as a value of `type`,
 * zeros above it. Floating-point types take integers as their bits, integer
 * types take a 0f or 0d number as its bits. */
uint64_t ptx_constant_bits(const struct ptx_operand *o, enum ptx_type type);

#endif
