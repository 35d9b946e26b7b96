/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/chunks.h"

struct chunk chunk_of(const struct block_context *context, int index)
{
    uint64_t sms = (uint64_t)context->sms, i = (uint64_t)index;
    uint64_t size = context->blocks / sms, remainder = context->blocks % sms;
    uint64_t first = i * size + (i < remainder ? i : remainder);
    return (struct chunk){.first = first,
                          .end = first + size + (i < remainder ? 1 : 0)};
}

static bool chunk_over(const struct chunk *c)
{
    return c->launched == c->end - c->first;
}

int64_t chunk_take(struct chunk *c, bool backwards)
{
    if (chunk_over(c))
        return -1;
    uint64_t at = c->launched++;
    return (int64_t)(backwards ? c->end - 1 - at : c->first + at);
}

int64_t chunk_steal(struct chunk *c, bool backwards)
{
    if (chunk_over(c))
        return -1;
    return (int64_t)(backwards ? c->first++ : --c->end);
}

void chunks_deal(struct chunks *c, const struct block_context *context,
                 int start)
{
    for (int i = 0; i < context->sms; i++)
        c->chunk[(start + i) % context->sms] = chunk_of(context, i);
    c->first_sm = start;
}

int chunks_first_sm(void *state, const struct block_context *context)
{
    (void)context;
    return ((struct chunks *)state)->first_sm;
}

int64_t chunks_next(void *state, const struct block_context *context, int sm)
{
    struct chunks *c = state;
    int64_t block = chunk_take(&c->chunk[sm], c->backwards);
    if (block >= 0)
        c->first_sm = (sm + 1) % context->sms;
    return block;
}
