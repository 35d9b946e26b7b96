/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study of a synthetic kernel. */
#ifndef TESTS_CALIB_BENCH_H
#define TESTS_CALIB_BENCH_H

#include "tests/calib_synthetic.h"

static const int tb_list[] = {1, 2, 3, 4, 5, 6, 7, 8};

struct bench {
    struct kernel kernel;
    struct synthetic law;
    struct policy_set policy[SYNTHETIC_POLICIES];
    struct study study;
};

static inline void bench_make(struct bench *b, int i, uint64_t blocks)
{
    synthetic_kernel(&b->kernel, &b->law, i, blocks);
    synthetic_policies(b->policy);
    b->study = (struct study){.kernel = &b->kernel,
                              .gpu = &synthetic_gpu,
                              .tb = tb_list,
                              .tb_count = 8,
                              .policies = b->policy,
                              .policy_count = SYNTHETIC_POLICIES};
}

static inline bool same_results(const struct study *st,
                                const struct study_result *a,
                                const struct study_result *b)
{
    size_t n = (size_t)st->tb_count * (size_t)st->policy_count;
    return memcmp(a->delta, b->delta, n * sizeof(*a->delta)) == 0 &&
           memcmp(a->result, b->result, n * sizeof(*a->result)) == 0 &&
           memcmp(&a->params, &b->params, sizeof(a->params)) == 0 &&
           a->sample_insts == b->sample_insts;
}

#endif
