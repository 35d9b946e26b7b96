/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread-block policy at work in a run: its state, and what goes for the
 * callbacks it leaves out. Engines call these and no callback themselves. */
#ifndef SAMPLER_POLICY_BLOCK_BLOCK_SCHEDULER_H
#define SAMPLER_POLICY_BLOCK_BLOCK_SCHEDULER_H

#include "sampler/policy/block/block_policy.h"

struct block_scheduler {
    const struct block_policy *policy;
    struct block_context context;
    int *resident; /* what the context shows of it */
    void *state;
};

/* For a GPU of `sms` SMs. The choice outlives the scheduler, which
 * block_scheduler_free releases. False when memory is out. */
bool block_scheduler_init(struct block_scheduler *s, const struct choice *c,
                          int sms);
void block_scheduler_free(struct block_scheduler *s);

/* A kernel begins: its max_blocks, blocks, grid and kernel_index. */
void block_scheduler_start(struct block_scheduler *s,
                           const struct block_context *kernel);
/* Blocks of the kernel that are not handed out. */
static inline uint64_t block_scheduler_left(const struct block_scheduler *s)
{
    return s->context.blocks - s->context.handed_out;
}

/* What the callbacks of that name answer; next hands the block out. */
int block_scheduler_first_sm(struct block_scheduler *s);
int64_t block_scheduler_next(struct block_scheduler *s, int sm);
int block_scheduler_limit(const struct block_scheduler *s, int sm);
uint64_t block_scheduler_sample_at(const struct block_scheduler *s, int sm);
void block_scheduler_event(struct block_scheduler *s,
                           const struct block_event *e);
bool block_scheduler_settled(const struct block_scheduler *s, int sm);
void block_scheduler_explain(const struct block_scheduler *s, int sm,
                             FILE *out);

#endif
