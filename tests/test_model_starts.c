/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warps and blocks that start together: what they queue up for, and what they
 * find of each other's lines. */
#include "model/bursts.h"
#include "model/overlap.h"
#include "model/retention.h"
#include "model/reuse.h"
#include "tests/script_kernel.h"

#include <check.h>
#include <math.h>

/* ---- bursts -------------------------------------------------------------- */

static double wait_of(const double *time, int count, double warps)
{
    struct burst_search s = {.wait = 0};
    for (int i = 0; i < count; i++)
        burst_add(&s, 8, time[i], 2);
    struct burst b = burst_end(&s);
    ck_assert_double_eq(s.now.work, 0);
    return burst_wait(warps, &b);
}

/* Eight warps ask twice for two cycles each. Far apart, the last waits for the
 * seven others once. At once it waits for both requests of each; four cycles
 * apart, the eight others' 32 cycles less the 6 that take one alone. */
START_TEST(warps_queue_for_what_comes_at_a_time)
{
    const double far[] = {10, 200}, at_once[] = {10, 12}, near[] = {10, 14};
    ck_assert_double_eq(wait_of(far, 2, 8), 7 * 2);
    ck_assert_double_eq(wait_of(at_once, 2, 8), 7 * 4);
    ck_assert_double_eq(wait_of(near, 2, 8), 8 * 4 - 6);
    ck_assert_double_eq(wait_of(near, 2, 16), 16 * 4 - 6);
    ck_assert_double_eq(wait_of(near, 2, 1), 0);
    ck_assert_double_eq(wait_of(near, 0, 8), 0);
}
END_TEST

/* ---- a block's start ----------------------------------------------------- */

static struct demand demand_of_one_phase(void)
{
    struct demand d = {.unloaded = 1000, .critical = 1000};
    d.phase_count = 1;
    d.phase_unloaded[0] = 1000;
    d.phase_runs[0] = 1;
    d.phase_compute[0] = 100;
    return d;
}

static double time_of(const struct demand *d)
{
    const struct overlap o = {.schedulers = 1,
                              .unit_sets = 4,
                              .servers_a_sm = {1, 1},
                              .issue_stretch = 1,
                              .limit = INFINITY,
                              .warps_per_block = 8};
    return overlap_block_time(d, &o, 1);
}

/* 40 cycles of the load/store unit that come one by one in 100 cycles hold
 * eight warps up for seven of them; all at once, for all of seven warps; more
 * of them than a warp computes, for what that leaves. */
START_TEST(a_start_waits_for_bursts)
{
    struct demand d = demand_of_one_phase();
    d.phase_slow[0] = 12;
    d.phase_ldst_burst[0] = (struct burst){1, 1};
    ck_assert_double_eq_tol(time_of(&d), 1000 + 7, 1e-9);
    d.phase_ldst_burst[0] = (struct burst){12, 12};
    ck_assert_double_eq_tol(time_of(&d), 1000 + 7 * 12, 1e-9);
    d.phase_ldst_burst[0] = (struct burst){1, 1};
    d.phase_slow[0] = 40;
    ck_assert_double_eq_tol(time_of(&d), 1000 + 7 * 40 - 100, 1e-9);
}
END_TEST

/* What is sent through the SM's own port delays seven warps by as much each,
 * however slow the way is when all SMs send; two warps of a set, one. */
START_TEST(a_start_sends_alone)
{
    struct demand d = demand_of_one_phase();
    d.phase_sent[0] = 4;
    d.phase_slow[0] = 10;
    ck_assert_double_eq_tol(time_of(&d), 1000 + 7 * 4, 1e-9);
    d = demand_of_one_phase();
    d.phase_unit[0] = 2;
    d.phase_unit_burst[0] = (struct burst){8, 8};
    ck_assert_double_eq_tol(time_of(&d), 1000 + 8, 1e-9);
}
END_TEST

/* ---- lines on their way -------------------------------------------------- */

static bool waits(struct reuse_tracker *t, unsigned warp, uint64_t round)
{
    struct reuse_outcome o;
    const struct reuse_access a = {.line = 7,
                                   .sectors = 1,
                                   .fetched = 1,
                                   .warp = warp,
                                   .kind = ACCESS_LOAD,
                                   .in_flight = 1000,
                                   .round = round,
                                   .phase_start = t->time};
    ck_assert(tracker_access(t, &a, &o));
    return o.l1_wait == REUSE_COLD && o.l2_wait == REUSE_COLD;
}

/* The warps of a block in the same phase wait for what one of them fetches in
 * it, however much each asks for in between; in the next one it is there. */
START_TEST(warps_of_a_phase_wait_together)
{
    struct reuse_tracker t;
    ck_assert(tracker_init(&t));
    tracker_begin_group(&t);
    tracker_begin_block(&t, 0);
    ck_assert(waits(&t, 0, 0));
    t.time += 500;
    ck_assert(waits(&t, 1, 0));
    uint64_t next = t.time;
    ck_assert(!waits(&t, 2, next));
    tracker_free(&t);
}
END_TEST

/* ---- blocks -------------------------------------------------------------- */

/* All of `blocks` blocks touch the same lines, of which an L2 holds all; 64 run
 * at a time. */
static struct retentions retained(double blocks, double together)
{
    struct profile p = {.blocks = blocks,
                        .period = blocks,
                        .warps_per_block = 1,
                        .block_lines = 10,
                        .private_lines = 10 / blocks,
                        .sectors_by_chance = 1};
    p.shared =
        (struct shared_lines){.blocks = blocks, .row = blocks, .by_chance = 1};
    p.shared.share[SHARED_COLD] = p.shared.share[SHARED_WIDE] = 1;
    struct gpu g = plain_gpu();
    const struct sharing s = {.blocks = 1, .active_sms = 64};
    struct retentions out;
    retention_set(&out, &p, &g, &s, 1e6, together);
    return out;
}

/* Of one wave in step all wait for what the first of them brings, of two the
 * second finds it; out of step all but the first do. */
START_TEST(blocks_in_step_wait_for_what_all_touch)
{
    struct retentions one = retained(64, 1), two = retained(128, 1);
    ck_assert_double_eq_tol(one.ready.wide, 0, 1e-9);
    ck_assert_double_eq_tol(one.brought.wide, 63 / 64.0, 1e-9);
    ck_assert_double_eq_tol(two.ready.wide, 63 / 128.0, 1e-9);
    ck_assert_double_eq_tol(two.brought.wide, 127 / 128.0, 1e-9);
    struct retentions apart = retained(64, 0);
    ck_assert_double_eq_tol(apart.ready.wide, 63 / 64.0, 1e-9);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model: starts");
    TCase *c = tcase_create("starts");
    tcase_add_test(c, warps_queue_for_what_comes_at_a_time);
    tcase_add_test(c, a_start_waits_for_bursts);
    tcase_add_test(c, a_start_sends_alone);
    tcase_add_test(c, warps_of_a_phase_wait_together);
    tcase_add_test(c, blocks_in_step_wait_for_what_all_touch);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
