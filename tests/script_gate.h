/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measuring a gate: what one more repeat of a script costs, so that what a run
 * costs once cancels. */
#ifndef TESTS_SCRIPT_GATE_H
#define TESTS_SCRIPT_GATE_H

#include "tests/run_suite.h"
#include "tests/script_table.h"

/* A script of the given operations; OP_EXIT is added. */
#define SCRIPT(...)                                                            \
    script_of((const struct script_op[]){__VA_ARGS__},                         \
              sizeof((const struct script_op[]){__VA_ARGS__}) /                \
                  sizeof(struct script_op))

static inline struct script script_of(const struct script_op *op, size_t count)
{
    struct script s = {.count = (int)count + 1, .repeat = 1};
    for (size_t i = 0; i < count; i++)
        s.op[i] = op[i];
    s.op[count] = (struct script_op)PLAIN(OP_EXIT);
    return s;
}

static inline struct sampler_counts run_gate(const struct script *s, int repeat,
                                             uint32_t blocks, uint32_t warps,
                                             const struct gpu *g)
{
    struct script copy = *s;
    copy.repeat = repeat;
    struct policy_set p = policies_of(warp_policies[0]);
    return run_options(&copy, blocks, warps, g, &p,
                       (struct sampler_options){.max_cycles = 0})
        .counts;
}

/* The first scheduler's run of kernels, one after the other. */
static inline struct sampler_run run_kernels(struct kernel **k, int count,
                                             const struct gpu *g,
                                             const struct sampler_options *o)
{
    struct policy_set p = policies_of(warp_policies[0]);
    struct sampler_run run;
    struct error e;
    if (!sampler_simulate(&run,
                          &(struct sampler_job){.kernel = k,
                                                .kernels = count,
                                                .gpu = g,
                                                .policies = &p,
                                                .options = o},
                          &e))
        ck_abort_msg("%s", e.text);
    return run;
}

/* Cycles of one repeat for one block of `warps` warps: the mean over the last
 * `more` of few + more repeats. */
static inline double cycles_a_repeat(const struct script *s, int few, int more,
                                     uint32_t warps, const struct gpu *g)
{
    uint64_t a = run_gate(s, few, 1, warps, g).cycles;
    uint64_t b = run_gate(s, few + more, 1, warps, g).cycles;
    return (double)(b - a) / more;
}

/* Repeats 8 to 24, which is 16 and so exact in halves and quarters. */
static inline double per_repeat(const struct script *s, uint32_t warps,
                                const struct gpu *g)
{
    return cycles_a_repeat(s, 8, 16, warps, g);
}

#endif
