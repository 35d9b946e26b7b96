/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Round-robin: one block to each SM in turn until all are full, then in grid
 * order to any SM that frees a slot. A following kernel starts from the
 * successor of the SM that finished last. */
#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/block/in_turn.h"

static size_t state_size(const struct block_context *context)
{
    (void)context;
    return sizeof(struct in_turn);
}

static void kernel_start(void *state, const struct block_context *context)
{
    (void)context;
    in_turn_start(state);
}

static int first_sm(void *state, const struct block_context *context)
{
    (void)context;
    return ((struct in_turn *)state)->first_sm;
}

static int64_t next(void *state, const struct block_context *context, int sm)
{
    return in_turn_next(state, context, sm);
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    in_turn_event(state, context, e);
}

const struct block_policy block_rr = {
    .info = {.name = "rr",
             .summary =
                 "one block to each SM in turn, then to any SM with room",
             .paper = "paws Sec. II-B; perfsat Sec. II"},
    .state_size = state_size,
    .kernel_start = kernel_start,
    .first_sm = first_sm,
    .next = next,
    .event = event,
};
