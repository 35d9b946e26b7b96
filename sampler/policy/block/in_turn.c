/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/block/in_turn.h"

void in_turn_start(struct in_turn *t)
{
    t->next = 0;
}

int64_t in_turn_next(struct in_turn *t, const struct block_context *context,
                     int sm)
{
    if (in_turn_over(t, context))
        return -1;
    t->first_sm = (sm + 1) % context->sms;
    return (int64_t)t->next++;
}

void in_turn_event(struct in_turn *t, const struct block_context *context,
                   const struct block_event *e)
{
    if (e->type == BLOCK_EVENT_END)
        t->first_sm = (e->sm + 1) % context->sms;
}
