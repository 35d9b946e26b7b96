/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy criticality-aware: the warp issued last as long as it can issue, then
 * the most critical one, ties to the oldest. */
#include "sampler/policy/warp/gcaws.h"

#include "sampler/policy/warp/policies.h"

void gcaws_init(void *state, const struct warp_context *context)
{
    (void)context;
    ((struct gcaws *)state)->last = -1;
}

static bool before(const struct warp_table *t, int a, int b)
{
    if (t->criticality[a] != t->criticality[b])
        return t->criticality[a] > t->criticality[b];
    return t->age[a] < t->age[b];
}

int gcaws_pick(void *state, const struct warp_table *table, uint64_t ready,
               uint64_t cycle)
{
    (void)cycle;
    struct gcaws *g = state;
    if (g->last >= 0 && (ready >> g->last & 1) != 0)
        return g->last;
    g->last = __builtin_ctzll(ready);
    for (ready &= ready - 1; ready != 0; ready &= ready - 1) {
        int w = __builtin_ctzll(ready);
        if (before(table, w, g->last))
            g->last = w;
    }
    return g->last;
}

const struct warp_policy warp_gcaws = {
    .info = {.name = "gcaws",
             .summary = "greedy, then the most critical warp by prediction",
             .paper = "cawa Sec. 3.2"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct gcaws),
    .needs_criticality = true,
    .init = gcaws_init,
    .pick = gcaws_pick,
};
