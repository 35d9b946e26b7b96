/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every L1 replacement policy in the order in which they are listed. A new one
 * is a line here: X(name) stands for the cache_name of its file. */
#ifndef SAMPLER_POLICY_L1_TABLE_H
#define SAMPLER_POLICY_L1_TABLE_H

#include "sampler/policy/l1/cache_policy.h"

// clang-format off
#define CACHE_POLICIES(X) \
    X(lru)                \
    X(srrip)              \
    X(ship)               \
    X(cacp)

// clang-format on

#define DECLARE(name) extern const struct cache_policy cache_##name;
CACHE_POLICIES(DECLARE)
#undef DECLARE

#endif
