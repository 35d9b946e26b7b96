/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval model against closed forms. */
#include "tests/kernel_text.h"
#include "tests/model_scripts.h"

#include <string.h>

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

/* Until the line is there. */
static double line_from_memory(const struct gpu *g)
{
    double reply = 4;          /* 128 + 8 bytes in flits of 40 */
    double burst = 128 / 32.0; /* 64 GB/s over two channels at 1 GHz */
    return g->icnt.latency + 1 + g->l2.latency + g->icnt.latency + reply +
           g->dram.latency + g->dram.rcd + g->dram.cl + burst;
}

START_TEST(one_load_from_memory)
{
    struct gpu g = plain_gpu();
    assert_near(estimate(&one_load, &g, 1, 1, 1, &greedy).cycles,
                line_from_memory(&g), 0.05);
}
END_TEST

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
    g.l1.sector_bytes = g.l2.fetch_bytes = 32;
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

/* Blocks copy lines of their own, all of which the L2 keeps. */
START_TEST(a_quarter_of_the_grid_on_a_quarter_of_the_gpu)
{
    struct gpu g = plain_gpu(), quarter;
    struct policy_set set = with_warp_policy(&greedy);
    struct model_params params;
    struct error e;
    g.sms = 16;
    g.l2.size_kb = 4608;
    g.dram.gbps = 8;
    struct kernel *k = kernel_of("grid = 1536; block = 256;",
                                 "ldg.4 r1, [y + 1024*block + 4*tid]\n"
                                 "stg.4 [x + 1024*block + 4*tid], r1\n"
                                 "exit");
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_ptr_nonnull(p);
    ck_assert_double_eq(profile_stores_left(p, &g), 1);

    model_params_default(&params);
    gpu_slice(&quarter, &g, 4);
    struct model_blocks all = model_blocks_of(p, 1536, &g, &set, 4, &params);
    struct model_blocks part =
        model_blocks_of(p, 384, &quarter, &set, 4, &params);
    assert_near(part.cycles, all.cycles, 0.05);
    assert_near(part.waves_in_step, all.waves_in_step, 0.05);
    profile_free(p);
    kernel_free(k);
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

/* In step, so many blocks at a time on each of eight SMs. */
static double waves_of_blocks(const struct script *s, const struct gpu *g,
                              uint32_t grid, int at_once,
                              const struct warp_policy *policy)
{
    struct kernel *k = script_kernel(s, grid, 16);
    struct policy_set set = with_warp_policy(policy);
    struct model_params params;
    struct error e;
    struct profile *p = profile_create(k, g, 1, &e);

    ck_assert_ptr_nonnull(p);
    model_params_default(&params);
    double waves =
        model_blocks_of(p, grid, g, &set, at_once, &params).waves_in_step;
    profile_free(p);
    k->ops->destroy(k);
    return waves;
}

static double waves_in_step(const struct script *s, const struct gpu *g,
                            uint32_t grid)
{
    return waves_of_blocks(s, g, grid, 1, &greedy);
}

/* One block in eight is twenty times as long as the others: the grid ends at
 * the latest when a long one runs by itself behind what all take if they are
 * alike. The slowest of as many blocks by their spread would take three times
 * as long beside three others. */
START_TEST(one_long_block_is_waited_for)
{
    struct gpu g = plain_gpu();
    g.sms = 16;
    struct policy_set set = with_warp_policy(&round_robin);
    struct kernel *mixed = kernel_of("grid = 256; block = 256",
                                     "loop i, 20 + 380*(block % 8 == 0)\n"
                                     "  fmul r1, r1\n"
                                     "endloop\n"
                                     "exit");
    struct kernel *alike =
        kernel_of("grid = 256; block = 256", "loop i, 20 + 380/8\n"
                                             "  fmul r1, r1\n"
                                             "endloop\n"
                                             "exit");
    struct kernel *one = kernel_of("grid = 1; block = 256", "loop i, 400\n"
                                                            "  fmul r1, r1\n"
                                                            "endloop\n"
                                                            "exit");
    double all = estimate_set(mixed, &g, &set, 4).cycles;
    double even = estimate_set(alike, &g, &set, 4).cycles;
    double alone = estimate_set(one, &g, &set, 1).cycles;
    ck_assert_double_gt(all, even);
    ck_assert_double_lt(all, even + 1.5 * alone);
    kernel_free(mixed);
    kernel_free(alike);
    kernel_free(one);
}
END_TEST

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

/* Blocks of an SM issue in turn, so that a wave of two takes half as long as
 * one of four. Of eight SMs with room for four, whose blocks end together, one
 * in sixteen gets four of half a wave: half an SM is to be expected with them.
 * Of an eighth of a wave two are had by one SM in thirteen, three by one in
 * 140. Where blocks end one after the other each SM gets as many. */
START_TEST(blocks_that_end_together_leave_some_sms_none)
{
    struct gpu g = plain_gpu();
    g.sms = 8;
    const struct {
        uint32_t grid;
        const struct warp_policy *policy;
        double waves;
    } cases[] = {{48, &round_robin, 2},
                 {48, &greedy, 1.5},
                 {36, &round_robin, 1.5},
                 {36, &greedy, 1.25}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_near(waves_of_blocks(&independent, &g, cases[i].grid, 4,
                                    cases[i].policy),
                    cases[i].waves, 0.05);
    /* Those of the first wave are handed out in turn. */
    double half = waves_of_blocks(&independent, &g, 16, 4, &round_robin);
    assert_near(half, waves_of_blocks(&independent, &g, 16, 4, &greedy), 0.05);
}
END_TEST

/* Extra cycles of a second block of one warp where code takes so many lines of
 * 16 instructions, of a cache of 8 sets of 4, each 200 cycles away. */
static double code_cycles(int lines)
{
    char program[16384] = "";
    for (int i = 0; i < 16 * lines - 1; i++)
        strcat(program, "fmul r1, r1\n");
    strcat(program, "exit");
    struct gpu g = plain_gpu();
    struct policy_set set = with_warp_policy(&greedy);
    double cycles[2];
    for (int warm = 0; warm < 2; warm++) {
        struct kernel *two = kernel_of("grid = 2; block = 32", program);
        g.sms = 1;
        g.icache.perfect = warm == 1;
        g.icache.size_kb = 4;
        g.icache.ways = 4;
        g.icache.line_bytes = 128;
        g.icache.miss_latency = 200;
        cycles[warm] = estimate_set(two, &g, &set, 1).cycles;
        kernel_free(two);
    }
    return cycles[0] - cycles[1] - 200 * lines;
}

/* Of 35 lines the next block finds none in the three sets that have five. The
 * first has what is not there yet counted by itself. */
START_TEST(blocks_fetch_code_again_that_does_not_fit)
{
    ck_assert_double_eq_tol(code_cycles(32), 0, 1);
    ck_assert_double_eq_tol(code_cycles(35), 2 * 15 * 200, 200);
}
END_TEST

/* A warp's time is its code's where it passes: in a loop, not before it, though
 * nothing waits for memory there, and a wait where what it waits for was asked
 * for. */
START_TEST(time_passes_where_the_code_is)
{
    struct gpu g = plain_gpu();
    struct policy_set set = with_warp_policy(&greedy);
    struct model_params params;
    struct error e;
    double share[8], sum = 0;
    struct kernel *k =
        kernel_of("grid = 1; block = 32", "fmul r1, r1\n"
                                          "loop i, 1000\n"
                                          "  fmul r1, r1\n"
                                          "endloop\n"
                                          "ldg.4 r2, [x + 4*lane]\n"
                                          "fmul r3, r2\n"
                                          "exit");
    ck_assert(phases_analyse(k, 0, &e));
    ck_assert_uint_le(k->phase_count, 8);
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_ptr_nonnull(p);
    model_params_default(&params);
    model_code_shares(share, k->phase_count, p, &g, &set, 1, &params);
    double cycles = estimate_set(k, &g, &set, 1).cycles;
    for (uint32_t i = 0; i < k->phase_count; i++) {
        const struct phase *at = &k->phase[i];
        bool loops = k->inst[at->first + at->count - 1].op == OP_BRANCH;
        sum += share[i];
        if (loops)
            ck_assert_double_gt(share[i], 0.9);
        if (at->loads > 0)
            assert_near(share[i] * cycles, line_from_memory(&g), 0.05);
    }
    ck_assert_double_eq_tol(sum, 1, 1e-9);
    profile_free(p);
    kernel_free(k);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("all");

    tcase_add_test(all, one_warp_of_dependent_instructions);
    tcase_add_test(all, one_load_from_memory);
    tcase_add_test(all, time_passes_where_the_code_is);
    tcase_add_test(all, loads_past_the_l1);
    tcase_add_test(all, many_warps_issue_an_instruction_a_cycle);
    tcase_add_test(all, constants_are_read_one_address_at_a_time);
    tcase_add_test(all, words_one_by_one_miss_once_a_sector);
    tcase_add_test(all, one_line_for_all_is_one_slice);
    tcase_add_test(all, streams_run_at_memory_bandwidth);
    tcase_add_test(all, streams_run_no_faster_than_a_channel_takes_them);
    tcase_add_test(all, blocks_one_by_one_take_the_sum);
    tcase_add_test(all, blocks_come_one_by_one);
    tcase_add_test(all, one_long_block_is_waited_for);
    tcase_add_test(all, the_last_wave_has_memory_for_itself);
    tcase_add_test(all, a_quarter_of_the_grid_on_a_quarter_of_the_gpu);
    tcase_add_test(all, blocks_that_end_together_leave_some_sms_none);
    tcase_add_test(all, blocks_fetch_code_again_that_does_not_fit);
    return run_suite("model", all);
}
