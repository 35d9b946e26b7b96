/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/block_scheduler.h"

#include <stdlib.h>

bool block_scheduler_init(struct block_scheduler *s, const struct choice *c,
                          int sms)
{
    const struct block_policy *p = c->block;
    size_t size = p->state_size + (size_t)sms * p->sm_state_size;
    *s = (struct block_scheduler){.policy = p,
                                  .context = {.sms = sms, .param = c->param},
                                  .resident =
                                      calloc((size_t)sms, sizeof(*s->resident)),
                                  .state = calloc(1, size > 0 ? size : 1)};
    s->context.resident = s->resident;
    return s->resident != NULL && s->state != NULL;
}

void block_scheduler_free(struct block_scheduler *s)
{
    free(s->resident);
    free(s->state);
}

void block_scheduler_start(struct block_scheduler *s,
                           const struct block_context *kernel)
{
    const struct block_context before = s->context;
    s->context = *kernel;
    s->context.policy = s->policy;
    s->context.sms = before.sms;
    s->context.param = before.param;
    s->context.resident = before.resident;
    s->context.next_sm = before.next_sm;
    s->context.handed_out = 0;
    if (s->policy->kernel_start != NULL)
        s->policy->kernel_start(s->state, &s->context);
}

static int successor(const struct block_scheduler *s, int sm)
{
    return (sm + 1) % s->context.sms;
}

int block_scheduler_first_sm(struct block_scheduler *s)
{
    return s->policy->first_sm != NULL
               ? s->policy->first_sm(s->state, &s->context)
               : s->context.next_sm;
}

int64_t block_scheduler_next(struct block_scheduler *s, int sm)
{
    if (block_scheduler_left(s) == 0)
        return -1;
    int64_t block = s->policy->next != NULL
                        ? s->policy->next(s->state, &s->context, sm)
                        : (int64_t)s->context.handed_out;
    if (block < 0)
        return -1;
    s->context.handed_out++;
    s->resident[sm]++;
    s->context.next_sm = successor(s, sm);
    return block;
}

int block_scheduler_limit(const struct block_scheduler *s, int sm)
{
    int most = s->context.max_blocks;
    if (s->policy->limit == NULL)
        return most;
    int limit = s->policy->limit(s->state, &s->context, sm);
    return limit < most ? limit : most;
}

uint64_t block_scheduler_sample_at(const struct block_scheduler *s, int sm)
{
    return s->policy->sample_at != NULL ? s->policy->sample_at(s->state, sm)
                                        : UINT64_MAX;
}

void block_scheduler_event(struct block_scheduler *s,
                           const struct block_event *e)
{
    if (e->type == BLOCK_EVENT_END) {
        s->resident[e->sm]--;
        s->context.next_sm = successor(s, e->sm);
    }
    if (s->policy->event != NULL)
        s->policy->event(s->state, &s->context, e);
}

bool block_scheduler_settled(const struct block_scheduler *s, int sm)
{
    return s->policy->settled != NULL && s->policy->settled(s->state, sm);
}

void block_scheduler_explain(const struct block_scheduler *s, int sm, FILE *out)
{
    if (s->policy->explain != NULL)
        s->policy->explain(s->state, &s->context, sm, out);
}
