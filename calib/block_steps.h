/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How many steps the warps of a kernel's blocks have, counted once for all
 * samples that ask: they depend on no schedule and on no GPU. */
#ifndef CALIB_BLOCK_STEPS_H
#define CALIB_BLOCK_STEPS_H

#include <stdint.h>

struct block_steps;
struct kernel;

/* Nothing is counted yet. `kernel` outlives it. NULL without memory. */
struct block_steps *block_steps_create(const struct kernel *kernel);
void block_steps_free(struct block_steps *b);

/* Of each warp of a block, [warps_per_block]; valid until block_steps_free().
 * NULL without memory or where the block cannot be read. Any number of threads
 * may ask. */
const uint64_t *block_steps_of(struct block_steps *b, uint64_t block);

#endif
