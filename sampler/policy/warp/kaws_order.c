/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel-aware: the oldest warp until the kernel's last block was issued, from
 * then on the blocks that have issued the fewest instructions first, the oldest
 * warp inside a block. */
#include "sampler/policy/warp/kaws.h"

#include "sampler/policy/warp/order.h"

void kaws_event(void *state, const struct warp_table *table,
                const struct sched_event *event)
{
    (void)table;
    (void)event;
    ((struct kaws *)state)->last_block = true;
}

bool kaws_departed(const void *state)
{
    return ((const struct kaws *)state)->last_block;
}

static bool before(const struct warp_table *t, int a, int b)
{
    uint64_t progress_a = t->block_insts[t->block_slot[a]];
    uint64_t progress_b = t->block_insts[t->block_slot[b]];
    if (progress_a != progress_b)
        return progress_a < progress_b;
    return warp_older(t, a, b);
}

int kaws_pick(void *state, const struct warp_table *table, uint64_t ready,
              uint64_t cycle)
{
    (void)cycle;
    if (!((const struct kaws *)state)->last_block)
        return warp_oldest(table, ready);
    return warp_first(table, ready, before);
}
