/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the comma lists of --sched, --tb-sched and --l1-policy to the policy
 * sets a sweep compares. */
#ifndef CLI_CHOOSE_H
#define CLI_CHOOSE_H

#include "base/error.h"
#include "sampler/policy/policy.h"

#include <stddef.h>

struct options;

struct policy_list {
    struct policy_set *set;
    size_t count;
    size_t block_count, l1_count; /* how many of each were asked for */
};

/* Every scheduler crossed with every thread-block scheduler and L1 policy, the
 * warp scheduler varying fastest; a list that is NULL is the default. A
 * scheduler that brings an L1 policy of its own is paired with that one alone.
 * STATUS_USAGE on unknown names, on one named twice, and where --l1-policy
 * leaves out what a scheduler brings. */
bool policy_list_create(struct policy_list *out, const struct options *o,
                        struct error *e);
void policy_list_free(struct policy_list *list);

#endif
