/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernel-aware: the oldest warp until the kernel's last block was issued, from
 * then on the blocks that have issued the fewest instructions first, the oldest
 * warp inside a block. */
#include "sampler/policy/warp/kaws.h"

#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/table.h"

void kaws_event(void *state, const struct warp_table *table,
                const struct sched_event *event)
{
    (void)table;
    (void)event;
    ((struct kaws *)state)->last_block = true;
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

static const struct warp_policy *acts_as(const double *param, int warps,
                                         bool lent)
{
    (void)param, (void)warps;
    return lent ? NULL : &warp_kaws_k;
}

const struct warp_policy warp_kaws = {
    .info = {.name = "kaws",
             .summary = "least advanced block first at the kernel's end; "
                        "schedulers share warps",
             .paper = "kaws Sec. 3"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct kaws),
    .events = EVENT_LAST_BLOCK,
    .warp_sharing = true,
    .pick = kaws_pick,
    .event = kaws_event,
    .acts_as = acts_as,
};
