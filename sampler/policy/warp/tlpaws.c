/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-level phase-aware: among warps that may come back the one whose next
 * phase is shortest, ties to the oldest. The distance at the instruction a warp
 * waits at is the next phase's length when that instruction opens a phase. */
#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/two_level.h"

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    (void)cycle;
    return two_level_move(state, table, warp_ends_phase_sooner);
}

const struct warp_policy warp_tlpaws = {
    .info = {.name = "tlpaws",
             .summary = "two-level, active queue by length of the next phase",
             .paper = "paws Sec. IV-B2",
             .param = TWO_LEVEL_PARAM},
    .traits = {.family = FAMILY_PHASE},
    .needs_open = true,
    .state_size = sizeof(struct two_level),
    .events = EVENT_WARP_EXIT,
    .init = two_level_init,
    .pick = two_level_pick,
    .eligible = eligible,
    .event = two_level_event,
};
