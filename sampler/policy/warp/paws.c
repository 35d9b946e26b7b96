/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Phase-aware, single level: the ready warp nearest to the end of its phase,
 * ties to the oldest. */
#include "sampler/policy/warp/policies.h"

static void init(void *state, const struct warp_context *context)
{
    (void)state;
    (void)context;
}

bool warp_ends_phase_sooner(const struct warp_table *t, int a, int b)
{
    if (t->distance[a] != t->distance[b])
        return t->distance[a] < t->distance[b];
    return t->age[a] < t->age[b];
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)state;
    (void)cycle;
    int best = __builtin_ctzll(ready);
    for (ready &= ready - 1; ready != 0; ready &= ready - 1) {
        int w = __builtin_ctzll(ready);
        if (warp_ends_phase_sooner(table, w, best))
            best = w;
    }
    return best;
}

const struct warp_policy warp_paws = {
    .info = {.name = "paws",
             .summary = "smallest phase distance first, ties to the oldest",
             .paper = "paws Sec. IV-B2"},
    .traits = {.family = FAMILY_PHASE},
    .init = init,
    .pick = pick,
};
