/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations that take several instructions of the machine. */
#ifndef KERNELS_PTX_LOWER_EXPAND_H
#define KERNELS_PTX_LOWER_EXPAND_H

#include "kernels/ptx/execute/decode.h"

/* The instructions of an op in the order they run, a letter each: i integer, m
 * integer multiplication, f single precision, s special function or conversion,
 * c count or order of bits, d double precision; I, C: it does not wait for the
 * one before. constant: the last source is. NULL: it is one instruction. */
const char *ptx_expansion(const struct ptx_op *op, bool constant);

enum op_class ptx_expansion_class(char letter);

#endif
