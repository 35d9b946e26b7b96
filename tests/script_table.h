/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels and machines that the suites of properties go through, and a run of
 * one under one policy with all there is to know of it. */
#ifndef TESTS_SCRIPT_TABLE_H
#define TESTS_SCRIPT_TABLE_H

#include "sampler/policy/block/block_policy.h"
#include "sampler/policy/l1/cache_policy.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"
#include "sampler/sampler.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>
#include <stdio.h>

#define MiB (UINT64_C(1) << 20)

/* Operations: destination and source registers, -1 = none. */
#define ALU(class, d, a, b)                                                    \
    {                                                                          \
        .op = (class), .dst = (d), .src0 = (a), .src1 = (b)                    \
    }
#define MEM(class, where, d, a, bytes, ...)                                    \
    {                                                                          \
        .op = (class), .space = (where), .dst = (d), .src0 = (a), .src1 = -1,  \
        .width = (bytes), __VA_ARGS__                                          \
    }
#define PLAIN(class) ALU(class, -1, -1, -1)
/* One coalesced 128-byte line a warp and iteration, every one another; blocks
 * of eight warps (64 at most) cover 1 KiB each, side by side. */
#define OWN_LINES                                                              \
    .stride = 4, .warp_step = 128, .block_step = 1024, .iteration_step = 65536

struct script_case {
    const char *name;
    uint32_t blocks, warps;
    bool streams; /* bound by the memory system, no reuse */
    struct script script;
};

static const struct script_case script_cases[] = {
    {"exit alone", 9, 2, false, {{PLAIN(OP_EXIT)}, 1, 1, 0, false, 0}},
    {"dependent chain",
     3,
     2,
     false,
     {{ALU(OP_SP, 1, 1, 2), PLAIN(OP_EXIT)}, 2, 40, 0, true, 0}},
    {"all units",
     5,
     6,
     false,
     {{ALU(OP_INT, 1, 2, 3), ALU(OP_IMUL, 4, 1, 3), ALU(OP_SP, 5, 6, 7),
       ALU(OP_SFU, 8, 5, -1), ALU(OP_DP, 9, 9, 8), ALU(OP_TENSOR, 10, 4, 5),
       ALU(OP_SP, 6, 6, 7), PLAIN(OP_EXIT)},
      8,
      12,
      1,
      true,
      0}},
    {"stream",
     6,
     8,
     true,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, 2, 4, .base = 0, OWN_LINES),
       ALU(OP_SP, 3, 1, 3),
       MEM(OP_STORE, SPACE_GLOBAL, -1, 3, 4, .base = 64 * MiB + 5 * 8192,
           OWN_LINES),
       PLAIN(OP_EXIT)},
      4,
      10,
      0,
      true,
      0}},
    {"four loads in flight",
     8,
     8,
     true,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 0, OWN_LINES),
       MEM(OP_LOAD, SPACE_GLOBAL, 2, -1, 4, .base = 16 * MiB + 3 * 8192,
           OWN_LINES),
       MEM(OP_LOAD, SPACE_GLOBAL, 3, -1, 4, .base = 32 * MiB + 6 * 8192,
           OWN_LINES),
       MEM(OP_LOAD, SPACE_GLOBAL, 4, -1, 4, .base = 48 * MiB + 9 * 8192,
           OWN_LINES),
       ALU(OP_SP, 5, 1, 2), ALU(OP_SP, 6, 3, 4), PLAIN(OP_EXIT)},
      7,
      8,
      0,
      true,
      0}},
    {"uncoalesced",
     4,
     6,
     true,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 0, .stride = 160,
           .warp_step = 5120, .block_step = 65536, .iteration_step = 16 * MiB),
       ALU(OP_INT, 2, 1, -1), PLAIN(OP_EXIT)},
      3,
      4,
      0,
      true,
      0}},
    {"gather and scatter",
     5,
     6,
     false,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, 5, 4, .random_bytes = MiB),
       MEM(OP_LOAD, SPACE_GLOBAL, 2, 5, 8, .random_bytes = 32768,
           .mask = 0x00ff00ff),
       ALU(OP_INT, 5, 1, 2),
       MEM(OP_STORE, SPACE_GLOBAL, -1, 5, 4, .base = MiB,
           .random_bytes = MiB / 2, .mask = 0x0f0f0f0f),
       PLAIN(OP_EXIT)},
      5,
      3,
      1,
      true,
      0}},
    {"reuse",
     6,
     4,
     false,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4, .warp_step = 128,
           .iteration_step = 512),
       MEM(OP_LOAD, SPACE_GLOBAL, 2, -1, 4, .stride = 4, .warp_step = 512),
       ALU(OP_SP, 3, 1, 2), ALU(OP_SP, 4, 3, 4), PLAIN(OP_EXIT)},
      5,
      12,
      0,
      true,
      0}},
    {"shared and barriers",
     6,
     8,
     false,
     {{MEM(OP_STORE, SPACE_SHARED, -1, 1, 4, .stride = 4, .warp_step = 128),
       PLAIN(OP_BARRIER),
       MEM(OP_LOAD, SPACE_SHARED, 1, -1, 4, .stride = 8, .warp_step = 256),
       MEM(OP_ATOMIC, SPACE_SHARED, 2, 1, 4, .stride = 128), PLAIN(OP_BARRIER),
       ALU(OP_SP, 1, 1, 2), PLAIN(OP_EXIT)},
      7,
      6,
      0,
      true,
      0}},
    {"uneven warps at barriers",
     7,
     5,
     false,
     {{MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 0, OWN_LINES),
       ALU(OP_INT, 1, 1, -1), PLAIN(OP_BARRIER), ALU(OP_SFU, 2, 1, -1),
       PLAIN(OP_BARRIER), PLAIN(OP_EXIT)},
      6,
      2,
      2,
      true,
      0}},
    {"atomics and fences",
     4,
     4,
     false,
     {{MEM(OP_ATOMIC, SPACE_GLOBAL, 1, 2, 4, .base = 4096),
       MEM(OP_STORE, SPACE_GLOBAL, -1, 2, 4, .base = MiB, OWN_LINES),
       PLAIN(OP_FENCE),
       MEM(OP_ATOMIC, SPACE_GLOBAL, -1, 1, 4, .base = 8192, .stride = 4),
       PLAIN(OP_EXIT)},
      5,
      5,
      0,
      true,
      0}},
    {"constants, textures, local memory",
     4,
     4,
     false,
     {{MEM(OP_LOAD, SPACE_CONST, 1, -1, 4, .iteration_step = 64),
       MEM(OP_LOAD, SPACE_TEXTURE, 2, 1, 4, .base = 2 * MiB, .stride = 4,
           .warp_step = 64, .iteration_step = 4096),
       MEM(OP_STORE, SPACE_LOCAL, -1, 2, 4, .base = 8 * MiB, .stride = 4,
           .warp_step = 1024, .block_step = 8192, .iteration_step = 128),
       MEM(OP_LOAD, SPACE_LOCAL, 3, -1, 4, .base = 8 * MiB, .stride = 4,
           .warp_step = 1024, .block_step = 8192, .iteration_step = 128),
       ALU(OP_SP, 4, 3, 1), PLAIN(OP_EXIT)},
      6,
      8,
      0,
      true,
      0}},
    {"short basic blocks",
     5,
     6,
     false,
     {{ALU(OP_INT, 1, 1, -1), ALU(OP_BRANCH, -1, 1, -1),
       MEM(OP_LOAD, SPACE_GLOBAL, 2, 1, 4, .stride = 4, .warp_step = 128,
           .iteration_step = 256),
       PLAIN(OP_BRANCH), ALU(OP_SP, 3, 2, 3), PLAIN(OP_BRANCH), PLAIN(OP_EXIT)},
      7,
      8,
      1,
      true,
      0}},
    {"code larger than the instruction cache",
     4,
     4,
     false,
     {{ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 2, 2, -1), ALU(OP_SP, 3, 3, -1),
       ALU(OP_INT, 1, 1, -1), ALU(OP_SP, 2, 2, -1), ALU(OP_SP, 3, 3, -1),
       ALU(OP_SP, 1, 1, 2), PLAIN(OP_BRANCH), ALU(OP_SP, 2, 2, 3),
       PLAIN(OP_EXIT)},
      10,
      6,
      0,
      true,
      512}},
};

#define SCRIPT_CASES (sizeof(script_cases) / sizeof(script_cases[0]))

/* ---- machines ----------------------------------------------------------- */

/* Everything that can hold one thing holds one. */
static inline struct gpu narrow_gpu(void)
{
    struct gpu g = plain_gpu();
    strcpy(g.name, "narrow");
    g.sms = 3;
    g.launch.kernel_cycles = 100;
    g.launch.block_cycles = 7;
    g.launch.block_period = 2.5;
    g.sm.schedulers = 2;
    g.sm.issue_period = 3;
    g.fetch.warps_per_cycle = g.fetch.buffer = 1;
    g.fetch.latency = 3;
    g.icache.perfect = 0;
    g.icache.size_kb = 0.5;
    g.icache.ways = 1;
    g.collector.sp = g.collector.sfu = g.collector.mem = 1;
    g.collector.banks = g.collector.ports = 1;
    g.interval.mem = 2;
    g.l1.size_kb = 1;
    g.l1.ways = 2;
    g.l1.mshr = g.l1.mshr_merge = g.l1.miss_queue = 1;
    g.clock.icnt_mhz = 700;
    g.clock.l2_mhz = 600;
    g.clock.dram_mhz = 450;
    g.l2.size_kb = 2;
    g.l2.ways = 1;
    g.l2.mshr = g.l2.mshr_merge = g.l2.queue = 1;
    g.dram.queue = 1;
    g.dram.banks = g.dram.bank_groups = 1;
    return g;
}

/* Dual issue, write-back L1 of 32-byte sectors, mesh. */
static inline struct gpu wide_gpu(void)
{
    struct gpu g = plain_gpu();
    strcpy(g.name, "wide");
    g.sms = 2;
    g.sm.schedulers = 4;
    g.sm.issue_width = 2;
    g.sm.dual_distinct = 1;
    g.sm.sub_core = 1;
    g.collector.generic = 8;
    g.collector.banks = 16;
    g.unit.sp = g.unit.integer = g.unit.dp = 4;
    g.unit.mem = 2;
    g.l1.sector_bytes = 32;
    g.l1.accesses_per_cycle = 4;
    g.l1.write_policy = L1_WRITE_BACK;
    g.l1.size_kb = 4;
    g.l2.hashed = 1;
    g.l2.size_kb = 64;
    g.icnt.mesh = 1;
    g.mesh.memory_near = 97; /* l2_near and what the DRAM takes */
    g.mesh.memory_far = 161;
    return g;
}

/* Everything at once. */
static inline struct gpu quick_gpu(void)
{
    struct gpu g = plain_gpu();
    strcpy(g.name, "quick");
    g.sms = 2;
    g.sm.schedulers = 8;
    g.fetch.latency = g.fetch.branch_latency = 0;
    g.fetch.warps_per_cycle = 8;
    g.icache.perfect = 0;
    g.icache.miss_latency = 0;
    g.latency.integer = g.latency.imul = g.latency.sp = g.latency.sfu =
        g.latency.dp = g.latency.tensor = g.latency.branch = 1;
    g.interval.sfu = g.interval.dp = g.interval.tensor = 1;
    g.unit.sp = 8;
    g.shared.latency = g.l1.latency = g.constant.latency = g.texture.latency =
        g.l2.latency = 1;
    g.constant.miss_latency = 0;
    g.icnt.latency = g.icnt.header_bytes = 0;
    g.dram.latency = g.dram.rcd = g.dram.rp = g.dram.cl = g.dram.wl = 0;
    g.dram.ras = g.dram.rc = g.dram.rrd = g.dram.ccd = g.dram.ccdl = 0;
    g.dram.gbps = 1000;
    return g;
}

static inline struct gpu part_of(const char *name, int sms)
{
    struct gpu whole, part;
    struct error e;
    if (!gpu_load(&whole, name, NULL, 0, &e))
        ck_abort_msg("%s", e.text);
    gpu_slice(&part, &whole, sms);
    return part;
}

#define SCRIPT_GPUS 7
static inline struct gpu script_gpu(int i)
{
    switch (i) {
    case 0:
        return plain_gpu();
    case 1:
        return narrow_gpu();
    case 2:
        return wide_gpu();
    case 3:
        return part_of("m2090", 2);
    case 4:
        return part_of("k20x", 2);
    case 5:
        return part_of("v100", 2);
    default:
        return quick_gpu();
    }
}

/* ---- runs --------------------------------------------------------------- */

/* A run's counts and a digest of when every block and warp lived. */
struct script_run {
    struct sampler_counts counts;
    struct result result;
    bool departed;
    uint64_t lives;
};

static inline void digest(struct script_run *r, uint64_t x)
{
    r->lives = mix(r->lives ^ x);
}

static inline bool note_block(void *user, const struct sampler_block *b)
{
    ck_assert_uint_le(b->start, b->end);
    digest(user, b->block);
    digest(user, b->start);
    digest(user, b->end);
    digest(user, b->insts);
    return true;
}

static inline void note_warp(void *user, const struct sampler_warp *w)
{
    ck_assert_uint_le(w->start, w->end);
    digest(user, w->block << 8 | w->warp);
    digest(user, (uint64_t)w->sm);
    digest(user, w->start);
    digest(user, w->end);
    digest(user, w->insts);
    digest(user, w->sched_wait);
}

static inline struct choice block_of(const struct block_policy *policy)
{
    return choice_of(&policy->info);
}

static inline struct choice cache_of(const struct cache_policy *policy)
{
    return choice_of(&policy->info);
}

static inline struct policy_set policies_of(const struct warp_policy *warp)
{
    struct policy_set p = policy_set_default();
    p.warp = choice_of(&warp->info);
    return p;
}

static inline struct script_run run_options(const struct script *s,
                                            uint32_t blocks, uint32_t warps,
                                            const struct gpu *g,
                                            const struct policy_set *p,
                                            struct sampler_options o)
{
    struct kernel *k = script_kernel(s, blocks, warps);
    struct script_run r = {.lives = 0};
    struct sampler_run run;
    struct error e;
    o.user = &r;
    o.warp_done = note_warp;
    if (o.block_done == NULL)
        o.block_done = note_block;
    if (!sampler_simulate(&run,
                          &(struct sampler_job){.kernel = &k,
                                                .kernels = 1,
                                                .gpu = g,
                                                .policies = p,
                                                .options = &o},
                          &e))
        ck_abort_msg("%s under %s: %s", g->name, p->warp.warp->info.name,
                     e.text);
    k->ops->destroy(k);
    r.counts = run.counts;
    r.result = run.result;
    r.departed = run.departed;
    return r;
}

static inline struct script_run run_case(const struct script_case *c,
                                         const struct gpu *g,
                                         const struct warp_policy *warp,
                                         bool tick_every_cycle)
{
    struct policy_set p = policies_of(warp);
    return run_options(
        &c->script, c->blocks, c->warps, g, &p,
        (struct sampler_options){.tick_every_cycle = tick_every_cycle});
}

#endif
