/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-level greedy then oldest: among warps that may come back the one launched
 * first. */
#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/table.h"
#include "sampler/policy/warp/two_level.h"

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    (void)cycle;
    return two_level_move(state, table, warp_older);
}

const struct warp_policy warp_tlgto = {
    .info = {.name = "tlgto",
             .summary = "two-level, active queue by launch age",
             .paper = "paws Sec. IV-B2",
             .param = TWO_LEVEL_PARAM},
    .traits = {.family = FAMILY_GREEDY},
    .needs_open = true,
    .state_size = sizeof(struct two_level),
    .events = EVENT_WARP_EXIT,
    .init = two_level_init,
    .pick = two_level_pick,
    .eligible = eligible,
    .event = two_level_event,
    .base = &warp_tlrr,
    .departed = two_level_departed,
};
