/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval model against closed forms and laws it must obey. */
#include "model/model.h"
#include "model/reuse.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/warp_policy.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>

static struct policy_set with_warp_policy(const struct warp_policy *policy)
{
    return (struct policy_set){.warp = choice_of(&policy->info)};
}

/* Policies of the test's own: the model knows them by their traits only. */
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

static struct result estimate_set(const struct kernel *k, const struct gpu *g,
                                  const struct policy_set *set, int blocks)
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

static struct result estimate(const struct script *s, const struct gpu *g,
                              uint32_t grid, uint32_t warps, int blocks,
                              const struct warp_policy *policy)
{
    struct kernel *k = script_kernel(s, grid, warps);
    struct policy_set set = with_warp_policy(policy);
    struct result r = estimate_set(k, g, &set, blocks);

    k->ops->destroy(k);
    return r;
}

static void assert_near(double got, double want, double share)
{
    ck_assert_msg(fabs(got - want) <= share * want,
                  "%.1f is not within %.1f %% of %.1f", got, 100 * share, want);
}

/* ---- closed forms ------------------------------------------------------- */

static const struct script dependent = {
    .op = {{.op = OP_INT, .dst = 1, .src0 = 1, .src1 = -1},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 2,
    .repeat = 100};

START_TEST(one_warp_of_dependent_instructions)
{
    struct gpu g = plain_gpu();

    /* 100 instructions, each a latency and a collector cycle after the one
     * before it, and the exit. */
    assert_near(estimate(&dependent, &g, 1, 1, 1, &greedy).cycles,
                100 * (g.latency.integer + 1), 0.02);
}
END_TEST

static const struct script one_load = {
    .op = {{.op = OP_LOAD,
            .space = SPACE_GLOBAL,
            .dst = 1,
            .src0 = 2,
            .src1 = -1,
            .width = 4,
            .stride = 4,
            .block_step = 4096},
           {.op = OP_INT, .dst = 3, .src0 = 1, .src1 = -1},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 3,
    .repeat = 1};

START_TEST(one_load_from_memory)
{
    struct gpu g = plain_gpu();
    double reply = 4;          /* 128 + 8 bytes in flits of 40 */
    double burst = 128 / 32.0; /* 64 GB/s over two channels at 1 GHz */
    double wait = g.icnt.latency + 1 + g.l2.latency + g.icnt.latency + reply +
                  g.dram.latency + g.dram.rcd + g.dram.cl + burst;

    assert_near(estimate(&one_load, &g, 1, 1, 1, &greedy).cycles, wait, 0.05);
}
END_TEST

static const struct script independent = {
    .op = {{.op = OP_INT, .dst = 1, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 2, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 3, .src0 = 9, .src1 = -1},
           {.op = OP_INT, .dst = 4, .src0 = 9, .src1 = -1},
           {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
    .count = 5,
    .repeat = 250};

/* One line again and again: past the L1 each load takes about what it takes
 * where the L1 keeps nothing (there it asks for smaller sectors). */
START_TEST(loads_past_the_l1)
{
    struct script s = {
        .op = {{.op = OP_LOAD,
                .space = SPACE_GLOBAL,
                .dst = 1,
                .src0 = 1,
                .src1 = -1,
                .width = 4,
                .stride = 4},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2};
    struct gpu g = plain_gpu();
    s.repeat = 100;
    double hit = estimate(&s, &g, 1, 1, 1, warp_policies[0]).cycles;
    s.op[0].past_l1 = true;
    double past = estimate(&s, &g, 1, 1, 1, warp_policies[0]).cycles;
    g.l1.caches_global = 0;
    assert_near(past, estimate(&s, &g, 1, 1, 1, warp_policies[0]).cycles, 0.05);
    ck_assert_double_gt(past, 1.5 * hit);
}
END_TEST

START_TEST(many_warps_issue_an_instruction_a_cycle)
{
    struct gpu g = plain_gpu();
    struct result r = estimate(&independent, &g, 40, 8, 4, &greedy);

    assert_near(r.cycles, 40 * 8 * 1001.0, 0.05);
    assert_near(r.warp_insts, 40 * 8 * 1001.0, 1e-6);
    assert_near(r.thread_insts, 40 * 8 * 1001.0 * 32, 1e-6);
    assert_near(r.ipc, 1, 0.05);
    ck_assert(r.limiter == LIMITER_ISSUE || r.limiter == LIMITER_ALU);
    ck_assert(r.stall[STALL_ISSUED] > 0.95);
}
END_TEST

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

/* 32 lanes that read as many constants take the cache 32 times, each for its
 * interval, whatever else the SM could do meanwhile; of one constant once. */
START_TEST(constants_are_read_one_address_at_a_time)
{
    struct script s = {
        .op = {{.op = OP_LOAD,
                .space = SPACE_CONST,
                .dst = 1,
                .src0 = 2,
                .src1 = -1,
                .width = 4,
                .stride = 4},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2,
        .repeat = 100};
    struct gpu g = plain_gpu();
    g.constant.by_address = true;
    g.constant.apart = true;
    g.constant.interval = 2;
    assert_near(estimate(&s, &g, 4, 4, 4, &greedy).cycles, 4 * 4 * 100 * 32 * 2,
                0.02);
    s.op[0].stride = 0;
    assert_near(estimate(&s, &g, 4, 4, 4, &greedy).cycles, 4 * 4 * 100 * 2,
                0.1);
}
END_TEST

/* Warps that go over the same words one by one, waiting for each, wait for
 * memory once a sector: that others have it on its way only matters until they
 * have it, and what is new in a line that is there is not there. */
START_TEST(words_one_by_one_miss_once_a_sector)
{
    enum { WORDS = 512, WARPS = 4 };
    struct script s = {
        .op = {{.op = OP_LOAD,
                .space = SPACE_GLOBAL,
                .dst = 1,
                .src0 = 1,
                .src1 = -1,
                .width = 4},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2,
        .repeat = WORDS};
    struct gpu g = plain_gpu();
    g.l1.sector_bytes = 32;
    double there = estimate(&s, &g, 1, 1, 1, &greedy).cycles;
    s.op[0].iteration_step = 4096;
    double away = estimate(&s, &g, 1, 1, 1, &greedy).cycles;
    s.op[0].iteration_step = 4;
    assert_near(estimate(&s, &g, 1, WARPS, 1, &greedy).cycles,
                there + (away - there) * 4 / 32, 0.05);
}
END_TEST

/* All warps of eight SMs ask one slice for one sector: it answers one a cycle,
 * however many slices there are. */
START_TEST(one_line_for_all_is_one_slice)
{
    static const struct script s = {
        .op = {{.op = OP_LOAD,
                .space = SPACE_GLOBAL,
                .dst = 1,
                .src0 = 2,
                .src1 = -1,
                .width = 4,
                .past_l1 = true},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2,
        .repeat = 50};
    struct gpu g = plain_gpu();
    g.sms = 8;
    g.l2.banks = 8;
    assert_near(estimate(&s, &g, 64, 16, 4, &greedy).cycles, 64 * 16 * 50.0,
                0.05);
}
END_TEST

START_TEST(streams_run_at_memory_bandwidth)
{
    struct gpu g = plain_gpu();
    double bytes = 64 * 16 * 32 * 128.0, cycles;
    struct result r;

    g.dram.gbps = 8; /* bytes a cycle: far less than all else moves */
    r = estimate(&stream, &g, 64, 16, 3, &greedy);
    cycles = bytes / 8;
    ck_assert(r.cycles >= 0.99 * cycles);
    assert_near(r.cycles, cycles, 0.15);
    ck_assert_int_eq(r.limiter, LIMITER_DRAM);
    ck_assert(r.l1_miss > 0.99 && r.l2_miss > 0.99);
}
END_TEST

/* However wide the bus: no more bursts than commands to a bank group may
 * follow each other, and no more requests than there are places for. */
START_TEST(streams_run_no_faster_than_a_channel_takes_them)
{
    struct gpu g = plain_gpu();
    double bytes = 64 * 16 * 32 * 128.0, share = bytes / g.dram.channels;
    double clock = g.clock.core_mhz / g.clock.dram_mhz, cycles;
    g.dram.ccdl = 32 * g.dram.bank_groups;
    cycles = share / g.dram.burst_bytes * 32 * clock;
    assert_near(estimate(&stream, &g, 64, 16, 3, &greedy).cycles, cycles, 0.15);
    g = plain_gpu();
    g.dram.in_flight = 1;
    g.dram.latency = 400;
    cycles = share / g.l2.fetch_bytes * (g.dram.latency + g.dram.cl * clock);
    assert_near(estimate(&stream, &g, 64, 16, 3, &greedy).cycles, cycles, 0.15);
}
END_TEST

START_TEST(blocks_one_by_one_take_the_sum)
{
    struct gpu g = plain_gpu();
    double one = estimate(&dependent, &g, 1, 1, 1, &greedy).cycles;

    assert_near(estimate(&dependent, &g, 24, 1, 1, &greedy).cycles, 24 * one,
                0.02);
    /* Eight at a time leave the unit idle most of the time: three waves. */
    assert_near(estimate(&dependent, &g, 24, 1, 8, &round_robin).cycles,
                3 * one, 0.2);
}
END_TEST

/* As many as four come while one runs, and an SM could hold eight. */
START_TEST(blocks_come_one_by_one)
{
    struct gpu g = plain_gpu();
    double one = estimate(&dependent, &g, 1, 1, 1, &greedy).cycles;

    g.launch.block_period = one / 4;
    assert_near(estimate(&dependent, &g, 24, 1, 8, &greedy).cycles,
                23 * one / 4 + one, 0.05);
}
END_TEST

/* In step, one block at a time on each of eight SMs. */
static double waves_in_step(const struct script *s, const struct gpu *g,
                            uint32_t grid)
{
    struct kernel *k = script_kernel(s, grid, 16);
    struct policy_set set = with_warp_policy(&greedy);
    struct model_params params;
    struct error e;
    struct profile *p = profile_create(k, g, 1, &e);

    ck_assert_ptr_nonnull(p);
    model_params_default(&params);
    double waves = model_blocks_of(p, g, &set, 1, &params).waves_in_step;
    profile_free(p);
    k->ops->destroy(k);
    return waves;
}

/* A block that is left over takes as long as others where it computes, and as
 * long as alone where they share memory. */
START_TEST(the_last_wave_has_memory_for_itself)
{
    struct gpu g = plain_gpu();

    g.sms = 8;
    assert_near(waves_in_step(&dependent, &g, 24), 3, 0.001);
    assert_near(waves_in_step(&dependent, &g, 25), 4, 0.001);
    g.dram.gbps = 8;
    double one = estimate(&stream, &g, 1, 16, 1, &greedy).cycles;
    double eight = estimate(&stream, &g, 8, 16, 1, &greedy).cycles;
    ck_assert(one < 0.5 * eight);
    assert_near(waves_in_step(&stream, &g, 24), 3, 0.001);
    assert_near(waves_in_step(&stream, &g, 25), 3 + one / eight, 0.02);
}
END_TEST

/* ---- caches ------------------------------------------------------------- */

/* Every warp goes over `lines` lines of its own again and again. */
static struct script loop_over(int lines)
{
    struct script s = {.count = lines + 1, .repeat = 20};

    for (int i = 0; i < lines; i++)
        s.op[i] = (struct script_op){.op = OP_LOAD,
                                     .space = SPACE_GLOBAL,
                                     .dst = 1,
                                     .src0 = 1,
                                     .src1 = -1,
                                     .width = 4,
                                     .stride = 4,
                                     .base = (uint64_t)i * 128,
                                     .warp_step = 1 << 16,
                                     .block_step = 1 << 20};
    s.op[lines] =
        (struct script_op){.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1};
    return s;
}

START_TEST(working_sets_that_fit_hit)
{
    struct gpu g = plain_gpu(); /* 128 lines of L1 */
    struct script s = loop_over(16);

    /* 16 lines a warp, 19 of 20 rounds find them: 2 warps need 32 lines, 16
     * warps 256. */
    ck_assert(estimate(&s, &g, 8, 2, 1, &round_robin).l1_miss < 0.07);
    ck_assert(estimate(&s, &g, 8, 2, 8, &round_robin).l1_miss > 0.9);
}
END_TEST

START_TEST(fewer_live_warps_miss_less)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);
    double all = estimate(&s, &g, 32, 2, 8, &round_robin).l1_miss;
    double few = estimate(&s, &g, 32, 2, 8, &limit).l1_miss;

    ck_assert(few < 0.2 && all > 0.9);
}
END_TEST

/* 16 warps of an SM cycle over 16 lines each: 32 KB, of which its share of the
 * L2 holds half. One warp's 2 KB stay there, though not in the L1. */
START_TEST(fewer_live_warps_miss_less_in_the_l2)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);

    g.l1.size_kb = 0.5;
    g.l2.size_kb = 16.0 * g.sms;
    double all = estimate(&s, &g, 32, 2, 8, &round_robin).l2_miss;
    double few = estimate(&s, &g, 32, 2, 8, &limit).l2_miss;
    ck_assert(few < 0.2 && all > 0.8);
}
END_TEST

/* It holds back as many as make the most of the L1, where memory is slow, and
 * none where no line is used again. */
START_TEST(who_throttles_finds_the_limit)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);
    g.dram.gbps /= 8;
    struct result all = estimate(&s, &g, 32, 2, 8, &greedy);
    struct result few = estimate(&s, &g, 32, 2, 8, &throttle);

    ck_assert(few.l1_miss < 0.5 && all.l1_miss > 0.9);
    ck_assert(few.cycles < 0.9 * all.cycles);
    ck_assert_double_eq(estimate(&dependent, &g, 64, 8, 4, &throttle).cycles,
                        estimate(&dependent, &g, 64, 8, 4, &greedy).cycles);
}
END_TEST

/* Lines that the L1 holds are never asked of the L2, so that one that holds
 * nothing misses what it is asked for, once each, and no more. */
START_TEST(what_the_l1_holds_does_not_miss_in_the_l2)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);
    struct result r;

    g.l2.size_kb = 2;
    r = estimate(&s, &g, 8, 2, 1, &round_robin);
    ck_assert(r.l1_miss < 0.07);
    assert_near(r.l2_miss, 1, 0.01);
}
END_TEST

/* Which sets of one cache are full says nothing of the other's: of what an L1
 * that nearly fits misses, the L2 misses the share that it would of all. */
START_TEST(what_fills_one_cache_s_sets_does_not_fill_the_other_s)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);
    double lines = g.l1.size_kb * 1024 / g.l1.line_bytes, both, alone;

    s.repeat = 200;
    g.l2.size_kb = g.l1.size_kb;
    struct result near =
        estimate(&s, &g, 1, (uint32_t)(lines / 16), 1, &round_robin);
    ck_assert(near.l1_miss > 0.3 && near.l1_miss < 0.7);
    both = near.l2_miss;
    g.l1.size_kb /= 8;
    alone =
        estimate(&s, &g, 1, (uint32_t)(lines / 16), 1, &round_robin).l2_miss;
    ck_assert(alone > 0.3 && alone < 0.7);
    assert_near(both, alone, 0.03);
}
END_TEST

/* Each warp adds to a line of its own, 20 times: the first time it misses. */
START_TEST(atomics_are_accesses_of_the_l2)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(1);

    s.op[0].op = OP_ATOMIC;
    assert_near(estimate(&s, &g, 8, 2, 1, &round_robin).l2_miss, 1 / 20.0,
                0.01);
}
END_TEST

START_TEST(footprint_of_a_cycle_over_lines)
{
    struct reuse_histogram h = {.cold = 100};
    struct footprint f;
    struct reuse_threshold t;

    for (int i = 0; i < 9900; i++)
        reuse_add(&h, 100, 1);
    footprint_build(&f, &h, 10000);
    reuse_survival(&h);
    /* 100 lines fit in 110 and not in 80; two such cycles need 200. */
    t = footprint_threshold(&f, 1, 130);
    assert_near(reuse_beyond(&h, t), 100, 0.05);
    t = footprint_threshold(&f, 1, 80);
    assert_near(reuse_beyond(&h, t), 10000, 0.05);
    t = footprint_threshold(&f, 2, 130);
    assert_near(reuse_beyond(&h, t), 10000, 0.05);
}
END_TEST

START_TEST(reuse_bins_hold_what_they_say)
{
    for (uint64_t time = 1; time < 100000; time += 1 + time / 50) {
        int bin = reuse_bin(time);

        ck_assert(reuse_bin_start(bin) <= (double)time);
        ck_assert((double)time < reuse_bin_start(bin + 1) || time < 4);
    }
}
END_TEST

/* ---- laws --------------------------------------------------------------- */

static uint64_t draw(uint64_t *state, uint64_t n)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (*state >> 33) % n;
}

static struct script_op random_op(uint64_t *state, bool *barrier)
{
    static const enum op_class alu[] = {OP_INT, OP_IMUL, OP_SP, OP_SFU};
    struct script_op op = {
        .dst = (int)draw(state, 6), .src0 = (int)draw(state, 6), .src1 = -1};
    uint64_t kind = draw(state, 12);

    op.op = alu[draw(state, 4)];
    if (kind == 0 && *barrier)
        op = (struct script_op){
            .op = OP_BARRIER, .dst = -1, .src0 = -1, .src1 = -1};
    if (kind < 1 || kind > 4)
        return op;
    op.op = kind == 4 ? OP_STORE : OP_LOAD;
    op.dst = op.op == OP_STORE ? -1 : op.dst;
    op.space = draw(state, 4) == 0 ? SPACE_SHARED : SPACE_GLOBAL;
    op.width = 4;
    op.stride = (int64_t)(4u << draw(state, 6));
    op.base = draw(state, 4) << 24;
    op.warp_step = (int64_t)draw(state, 3) * 128;
    op.block_step = (int64_t)draw(state, 3) * 1024;
    op.iteration_step = (int64_t)draw(state, 3) * 4096;
    return op;
}

static struct script random_script(uint64_t *state)
{
    struct script s = {.count = 2 + (int)draw(state, 40),
                       .repeat = 1 + (int)draw(state, 12)};
    bool barrier = draw(state, 2) == 0;

    for (int i = 0; i < s.count - 1; i++)
        s.op[i] = random_op(state, &barrier);
    s.op[s.count - 1] =
        (struct script_op){.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1};
    return s;
}

static void assert_sane(const struct result *r)
{
    double sum = 0;

    ck_assert(isfinite(r->cycles) && r->cycles > 0);
    ck_assert(r->cycles_lo > 0 && r->cycles_lo < r->cycles);
    ck_assert(r->cycles_hi > r->cycles && isfinite(r->cycles_hi));
    ck_assert(r->ipc > 0 && r->time_us > 0 && r->warp_insts > 0);
    ck_assert(r->occupancy > 0 && r->occupancy <= 1);
    ck_assert(r->l1_miss >= 0 && r->l1_miss <= 1 + 1e-6);
    ck_assert(r->l2_miss >= 0 && r->l2_miss <= 1 + 1e-6);
    ck_assert(r->dram_gbps >= 0 && isfinite(r->dram_gbps));
    ck_assert(r->energy_uj >= 0 && isfinite(r->energy_uj));
    ck_assert(!r->sampled && !r->partial);
    ck_assert(r->limiter >= 0 && r->limiter < LIMITERS);
    for (int i = 0; i < STALLS; i++) {
        ck_assert(r->stall[i] >= 0 && r->stall[i] <= 1);
        sum += r->stall[i];
    }
    ck_assert(fabs(sum - 1) < 1e-9);
}

START_TEST(every_policy_and_point_is_sane)
{
    uint64_t state = 5;

    for (int i = 0; i < 60; i++) {
        struct script s = random_script(&state);
        uint32_t warps = 1 + (uint32_t)draw(&state, 6);
        uint32_t grid = 1 + (uint32_t)draw(&state, 90);
        struct gpu g = plain_gpu();

        g.sms = 1 + (int)draw(&state, 20);
        g.sm.issue_period = 1 + (int)draw(&state, 2);
        g.l1.caches_global = (int)draw(&state, 2);
        g.l1.write_policy = (int)draw(&state, 3);
        for (int p = 0; warp_policies[p] != NULL; p++) {
            struct result r =
                estimate(&s, &g, grid, warps, 1 + (int)draw(&state, 8),
                         warp_policies[p]);

            assert_sane(&r);
        }
    }
}
END_TEST

/* Where blocks share lines, a faster machine may let them get out of step, so
 * that they bring more. The cycle-level engine is no different: when memory
 * answers in half the time it takes longer for 14 of these kernels, 13 of which
 * share lines; for number 24 it is 6.5 %. Twice that is allowed. */
#define OUT_OF_STEP 0.13

static bool blocks_share_lines(const struct script *s, const struct gpu *g,
                               uint32_t grid, uint32_t warps)
{
    struct error e;
    struct kernel *k = script_kernel(s, grid, warps);
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_ptr_nonnull(p);
    bool shared = profile_private_share(p) < 1;
    profile_free(p);
    k->ops->destroy(k);
    return shared;
}

/* On random kernels: what `change` does to the machine never costs time, or,
 * where their blocks share lines, at most that share of it. */
static void assert_never_slower(void (*change)(struct gpu *g),
                                double out_of_step)
{
    uint64_t state = 17;

    for (int i = 0; i < 60; i++) {
        struct script s = random_script(&state);
        uint32_t warps = 1 + (uint32_t)draw(&state, 6);
        uint32_t grid = 100 + (uint32_t)draw(&state, 200);
        int blocks = 1 + (int)draw(&state, 8);
        const struct warp_policy *policy = i % 2 ? &round_robin : &greedy;
        struct gpu g = plain_gpu();
        double before, after;

        g.sms = 4;
        double slack =
            blocks_share_lines(&s, &g, grid, warps) ? out_of_step : 1e-6;
        before = estimate(&s, &g, grid, warps, blocks, policy).cycles;
        change(&g);
        after = estimate(&s, &g, grid, warps, blocks, policy).cycles;
        ck_assert_msg(after <= before * (1 + slack),
                      "kernel %d: %.1f, then %.1f cycles", i, before, after);
    }
}

static void more_bandwidth(struct gpu *g)
{
    g->dram.gbps *= 4;
}
static void wider_network(struct gpu *g)
{
    g->icnt.flit_bytes *= 2;
    g->l2.port_bytes *= 2;
}
static void faster_memory(struct gpu *g)
{
    g->dram.latency /= 2;
    g->l2.latency /= 2;
}
static void faster_alus(struct gpu *g)
{
    g->latency.integer = g->latency.sp = 4;
}

START_TEST(better_machines_are_never_slower)
{
    assert_never_slower(more_bandwidth, 0);
    assert_never_slower(wider_network, 0);
    assert_never_slower(faster_memory, OUT_OF_STEP);
    assert_never_slower(faster_alus, OUT_OF_STEP);
}
END_TEST

START_TEST(more_sms_are_never_slower)
{
    struct gpu small = plain_gpu(), large = plain_gpu();

    /* Each SM brings its share of the rest, as in a real family of chips. */
    small.sms = 4;
    large.sms = 8;
    large.dram.gbps *= 2;
    large.l2.banks *= 2;
    large.l2.size_kb *= 2;
    for (int blocks = 1; blocks <= 8; blocks++)
        for (uint32_t grid = 16; grid <= 256; grid *= 2) {
            double few =
                estimate(&stream, &small, grid, 4, blocks, &greedy).cycles;
            double many =
                estimate(&stream, &large, grid, 4, blocks, &greedy).cycles;

            ck_assert_msg(many <= few * (1 + 1e-6),
                          "%u blocks, %d at a time: %.1f, then %.1f", grid,
                          blocks, few, many);
        }
}
END_TEST

START_TEST(larger_grids_take_longer)
{
    struct gpu g = plain_gpu();

    g.sms = 4;
    for (int i = 0; i < 2; i++) {
        const struct warp_policy *policy = i ? &round_robin : &greedy;
        double last = 0;

        for (uint32_t grid = 1; grid < 3000; grid = grid * 5 / 4 + 1) {
            double cycles =
                estimate(&independent, &g, grid, 4, 4, policy).cycles;

            ck_assert_msg(cycles >= last * (1 - 1e-3), "%u blocks", grid);
            last = cycles;
        }
    }
}
END_TEST

START_TEST(policies_differ_by_traits)
{
    struct gpu g = plain_gpu();
    double wide, narrow, limited, all;

    /* Two ready warps cannot hide a latency of ten cycles, 64 can. */
    struct kernel *k = script_kernel(&dependent, 64, 8);
    struct policy_set set = with_warp_policy(&two_level);

    narrow = estimate_set(k, &g, &set, 4).cycles;
    set.warp.param[0] = 64;
    wide = estimate_set(k, &g, &set, 4).cycles;
    k->ops->destroy(k);
    ck_assert(narrow > 3 * wide);

    limited = estimate(&dependent, &g, 64, 8, 4, &limit).cycles;
    all = estimate(&dependent, &g, 64, 8, 4, &greedy).cycles;
    assert_near(limited, 64 * 8 * 1000.0, 0.05);
    ck_assert(limited > 5 * all);
}
END_TEST

/* One warp may issue, of two a block: 100 dependent instructions of ten cycles
 * and 300. While the longer one's block waits for it, the other has made room
 * for the next block's. */
START_TEST(warps_that_are_done_make_room_under_a_limit)
{
    struct gpu g = plain_gpu();
    struct script s = dependent;

    s.warp_repeat = 200;
    assert_near(estimate(&s, &g, 64, 2, 4, &limit).cycles, 64 * 4000.0, 0.05);
}
END_TEST

START_TEST(parameters_have_effect_and_priors_in_range)
{
    struct gpu g = plain_gpu();
    struct kernel *k = script_kernel(&stream, 64, 8);
    struct policy_set set = with_warp_policy(&round_robin);
    struct model_params params;
    struct error e;
    struct profile *p = profile_create(k, &g, 1, &e);
    struct result low, high;

    for (int i = 0; i < MODEL_PARAMS; i++) {
        const struct model_param_info *info = &model_param_info[i];

        ck_assert(info->name != NULL && info->help != NULL);
        ck_assert(info->min <= info->prior && info->prior <= info->max);
        ck_assert(info->sigma > 0);
    }
    model_params_default(&params);
    params.value[PARAM_LATENCY] = 0.5;
    model_estimate(&low, p, &g, &set, 1, &params);
    params.value[PARAM_LATENCY] = 2;
    model_estimate(&high, p, &g, &set, 1, &params);
    ck_assert(high.cycles > 1.5 * low.cycles);
    profile_free(p);
    k->ops->destroy(k);
}
END_TEST

START_TEST(same_seed_same_estimate)
{
    struct gpu g = plain_gpu();
    struct result a = estimate(&stream, &g, 300, 8, 4, &greedy);
    struct result b = estimate(&stream, &g, 300, 8, 4, &greedy);

    ck_assert(a.cycles == b.cycles && a.l2_miss == b.l2_miss);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model");
    TCase *forms = tcase_create("closed forms");
    TCase *caches = tcase_create("caches");
    TCase *laws = tcase_create("laws");
    SRunner *runner = srunner_create(suite);
    int failed;

    tcase_add_test(forms, one_warp_of_dependent_instructions);
    tcase_add_test(forms, one_load_from_memory);
    tcase_add_test(forms, loads_past_the_l1);
    tcase_add_test(forms, many_warps_issue_an_instruction_a_cycle);
    tcase_add_test(forms, constants_are_read_one_address_at_a_time);
    tcase_add_test(forms, words_one_by_one_miss_once_a_sector);
    tcase_add_test(forms, one_line_for_all_is_one_slice);
    tcase_add_test(forms, streams_run_at_memory_bandwidth);
    tcase_add_test(forms, streams_run_no_faster_than_a_channel_takes_them);
    tcase_add_test(forms, blocks_one_by_one_take_the_sum);
    tcase_add_test(forms, blocks_come_one_by_one);
    tcase_add_test(forms, the_last_wave_has_memory_for_itself);
    tcase_add_test(caches, working_sets_that_fit_hit);
    tcase_add_test(caches, fewer_live_warps_miss_less);
    tcase_add_test(caches, fewer_live_warps_miss_less_in_the_l2);
    tcase_add_test(caches, who_throttles_finds_the_limit);
    tcase_add_test(caches, what_the_l1_holds_does_not_miss_in_the_l2);
    tcase_add_test(caches,
                   what_fills_one_cache_s_sets_does_not_fill_the_other_s);
    tcase_add_test(caches, atomics_are_accesses_of_the_l2);
    tcase_add_test(caches, footprint_of_a_cycle_over_lines);
    tcase_add_test(caches, reuse_bins_hold_what_they_say);
    tcase_add_test(laws, every_policy_and_point_is_sane);
    tcase_add_test(laws, better_machines_are_never_slower);
    tcase_add_test(laws, more_sms_are_never_slower);
    tcase_add_test(laws, larger_grids_take_longer);
    tcase_add_test(laws, policies_differ_by_traits);
    tcase_add_test(laws, warps_that_are_done_make_room_under_a_limit);
    tcase_add_test(laws, parameters_have_effect_and_priors_in_range);
    tcase_add_test(laws, same_seed_same_estimate);
    tcase_set_timeout(laws, 300);
    suite_add_tcase(suite, forms);
    suite_add_tcase(suite, caches);
    suite_add_tcase(suite, laws);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
