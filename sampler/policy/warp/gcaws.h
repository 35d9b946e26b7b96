/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of gcaws, which cawa shares. */
#ifndef SAMPLER_POLICY_WARP_GCAWS_H
#define SAMPLER_POLICY_WARP_GCAWS_H

#include "sampler/policy/warp/warp_policy.h"

#define CPL_PARAM                                                              \
    {                                                                          \
        {                                                                      \
            .name = "signed", .fallback = 1, .min = 0, .max = 1,               \
            .help = "0: instructions committed do not take the predictor's "   \
                    "count below 0",                                           \
            .role = ROLE_CPL_SIGNED                                            \
        }                                                                      \
    }

/* On a struct greedy. */
int gcaws_pick(void *state, const struct warp_table *table, uint64_t ready,
               uint64_t cycle);

#endif
