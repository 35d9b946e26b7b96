/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunk: an SM that has launched its chunk gets no more. A following kernel is
 * dealt out from the successor of the SM that finished last, as under rr. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/chunks.h"

static void kernel_start(void *state, const struct block_context *context)
{
    struct chunks *c = state;
    chunks_deal(c, context, c->first_sm);
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    if (e->type == BLOCK_EVENT_END)
        ((struct chunks *)state)->first_sm = (e->sm + 1) % context->sms;
}

const struct block_policy block_chunk = {
    .info = {.name = "chunk",
             .summary = "one contiguous chunk of the grid an SM, start as rr",
             .paper = "ikra Sec. 4.1"},
    .state_size = chunks_state_size,
    .kernel_start = kernel_start,
    .first_sm = chunks_first_sm,
    .next = chunks_next,
    .event = event,
};
