/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the comma lists of --sched, --tb-sched and --l1-policy to the policies
 * that a sweep compares. */
#ifndef CLI_CHOOSE_H
#define CLI_CHOOSE_H

#include "cli/error.h"

#define LABEL_MAX 64

struct options;

/* A policy of each kind, as results name them. */
struct chosen {
    char sched[LABEL_MAX], tb_sched[LABEL_MAX], l1_policy[LABEL_MAX];
};

struct policy_list {
    struct chosen *set;
    size_t count;
    size_t block_count, l1_count; /* how many of each were asked for */
};

/* Every scheduler crossed with every thread-block scheduler and L1 policy, the
 * warp scheduler varying fastest; a list that is NULL is the default. A
 * scheduler that brings an L1 policy of its own is paired with that one alone.
 * ESTIMATE_USAGE on unknown names, on one named twice, and where --l1-policy
 * leaves out what a scheduler brings. */
bool policy_list_create(struct policy_list *out, const struct options *o,
                        struct estimate_error *e);
void policy_list_free(struct policy_list *list);

/* The default of each kind: what gains are measured against. */
struct chosen chosen_default(void);
bool chosen_equal(const struct chosen *a, const struct chosen *b);

#endif
