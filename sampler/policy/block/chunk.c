/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunk: an SM that has launched its chunk gets no more. A following kernel is
 * dealt out from the successor of the SM that finished last, as under rr. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/chunks.h"

static void kernel_start(void *state, const struct block_context *context)
{
    chunks_deal(state, context, context->next_sm);
}

const struct block_policy block_chunk = {
    .info = {.name = "chunk",
             .summary = "one contiguous chunk of the grid an SM, start as rr",
             .paper = "ikra Sec. 4.1"},
    .across_kernels = true,
    .state_size = sizeof(struct chunks),
    .sm_state_size = sizeof(struct chunk),
    .kernel_start = kernel_start,
    .next = chunks_next,
};
