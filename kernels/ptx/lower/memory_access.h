/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an op of PTX accesses as an instruction of the machine. */
#ifndef KERNELS_PTX_LOWER_MEMORY_ACCESS_H
#define KERNELS_PTX_LOWER_MEMORY_ACCESS_H

#include "kernels/ptx/lower/lower_code.h"

enum mem_space ptx_access_space(const struct ptx_op *op);

/* Bytes that a lane moves. */
uint32_t ptx_access_width(const struct ptx_program *p, const struct ptx_op *op,
                          uint32_t texel_bytes);

/* Whether a load from global memory finds nothing in the L1. PTX ISA, "Cache
 * Operators": .cg caches in the L2 alone, .cv nowhere. Other threads of a scope
 * beyond the block run behind other L1s ("Memory Consistency Model": .volatile
 * is relaxed in the scope of the system). */
bool ptx_access_is_past_l1(const struct ptx_op *op);

#endif
