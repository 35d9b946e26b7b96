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
