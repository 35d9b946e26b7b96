/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of gcaws, which cawa shares. */
#ifndef SAMPLER_POLICY_WARP_GCAWS_H
#define SAMPLER_POLICY_WARP_GCAWS_H

#include "sampler/policy/warp/warp_policy.h"

/* On a struct greedy. */
int gcaws_pick(void *state, const struct warp_table *table, uint64_t ready,
               uint64_t cycle);

#endif
