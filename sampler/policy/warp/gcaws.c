/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy criticality-aware: the warp issued last as long as it can issue, then
 * the most critical one, ties to the oldest. */
#include "sampler/policy/warp/gcaws.h"

#include "sampler/policy/warp/greedy.h"
#include "sampler/policy/warp/order.h"

static bool before(const struct warp_table *t, int a, int b)
{
    if (t->criticality[a] != t->criticality[b])
        return t->criticality[a] > t->criticality[b];
    return warp_older(t, a, b);
}

int gcaws_pick(void *state, const struct warp_table *table, uint64_t ready,
               uint64_t cycle)
{
    (void)cycle;
    struct greedy *g = state;
    if (!warp_goes_on(ready, g->last))
        g->last = warp_first(table, ready, before);
    return g->last;
}

const struct warp_policy warp_gcaws = {
    .info = {.name = "gcaws",
             .summary = "greedy, then the most critical warp by prediction",
             .paper = "cawa Sec. 3.2",
             .param = CPL_PARAM},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct greedy),
    .events = EVENT_WARP_LAUNCH,
    .needs_criticality = true,
    .init = greedy_init,
    .pick = gcaws_pick,
    .event = greedy_event,
};
