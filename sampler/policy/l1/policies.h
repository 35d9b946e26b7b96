/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every L1 replacement policy; the table is in table.c. */
#ifndef SAMPLER_POLICY_L1_POLICIES_H
#define SAMPLER_POLICY_L1_POLICIES_H

#include "sampler/policy/l1/cache_policy.h"

#include <stddef.h>

extern const struct cache_policy cache_lru;
extern const struct cache_policy cache_srrip;
extern const struct cache_policy cache_ship;
extern const struct cache_policy cache_cacp;

/* Where a policy keeps what it knows of a way. */
static inline size_t line_index(int set, int way, int ways)
{
    return (size_t)set * (size_t)ways + (size_t)way;
}

#endif
