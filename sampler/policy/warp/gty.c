/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy then youngest: the warp issued last as long as it can issue, then the
 * youngest. */
#include "sampler/policy/warp/policies.h"

struct gty {
    int last; /* -1: none yet */
};

static void init(void *state, const struct warp_context *context)
{
    (void)context;
    ((struct gty *)state)->last = -1;
}

static int youngest(const struct warp_table *table, uint64_t mask)
{
    int best = __builtin_ctzll(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        int w = __builtin_ctzll(mask);
        if (table->age[w] > table->age[best])
            best = w;
    }
    return best;
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct gty *g = state;
    if (g->last < 0 || (ready >> g->last & 1) == 0)
        g->last = youngest(table, ready);
    return g->last;
}

const struct warp_policy warp_gty = {
    .info = {.name = "gty",
             .summary = "greedy then youngest: as gto, the youngest next",
             .paper = "Huerta et al., MICRO 2025 (CGGTY)"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct gty),
    .init = init,
    .pick = pick,
};
