/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose run time has a closed form: bound by issue, by a unit, by
 * DRAM, or by the latency of what one warp keeps in flight. */
#include "tests/script_gate.h"

#define TOUCH(...)                                                             \
    MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, .stride = 4, __VA_ARGS__)

static void assert_close(double got, double form, double tolerance,
                         const char *what)
{
    printf("%-40s %12.1f, form %12.1f, %+.2f %%\n", what, got, form,
           100 * (got / form - 1));
    ck_assert_msg(fabs(got / form - 1) <= tolerance,
                  "%s: %g, expected %g within %g %%", what, got, form,
                  100 * tolerance);
}

/* ---- compute bound ------------------------------------------------------ */

/* Warp instructions an SM issues a cycle at most, by schedulers and units. */
static double sp_rate(const struct gpu *g)
{
    double issue = (double)g->sm.schedulers / g->sm.issue_period;
    double units = (double)g->unit.sp / g->interval.sp;
    return issue < units ? issue : units;
}

/* Independent instructions of many warps, no registers: as many a cycle as
 * slots and units allow. A fill and a drain of the pipeline come on top: 1 %
 * of some ten thousand cycles, the launch and its blocks' start apart. */
START_TEST(compute_bound)
{
    static const char *const gpus[] = {"plain", "m2090", "v100"};
    struct gpu g = _i == 0 ? plain_gpu() : part_of(gpus[_i], 2);
    struct script s = SCRIPT(PLAIN(OP_SP), PLAIN(OP_SP), PLAIN(OP_SP),
                             PLAIN(OP_SP), PLAIN(OP_SP), PLAIN(OP_SP));
    uint32_t warps = 16, blocks = 2 * (uint32_t)g.sms;
    struct sampler_counts c = run_gate(&s, 100, blocks, warps, &g);
    double insts = 2 * warps * (6 * 100 + 1);
    double cycles =
        (double)c.cycles - g.launch.kernel_cycles - g.launch.block_cycles;
    assert_close(cycles, insts / sp_rate(&g), 0.01, g.name);
}
END_TEST

/* ---- DRAM bound --------------------------------------------------------- */

/* Lines once each, in order, from many warps of SMs that could take far more:
 * never above the peak, and at four fifths of it or more. What is missing goes
 * to rows that close, to the run's start and end, and where dram.ccdl is longer
 * than a burst (k20x) to lines that follow each other in one bank group. */
START_TEST(dram_bound)
{
    static const char *const gpus[] = {"m2090", "k20x", "v100"};
    struct gpu g = _i == 0   ? plain_gpu()
                   : _i == 1 ? wide_gpu()
                             : part_of(gpus[_i - 2], 2);
    g.icnt.flit_bytes = 256;
    g.l2.port_bytes = 1024;
    g.sms = 4;
    uint32_t warps = 8, blocks = 64;
    struct script s = SCRIPT(TOUCH(.block_step = 8 * 128, .warp_step = 128,
                                   .iteration_step = 64 * 8 * 128));
    struct sampler_counts c = run_gate(&s, 24, blocks, warps, &g);
    double lines = 24.0 * blocks * warps;
    ck_assert_double_ge((double)c.dram_bytes, lines * 128);
    double gbps =
        (double)c.dram_bytes / (double)c.cycles * g.clock.core_mhz / 1000;
    printf("%-10s %7.1f of %7.1f GB/s (%4.1f %%), row hits %4.1f %%\n", g.name,
           gbps, g.dram.gbps, 100 * gbps / g.dram.gbps,
           100.0 * (double)c.dram_row_hits /
               (double)(c.dram_row_hits + c.dram_row_misses));
    ck_assert_double_le(gbps, g.dram.gbps);
    ck_assert_double_ge(gbps, 0.8 * g.dram.gbps);
}
END_TEST

/* ---- Little's law ------------------------------------------------------- */

/* k independent loads of one warp, then an instruction that needs the last.
 * The first is back after the latency of an L2 hit, 77 (see the gates of
 * memory), each further one four flits later; the next round starts a cycle
 * after the instruction that waited. */
START_TEST(loads_in_flight)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    g.fetch.buffer = 8;
    for (int k = 1; k <= 8; k++) {
        struct script s = {.count = k + 2};
        for (int i = 0; i < k; i++)
            s.op[i] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1 + i, -1, 4,
                                            .stride = 4);
        s.op[k] = (struct script_op)ALU(OP_INT, 20, k, -1);
        s.op[k + 1] = (struct script_op)PLAIN(OP_EXIT);
        double round = 77 + 4 * (k - 1) + 1;
        ck_assert_double_eq(per_repeat(&s, 1, &g), round);
        /* Little: what is in flight = rate times latency. Load i is in flight
         * from its issue at i to its return at 77 + 4 i. */
        struct sampler_counts a = run_gate(&s, 8, 1, 1, &g);
        struct sampler_counts b = run_gate(&s, 24, 1, 1, &g);
        double in_flight = 0;
        for (int i = 0; i < k; i++)
            in_flight += 77 + 4 * i - i;
        ck_assert_double_eq((double)(b.mem_in_flight - a.mem_in_flight) / 16,
                            in_flight);
    }
}
END_TEST

/* ---- what holds a kernel back ------------------------------------------- */

static enum limiter told_limiter(struct script s, int repeat, uint32_t warps,
                                 const struct gpu *g)
{
    struct policy_set p = policies_of(warp_policies[0]);
    s.repeat = repeat;
    return run_options(&s, 1, warps, g, &p, (struct sampler_options){0})
        .result.limiter;
}

START_TEST(limiters)
{
    struct gpu g = plain_gpu();
    struct script issue = SCRIPT(PLAIN(OP_SP));
    ck_assert_int_eq(told_limiter(issue, 200, 8, &g), LIMITER_ISSUE);
    struct script sfu = SCRIPT(PLAIN(OP_SFU));
    ck_assert_int_eq(told_limiter(sfu, 200, 8, &g), LIMITER_ALU);
    struct script chain = SCRIPT(ALU(OP_SP, 1, 1, -1));
    ck_assert_int_eq(told_limiter(chain, 200, 1, &g), LIMITER_LATENCY);
    struct script l1 =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, .stride = 128));
    ck_assert_int_eq(told_limiter(l1, 200, 8, &g), LIMITER_L1);
    struct script banks =
        SCRIPT(MEM(OP_LOAD, SPACE_SHARED, -1, -1, 4, .stride = 128));
    ck_assert_int_eq(told_limiter(banks, 200, 8, &g), LIMITER_SHARED);
    struct script dram =
        SCRIPT(TOUCH(.iteration_step = 1024, .warp_step = 128));
    g.dram.gbps = 8;
    ck_assert_int_eq(told_limiter(dram, 200, 8, &g), LIMITER_DRAM);
    /* The L1 and slices at half the rate are as busy with half as much. */
    g = plain_gpu();
    g.interval.mem = 2;
    ck_assert_int_eq(told_limiter(l1, 200, 8, &g), LIMITER_L1);
    g = plain_gpu();
    g.l1.caches_global = 0;
    g.l2.port_bytes = 16;
    g.clock.l2_mhz = 500;
    struct script l2 = SCRIPT(TOUCH(.warp_step = 128));
    ck_assert_int_eq(told_limiter(l2, 200, 8, &g), LIMITER_L2);
}
END_TEST

/* ---- more SMs ----------------------------------------------------------- */

/* Without memory traffic SMs do not touch each other: n of them do n times the
 * blocks in the same time. */
START_TEST(sms_scale)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SFU, 2, 1, -1));
    uint64_t one = run_gate(&s, 20, 8, 4, &g).cycles;
    for (int n = 2; n <= 5; n++) {
        g.sms = n;
        ck_assert_uint_eq(run_gate(&s, 20, 8 * (uint32_t)n, 4, &g).cycles, one);
    }
}
END_TEST

/* ---- latencies of GPUs -------------------------------------------------- */

/* Cycles from a load to the next that needs it, as measured on the hardware by
 * a chase of pointers (the sources are in configs/): of a hit in the L1, and of
 * one in the L2 past the L1. */
static const struct {
    const char *gpu;
    double l1, l2;
} measured[] = {
    {"v100", 28, 193},      {"a100", 37.9, 261.5},   {"h100", 32, 263},
    {"rtx2080ti", 32, 177}, {"t4", 32, 188},         {"rtx3090", 33, 250.4},
    {"a10", 33, 250.4},     {"rtx4090", 34, 273.6},  {"l4", 34, 273.6},
    {"h200", 32, 280.4},    {"h100-sxm", 32, 275.8},
};

START_TEST(loads_take_what_was_measured)
{
    struct gpu g;
    struct error e;
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .mask = 1));
    ck_assert(gpu_load(&g, measured[_i].gpu, NULL, 0, &e));
    double l1 = per_repeat(&s, 1, &g);
    g.l1.caches_global = 0;
    double l2 = per_repeat(&s, 1, &g);
    ck_assert_msg(fabs(l1 - measured[_i].l1) <= 1 &&
                      fabs(l2 - measured[_i].l2) <= 1,
                  "%s: L1 %g cycles, measured %g; L2 %g, measured %g",
                  measured[_i].gpu, l1, measured[_i].l1, l2, measured[_i].l2);
    g.l1.caches_global = 1;
    s.op[0].past_l1 = true;
    ck_assert_double_eq(per_repeat(&s, 1, &g), l2);
}
END_TEST

/* Bytes a cycle that all SMs together read from an L2 that holds all of it, as
 * measured (the sources are in configs/; of the A40 for the RTX 3090 with the
 * same chip, of the L40 for the RTX 4090). The warps measured wait for their
 * sums, those here for nothing: they get up to a quarter more. */
static const struct {
    const char *gpu;
    double bytes;
} l2_measured[] = {
    {"v100", 1768},    {"a100", 3830},    {"h100", 3942},     {"h200", 4950},
    {"rtx3090", 1409}, {"rtx4090", 2088}, {"h100-sxm", 3414},
};

static double l2_cycles(const struct gpu *g, int repeat)
{
    struct script s = SCRIPT(TOUCH(.block_step = 32 * 128, .warp_step = 128));
    return (double)run_gate(&s, repeat, (uint32_t)g->sms, 32, g).cycles;
}

START_TEST(the_l2_gives_what_was_measured)
{
    struct gpu g;
    struct error e;
    ck_assert(gpu_load(&g, l2_measured[_i].gpu, NULL, 0, &e));
    g.l1.caches_global = 0;
    double cycles = l2_cycles(&g, 96) - l2_cycles(&g, 32);
    double bytes = 64.0 * 128 * 32 * g.sms / cycles;
    printf("%-10s %6.0f bytes a cycle from the L2, measured %6.0f\n", g.name,
           bytes, l2_measured[_i].bytes);
    ck_assert_double_ge(bytes, 0.95 * l2_measured[_i].bytes);
    ck_assert_double_le(bytes, 1.25 * l2_measured[_i].bytes);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("forms");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, compute_bound, 0, 3);
    tcase_add_loop_test(tc, dram_bound, 0, 5);
    tcase_add_test(tc, loads_in_flight);
    tcase_add_test(tc, limiters);
    tcase_add_test(tc, sms_scale);
    tcase_add_loop_test(tc, loads_take_what_was_measured, 0,
                        sizeof(measured) / sizeof(measured[0]));
    tcase_add_loop_test(tc, the_l2_gives_what_was_measured, 0,
                        sizeof(l2_measured) / sizeof(l2_measured[0]));
    return run_suite("sampler: closed forms", tc);
}
