/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/l1/table.h"

#include "sampler/policy/registry.h"

#define ENTRY(name) &cache_##name,

const struct cache_policy *const cache_policies[] = {CACHE_POLICIES(ENTRY)
                                                         NULL};
