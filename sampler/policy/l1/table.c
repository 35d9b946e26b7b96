/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/l1/policies.h"

// clang-format off
const struct cache_policy *const cache_policies[] = {
    &cache_lru,
    &cache_srrip,
    &cache_ship,
    &cache_cacp,
    NULL,
};
// clang-format on
