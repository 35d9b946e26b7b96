/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval model's estimates of scripts, under policies that it knows by
 * their traits alone. */
#ifndef TESTS_MODEL_SCRIPTS_H
#define TESTS_MODEL_SCRIPTS_H

#include "model/model.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"
#include "tests/run_suite.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>

static inline struct policy_set
with_warp_policy(const struct warp_policy *policy)
{
    return (struct policy_set){.warp = choice_of(&policy->info)};
}

static const struct warp_policy round_robin = {
    .info = {.name = "test-round-robin"},
    .traits = {.family = FAMILY_ROUND_ROBIN}};
static const struct warp_policy greedy = {.info = {.name = "test-greedy"},
                                          .traits = {.family = FAMILY_GREEDY}};
static const struct warp_policy two_level = {
    .info = {.name = "test-two-level",
             .param = {{.name = "ready",
                        .fallback = 2,
                        .min = 1,
                        .max = 64,
                        .role = ROLE_READY_QUEUE}}},
    .traits = {.family = FAMILY_GREEDY}};
static const struct warp_policy limit = {
    .info = {.name = "test-limit",
             .param = {{.name = "few",
                        .fallback = 1,
                        .min = 1,
                        .max = 64,
                        .role = ROLE_WARP_LIMIT}}},
    .traits = {.family = FAMILY_LIMIT}};

static const struct warp_policy throttle = {
    .info = {.name = "test-throttle"},
    .traits = {.family = FAMILY_GREEDY, .throttles = true}};

static inline struct result estimate_set(const struct kernel *k,
                                         const struct gpu *g,
                                         const struct policy_set *set,
                                         int blocks)
{
    struct model_params params;
    struct result r;
    struct error e;
    struct profile *p = profile_create(k, g, 1, &e);

    ck_assert_ptr_nonnull(p);
    model_params_default(&params);
    model_estimate(&r, p, g, set, blocks, &params);
    profile_free(p);
    return r;
}

static inline struct result estimate(const struct script *s,
                                     const struct gpu *g, uint32_t grid,
                                     uint32_t warps, int blocks,
                                     const struct warp_policy *policy)
{
    struct kernel *k = script_kernel(s, grid, warps);
    struct policy_set set = with_warp_policy(policy);
    struct result r = estimate_set(k, g, &set, blocks);

    k->ops->destroy(k);
    return r;
}

static inline void assert_near(double got, double want, double share)
{
    ck_assert_msg(fabs(got - want) <= share * want,
                  "%.1f is not within %.1f %% of %.1f", got, 100 * share, want);
}

/* Each waits for the one before. */
static const struct script dependent = {
    .op = {{.op = OP_INT, .dst = 1, .src0 = 1, .src1 = -1},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 2,
    .repeat = 100};

/* None waits. */
static const struct script independent = {
    .op = {{.op = OP_INT, .dst = 1, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 2, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 3, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 4, .src0 = 9, .src1 = -1},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 5,
    .repeat = 250};

/* Loads, each of lines that no other touches, and arithmetic on what they
 * bring. */
static const struct script stream = {
    .op = {{.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .stride = 4,
            .warp_step = 128,
            .block_step = 2048,
            .iteration_step = 1 << 20},
           {.op = OP_SP, .dst = 3, .src0 = 1, .src1 = 3},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 3,
    .repeat = 32};

#endif
