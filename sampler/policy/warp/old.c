/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Always the oldest ready warp. */
#include "sampler/policy/warp/policies.h"

int warp_oldest(const struct warp_table *table, uint64_t mask)
{
    int best = __builtin_ctzll(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        int w = __builtin_ctzll(mask);
        if (table->age[w] < table->age[best])
            best = w;
    }
    return best;
}

int warp_greedy_oldest(const struct warp_table *table, uint64_t ready, int last)
{
    bool goes_on = last >= 0 && (ready >> last & 1) != 0;
    return goes_on ? last : warp_oldest(table, ready);
}

void warp_old_init(void *state, const struct warp_context *context)
{
    (void)state;
    (void)context;
}

int warp_old_pick(void *state, const struct warp_table *table, uint64_t ready,
                  uint64_t cycle)
{
    (void)state;
    (void)cycle;
    return warp_oldest(table, ready);
}

const struct warp_policy warp_old = {
    .info = {.name = "old",
             .summary = "always the oldest ready warp",
             .paper = "paws Sec. IV-B2; kaws Sec. 3"},
    .traits = {.family = FAMILY_GREEDY},
    .init = warp_old_init,
    .pick = warp_old_pick,
};
