/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Flip: as reset, the direction inside the chunks alternates with every
 * kernel: what ran last is in the L1 most likely, and so runs first. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/chunks.h"

static void kernel_start(void *state, const struct block_context *context)
{
    struct chunks *c = state;
    chunks_deal(c, context, 0);
    c->backwards = context->kernel_index % 2 != 0;
}

const struct block_policy block_flip = {
    .info = {.name = "flip",
             .summary = "reset, chunks run backwards in every second kernel",
             .paper = "ikra Sec. 4.3"},
    .across_kernels = true,
    .state_size = sizeof(struct chunks),
    .sm_state_size = sizeof(struct chunk),
    .kernel_start = kernel_start,
    .first_sm = chunks_first_sm,
    .next = chunks_next,
};
