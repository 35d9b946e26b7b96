/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/result.h"
#include "calib/block_times.h"
#include "calib/course.h"
#include "calib/slice.h"
#include "calib/steady.h"
#include "tests/run_suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

/* ---- rates -------------------------------------------------------------- */

START_TEST(rates_leave_the_settling_out)
{
    static const struct mark marks[] = {
        {100, 10}, {200, 100}, {300, 250}, {500, 450}};
    struct steady s;
    ck_assert(steady_measure(&s, marks, 4, 100, INFINITY, 1e3));
    ck_assert_double_eq(s.cycles_per_inst, 300.0 / 350);
    ck_assert_double_eq(s.insts, 350);
    ck_assert_double_eq(s.end_cycle, 500);
    ck_assert_double_eq(s.begun, 450);
    ck_assert(!steady_measure(&s, marks, 4, 450, INFINITY, 1e3));
    ck_assert(!steady_measure(&s, marks, 4, 1000, INFINITY, 1e3));
    ck_assert(!steady_measure(&s, marks, 0, 0, INFINITY, 1e3));
    ck_assert(steady_measure(&s, marks, 4, 100, 250, 1e3));
    ck_assert_double_eq(s.insts, 150);
    /* Too few to say what lies between them. */
    ck_assert(steady_measure(&s, marks, 4, 100, 251, 1e3));
    ck_assert_double_eq(s.insts, 350);
}
END_TEST

/* Of eight marks, each 10 cycles and instructions behind the one before, but
 * the first interval takes 30 cycles: from halfway through it to a fifth
 * through the last but one. */
START_TEST(rates_are_of_what_lies_between_marks)
{
    struct mark marks[8] = {{100, 100}};
    struct steady s;
    for (int i = 1; i < 8; i++)
        marks[i] = (struct mark){marks[i - 1].cycle + (i == 1 ? 30 : 10),
                                 marks[i - 1].insts + 10};
    ck_assert(steady_measure(&s, marks, 8, 105, 162, 1e3));
    ck_assert_double_eq(s.insts, 57);
    ck_assert_double_eq(s.begun, 162);
    ck_assert_double_eq(s.end_cycle, 182);
    ck_assert_double_eq(s.cycles_per_inst, 67.0 / 57);
}
END_TEST

/* Six parts of 100 warp instructions each. */
START_TEST(rates_err_as_their_parts_differ)
{
    static const uint64_t cycles[] = {100, 120, 100, 80, 100, 100};
    struct mark marks[7] = {{0, 0}};
    struct steady s;
    for (int i = 0; i < 6; i++)
        marks[i + 1] =
            (struct mark){marks[i].cycle + cycles[i], marks[i].insts + 100};
    ck_assert(steady_measure(&s, marks, 7, 0, INFINITY, 1e3));
    ck_assert_double_eq(s.cycles_per_inst, 1);
    /* sqrt((0.2^2 + 0.2^2) / 5 / 6) */
    ck_assert_double_eq_tol(s.error, 0.051640, 1e-6);
    ck_assert(steady_measure(&s, marks, 6, 0, INFINITY, 1e3));
    ck_assert_double_eq(s.error, 0);
}
END_TEST

/* Of two waves that are alike, each slow and then fast, no part is off; by 10 %
 * in the second wave each is by half of that from the mean of the two: 380 +-
 * 20, 190 +- 10 and 95 +- 5 have an error of sqrt(2 * (20^2 + 10^2 + 5^2) / 3 /
 * 6).
 */
START_TEST(waves_are_compared_with_waves)
{
    static const uint64_t cycles[2][6] = {{400, 200, 100, 400, 200, 100},
                                          {400, 200, 100, 360, 180, 90}};
    static const double error[] = {0, 7.637626 / 221.666667};
    for (int i = 0; i < 2; i++) {
        struct mark marks[7] = {{0, 0}};
        struct steady s;
        for (int p = 0; p < 6; p++)
            marks[p + 1] = (struct mark){marks[p].cycle + cycles[i][p],
                                         marks[p].insts + 1};
        ck_assert(steady_measure(&s, marks, 7, 0, INFINITY, 3));
        ck_assert_double_eq_tol(s.error, error[i], 1e-6);
        ck_assert(steady_measure(&s, marks, 7, 0, INFINITY, 4));
        ck_assert_double_gt(s.error, 0.2);
    }
}
END_TEST

/* What slows down both is in no difference; ratios that alternate by 10 % are.
 */
START_TEST(differences_err_as_ratios_of_parts_do)
{
    struct steady a = {.insts = 1e5, .part = {1, 3, 2, 1, 5, 4}};
    struct steady b = {.insts = 1e5}, none = {.insts = 1e5};
    for (int i = 0; i < STEADY_PARTS; i++)
        b.part[i] = 1.2 * a.part[i];
    ck_assert_double_eq_tol(steady_ratio_error(&a, &b, 1e3), 0, 1e-9);
    for (int i = 0; i < STEADY_PARTS; i++)
        b.part[i] = a.part[i] * (i % 2 == 0 ? 1 : 1.1);
    /* ln 1.1 * sqrt(6 / 4 / 5 / 6) */
    ck_assert_double_eq_tol(steady_ratio_error(&a, &b, 1e3), 0.0213119, 1e-6);
    ck_assert(isinf(steady_ratio_error(&a, &none, 1e3)));
    b.insts = 1.5e5; /* it went on */
    ck_assert(isinf(steady_ratio_error(&a, &b, 1e3)));
}
END_TEST

/* Of a window that went on its rate and that of what was planned differ by 3 %:
 * that is in the difference, and what the parts of what was planned show. */
START_TEST(differences_of_longer_windows_err_by_what_they_went_on_for)
{
    struct steady a = {1e-2, .insts = 1e5, .part = {1, 1, 1, 1, 1, 1}};
    struct steady b = {1.03e-2, .insts = 1.5e5, .part = {2, 3, 2, 3, 2, 3}};
    struct steady of_b = {1e-2, .insts = 1e5};
    for (int i = 0; i < STEADY_PARTS; i++)
        of_b.part[i] = i % 2 == 0 ? 1 : 1.1;
    double apart = hypot(0.0213119, log(1.03));
    ck_assert_double_eq_tol(steady_pair_error(&a, &a, &b, &of_b, 1e3), apart,
                            1e-6);
    ck_assert_double_eq_tol(steady_pair_error(&b, &of_b, &a, &a, 1e3), apart,
                            1e-6);
    /* Both went on. */
    ck_assert_double_eq(steady_pair_error(&b, &of_b, &b, &of_b, 1e3), 0);
    ck_assert(isinf(steady_pair_error(&a, &a, &b, &b, 1e3)));
}
END_TEST

/* ---- slices -------------------------------------------------------------- */

START_TEST(what_differs_at_the_start_does_so_in_part)
{
    struct sample s = {.rest = 1000, .slower = 0.8};
    ck_assert_double_lt(slice_rest(&s), 1000);
    ck_assert_double_gt(slice_rest(&s), 800);
    s.slower = 2;
    ck_assert_double_gt(slice_rest(&s), 1000);
    ck_assert_double_lt(slice_rest(&s), 2000);
    ck_assert(slice_tells(&s));
}
END_TEST

/* ---- block times -------------------------------------------------------- */

/* Two waves of four after two blocks that do not count: the second is slower as
 * a whole, which is no spread; 100 +- 10 and 200 +- 20 are a tenth,
 * sqrt((4 * 10^2 + 4 * 20^2) / 6) / 150. */
START_TEST(spread_is_that_within_waves)
{
    struct block_times t = {.first = 2, .resident = 4};
    ck_assert(isnan(block_times_spread(&t)));
    block_times_add(&t, 1, 0, 1e6);
    block_times_add(&t, 2, 0, 90);
    ck_assert(isnan(block_times_spread(&t)));
    for (uint64_t i = 3; i < 6; i++)
        block_times_add(&t, i, 0, i % 2 == 0 ? 90 : 110);
    block_times_add(&t, 2 + 4 * BLOCK_TIMES_WAVES, 0, 1e6);
    ck_assert_double_eq_tol(block_times_spread(&t), sqrt(400. / 3) / 100, 1e-9);
    for (uint64_t i = 6; i < 10; i++)
        block_times_add(&t, i, 0, i % 2 == 0 ? 180 : 220);
    ck_assert_double_eq_tol(block_times_spread(&t), sqrt(2000. / 6) / 150,
                            1e-9);
}
END_TEST

/* Two SMs of two blocks each, 90 and 110 cycles on average: their own are one
 * cycle from these. */
START_TEST(spread_on_an_sm_is_that_within_it)
{
    struct block_times t = {.first = 0, .resident = 4};
    for (uint64_t i = 0; i < 4; i++)
        block_times_add(&t, i, (int)i % 2,
                        (i % 2 == 0 ? 90 : 110) + (i < 2 ? -1 : 1));
    ck_assert_double_eq_tol(block_times_spread_on_sm(&t), sqrt(4. / 2) / 100,
                            1e-9);
    block_times_add(&t, 4, 0, 1000);
    ck_assert_double_eq_tol(block_times_spread_on_sm(&t), sqrt(4. / 2) / 100,
                            1e-9);
}
END_TEST

/* Those SMs' blocks are sqrt(2) % from each other; SMs 2 % apart after a
 * quarter of a block are 1 % apart after one, which is what chance has two
 * blocks. */
START_TEST(variance_is_of_sms_and_of_their_blocks)
{
    struct block_times t = {.first = 0, .resident = 4};
    for (uint64_t i = 0; i < 4; i++)
        block_times_add(&t, i, (int)i % 2,
                        (i % 2 == 0 ? 90 : 110) + (i < 2 ? -1 : 1));
    ck_assert_double_eq(block_times_mean(&t), 100);
    ck_assert_double_eq_tol(block_times_alike(&t, 0.0201, 25), 1. / 3, 0.01);
    ck_assert_double_eq(block_times_alike(&t, 0.0199, 25), 0);
    ck_assert_double_eq(block_times_alike(&t, 0, 25), 0);
}
END_TEST

/* Of one SM alone, whose blocks are as far from each other. */
START_TEST(one_sm_is_less_apart_than_by_chance)
{
    struct block_times t = {.first = 0, .resident = 2};
    block_times_add(&t, 0, 0, 99);
    block_times_add(&t, 1, 0, 101);
    ck_assert_double_eq_tol(block_times_alike(&t, 0.0199, 25), 0, 0.011);
    ck_assert_double_eq_tol(block_times_alike(&t, 0.01, 25), -0.75, 1e-9);
    ck_assert_double_eq(block_times_alike(&t, 0, 25), -1);
}
END_TEST

/* Two blocks on each of four SMs, of which one ends 20 cycles before the other
 * and those of different SMs a cycle from each other: of a variance of 808 / 7
 * by chance 0.7, of 4 / 3 there is. SMs of which each has another order have
 * all of it. */
START_TEST(sms_go_on_alike_whose_blocks_end_in_order)
{
    static const double jitter[] = {-1, -1, 1, 1};
    struct block_times ordered = {.first = 0, .resident = 8}, any = ordered;
    for (uint64_t i = 0; i < 8; i++) {
        int sm = (int)i % 4;
        block_times_add(&ordered, i, sm, (i < 4 ? 90 : 110) + jitter[sm]);
        block_times_add(&any, i, sm,
                        sm < 2 ? 80 + 10 * sm + (double)i
                               : 110 + 10 * sm + (double)i);
    }
    ck_assert_double_eq_tol(block_times_spread_in_order(&ordered),
                            sqrt(4. / 3) / 100, 1e-9);
    double by_chance = 808. / 7 / (0.55 + 0.44 * 2);
    ck_assert_double_eq_tol(block_times_alike(&ordered, 0.01, 25),
                            4. / 3 / by_chance - 1, 1e-9);
    ck_assert_double_ge(block_times_alike(&any, 0.01, 25), 0);
}
END_TEST

/* Blocks of an SM that end as one: SMs are filled one after another, if they
 * differ. Of one block each nothing is known. */
START_TEST(blocks_that_end_as_one_leave_it_to_sms)
{
    struct block_times pair = {.first = 0, .resident = 2};
    struct block_times single = {.first = 0, .resident = 2};
    for (uint64_t i = 0; i < 2; i++) {
        block_times_add(&pair, i, 0, 100);
        block_times_add(&single, i, (int)i, 100);
    }
    ck_assert_double_eq(block_times_alike(&pair, 0.02, 25), 1);
    ck_assert_double_eq(block_times_alike(&pair, 0, 25), -1);
    ck_assert(isnan(block_times_alike(&single, 0.02, 25)));
}
END_TEST

/* Of normal deviates in order: Harter, Biometrika 48, 1961, table 1. */
START_TEST(of_more_blocks_the_latest_is_later)
{
    static const double latest[][2] = {
        {1, 0}, {2, 0.5642}, {10, 1.5388}, {100, 2.5076}};
    for (size_t i = 0; i < sizeof(latest) / sizeof(latest[0]); i++)
        ck_assert_double_eq_tol(blocks_latest(latest[i][0]), latest[i][1],
                                0.03);
}
END_TEST

/* The same source, table 2: roots of the variances of the latest. */
START_TEST(of_more_blocks_the_latest_is_less_by_chance)
{
    static const double deviation[][2] = {
        {1, 1}, {2, 0.8256}, {10, 0.5869}, {20, 0.5250}};
    for (size_t i = 0; i < sizeof(deviation) / sizeof(deviation[0]); i++)
        ck_assert_double_eq_tol(blocks_latest_deviation(deviation[i][0]),
                                deviation[i][1], 0.03);
}
END_TEST

/* A tenth of a block, nine waves on three tenths; in step to the half where
 * 2 (pi d)^2 is its logarithm. */
START_TEST(blocks_drift_apart_with_the_root_of_waves)
{
    ck_assert_double_eq_tol(blocks_apart(0.1, 9), 0.3, 1e-12);
    ck_assert_double_eq(blocks_in_step(0), 1);
    ck_assert_double_eq_tol(blocks_in_step(0.1873905), 0.5, 1e-6);
}
END_TEST

/* ---- course ------------------------------------------------------------- */

/* Two waves of 800 instructions, of 1,000 cycles each behind 200 of the launch.
 * Their blocks wait for the first half of their time and then issue at an even
 * pace, in the second wave for three quarters of it: which is the last. */
START_TEST(a_course_is_that_of_the_last_whole_wave)
{
    const struct mark mark[] = {{200, 0},     {700, 10},    {825, 200},
                                {950, 400},   {1075, 600},  {1200, 800},
                                {1950, 801},  {2012, 1000}, {2075, 1200},
                                {2137, 1400}, {2200, 1600}, {2950, 1610}};
    size_t marks = sizeof(mark) / sizeof(mark[0]);
    double issued[COURSE_PARTS + 1];
    ck_assert(course_of(issued, mark, marks, 800));
    ck_assert_double_eq_tol(issued[0], 0, 1e-9);
    ck_assert_double_lt(issued[12], 0.01);
    ck_assert_double_eq_tol(issued[14], 0.5, 0.01);
    ck_assert_double_eq_tol(issued[16], 1, 1e-9);
    ck_assert(course_of(issued, mark, 6, 800));
    ck_assert_double_lt(issued[8], 0.02);
    ck_assert_double_eq_tol(issued[12], 0.5, 0.01);
    ck_assert_double_eq_tol(issued[16], 1, 1e-9);
}
END_TEST

/* A run of which the first mark has issued nothing: it is there in its cycle.
 */
START_TEST(a_course_begins_with_its_first_mark)
{
    const struct mark mark[] = {{20, 0}, {120, 400}, {220, 1200}};
    ck_assert_double_eq(course_cycle(mark, 3, 0), 20);
    ck_assert_double_eq(course_cycle(mark, 3, 200), 70);
    ck_assert_double_eq(course_cycle(mark + 1, 2, 200), 60);
    ck_assert_double_eq(course_cycle(mark, 3, 2000), 220);
}
END_TEST

START_TEST(few_marks_are_no_course)
{
    const struct mark mark[] = {{0, 0}, {100, 300}, {200, 600}, {300, 900}};
    double issued[COURSE_PARTS + 1];
    /* within the wave three intervals */
    ck_assert(!course_of(issued, mark, 4, 800));
    /* no whole wave */
    ck_assert(!course_of(issued, mark, 4, 1000));
    ck_assert(!course_of(issued, mark, 0, 800));
}
END_TEST

START_TEST(intervals_are_two_sided_90_percent)
{
    ck_assert_double_eq_tol(gsl_cdf_ugaussian_Pinv(0.95), NORMAL_90, 1e-15);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("parts");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, what_differs_at_the_start_does_so_in_part);
    tcase_add_test(c, rates_leave_the_settling_out);
    tcase_add_test(c, rates_are_of_what_lies_between_marks);
    tcase_add_test(c, rates_err_as_their_parts_differ);
    tcase_add_test(c, waves_are_compared_with_waves);
    tcase_add_test(c, differences_err_as_ratios_of_parts_do);
    tcase_add_test(c,
                   differences_of_longer_windows_err_by_what_they_went_on_for);
    tcase_add_test(c, spread_is_that_within_waves);
    tcase_add_test(c, spread_on_an_sm_is_that_within_it);
    tcase_add_test(c, variance_is_of_sms_and_of_their_blocks);
    tcase_add_test(c, one_sm_is_less_apart_than_by_chance);
    tcase_add_test(c, sms_go_on_alike_whose_blocks_end_in_order);
    tcase_add_test(c, blocks_that_end_as_one_leave_it_to_sms);
    tcase_add_test(c, of_more_blocks_the_latest_is_later);
    tcase_add_test(c, of_more_blocks_the_latest_is_less_by_chance);
    tcase_add_test(c, blocks_drift_apart_with_the_root_of_waves);
    tcase_add_test(c, a_course_is_that_of_the_last_whole_wave);
    tcase_add_test(c, a_course_begins_with_its_first_mark);
    tcase_add_test(c, few_marks_are_no_course);
    tcase_add_test(c, intervals_are_two_sided_90_percent);
    return run_suite("calib: parts", c);
}
