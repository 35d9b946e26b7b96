/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks in grid order to SMs in turn: what rr does, and every policy that
 * changes only how many blocks an SM holds. */
#ifndef SAMPLER_POLICY_BLOCK_IN_TURN_H
#define SAMPLER_POLICY_BLOCK_IN_TURN_H

#include "sampler/policy/block/block_policy.h"

struct in_turn {
    uint64_t next; /* block */
    int first_sm;  /* successor of the SM that took or finished one last */
};

void in_turn_start(struct in_turn *t);
/* The next block, for sm; -1 when all are handed out. */
int64_t in_turn_next(struct in_turn *t, const struct block_context *context,
                     int sm);
/* A following kernel starts from the successor of the SM that finished last. */
void in_turn_event(struct in_turn *t, const struct block_context *context,
                   const struct block_event *e);

static inline bool in_turn_over(const struct in_turn *t,
                                const struct block_context *context)
{
    return t->next == context->blocks;
}

#endif
