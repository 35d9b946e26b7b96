/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Round-robin: one block to each SM in turn until all are full, then in grid
 * order to any SM that frees a slot. A following kernel starts from the
 * successor of the SM that finished last. */
#include "sampler/block/policies.h"

struct rr {
    uint64_t next;
    int first_sm;
};

static size_t state_size(const struct block_context *context)
{
    (void)context;
    return sizeof(struct rr);
}

static void kernel_start(void *state, const struct block_context *context)
{
    (void)context;
    ((struct rr *)state)->next = 0;
}

static int first_sm(void *state, const struct block_context *context)
{
    (void)context;
    return ((struct rr *)state)->first_sm;
}

static int64_t next(void *state, const struct block_context *context, int sm)
{
    struct rr *r = state;
    if (r->next == context->blocks)
        return -1;
    r->first_sm = (sm + 1) % context->sms;
    return (int64_t)r->next++;
}

static void event(void *state, const struct block_context *context,
                  const struct block_event *e)
{
    if (e->type == BLOCK_EVENT_END)
        ((struct rr *)state)->first_sm = (e->sm + 1) % context->sms;
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
