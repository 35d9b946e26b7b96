/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reset: as chunk, but every kernel is dealt out from SM 0, so that a block
 * finds what its namesake of the kernel before left in the L1. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/chunks.h"

static void kernel_start(void *state, const struct block_context *context)
{
    chunks_deal(state, context, 0);
}

const struct block_policy block_reset = {
    .info = {.name = "reset",
             .summary = "chunk, every kernel dealt out from SM 0",
             .paper = "ikra Sec. 4.2"},
    .across_kernels = true,
    .state_size = sizeof(struct chunks),
    .sm_state_size = sizeof(struct chunk),
    .kernel_start = kernel_start,
    .first_sm = chunks_first_sm,
    .next = chunks_next,
};
