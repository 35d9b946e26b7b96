/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy then youngest: the warp issued last as long as it can issue, then the
 * youngest. */
#include "sampler/policy/warp/greedy.h"
#include "sampler/policy/warp/order.h"

static bool younger(const struct warp_table *table, int a, int b)
{
    return table->age[a] > table->age[b];
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct greedy *g = state;
    if (!warp_goes_on(ready, g->last))
        g->last = warp_first(table, ready, younger);
    return g->last;
}

const struct warp_policy warp_gty = {
    .info = {.name = "gty",
             .summary = "greedy then youngest: as gto, the youngest next",
             .paper = "Huerta et al., MICRO 2025 (CGGTY)"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct greedy),
    .events = EVENT_WARP_LAUNCH,
    .init = greedy_init,
    .pick = pick,
    .event = greedy_event,
};
