/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How policies act: those to which a GPU or a block count leaves nothing of
 * their own, so that a run under another one stands for a run under them. */
#ifndef SAMPLER_ACTING_H
#define SAMPLER_ACTING_H

#include "sampler/policy/policy.h"

#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* The policies that do the same as these, to the cycle, where at most tb blocks
 * of so many warps are resident on an SM (warp_policy.h, acts_as). */
struct policy_set policies_acting(const struct policy_set *p,
                                  const struct gpu *g, int tb,
                                  uint32_t warps_per_block);

/* The limit of blocks on an SM that does the same as tb, to the cycle: where a
 * grid's blocks are dealt to SMs in turn, none gets more than its share. */
int policies_block_limit(const struct policy_set *p, const struct gpu *g,
                         int tb, uint64_t blocks);

/* Put the base of the warp scheduler, as which it acts until it departs, in its
 * place (warp_policy.h); false where it has none. */
bool policies_turn_to_base(struct policy_set *p);

/* Whether warps take turns under them (FAMILY_ROUND_ROBIN). */
bool policies_take_turns(const struct policy_set *p);

/* Put the policy of the first of two passes in the place of the warp scheduler;
 * false where that has one pass. */
bool policies_turn_to_first_pass(struct policy_set *p);

/* Whether what they do in a launch depends on the launches before it. */
bool policies_are_across(const struct policy_set *p);

#endif
