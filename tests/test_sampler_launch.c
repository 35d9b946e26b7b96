/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches, blocks, limits, and runs that cannot end. */
#include "tests/plain_policies.h"
#include "tests/script_gate.h"

/* ---- overheads ---------------------------------------------------------- */

START_TEST(kernel_overhead)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    uint64_t free = run_gate(&s, 5, 3, 2, &g).cycles;
    g.launch.kernel_cycles = 12345;
    ck_assert_uint_eq(run_gate(&s, 5, 3, 2, &g).cycles, free + 12345);
}
END_TEST

/* One block at a time: the overhead counts once a block. */
START_TEST(block_overhead)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    g.sm.max_blocks = 1;
    g.launch.block_cycles = 10;
    uint64_t ten = run_gate(&s, 5, 7, 2, &g).cycles;
    g.launch.block_cycles = 35;
    ck_assert_uint_eq(run_gate(&s, 5, 7, 2, &g).cycles, ten + 7 * 25);
}
END_TEST

/* Blocks shorter than the period, room for all: the last of n is handed out
 * (n - 1) * period after the first, rounded up to a cycle. */
START_TEST(block_period)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    const double period[] = {20, 50, 12.5};
    for (int sms = 1; sms <= 3; sms++)
        for (int i = 0; i < 3; i++) {
            g.sms = sms;
            g.launch.block_period = period[i];
            uint64_t one = run_gate(&s, 1, 1, 1, &g).cycles;
            ck_assert_uint_eq(run_gate(&s, 1, 8, 1, &g).cycles,
                              one + (uint64_t)ceil(7 * period[i]));
        }
}
END_TEST

/* Without a period each SM gets a block a cycle: blocks of one instruction end
 * a cycle apart. */
START_TEST(one_block_a_cycle_and_sm)
{
    struct gpu g = plain_gpu();
    struct script s = {{PLAIN(OP_EXIT)}, 1, 1, 0, false, 0};
    uint64_t one = run_gate(&s, 1, 1, 1, &g).cycles;
    ck_assert_uint_eq(run_gate(&s, 1, 8, 1, &g).cycles, one + 7);
    g.sms = 4;
    ck_assert_uint_eq(run_gate(&s, 1, 8, 1, &g).cycles, one + 1);
}
END_TEST

/* ---- an application ----------------------------------------------------- */

/* Kernels run one after another; the second finds L2 warm and L1 empty. */
START_TEST(kernels_in_sequence)
{
    struct gpu g = plain_gpu();
    g.launch.kernel_cycles = 100;
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .stride = 4));
    struct kernel *a = script_kernel(&s, 1, 1), *b = script_kernel(&s, 1, 1);
    struct sampler_options o = {.max_cycles = 0};
    struct sampler_run one = run_kernels(&a, 1, &g, &o);
    struct sampler_run two = run_kernels((struct kernel *[]){a, b}, 2, &g, &o);
    ck_assert_uint_eq(two.counts.warp_insts, 2 * one.counts.warp_insts);
    ck_assert_uint_eq(two.counts.l1_misses, 2);
    ck_assert_uint_eq(two.counts.l2_misses, 1);
    ck_assert_uint_eq(two.counts.l2_hits, 1);
    /* All but the DRAM's part: rcd, cl, a second burst ccdl after the first,
     * its two cycles, 40. The second launch begins a cycle after the last of
     * the first kernel. */
    ck_assert_uint_eq(two.counts.cycles,
                      2 * one.counts.cycles + 1 - (12 + 12 + 3 + 2 + 40));
    /* Nothing is issued while the second is launched. */
    ck_assert_uint_eq(
        two.counts.stalls[STALL_ISSUED],
        2 * one.counts.stalls[STALL_ISSUED] +
            (one.counts.warp_insts - one.counts.stalls[STALL_ISSUED]));
    a->ops->destroy(a);
    b->ops->destroy(b);
}
END_TEST

/* ---- limits ------------------------------------------------------------- */

START_TEST(limit_of_cycles)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct kernel *k = script_kernel(&s, 2, 2);
    uint64_t whole =
        run_kernels(&k, 1, &g, &(struct sampler_options){0}).counts.cycles;
    for (uint64_t max = whole - 3; max <= whole + 3; max++) {
        struct sampler_run r = run_kernels(
            &k, 1, &g, &(struct sampler_options){.max_cycles = max});
        ck_assert_int_eq(r.result.partial, max < whole);
        ck_assert_uint_eq(r.counts.cycles, max < whole ? max : whole);
    }
    k->ops->destroy(k);
}
END_TEST

/* Two warps that run still have been resident for as long as the run goes on.
 */
START_TEST(warps_cut_short_were_resident)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct kernel *k = script_kernel(&s, 1, 2);
    uint64_t resident[2];
    for (int i = 0; i < 2; i++) {
        struct sampler_options o = {.max_cycles = i == 0 ? 300 : 700};
        resident[i] = run_kernels(&k, 1, &g, &o).counts.warp_cycles_resident;
    }
    ck_assert_uint_eq(resident[1] - resident[0], 2 * 400);
    k->ops->destroy(k);
}
END_TEST

/* Of a chain of loads of one line, of which the first misses, the first half is
 * not measured, but for what issues until the clock looks: up to 16 cycles in
 * which something happens. */
START_TEST(a_result_is_of_what_was_measured)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .stride = 4));
    s.repeat = 1000;
    struct kernel *k = script_kernel(&s, 1, 1);
    struct sampler_options o = {.measured_from = 0};
    struct sampler_run all = run_kernels(&k, 1, &g, &o);
    o.measured_from = 500;
    struct sampler_run half = run_kernels(&k, 1, &g, &o);
    ck_assert(counters_differ(&all.counts, &half.counts) == NULL);
    ck_assert_double_eq(all.result.warp_insts, 1001);
    ck_assert_double_eq(all.result.l1_miss, 1 / 1000.0);
    ck_assert_double_le(half.result.warp_insts, 501);
    ck_assert_double_ge(half.result.warp_insts, 501 - 16);
    ck_assert_double_eq(half.result.l1_miss, 0);
    ck_assert_double_eq_tol(half.result.ipc, all.result.ipc,
                            0.02 * all.result.ipc);
    ck_assert_double_eq_tol(half.result.occupancy * g.sm.max_warps, 1, 1e-9);
    double slots = 0;
    for (int i = 0; i < STALLS; i++)
        slots += half.result.stall[i];
    ck_assert_double_eq_tol(slots, 1, 1e-9);
    k->ops->destroy(k);
}
END_TEST

/* Two SMs have the same of four blocks; of three one has twice as much as the
 * other: half of one and a half. */
START_TEST(sms_differ_by_what_they_issued)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    struct sampler_options o = {.block_limit = 0};
    g.sms = 2;
    for (uint32_t blocks = 3; blocks <= 4; blocks++) {
        struct kernel *k = script_kernel(&s, blocks, 1);
        ck_assert_double_eq_tol(run_kernels(&k, 1, &g, &o).sm_spread,
                                blocks == 3 ? 1. / 3 : 0, 1e-9);
        k->ops->destroy(k);
    }
}
END_TEST

/* What a front end keeps for an open block is given back on a limit too. */
static const struct kernel_source_ops *counted;
static int open_blocks;

static bool counted_open(const struct kernel *k, void *state, uint64_t block,
                         struct error *e)
{
    open_blocks++;
    return counted->open(k, state, block, e);
}

static void counted_close(const struct kernel *k, void *state)
{
    open_blocks--;
    counted->close(k, state);
}

START_TEST(blocks_are_closed_on_a_limit)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct kernel *k = script_kernel(&s, 5, 2);
    counted = k->ops;
    struct kernel_source_ops ops = *counted;
    ops.open = counted_open;
    ops.close = counted_close;
    k->ops = &ops;
    open_blocks = 0;
    for (uint64_t max = 1; max <= 100; max += 33) {
        struct sampler_run r = run_kernels(
            &k, 1, &g, &(struct sampler_options){.max_cycles = max});
        ck_assert(r.result.partial);
        ck_assert_int_eq(open_blocks, 0);
    }
    k->ops = counted;
    k->ops->destroy(k);
}
END_TEST

START_TEST(cancelled)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    struct kernel *k = script_kernel(&s, 2, 2);
    const volatile int cancel = 1;
    struct sampler_run r =
        run_kernels(&k, 1, &g, &(struct sampler_options){.cancel = &cancel});
    ck_assert(r.result.partial);
    ck_assert_uint_eq(r.counts.blocks_done, 0);
    k->ops->destroy(k);
}
END_TEST

/* What of a launch the block_done callback saw. */
struct seen {
    uint64_t blocks, stop_after, insts;
    uint64_t mask; /* of block numbers */
};

static bool see(void *user, const struct sampler_block *b)
{
    struct seen *s = user;
    ck_assert_uint_lt(b->start, b->end);
    ck_assert_uint_eq(s->mask >> b->block & 1, 0);
    s->mask |= UINT64_C(1) << b->block;
    s->insts += b->insts;
    return ++s->blocks != s->stop_after;
}

START_TEST(window_of_blocks)
{
    struct gpu g = plain_gpu();
    g.sms = 2;
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 4;
    struct kernel *k = script_kernel(&s, 20, 3);
    struct seen seen = {0};
    struct sampler_run r =
        run_kernels(&k, 1, &g,
                    &(struct sampler_options){.first_block = 5,
                                              .block_count = 9,
                                              .block_done = see,
                                              .user = &seen});
    ck_assert_uint_eq(seen.mask, UINT64_C(0x1ff) << 5);
    ck_assert_uint_eq(r.counts.blocks_done, 9);
    ck_assert_uint_eq(r.counts.warp_insts, 9 * 3 * 5);
    ck_assert_uint_eq(seen.insts, 9 * 3 * 5);
    ck_assert(!r.result.partial);
    k->ops->destroy(k);
}
END_TEST

START_TEST(stopped_by_the_caller)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 50;
    struct kernel *k = script_kernel(&s, 40, 3);
    struct seen seen = {.stop_after = 3};
    struct sampler_run r =
        run_kernels(&k, 1, &g,
                    &(struct sampler_options){
                        .block_limit = 1, .block_done = see, .user = &seen});
    ck_assert_uint_eq(seen.blocks, 3);
    ck_assert_uint_eq(r.counts.blocks_done, 3);
    k->ops->destroy(k);
}
END_TEST

struct progress_seen {
    uint64_t insts, calls, stop_at;
};

static bool see_progress(void *user, uint64_t cycle, uint64_t insts)
{
    struct progress_seen *p = user;
    (void)cycle;
    ck_assert_uint_ge(insts, p->insts + (p->calls > 0 ? 50 : 0));
    p->insts = insts;
    p->calls++;
    return insts < p->stop_at;
}

START_TEST(progress_is_told_and_stops)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct kernel *k = script_kernel(&s, 40, 1);
    struct progress_seen p = {.stop_at = 1000};
    struct sampler_run r = run_kernels(
        &k, 1, &g,
        &(struct sampler_options){
            .progress = see_progress, .progress_period = 50, .user = &p});
    ck_assert_uint_ge(p.insts, 1000);
    ck_assert_uint_lt(r.counts.warp_insts, 40 * 101);
    ck_assert_uint_ge(p.calls, 10);
    k->ops->destroy(k);
}
END_TEST

/* ---- resident blocks ---------------------------------------------------- */

/* A chain of ten cycles an instruction: n resident blocks of one warp share
 * the latency, so 8 blocks take 8 / n times as long, give or take their
 * starts. */
START_TEST(limit_of_resident_blocks)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct policy_set p = policies_of(warp_policies[0]);
    for (int n = 1; n <= 8; n *= 2) {
        struct sampler_counts c =
            run_options(&s, 8, 1, &g, &p,
                        (struct sampler_options){.block_limit = n})
                .counts;
        ck_assert_double_eq_tol((double)c.cycles, 1000.0 * 8 / n,
                                (8.0 / n) * 20);
        ck_assert_uint_le(c.warp_cycles_resident, c.cycles * (uint64_t)n);
    }
}
END_TEST

START_TEST(no_block_fits)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    struct kernel *k = script_kernel(&s, 1, 1);
    k->shared_bytes = 1 << 20;
    struct policy_set p = policies_of(warp_policies[0]);
    struct sampler_run run;
    struct error e;
    ck_assert(!sampler_simulate(
        &run,
        &(struct sampler_job){
            .kernel = &k, .kernels = 1, .gpu = &g, .policies = &p},
        &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "shared memory"));
    k->ops->destroy(k);
}
END_TEST

/* ---- stuck -------------------------------------------------------------- */

/* Starves the odd warps, so that even ones wait at the barrier for ever. */
static int even_pick(void *state, const struct warp_table *table,
                     uint64_t ready, uint64_t cycle)
{
    (void)state;
    (void)table;
    (void)cycle;
    ready &= UINT64_C(0x5555555555555555);
    return ready == 0 ? -1 : __builtin_ctzll(ready);
}

static void assert_stuck(const struct warp_policy *policy,
                         const char *const *words, bool tick_every_cycle)
{
    struct gpu g = plain_gpu();
    g.sms = 2;
    g.sm.issue_period = 2;
    struct script s = SCRIPT(PLAIN(OP_BARRIER), PLAIN(OP_SP));
    struct kernel *k = script_kernel(&s, 4, 2);
    struct policy_set p = policies_of(warp_policies[0]);
    p.warp.warp = policy;
    struct sampler_options o = {.tick_every_cycle = tick_every_cycle};
    struct sampler_run run;
    struct error e;
    ck_assert(!sampler_simulate(&run,
                                &(struct sampler_job){.kernel = &k,
                                                      .kernels = 1,
                                                      .gpu = &g,
                                                      .policies = &p,
                                                      .options = &o},
                                &e));
    ck_assert_int_eq(e.status, STATUS_LIMIT);
    for (; *words != NULL; words++)
        ck_assert_msg(strstr(e.text, *words) != NULL, "'%s' lacks '%s'", e.text,
                      *words);
    k->ops->destroy(k);
}

START_TEST(a_policy_that_never_picks)
{
    const char *const words[] = {"script",
                                 "SM 0 warp 0 (block 0) waits for its "
                                 "scheduler",
                                 "warp 1", NULL};
    assert_stuck(&null_warp, words, _i != 0);
}
END_TEST

START_TEST(a_policy_that_starves_a_barrier)
{
    const struct warp_policy even = {.info = {.name = "even"},
                                     .pick = even_pick};
    const char *const words[] = {"SM 0 warp 0 (block 0) waits for a barrier",
                                 "SM 0 warp 1 (block 0) waits for its "
                                 "scheduler",
                                 NULL};
    assert_stuck(&even, words, _i != 0);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("launch");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, kernel_overhead);
    tcase_add_test(tc, block_overhead);
    tcase_add_test(tc, block_period);
    tcase_add_test(tc, one_block_a_cycle_and_sm);
    tcase_add_test(tc, kernels_in_sequence);
    tcase_add_test(tc, limit_of_cycles);
    tcase_add_test(tc, warps_cut_short_were_resident);
    tcase_add_test(tc, a_result_is_of_what_was_measured);
    tcase_add_test(tc, sms_differ_by_what_they_issued);
    tcase_add_test(tc, blocks_are_closed_on_a_limit);
    tcase_add_test(tc, cancelled);
    tcase_add_test(tc, window_of_blocks);
    tcase_add_test(tc, progress_is_told_and_stops);
    tcase_add_test(tc, stopped_by_the_caller);
    tcase_add_test(tc, limit_of_resident_blocks);
    tcase_add_test(tc, no_block_fits);
    tcase_add_loop_test(tc, a_policy_that_never_picks, 0, 2);
    tcase_add_loop_test(tc, a_policy_that_starves_a_barrier, 0, 2);
    return run_suite("sampler: launches and limits", tc);
}
