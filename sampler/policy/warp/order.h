/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Orders of warps: which one of several goes first. */
#ifndef SAMPLER_POLICY_WARP_ORDER_H
#define SAMPLER_POLICY_WARP_ORDER_H

#include "sampler/policy/warp/warp_policy.h"

/* Whether warp a goes before warp b. */
typedef bool warp_before(const struct warp_table *table, int a, int b);

/* The warp of a mask (not 0) that goes before all others, of equal ones that
 * with the lowest slot. Inline, so that the order is compiled into it. */
static inline int warp_first(const struct warp_table *table, uint64_t mask,
                             warp_before *before)
{
    int best = __builtin_ctzll(mask);
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        int w = __builtin_ctzll(mask);
        if (before(table, w, best))
            best = w;
    }
    return best;
}

/* By launch, the oldest first. */
static inline bool warp_older(const struct warp_table *table, int a, int b)
{
    return table->age[a] < table->age[b];
}

/* Nearer to the end of its phase, ties to the oldest (paws Sec. IV-B2). */
static inline bool warp_ends_phase_sooner(const struct warp_table *table, int a,
                                          int b)
{
    if (table->distance[a] != table->distance[b])
        return table->distance[a] < table->distance[b];
    return warp_older(table, a, b);
}

static inline int warp_oldest(const struct warp_table *table, uint64_t mask)
{
    return warp_first(table, mask, warp_older);
}

/* Whether the warp issued last (-1: none) is ready. */
static inline bool warp_goes_on(uint64_t ready, int last)
{
    return last >= 0 && (ready >> last & 1) != 0;
}

/* The warp issued last if it is ready, else the oldest that is. */
static inline int warp_greedy_oldest(const struct warp_table *table,
                                     uint64_t ready, int last)
{
    return warp_goes_on(ready, last) ? last : warp_oldest(table, ready);
}

/* The pick of a scheduler that always takes the oldest (old.c). */
int warp_old_pick(void *state, const struct warp_table *table, uint64_t ready,
                  uint64_t cycle);

#endif
