/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/cache/policies.h"

const struct cache_policy *const cache_policies[] = {
    &cache_lru,
    NULL,
};
