/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-level round-robin: warps come back in the order in which their waits end.
 */
#include "sampler/warp/policies.h"
#include "sampler/warp/two_level.h"

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    (void)cycle;
    return two_level_move(state, table, NULL);
}

const struct warp_policy warp_tlrr = {
    .info = {.name = "tlrr",
             .summary = "two-level, active queue first in, first out",
             .paper = "paws Sec. IV-B2",
             .param = TWO_LEVEL_PARAM},
    .traits = {.family = FAMILY_ROUND_ROBIN, .two_level = true},
    .state_size = sizeof(struct two_level),
    .events = EVENT_WARP_EXIT,
    .init = two_level_init,
    .pick = two_level_pick,
    .eligible = eligible,
    .event = two_level_event,
};
