/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all kinds of policy have in common: what a policy tells of itself, and
 * the choice of one with its parameters. The contract of each kind is in
 * warp/warp_policy.h, block/block_policy.h and l1/cache_policy.h; registry.h
 * knows them by name. Nothing here depends on the engines. */
#ifndef SAMPLER_POLICY_POLICY_H
#define SAMPLER_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct warp_policy;
struct block_policy;
struct cache_policy;

#define POLICY_MAX_PARAMS 4

/* What a policy is chosen for. */
enum policy_kind {
    POLICY_WARP,  /* which warp issues: struct warp_policy */
    POLICY_BLOCK, /* which SM gets which thread block: struct block_policy */
    POLICY_L1,    /* which line of the L1 is replaced: struct cache_policy */
    POLICY_KINDS
};

/* "scheduler", "thread-block scheduler", "L1 policy" */
const char *policy_kind_name(enum policy_kind kind);

/* What a parameter means to others than its policy. */
enum param_role {
    ROLE_PRIVATE,     /* nothing */
    ROLE_WARP_LIMIT,  /* warps of a scheduler that may issue at all */
    ROLE_READY_QUEUE, /* warps of a scheduler's ready queue: two levels */
    ROLE_CPL_SIGNED   /* the criticality predictor counts below 0 (cpl.h) */
};

struct policy_param {
    const char *name;
    double fallback, min, max; /* integers all */
    const char *help;
    enum param_role role;
};

/* What a policy tells of itself; `estimate list` prints it. Every policy struct
 * begins with one. */
struct policy_info {
    const char *name;    /* as on the command line */
    const char *summary; /* one line */
    const char *paper;   /* key and section, "paws Sec. IV-B2" */
    struct policy_param param[POLICY_MAX_PARAMS]; /* name NULL ends */
};

/* A policy of any kind with its parameters, as parsed from "tlgto:8". */
struct choice {
    union {
        const struct policy_info *info; /* of whatever kind it is */
        const struct warp_policy *warp;
        const struct block_policy *block;
        const struct cache_policy *cache;
    };
    double param[POLICY_MAX_PARAMS];
};

/* A policy for each purpose. */
struct policy_set {
    struct choice warp, block, l1;
};

/* How many parameters the policy takes. */
int policy_param_count(const struct policy_info *info);

/* The policy with the default of every parameter. */
struct choice choice_of(const struct policy_info *info);
/* Whether both are the same policy with the same parameters. */
bool choice_equal(const struct choice *a, const struct choice *b);
bool policy_set_equal(const struct policy_set *a, const struct policy_set *b);
/* The parameter that has this role, `otherwise` where the policy has none. */
double choice_param(const struct choice *c, enum param_role role,
                    double otherwise);
/* "tlgto:8", or the bare name when every parameter has its default. */
void choice_label(char *out, size_t size, const struct choice *c);

#endif
