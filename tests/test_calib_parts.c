/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/result.h"
#include "calib/residual.h"
#include "calib/throughput.h"
#include "calib/window.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- windows ------------------------------------------------------------ */

static const struct window_grid grid_of_many = {65535, 16, 800};

START_TEST(window_of_a_small_grid_is_the_grid)
{
    struct window_grid g = {100, 16, 800};
    struct window w;
    window_plan(&w, &g, 1, 4, 1e5);
    ck_assert_int_eq(w.kind, WINDOW_GRID);
    ck_assert_int_eq(w.sms, 16);
    ck_assert_uint_eq(w.count, 100);
}
END_TEST

START_TEST(window_of_few_waves_is_the_share)
{
    /* 96 blocks on 16 SMs: 6 an SM, a wave and a half of 4 */
    struct window_grid g = {96, 16, 100000};
    struct window w;
    window_plan(&w, &g, 1, 4, 1e5);
    ck_assert_int_eq(w.kind, WINDOW_SHARE);
    ck_assert_uint_eq(w.count, 6);
    ck_assert_uint_eq(w.share, 6);
    window_plan(&w, &g, 2, 4, 1e5);
    ck_assert_uint_eq(w.count, 12);
}
END_TEST

START_TEST(window_parts_end_as_the_share_does)
{
    struct window_grid g = {16 * 99, 16, 800}; /* 99 blocks an SM */
    for (int tb = 2; tb <= 8; tb++) {
        struct window w;
        window_plan(&w, &g, 1, tb, 30000); /* 37 blocks */
        ck_assert_int_eq(w.kind, WINDOW_PART);
        ck_assert_uint_eq(w.count % (uint64_t)tb, 99 % tb);
        ck_assert_uint_ge(w.count, (uint64_t)tb);
        ck_assert_double_le(window_cost(&w, &g), 30000);
        ck_assert_uint_le(w.first + w.count, g.blocks);
    }
}
END_TEST

START_TEST(window_of_many_waves_streams)
{
    struct window w;
    window_plan(&w, &grid_of_many, 1, 6, 1e5);
    ck_assert_int_eq(w.kind, WINDOW_STREAM);
    ck_assert(w.early_stop);
    ck_assert_uint_le(w.count, 125);
    ck_assert_uint_eq(w.share, 4096);
}
END_TEST

START_TEST(slices_grow_with_the_budget)
{
    const struct window_grid few = {96, 16, 800}; /* 6 blocks an SM */
    /* 8 waves of 4 blocks of 800 */
    ck_assert_int_eq(window_sms(&grid_of_many, 4, 1), 1);
    ck_assert_int_eq(window_sms(&grid_of_many, 4, 2 * 25600 - 1), 1);
    ck_assert_int_eq(window_sms(&grid_of_many, 4, 2 * 25600), 2);
    ck_assert_int_eq(window_sms(&grid_of_many, 4, 4 * 25600), 4);
    ck_assert_int_eq(window_sms(&grid_of_many, 4, 1e9), 4);
    ck_assert_int_eq(window_sms(&few, 4, 2 * 4800), 2);
}
END_TEST

/* ---- throughput --------------------------------------------------------- */

START_TEST(locked_waves_have_no_error)
{
    uint64_t end[80];
    for (size_t i = 0; i < 80; i++)
        end[i] = 1000 * (1 + i / 4);
    struct throughput t;
    ck_assert(throughput_measure(&t, end, 80, 4, 4));
    ck_assert_double_eq(t.cycles_per_block, 250);
    ck_assert_double_eq(t.relative_se, 0);
    ck_assert(!throughput_measure(&t, end, 7, 4, 4));
}
END_TEST

/* Intervals from batch means hold the true pace about as often as they say. */
START_TEST(batch_means_cover)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int hold = 0, runs = 500;
    for (int r = 0; r < runs; r++) {
        uint64_t end[401];
        double now = 0;
        for (size_t i = 0; i < 401; i++) {
            now += gsl_ran_gamma(rng, 4, 250);
            end[i] = (uint64_t)now;
        }
        struct throughput t;
        throughput_measure(&t, end, 401, 0, 1);
        hold += fabs(t.cycles_per_block / 1000 - 1) < 1.7 * t.relative_se;
    }
    gsl_rng_free(rng);
    /* t with 39 degrees of freedom: 90.3 % inside 1.7; 4 deviations of a
     * binomial of 500 are 5.3 % */
    ck_assert_double_gt((double)hold / runs, 0.85);
    ck_assert_double_lt((double)hold / runs, 0.956);
}
END_TEST

START_TEST(runs_over_the_same_blocks_correlate)
{
    struct throughput a = {.cycles_per_block = 10, .batches = 20};
    struct throughput b = {.cycles_per_block = 11, .batches = 20};
    for (int i = 0; i < 20; i++) {
        a.batch[i] = 10 + (i % 2 ? 1 : -1);
        b.batch[i] = 1.1 * a.batch[i];
    }
    a.relative_se = b.relative_se = 0.02;
    ck_assert_double_eq_tol(throughput_correlation(&a, &b), 1, 1e-12);
    b.batches = 10;
    ck_assert_double_eq(throughput_correlation(&a, &b), 0);
}
END_TEST

START_TEST(stop_rule_spends_its_error_probability)
{
    struct throughput t = {.batches = 20, .relative_se = 0.005};
    ck_assert(throughput_precise(&t, 1, 0.0125));
    ck_assert(!throughput_precise(&t, 1000, 0.0125));
    t.batches = 19;
    ck_assert(!throughput_precise(&t, 1, 0.5));
}
END_TEST

/* ---- residual ----------------------------------------------------------- */

static double wave(double x, int policy)
{
    return 0.05 * sin(1.5 * x) + 0.01 * policy;
}

START_TEST(residual_follows_its_points)
{
    struct residual_point p[9];
    const int tb[] = {1, 3, 8};
    for (int i = 0; i < 9; i++)
        p[i] = (struct residual_point){.log_tb = log(tb[i / 3]),
                                       .policy = i % 3,
                                       .value = wave(log(tb[i / 3]), i % 3)};
    struct residual *r = residual_create(p, 9, 4000, NULL);
    struct residual_value near = residual_predict(r, log(3), 1, NULL);
    ck_assert_double_eq_tol(near.mean, wave(log(3), 1), 1e-6);
    struct residual_value between = residual_predict(r, log(5), 1, NULL);
    ck_assert_double_eq_tol(between.mean, wave(log(5), 1), 0.01);
    struct residual_value far = residual_predict(r, log(32), 1, NULL);
    ck_assert_double_lt(near.variance, between.variance);
    ck_assert_double_lt(between.variance, far.variance);
    struct residual_value apart = residual_difference(r, log(5), 2, 0);
    ck_assert_double_eq_tol(apart.mean, 0.02, 0.008);
    residual_free(r);
}
END_TEST

/* One full run takes a bias away that all slices of a block count share. */
START_TEST(residual_learns_a_shared_bias)
{
    struct residual_point p[5];
    for (int i = 0; i < 5; i++)
        p[i] = (struct residual_point){.policy = i % 4,
                                       .value = i < 4 ? 0.1 : 0,
                                       .bias_common = i < 4 ? 0.1 : 0,
                                       .bias_own = i < 4 ? 0.005 : 0};
    struct residual *r = residual_create(p, 4, 4000, NULL);
    double without = residual_predict(r, 0, 2, NULL).variance;
    residual_free(r);
    r = residual_create(p, 5, 4000, NULL);
    struct residual_value with = residual_predict(r, 0, 2, NULL);
    ck_assert_double_lt(fabs(with.mean), 0.01);
    ck_assert_double_lt(with.variance, without / 25);
    ck_assert_double_eq_tol(residual_predict(r, 0, 2, &p[2]).mean, 0.1, 0.01);
    residual_free(r);
}
END_TEST

START_TEST(residual_without_points_is_its_prior)
{
    struct residual *r = residual_create(NULL, 0, 4000, NULL);
    struct residual_value prior = residual_predict(r, 1, 0, NULL);
    ck_assert_double_eq(prior.mean, 0);
    ck_assert_double_gt(prior.variance, 0.09);
    residual_free(r);
}
END_TEST

/* GSL's own handler, which ends the process, is gone from the first use on and
 * does not come back: other threads may be at work. */
START_TEST(gsl_never_ends_the_process)
{
    gsl_set_error_handler(NULL);
    residual_free(residual_create(NULL, 0, 4000, NULL));
    gsl_error_handler_t *handler = gsl_set_error_handler(NULL);
    ck_assert(handler != NULL);
    gsl_set_error_handler(handler);
}
END_TEST

START_TEST(intervals_are_two_sided_90_percent)
{
    ck_assert_double_eq_tol(gsl_cdf_ugaussian_Pinv(0.95), NORMAL_90, 1e-15);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calib: parts");
    TCase *c = tcase_create("parts");
    tcase_set_timeout(c, 120);
    tcase_add_test(c, window_of_a_small_grid_is_the_grid);
    tcase_add_test(c, window_of_few_waves_is_the_share);
    tcase_add_test(c, window_parts_end_as_the_share_does);
    tcase_add_test(c, window_of_many_waves_streams);
    tcase_add_test(c, slices_grow_with_the_budget);
    tcase_add_test(c, locked_waves_have_no_error);
    tcase_add_test(c, batch_means_cover);
    tcase_add_test(c, runs_over_the_same_blocks_correlate);
    tcase_add_test(c, stop_rule_spends_its_error_probability);
    tcase_add_test(c, residual_follows_its_points);
    tcase_add_test(c, residual_learns_a_shared_bias);
    tcase_add_test(c, residual_without_points_is_its_prior);
    tcase_add_test(c, gsl_never_ends_the_process);
    tcase_add_test(c, intervals_are_two_sided_90_percent);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
