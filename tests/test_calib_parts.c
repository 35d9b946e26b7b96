/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/result.h"
#include "calib/block_times.h"
#include "calib/course.h"
#include "calib/slice.h"
#include "calib/steady.h"
#include "calib/window.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* ---- windows ------------------------------------------------------------ */

static const struct window_grid grid_of_many = {65535, 16, 800, 4, false, 0, 0};

START_TEST(window_of_a_small_grid_is_the_grid)
{
    struct window_grid g = {100, 16, 800, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &g, 4, 5, 1e5, 1e5);
    ck_assert_int_eq(w.kind, WINDOW_GRID);
    ck_assert_uint_eq(w.count, 100);
    ck_assert_double_eq(window_cost(&w, &g), 80000);
    ck_assert_double_eq(window_deviation(&w, &g, NULL), 0);
}
END_TEST

START_TEST(window_of_few_waves_is_their_start)
{
    /* 96 blocks, a wave and a half of 64 */
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &g, 4, 5, 1e6, 3e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_uint_eq(w.first, 0);
    ck_assert_uint_eq(w.underway, 0);
    ck_assert_double_le(window_cost(&w, &g), 3e6);
    window_plan(&w, &g, 4, 5, 1e6, 1e7);
    ck_assert_int_eq(w.kind, WINDOW_GRID);
}
END_TEST

/* 9.6 million warp instructions of blocks that share their lines are run where
 * 6.4 are worth it otherwise, unless a budget is given; what is heavier has a
 * start, which tells less. */
START_TEST(few_waves_of_shared_lines_are_run_whole)
{
    struct window_grid g = {96, 16, 100000, 4, true, 0, 0};
    const struct steady planned = {.insts = 1};
    struct window w;
    window_plan(&w, &g, 4, 5, 2e6, 6.4e6);
    ck_assert_int_eq(w.kind, WINDOW_GRID);
    window_plan(&w, &g, 4, 5, 6.4e6, 6.4e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    window_plan(&w, &g, 4, 5, 2e6, 6.3e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_double_eq(window_deviation(&w, &g, &planned), 0.19);
    g.shared = false;
    window_plan(&w, &g, 4, 5, 2e6, 6.4e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_double_eq(window_deviation(&w, &g, &planned), 0.018);
}
END_TEST

/* A quarter of the GPU runs a quarter of the grid, or as much less as there is
 * room for, beside a fifth of it on the whole one. */
START_TEST(starts_have_a_slice_beside_them)
{
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_int_eq(w.slice_sms, 4);
    ck_assert_uint_eq(w.slice_blocks, 24);
    ck_assert_double_eq_tol(w.settle + w.insts, 0.2 * 9.6e6, 1);
    ck_assert_double_eq_tol(window_cost(&w, &g), 0.45 * 9.6e6, 1);
    struct window slice = window_slice(&w);
    ck_assert_int_eq(slice.kind, WINDOW_SLICE);
    ck_assert_uint_eq(slice.count, 24);
    ck_assert_uint_eq(slice.resident, 16);
    ck_assert_double_eq(slice.insts, 2.4e6);

    /* None of the four SMs of a channel fit; three do. */
    window_plan(&w, &g, 4, 5, 1e6, 9.5e6);
    ck_assert_int_eq(w.slice_sms, 3);
    ck_assert_uint_eq(w.slice_blocks, 18);
    ck_assert_double_le(window_cost(&w, &g), 4e6);

    /* Too little for both. */
    window_plan(&w, &g, 4, 5, 0.5e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_int_eq(w.slice_sms, 0);
    ck_assert_double_le(window_cost(&w, &g), 0.5e6);
}
END_TEST

/* Three waves of 6.4 million warp instructions: a start of a fifth of what a
 * window may take, no whole wave, and a middle of three tenths, where no slice
 * tells or is too much; of less than two waves only a start. */
START_TEST(heavy_waves_have_a_brief_start)
{
    struct window_grid g = {192, 16, 100000, 4, true, 0, 0};
    const struct steady planned = {.insts = 1};
    struct window w;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert(window_start_is_brief(&w));
    ck_assert_double_eq_tol(w.start, 0.2 * 2e6, 1);
    ck_assert_double_eq_tol(w.settle + w.insts, 0.3 * 2e6, 1);
    ck_assert_uint_eq(w.underway, 64);
    ck_assert_uint_le(w.first + w.count, 192);
    /* beside them an SM's own wave of four blocks */
    ck_assert_double_eq_tol(window_cost(&w, &g), 1e6 + 4e5, 1);
    ck_assert_double_eq(window_deviation(&w, &g, &planned), 0.055);
    g.shared = false;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert(!window_start_is_brief(&w));
    window_plan(&w, &g, 4, 5, 0.5e6, 9.5e6);
    ck_assert(window_start_is_brief(&w));
    g.blocks = 127;
    window_plan(&w, &g, 4, 5, 0.5e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
}
END_TEST

/* A grid of 1,000 waves may be looked at the first wave of, unless an SM has
 * one block: which stands beside no other; nor are parts of the GPU. Of one of
 * 20 it is run anyway. */
START_TEST(first_waves_that_may_be_looked_at)
{
    struct window_grid g = {64000, 16, 1000, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &g, 4, 5, 1e6, 6e6);
    ck_assert(w.kind == WINDOW_MIDDLE && w.start <= 0);
    ck_assert(window_may_look(&w));
    window_plan(&w, &g, 1, 5, 1e6, 6e6);
    ck_assert(!window_may_look(&w));
    g.blocks = 1280;
    window_plan(&w, &g, 4, 5, 1e6, 1e5);
    ck_assert(w.kind == WINDOW_MIDDLE && w.start > 0);
    ck_assert(!window_may_look(&w));
    window_whole(&w, &g, 4);
    ck_assert(!window_may_look(&w));
    const struct window_grid heavy = {6400, 16, 100000, 4, false, 0, 0};
    ck_assert(window_plan_slice(&w, &heavy, 4, 6.5e6));
    ck_assert(!window_may_look(&w));
}
END_TEST

/* A wave of 64 blocks is 6.4 M warp instructions: a slice of 4 of the 16 SMs
 * has one wave to settle and two to measure within 5 M, one of 1 a part of that
 * within 500,000. What they say is of the whole GPU. */
START_TEST(slices_run_heavy_waves)
{
    struct window_grid g = {6400, 16, 100000, 4, false, 0, 0};
    struct window w, on;
    ck_assert(window_plan_slice(&w, &g, 4, 6.5e6));
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert_int_eq(w.slice_sms, 4);
    ck_assert_double_eq(window_slice_share(&w), 0.25);
    ck_assert_uint_eq(w.resident, 64);
    ck_assert_double_eq(w.wave, 6.4e6);
    ck_assert_double_eq(w.settle, 6.4e6);
    ck_assert_double_eq(w.insts, 19.2e6);
    ck_assert_double_eq(w.start, 0);
    ck_assert_double_eq(window_cost(&w, &g), 6.4e6);
    on = window_on_slice(&w);
    ck_assert_uint_eq(on.resident, 16);
    ck_assert_uint_eq(on.underway, 16);
    ck_assert_double_eq(on.wave, 1.6e6);
    ck_assert_double_eq(on.settle + on.insts, 6.4e6);
    ck_assert_uint_eq(on.first, (6400 - on.count) / 2);
    ck_assert_uint_ge(on.count, 16 + 64);

    ck_assert(window_plan_slice(&w, &g, 4, 5e5));
    ck_assert_int_eq(w.slice_sms, 1);
    ck_assert_double_eq_tol(window_cost(&w, &g), 5e5, 1);

    /* One wave to measure beside the settling is none too heavy. */
    ck_assert(!window_plan_slice(&w, &g, 4, 12.9e6));
    window_plan(&w, &g, 4, 5, 12.9e6, 12.9e6);
    ck_assert_int_eq(w.slice_sms, 0);
    on = window_on_slice(&w);
    ck_assert_double_eq(on.insts, w.insts);
    ck_assert_uint_eq(on.resident, w.resident);
}
END_TEST

START_TEST(a_cold_start_is_unsure)
{
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &g, 4, 5, 0.5e6, 9.5e6);
    struct steady first = {.begun = 6.4e6, .insts = 6.4e6};
    struct steady later = {.begun = 6.4e6, .insts = 4e6};
    /* 0.35 waves of the third of the grid that is left */
    ck_assert_double_ge(window_deviation(&w, &g, &first), 0.35 / 3);
    ck_assert_double_le(window_deviation(&w, &g, &first), 0.5 / 3);
    ck_assert_double_le(window_deviation(&w, &g, &later), 0.3 / 3);
}
END_TEST

START_TEST(windows_lie_in_the_middle)
{
    for (int tb = 1; tb <= 8; tb++) {
        struct window w;
        window_plan(&w, &grid_of_many, tb, 5, 2e6, 6e6);
        ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
        ck_assert_uint_eq(w.resident, 16 * (uint64_t)tb);
        ck_assert_uint_eq(w.underway, w.resident);
        ck_assert_uint_le(w.first + w.count, grid_of_many.blocks);
        ck_assert_double_eq(w.start, 0);
        double centre = (double)w.first + (double)w.count / 2;
        ck_assert_double_eq_tol(centre, 65535 / 2.0, 1);
        ck_assert_double_ge((double)w.count,
                            (double)w.resident + w.insts / 800);
        ck_assert_double_le(window_cost(&w, &grid_of_many), 2e6);
    }
}
END_TEST

/* Caches are cold for as many blocks as have addresses of their own, unless
 * these are more than a quarter of the grid. */
START_TEST(starts_last_until_addresses_come_again)
{
    static const struct {
        uint64_t period;
        double start; /* warp instructions; a wave has 64,000 */
    } rows[] = {{0, 64e3}, {40, 64e3}, {200, 200e3}, {320, 320e3}, {321, 64e3}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct window_grid g = {.blocks = 1280,
                                      .gpu_sms = 16,
                                      .block_insts = 1000,
                                      .gpu_channels = 4,
                                      .period = rows[i].period};
        struct window w;
        window_plan(&w, &g, 4, 5, 1e6, 1e6);
        ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
        ck_assert_double_eq(w.start, rows[i].start);
    }
}
END_TEST

START_TEST(grids_of_some_waves_have_their_start_run)
{
    struct window_grid g = {16 * 8 * 12, 16, 10000, 4,
                            false,       0,  0}; /* 12 waves of 8 */
    double wave = 16 * 8 * 10000;
    struct window w;
    window_plan(&w, &g, 8, 5, 6 * wave, 6 * wave);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert_double_eq(w.start, wave);
    ck_assert_double_le(window_cost(&w, &g), 6 * wave);

    /* A part of it, or a middle that is no longer, would say less. */
    window_plan(&w, &g, 8, 5, 3 * wave, 3 * wave);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert_double_eq(w.start, 0);
    ck_assert_double_eq(window_cost(&w, &g), 3 * wave);
}
END_TEST

/* Where the waves are too heavy for both, but not by far, the start is run
 * beside a middle of as much, or of three waves of blocks in step, of which one
 * is to settle. */
START_TEST(starts_are_run_beside_heavy_waves)
{
    struct window_grid g = {16 * 8 * 12, 16, 10000, 4,
                            false,       0,  0}; /* 12 waves of 8 */
    double wave = 16 * 8 * 10000;
    struct window w;
    window_plan(&w, &g, 8, 5, 2 * wave, 4 * wave);
    ck_assert_double_eq(w.start, wave);
    ck_assert_double_eq(window_cost(&w, &g), 3 * wave);
    ck_assert_double_eq(w.in_step, 3 * wave);
    struct window in_step = window_in_step(&w);
    ck_assert_double_eq(in_step.settle, wave);
    ck_assert_double_eq(in_step.insts, 2 * wave);
    ck_assert_uint_le(w.first + w.count, g.blocks);
    window_plan(&w, &g, 8, 5, 2 * wave, 3.9 * wave);
    ck_assert_double_eq(w.start, 0);
    ck_assert_double_eq(w.in_step, 0);
}
END_TEST

/* Blocks that begin in their middle have each ended before anything is
 * measured; where they are short it takes longer. */
START_TEST(windows_settle_for_a_wave_and_by_the_sm)
{
    struct window_grid heavy = {65535, 16, 3000, 4, false, 0, 0};
    struct window_grid light = {65535, 16, 30, 4, false, 0, 0};
    struct window w;
    window_plan(&w, &heavy, 8, 4, 1e8, 1e8);
    ck_assert_double_ge(w.settle, 16 * 8 * 3000);
    ck_assert_double_ge(w.insts, 3 * 16 * 8 * 3000);
    window_plan(&w, &light, 8, 4, 1e8, 1e8);
    ck_assert_double_ge(w.settle, 16 * 4000);
    ck_assert_double_ge(w.insts, 16 * 6000);
}
END_TEST

/* By the deviation of a window of one wave, 3.1 %: 10 % to either side take
 * one, 5 % two, 4.2 % three, each after one that settles. */
START_TEST(wider_intervals_take_fewer_waves)
{
    struct window_grid heavy = {65535, 16, 3000, 4, false, 0, 0};
    double wave = 16 * 8 * 3000;
    struct window w;
    window_plan(&w, &heavy, 8, 10, 1e8, 1e8);
    ck_assert_double_eq(window_cost(&w, &heavy), 2 * wave);
    window_plan(&w, &heavy, 8, 5, 1e8, 1e8);
    ck_assert_double_eq(window_cost(&w, &heavy), 3 * wave);
    window_plan(&w, &heavy, 8, 4.2, 1e8, 1e8);
    ck_assert_double_eq(window_cost(&w, &heavy), 4 * wave);
}
END_TEST

/* A budget of 2.7 waves leaves 1.7 beside one that settles: two are measured
 * where there is room for them, else one. */
START_TEST(budgets_leave_whole_waves)
{
    struct window_grid g = {16 * 8 * 30, 16, 10000, 4, false, 0, 0};
    double wave = 16 * 8 * 10000;
    struct window w;
    window_plan(&w, &g, 8, 3, 2.7 * wave, 6 * wave);
    ck_assert_double_eq(w.start, wave);
    ck_assert_double_eq(w.settle, wave);
    ck_assert_double_eq(w.insts, 2 * wave);
    window_plan(&w, &g, 8, 3, 2.7 * wave, 2.7 * wave);
    ck_assert_double_eq(w.settle, wave);
    ck_assert_double_eq(w.insts, wave);
    ck_assert_double_le(window_cost(&w, &g), 2.7 * wave);
}
END_TEST

/* Two waves may become three, where parts differ by more than just reaches what
 * is asked for, and where the budget has room for one more. */
START_TEST(windows_go_on_for_whole_waves)
{
    struct window_grid heavy = {65535, 16, 3000, 4, false, 0, 0};
    double wave = 16 * 8 * 3000;
    struct window w;
    window_plan(&w, &heavy, 8, 5, 4 * wave, 4 * wave);
    ck_assert_double_eq(w.insts, 2 * wave);
    ck_assert_double_eq(w.more, wave);
    struct steady s = {.insts = w.insts, .error = w.enough};
    ck_assert_double_eq_tol(window_deviation(&w, &heavy, &s),
                            log(1.05) / gsl_cdf_ugaussian_Pinv(0.95), 1e-6);
    ck_assert_double_ge((double)w.count * 3000, 4 * wave);
    window_plan(&w, &heavy, 8, 5, 3.9 * wave, 3.9 * wave);
    ck_assert_double_eq(w.insts, 2 * wave);
    ck_assert_double_eq(w.more, 0);
}
END_TEST

START_TEST(longer_windows_are_surer)
{
    struct window w;
    window_plan(&w, &grid_of_many, 8, 5, 2e6, 2e6);
    struct steady brief = {.insts = 1e5}, longer = {.insts = 1e6},
                  uneven = {.insts = 1e6, .error = 0.1};
    double narrow = window_deviation(&w, &grid_of_many, &longer);
    ck_assert_double_lt(narrow, window_deviation(&w, &grid_of_many, &brief));
    ck_assert_double_lt(narrow, window_deviation(&w, &grid_of_many, &uneven));
    ck_assert_double_lt(window_insts_for(&grid_of_many, 8, 5),
                        window_insts_for(&grid_of_many, 8, 3));
    ck_assert_double_eq(window_insts_for(&grid_of_many, 8, 0.01),
                        65535 * 800.0);
}
END_TEST

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
    ck_assert(steady_measure(&s, marks, 4, 100, 251, 1e3));
    ck_assert_double_eq(s.insts, 350);
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

START_TEST(what_is_slower_at_the_start_stays_so_in_part)
{
    struct sample s = {.rest = 1000, .slower = 0.8};
    ck_assert_double_eq(slice_rest(&s), 1000);
    s.slower = 2;
    ck_assert_double_gt(slice_rest(&s), 1000);
    ck_assert_double_lt(slice_rest(&s), 2000);
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
    Suite *suite = suite_create("calib: parts");
    TCase *c = tcase_create("parts");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, window_of_a_small_grid_is_the_grid);
    tcase_add_test(c, window_of_few_waves_is_their_start);
    tcase_add_test(c, few_waves_of_shared_lines_are_run_whole);
    tcase_add_test(c, starts_have_a_slice_beside_them);
    tcase_add_test(c, heavy_waves_have_a_brief_start);
    tcase_add_test(c, slices_run_heavy_waves);
    tcase_add_test(c, first_waves_that_may_be_looked_at);
    tcase_add_test(c, what_is_slower_at_the_start_stays_so_in_part);
    tcase_add_test(c, a_cold_start_is_unsure);
    tcase_add_test(c, windows_lie_in_the_middle);
    tcase_add_test(c, starts_last_until_addresses_come_again);
    tcase_add_test(c, grids_of_some_waves_have_their_start_run);
    tcase_add_test(c, starts_are_run_beside_heavy_waves);
    tcase_add_test(c, windows_settle_for_a_wave_and_by_the_sm);
    tcase_add_test(c, wider_intervals_take_fewer_waves);
    tcase_add_test(c, budgets_leave_whole_waves);
    tcase_add_test(c, windows_go_on_for_whole_waves);
    tcase_add_test(c, longer_windows_are_surer);
    tcase_add_test(c, rates_leave_the_settling_out);
    tcase_add_test(c, rates_err_as_their_parts_differ);
    tcase_add_test(c, waves_are_compared_with_waves);
    tcase_add_test(c, differences_err_as_ratios_of_parts_do);
    tcase_add_test(c,
                   differences_of_longer_windows_err_by_what_they_went_on_for);
    tcase_add_test(c, spread_is_that_within_waves);
    tcase_add_test(c, spread_on_an_sm_is_that_within_it);
    tcase_add_test(c, blocks_drift_apart_with_the_root_of_waves);
    tcase_add_test(c, a_course_is_that_of_the_last_whole_wave);
    tcase_add_test(c, a_course_begins_with_its_first_mark);
    tcase_add_test(c, few_marks_are_no_course);
    tcase_add_test(c, intervals_are_two_sided_90_percent);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
