/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval model: what caches hold, of scripts whose working sets are
 * known. */
#include "model/reuse.h"
#include "tests/model_scripts.h"

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

static double lower(const struct result *r)
{
    return r->cycles / r->cycles_lo;
}

static double upper(const struct result *r)
{
    return r->cycles_hi / r->cycles;
}

/* 128 lines of L1: whether the 96 of 6 warps stay is as uncertain as how they
 * interleave, and with them whether memory is waited for; 32 surely stay, and
 * 1024 surely do not. Of 96 that are found cycles may be more than that, of 192
 * that are not, less. */
START_TEST(what_just_fits_is_unsure)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over(16);
    g.dram.gbps /= 8;
    struct result fits = estimate(&s, &g, 8, 2, 1, &round_robin);
    struct result just = estimate(&s, &g, 24, 2, 3, &round_robin);
    struct result above = estimate(&s, &g, 48, 2, 6, &round_robin);
    struct result never = estimate(&s, &g, 64, 4, 16, &round_robin);
    double usual = lower(&fits);
    ck_assert_double_eq_tol(upper(&fits), usual, 1e-9);
    ck_assert_double_eq_tol(upper(&never), usual, 1e-9);
    ck_assert_double_eq_tol(lower(&never), usual, 1e-9);
    ck_assert_double_gt(upper(&just), 1.1 * usual);
    ck_assert_double_gt(lower(&above), 1.1 * usual);
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

/* Every warp goes over two rows of 32 lines again and again. */
static struct script loop_over_rows(void)
{
    struct script s = loop_over(2);

    for (int i = 0; i < 2; i++) {
        s.op[i].stride = 128;
        s.op[i].base = (uint64_t)i * 4096;
        s.op[i].warp_step = 2 * 4096;
        s.op[i].block_step = 8 * 2 * 4096;
    }
    return s;
}

/* The L1 has the lines of 16 warps, and its port is busy for 64 cycles with the
 * two loads of one: one or two are enough to keep it busy all the time. When
 * the oldest go first as many as are halfway from these to all reuse lines: of
 * 24 warps those have room there, and 19 of 20 rounds find what one brings, of
 * 48 most have not. */
START_TEST(the_oldest_may_be_enough)
{
    struct gpu g = plain_gpu();
    struct script s = loop_over_rows();

    g.l1.size_kb = 128;
    double few = estimate(&s, &g, 4, 8, 2, &round_robin).l1_miss;
    double all = estimate(&s, &g, 12, 8, 6, &round_robin).l1_miss;
    double some = estimate(&s, &g, 12, 8, 3, &greedy).l1_miss;
    double too_many = estimate(&s, &g, 12, 8, 6, &greedy).l1_miss;
    assert_near(few, 1 / 20.0, 0.01);
    assert_near(all, 1, 0.01);
    assert_near(some, 1 / 20.0, 0.01);
    ck_assert_double_gt(too_many, 0.5);
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

/* A cycle over as many lines as a cache has, of a power of two, hits; of half a
 * cache more it misses. */
START_TEST(a_cache_holds_as_many_lines_as_it_has)
{
    for (uint64_t lines = 16; lines <= 4096; lines *= 2) {
        struct reuse_histogram h = {0};
        struct footprint f;
        for (int i = 0; i < 9900; i++)
            reuse_add(&h, lines, 1);
        h.cold = 100;
        footprint_build(&f, &h, 10000);
        reuse_survival(&h);
        struct reuse_threshold t = footprint_threshold(&f, 1, (double)lines);
        ck_assert_double_lt(reuse_beyond(&h, t), 300);
        t = footprint_threshold(&f, 1, (double)lines / 1.5);
        assert_near(reuse_beyond(&h, t), 10000, 0.05);
    }
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

int main(void)
{
    TCase *all = tcase_create("all");

    tcase_add_test(all, working_sets_that_fit_hit);
    tcase_add_test(all, what_just_fits_is_unsure);
    tcase_add_test(all, fewer_live_warps_miss_less);
    tcase_add_test(all, fewer_live_warps_miss_less_in_the_l2);
    tcase_add_test(all, who_throttles_finds_the_limit);
    tcase_add_test(all, the_oldest_may_be_enough);
    tcase_add_test(all, what_the_l1_holds_does_not_miss_in_the_l2);
    tcase_add_test(all, what_fills_one_cache_s_sets_does_not_fill_the_other_s);
    tcase_add_test(all, atomics_are_accesses_of_the_l2);
    tcase_add_test(all, footprint_of_a_cycle_over_lines);
    tcase_add_test(all, a_cache_holds_as_many_lines_as_it_has);
    tcase_add_test(all, reuse_bins_hold_what_they_say);
    return run_suite("model caches", all);
}
