/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/warp_policy.h"

#include <string.h>

void warp_policy_start(const struct warp_policy *policy, void *state,
                       const struct warp_context *context)
{
    struct warp_context own = *context;
    own.policy = policy;
    memset(state, 0, policy->state_size);
    if (policy->init != NULL)
        policy->init(state, &own);
}

struct choice warp_policy_acting(const struct choice *c, int warps, bool lent)
{
    struct choice acting = *c;
    const struct warp_policy *other;
    while (acting.warp->acts_as != NULL &&
           (other = acting.warp->acts_as(acting.param, warps, lent)) != NULL)
        acting = choice_of(&other->info);
    return acting;
}
