/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/rules.h"

#include <stdbool.h>

/* Above it a resource is what limits: the library's knee. */
#define NEAR_PEAK 0.6
/* As good as one block for each SM; no GPU has a thousand. */
#define FULL_SHARE 0.999

static const struct rule rules[] = {
    {"dram",
     {{FACT_DRAM, '>', NEAR_PEAK}},
     "DRAM is near its bandwidth: move fewer bytes (smaller types, fused "
     "kernels, reuse in shared memory or registers).",
     "dram.gbps"},
    {"dram-uncached",
     {{FACT_DRAM, '>', NEAR_PEAK}, {FACT_L2_MISS, '>', 0.9}},
     "Almost nothing is found in the L2: data are used once, or again only "
     "when they are gone; blocks that share data should run close together.",
     "l2.size_kb"},
    {"l2",
     {{FACT_L2, '>', NEAR_PEAK}},
     "The L2's ports are near their peak: keep more of what is reused in "
     "shared memory or the L1.",
     "l2.port_bytes"},
    {"interconnect",
     {{FACT_INTERCONNECT, '>', NEAR_PEAK}},
     "The interconnect is near its peak: coalesce accesses, and keep what is "
     "reused in the SM.",
     "icnt.flit_bytes"},
    {"l1",
     {{FACT_L1, '>', NEAR_PEAK}},
     "The L1's ports are busy: accesses of a warp that fall into fewer lines, "
     "and wider loads, need fewer of them.",
     NULL},
    {"l1-misses",
     {{FACT_L1_MISS, '>', 0.5},
      {FACT_L1_MISS, '<', 0.95},
      {FACT_SB_MEM, '>', 0.4}},
     "Part of the data stays in the L1: fewer resident blocks, or smaller "
     "tiles, may keep more of it there.",
     "l1.size_kb"},
    {"shared",
     {{FACT_SHARED, '>', NEAR_PEAK}},
     "Shared memory's banks are busy: look for bank conflicts, and keep "
     "values in registers.",
     NULL},
    {"issue",
     {{FACT_ISSUE, '>', NEAR_PEAK}},
     "Issue slots are full: only fewer instructions help (vector loads, "
     "unrolled loops, cheaper addresses).",
     "sms"},
    {"sp",
     {{FACT_SP, '>', NEAR_PEAK}},
     "The SP pipelines are busy: lower precision or matrix instructions do "
     "more with each.",
     "unit.sp"},
    {"int",
     {{FACT_INT, '>', NEAR_PEAK}},
     "The integer pipelines are busy: hoist addresses and indices out of "
     "loops.",
     NULL},
    {"sfu",
     {{FACT_SFU, '>', NEAR_PEAK}},
     "The special function units are busy: fewer divisions, roots and "
     "transcendental functions, or polynomials in their place.",
     "unit.sfu"},
    {"dp",
     {{FACT_DP, '>', NEAR_PEAK}},
     "The double-precision pipelines are busy: use single precision where it "
     "will do.",
     NULL},
    {"tensor",
     {{FACT_TENSOR, '>', NEAR_PEAK}},
     "The tensor cores are busy: this is what the GPU is built for.",
     NULL},
    {"occupancy",
     {{FACT_HIGHEST, '<', NEAR_PEAK},
      {FACT_OCCUPANCY, '<', 0.5},
      {FACT_SB_MEM, '>', 0.3}},
     "Few warps fit on an SM and they wait for memory: fewer registers or "
     "less shared memory would let more of them hide it.",
     "regs"},
    {"memory-latency",
     {{FACT_HIGHEST, '<', NEAR_PEAK},
      {FACT_OCCUPANCY, '>', 0.5},
      {FACT_SB_MEM, '>', 0.4}},
     "Warps wait for memory that is not busy: more independent loads in a "
     "warp (unrolling, prefetching) overlap their latency.",
     "l2.latency"},
    {"arithmetic-latency",
     {{FACT_HIGHEST, '<', NEAR_PEAK}, {FACT_SB_ALU, '>', 0.3}},
     "Warps wait for their own arithmetic: more independent operations in a "
     "warp, or more warps, hide its latency.",
     "tb"},
    {"small-grid",
     {{FACT_BLOCKS, '<', 1}},
     "The grid has fewer blocks than the GPU has SMs: more and smaller blocks "
     "would use the SMs that stand idle.",
     "block"},
    {"part-of-a-wave",
     {{FACT_WAVES, '<', 1},
      {FACT_BLOCKS, '>', FULL_SHARE},
      {FACT_HIGHEST, '<', NEAR_PEAK}},
     "The grid is less than the SMs can hold: more work in a launch, or "
     "launches at the same time, would hide each other's latency.",
     NULL},
    {"tail",
     {{FACT_WAVES, '>', 1}, {FACT_WAVES, '<', 3}, {FACT_IDLE, '>', 0.15}},
     "The grid is few waves of blocks, and SMs stand idle in the last: "
     "smaller blocks, or a grid of whole waves, even it out.",
     "block"},
};
#define RULES (sizeof(rules) / sizeof(rules[0]))

static bool condition_holds(const struct condition *c, const double *fact)
{
    return c->sign == 0 || (c->sign == '>' && fact[c->fact] > c->value) ||
           (c->sign == '<' && fact[c->fact] < c->value);
}

static bool holds(const struct rule *r, const double fact[FACTS])
{
    for (int i = 0; i < CONDITIONS_MAX; i++)
        if (!condition_holds(&r->when[i], fact))
            return false;
    return true;
}

const struct rule *rule_at(size_t i)
{
    return i < RULES ? &rules[i] : NULL;
}

const struct rule *rule_holding(const double fact[FACTS], size_t i)
{
    for (size_t n = 0; n < RULES; n++)
        if (holds(&rules[n], fact) && i-- == 0)
            return &rules[n];
    return NULL;
}
