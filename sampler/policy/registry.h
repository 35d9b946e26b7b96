/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Policies by name: those built in, from the table of each kind (warp/table.h,
 * block/table.h, l1/table.h), and those a program adds. Where a registry is
 * asked for, NULL stands for the built-in policies alone. */
#ifndef SAMPLER_POLICY_REGISTRY_H
#define SAMPLER_POLICY_REGISTRY_H

#include "sampler/policy/policy.h"

/* The built-in policies in the order in which they are listed, NULL at the
 * end. */
extern const struct warp_policy *const warp_policies[];
extern const struct block_policy *const block_policies[];
extern const struct cache_policy *const cache_policies[];

/* Policies added to the built-in ones; {0} has none. Any number of threads may
 * read it as long as none adds to it. */
struct policy_registry {
    struct policy_added {
        const struct policy_info **policy;
        size_t count;
    } added[POLICY_KINDS];
};

/* Add a policy, the info being the first member of one of that kind. It is the
 * caller's and outlives the registry and the choices made of it. STATUS_USAGE
 * when it breaks the contract of its kind (check.h) or its name is taken,
 * STATUS_FAILED when memory is out. */
bool policy_register(struct policy_registry *r, enum policy_kind kind,
                     const struct policy_info *policy, struct error *e);
/* Forget what was added. */
void policy_registry_free(struct policy_registry *r);

/* The name of the policy that is meant where none is named: "gto", "rr",
 * "lru". */
const char *policy_default(enum policy_kind kind);
/* The i-th of a kind, built-in ones first; NULL behind the last. */
const struct policy_info *policy_at(const struct policy_registry *r,
                                    enum policy_kind kind, size_t i);
/* The policy of that name; NULL and STATUS_USAGE with the nearest name when
 * there is none. */
const struct policy_info *policy_find(const struct policy_registry *r,
                                      enum policy_kind kind, const char *name,
                                      struct error *e);

/* Parse "name" or "name:8[:n]"; text NULL is the default. Unknown names and bad
 * parameters are STATUS_USAGE. */
bool choice_parse(struct choice *out, const struct policy_registry *r,
                  enum policy_kind kind, const char *text, struct error *e);
/* All three, each NULL for its default. */
bool policy_set_parse(struct policy_set *out, const struct policy_registry *r,
                      const char *warp, const char *block, const char *l1,
                      struct error *e);

/* The default of each kind. */
struct policy_set policy_set_default(void);

#endif
