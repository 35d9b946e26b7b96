/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy then oldest: the warp issued last as long as it can issue, then the
 * oldest. */
#include "sampler/policy/warp/greedy.h"
#include "sampler/policy/warp/order.h"

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct greedy *g = state;
    g->last = warp_greedy_oldest(table, ready, g->last);
    return g->last;
}

const struct warp_policy warp_gto = {
    .info = {.name = "gto",
             .summary = "greedy then oldest: same warp until it cannot issue",
             .paper = "Rogers et al., MICRO 2012; paws Sec. I"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct greedy),
    .events = EVENT_WARP_LAUNCH,
    .init = greedy_init,
    .pick = pick,
    .event = greedy_event,
};
