/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function's basic blocks, within which ops are scheduled. */
#ifndef KERNELS_PTX_LOWER_BASIC_BLOCKS_H
#define KERNELS_PTX_LOWER_BASIC_BLOCKS_H

#include "kernels/ptx/lower/lower_code.h"

/* Drop the return that the decoder adds at the end, when nothing comes to it
 * and another op ends the lanes. */
void ptx_drop_end(struct ptx_low_code *c);

/* Set `leader` of the ops that begin a block. Ops that nothing moves past,
 * whatever they read and write, end one. */
void ptx_mark_leaders(struct ptx_low_code *c);

/* Whether a branch is one in the machine's code: its arms are not predicated
 * (predicate.c). */
bool ptx_is_branch(const struct ptx_low_code *c, uint32_t at);

#endif
