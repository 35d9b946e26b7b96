/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/long_block.h"
#include "calib/steady.h"
#include "calib/window.h"
#include "tests/run_suite.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const struct window_grid grid_of_many = {65535, 16, 800, 4,     false,
                                                0,     0,  1,   false, false};

START_TEST(window_of_a_small_grid_is_the_grid)
{
    struct window_grid g = {100, 16, 800, 4, false, 0, 0, 1, false, false};
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
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0, 1, false, false};
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
    struct window_grid g = {96, 16, 100000, 4, true, 0, 0, 1, false, false};
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
    ck_assert_double_eq(window_deviation(&w, &g, &planned), 0.035);
}
END_TEST

/* Nor does a slice tell where slices of the L2 are crowded, or where the L2 is
 * full of stores behind a start of a fifth of the grid. */
START_TEST(few_waves_that_no_slice_tells_are_run_whole)
{
    static const struct {
        double filled;
        bool crowded, whole;
    } cases[] = {{1, true, true},
                 {0.5, false, true},
                 {0.19, false, false},
                 {1, false, false}};
    const struct steady planned = {.insts = 1};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct window_grid g = {
            96, 16, 100000,          4,     false,
            0,  0,  cases[i].filled, false, cases[i].crowded};
        struct window w;
        window_plan(&w, &g, 4, 5, 2e6, 6.4e6);
        ck_assert_int_eq(w.kind == WINDOW_GRID, cases[i].whole);
        window_plan(&w, &g, 4, 5, 2e6, 6.3e6);
        ck_assert_int_eq(w.kind, WINDOW_START);
        ck_assert_double_eq(window_deviation(&w, &g, &planned),
                            cases[i].whole ? 0.19 : 0.035);
    }
}
END_TEST

/* A quarter of the GPU runs a quarter of the grid, or as much less as there is
 * room for and no less than an SM, beside a fifth of it on the whole one, or
 * what the slice leaves. */
START_TEST(starts_have_a_slice_beside_them)
{
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0, 1, false, false};
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

    /* Where its L1s may come to hold more it may go on to the wave's end, of 64
     * blocks, or for twice what it and the slice may take. */
    ck_assert_double_eq(w.more, 0);
    g.unsteady = true;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_double_eq_tol(w.settle + w.insts + w.more, 6.4e6, 1);
    window_plan(&w, &g, 4, 5, 0.5e6, 9.5e6);
    ck_assert_double_eq_tol(w.settle + w.insts + w.more, 4e6, 1);
    ck_assert_double_gt(w.enough, 0);
    g.unsteady = false;

    /* None of the four SMs of a channel fit; three do. */
    window_plan(&w, &g, 4, 5, 0.87e6, 9.5e6);
    ck_assert_int_eq(w.slice_sms, 3);
    ck_assert_uint_eq(w.slice_blocks, 18);
    ck_assert_double_le(window_cost(&w, &g), 4 * 0.87e6);

    /* One SM takes 600,000 of a million. */
    window_plan(&w, &g, 4, 5, 0.25e6, 9.5e6);
    ck_assert_int_eq(w.slice_sms, 1);
    ck_assert_uint_eq(w.slice_blocks, 6);
    ck_assert_double_eq_tol(w.settle + w.insts, 0.4e6, 1);

    /* Too little for both, unless the slice may take more, where else there
     * would be none: one SM of a million, 400,000 of them for a start. */
    window_plan(&w, &g, 4, 5, 0.15e6, 9.5e6);
    ck_assert_int_eq(w.slice_sms, 4);
    ck_assert_double_eq_tol(w.settle + w.insts, 0.2 * 9.6e6, 1);
    window_plan(&w, &g, 4, 5, 0.15e6, 1e6);
    ck_assert_int_eq(w.slice_sms, 1);
    ck_assert_double_eq_tol(window_cost(&w, &g), 1e6, 1);
    window_plan(&w, &g, 4, 5, 0.15e6, 0.6e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_int_eq(w.slice_sms, 0);
    ck_assert_double_le(window_cost(&w, &g), 0.15e6);
}
END_TEST

/* Three waves of 6.4 million warp instructions: a start of a tenth of what both
 * may take, no whole wave, and a middle of a fifth, where no slice tells or is
 * too much; of less than two waves only a start. */
START_TEST(heavy_waves_have_a_brief_start)
{
    struct window_grid g = {192, 16, 100000, 4, true, 0, 0, 1, false, false};
    const struct steady planned = {.insts = 1};
    struct window w;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert(window_start_is_brief(&w));
    ck_assert_double_eq_tol(w.start, 0.1 * 8e6, 1);
    ck_assert_double_eq_tol(w.settle + w.insts, 0.2 * 8e6, 1);
    ck_assert_uint_eq(w.underway, 64);
    ck_assert_uint_le(w.first + w.count, 192);
    /* beside them an SM's twelve blocks, and up to two waves of four */
    ck_assert_uint_eq(w.slice_blocks, 12);
    ck_assert_int_eq(window_slice_sms(&w), 1);
    ck_assert_double_eq_tol(window_cost(&w, &g), 2.4e6 + (12 + 2 * 4) * 1e5, 1);
    ck_assert(w.shared);
    ck_assert_double_eq(window_deviation(&w, &g, &planned), 0.08);
    g.shared = false;
    window_plan(&w, &g, 4, 5, 2e6, 9.5e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert(!window_start_is_brief(&w));
    window_plan(&w, &g, 4, 5, 0.3e6, 1.2e6);
    ck_assert(window_start_is_brief(&w));
    /* five blocks of a million and a start of 1.2 are less than a brief start
     * and middle, and as many blocks of an SM and two waves more */
    g = (struct window_grid){80, 16, 1000000, 4, false, 0, 0, 1, false, false};
    window_plan(&w, &g, 2, 5, 0.3e6, 12e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_uint_eq(w.slice_blocks, 5);
    ck_assert_double_eq_tol(w.settle + w.insts, 1.2e6, 1);
    window_plan(&w, &g, 1, 5, 0.3e6, 12e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert(!window_start_is_brief(&w));
    g = (struct window_grid){127, 16, 100000, 4, false, 0, 0, 1, false, false};
    window_plan(&w, &g, 4, 5, 0.3e6, 1.2e6);
    ck_assert_int_eq(w.kind, WINDOW_START);
}
END_TEST

/* Of 100 waves of 6.4 million warp instructions whose blocks share their lines
 * three are run, from the grid's beginning; two at least, or a part of one in
 * its middle. */
START_TEST(heavy_waves_of_shared_lines_have_a_start)
{
    struct window_grid g = {6400, 16, 100000, 4, true, 0, 0, 1, false, false};
    const struct steady planned = {.insts = 1e7};
    struct window w;
    window_plan(&w, &g, 4, 5, 6.5e6, 2e7);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_int_eq(w.slice_sms, 0);
    ck_assert_double_eq_tol(window_cost(&w, &g), 3 * 6.5e6, 1);
    double shared = window_deviation(&w, &g, &planned);
    window_plan(&w, &g, 4, 5, 6.5e6, 1.2e7);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    g.shared = false;
    window_plan(&w, &g, 4, 5, 6.5e6, 2e7);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert_double_lt(window_deviation(&w, &g, &planned), shared);
}
END_TEST

/* A grid of 1,000 waves may be looked at the first wave of, unless an SM has
 * one block: which stands beside no other; nor are parts of the GPU. Of one of
 * 20 it is run anyway. */
START_TEST(first_waves_that_may_be_looked_at)
{
    struct window_grid g = {64000, 16, 1000, 4, false, 0, 0, 1, false, false};
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
    const struct window_grid heavy = {6400, 16, 100000, 4,     false,
                                      0,    0,  1,      false, false};
    ck_assert(window_plan_slice(&w, &heavy, 4, 6.5e6));
    ck_assert(!window_may_look(&w));
}
END_TEST

/* A wave of 64 blocks is 6.4 M warp instructions: a slice of 4 of the 16 SMs
 * has one wave to settle and two to measure within 5 M, one of 1 a part of that
 * within 500,000. What they say is of the whole GPU. */
START_TEST(slices_run_heavy_waves)
{
    struct window_grid g = {6400, 16, 100000, 4, false, 0, 0, 1, false, false};
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

/* ... but not of blocks that share their lines: of those a brief start goes
 * with a part of a wave in the middle, on the whole GPU. */
START_TEST(slices_run_no_blocks_that_share_lines)
{
    struct window_grid g = {6400, 16, 100000, 4, true, 0, 0, 1, false, false};
    struct window w;
    ck_assert(!window_plan_slice(&w, &g, 4, 1e6));
    window_plan(&w, &g, 4, 5, 1e6, 6e6);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert(window_start_is_brief(&w));
    ck_assert_int_eq(w.slice_sms, 0);
    ck_assert_double_lt(w.start + w.settle + w.insts, 4e6);
    ck_assert_double_gt(window_insts_for(&g, 4, 5), 6.4e6);
}
END_TEST

/* Of ten waves of 6.4 million warp instructions a middle of four and a start
 * take 32 million: within 4.1 million a slice of two of the 16 SMs runs them,
 * within 3.9 million, a smaller share than an eighth, its part of the grid
 * beside the grid's start. */
START_TEST(a_small_slice_runs_beside_the_start)
{
    struct window_grid g = {640, 16, 100000, 4, false, 0, 0, 1, false, false};
    struct window w;
    window_plan(&w, &g, 4, 5, 4.1e6, 2e7);
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    window_plan(&w, &g, 4, 5, 3.9e6, 2e7);
    ck_assert_int_eq(w.kind, WINDOW_START);
    ck_assert_int_gt(w.slice_sms, 0);
    ck_assert_double_le(window_cost(&w, &g), 3 * 3.9e6);
    ck_assert_double_ge(window_insts_for(&g, 4, 9), 4.0e6);
}
END_TEST

START_TEST(a_cold_start_is_unsure)
{
    struct window_grid g = {96, 16, 100000, 4, false, 0, 0, 1, false, false};
    struct window w;
    window_plan(&w, &g, 4, 5, 0.15e6, 0.6e6);
    struct steady first = {.begun = 6.4e6, .insts = 6.4e6};
    struct steady later = {.begun = 6.4e6, .insts = 4e6};
    /* 0.35 waves of the third of the grid that is left */
    ck_assert_double_ge(window_deviation(&w, &g, &first), 0.35 / 3);
    ck_assert_double_le(window_deviation(&w, &g, &first), 0.5 / 3);
    ck_assert_double_le(window_deviation(&w, &g, &later), 0.3 / 3);
}
END_TEST

/* An L2 that is full of stores after two fifths of 25 waves: the window lies
 * behind them, and a start as long before. It is in the middle anyway where
 * that is sooner, and where nothing is left behind it. */
START_TEST(windows_lie_behind_what_the_l2_takes)
{
    struct window_grid g = {1600, 16, 1000, 4, false, 0, 0, 0.4, false, false};
    struct window w;
    window_plan(&w, &g, 4, 5, 0.3e6, 6e6);
    double centre = (double)w.first + (double)w.count / 2;
    ck_assert_int_eq(w.kind, WINDOW_MIDDLE);
    ck_assert_double_ge((double)w.first, 1.15 * 0.4 * 1600);
    ck_assert_double_eq_tol(centre, (1.15 * 0.4 + 1) / 2 * 1600, 1);
    ck_assert_double_eq_tol(w.start, w.settle + w.insts, 1);
    ck_assert_double_eq(w.start_settle, w.settle);
    ck_assert_double_eq_tol(window_cost(&w, &g), 2 * w.start, 1);
    static const double elsewhere[] = {0.05, 0.95, 1};
    for (int i = 0; i < 3; i++) {
        g.filled = elsewhere[i];
        window_plan(&w, &g, 4, 5, 0.3e6, 6e6);
        centre = (double)w.first + (double)w.count / 2;
        ck_assert_double_eq_tol(centre, 800, 1);
        ck_assert_double_eq(w.start_settle, 0);
    }
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
    struct window_grid g = {16 * 8 * 12, 16, 10000, 4,    false, 0,
                            0,           1,  false, false}; /* 12 waves of 8 */
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
    struct window_grid g = {16 * 8 * 12, 16, 10000, 4,    false, 0,
                            0,           1,  false, false}; /* 12 waves of 8 */
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
    struct window_grid heavy = {65535, 16, 3000, 4,     false,
                                0,     0,  1,    false, false};
    struct window_grid light = {65535, 16, 30, 4, false, 0, 0, 1, false, false};
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
    struct window_grid heavy = {65535, 16, 3000, 4,     false,
                                0,     0,  1,    false, false};
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
    struct window_grid g = {16 * 8 * 30, 16, 10000, 4,     false,
                            0,           0,  1,     false, false};
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
    struct window_grid heavy = {65535, 16, 3000, 4,     false,
                                0,     0,  1,    false, false};
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

/* Parts of two waves each err by all that they differ, and those of two or
 * three waves that are compared with each other; those of parts of a wave by
 * less; and what would take more than is enough goes on for all that there is
 * room for. */
START_TEST(parts_of_whole_waves_are_what_they_show)
{
    struct window_grid light = {65535, 16, 80, 4, false, 0, 0, 1, false, false};
    const double wave = 16 * 8 * 80, error = 0.05;
    struct window w;
    window_plan(&w, &light, 8, 5, 4.8e5, 6e6);
    ck_assert_double_ge(w.insts, 12 * wave);
    ck_assert_double_eq_tol(w.settle + w.start + w.insts + w.more, 7.2e5, wave);
    struct steady many = {.insts = 12 * wave, .error = error};
    struct steady few = {.insts = 5 * wave, .error = error};
    struct steady three = {.insts = 3 * wave, .error = error};
    struct steady even = {.insts = 12 * wave}, alike = {.insts = 3 * wave};
    ck_assert_double_eq_tol(window_deviation(&w, &light, &many),
                            hypot(window_deviation(&w, &light, &even), error),
                            1e-9);
    ck_assert_double_eq_tol(window_deviation(&w, &light, &three),
                            hypot(window_deviation(&w, &light, &alike), error),
                            1e-9);
    ck_assert_double_lt(window_deviation(&w, &light, &few), error);
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

/* Of a wave and a half a block of three waves' length is run by itself, but not
 * a shorter one, or one that is too much, or where the whole grid is. */
START_TEST(a_block_longer_than_the_grid_is_run_by_itself)
{
    static const struct {
        double longest, insts, runs;
        enum window_kind kind;
    } of[] = {{3.1, 3e5, 3e5, WINDOW_START},
              {2.9, 3e5, 0, WINDOW_START},
              {3.1, 2e6, 0, WINDOW_START},
              {3.1, 3e5, 0, WINDOW_GRID}};
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct window w = {.kind = of[i].kind, .resident = 64, .insts = 1e6};
        const struct long_block longest = {95, of[i].longest, of[i].insts};
        const struct window_grid g = {
            .blocks = 96, .gpu_sms = 16, .block_insts = 1e5};
        long_block_plan(&w, &g, longest, 1e6);
        ck_assert_double_eq(w.long_block.insts, of[i].runs);
        ck_assert_uint_eq(w.long_block.block, of[i].runs > 0 ? 95 : 0);
        ck_assert(of[i].kind == WINDOW_GRID ||
                  window_cost(&w, &g) == 1e6 + of[i].runs);
    }
}
END_TEST

/* Ten mean lengths of which others take a wave of 1,000 cycles: a tenth is done
 * by then, and of a block that begins in the last of four waves; one of the
 * first does four tenths, and of ten waves all. */
START_TEST(a_long_block_ends_the_grid)
{
    static const struct {
        uint64_t blocks, block;
        double cycles, ends, unsure;
    } of[] = {{64, 63, 1000, 1000 + 0.9 * 5000, 0.1 * 5000},
              {256, 255, 4000, 4000 + 0.9 * 5000, 0.1 * 5000},
              {256, 0, 4000, 4000 + 0.6 * 5000, 0.4 * 5000},
              {640, 0, 10000, 10000, 5000}};
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        const struct window_grid g = {.blocks = of[i].blocks};
        struct sample s = {
            .window = {.resident = 64, .long_block = {of[i].block, 10, 1}}};
        ck_assert_double_eq(long_block_end(&g, &s, 1000), 1000);
        ck_assert_double_eq(long_block_unsure(&g, &s, 1000), 0);
        s.long_cycles = 5000;
        ck_assert_double_eq_tol(long_block_end(&g, &s, of[i].cycles),
                                of[i].ends, 1e-6);
        ck_assert_double_eq_tol(long_block_unsure(&g, &s, of[i].cycles),
                                of[i].unsure, 1e-6);
    }
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("windows");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, window_of_a_small_grid_is_the_grid);
    tcase_add_test(c, window_of_few_waves_is_their_start);
    tcase_add_test(c, few_waves_of_shared_lines_are_run_whole);
    tcase_add_test(c, few_waves_that_no_slice_tells_are_run_whole);
    tcase_add_test(c, starts_have_a_slice_beside_them);
    tcase_add_test(c, heavy_waves_have_a_brief_start);
    tcase_add_test(c, heavy_waves_of_shared_lines_have_a_start);
    tcase_add_test(c, a_block_longer_than_the_grid_is_run_by_itself);
    tcase_add_test(c, a_long_block_ends_the_grid);
    tcase_add_test(c, slices_run_heavy_waves);
    tcase_add_test(c, slices_run_no_blocks_that_share_lines);
    tcase_add_test(c, a_small_slice_runs_beside_the_start);
    tcase_add_test(c, first_waves_that_may_be_looked_at);
    tcase_add_test(c, a_cold_start_is_unsure);
    tcase_add_test(c, windows_lie_in_the_middle);
    tcase_add_test(c, windows_lie_behind_what_the_l2_takes);
    tcase_add_test(c, starts_last_until_addresses_come_again);
    tcase_add_test(c, grids_of_some_waves_have_their_start_run);
    tcase_add_test(c, starts_are_run_beside_heavy_waves);
    tcase_add_test(c, windows_settle_for_a_wave_and_by_the_sm);
    tcase_add_test(c, wider_intervals_take_fewer_waves);
    tcase_add_test(c, budgets_leave_whole_waves);
    tcase_add_test(c, windows_go_on_for_whole_waves);
    tcase_add_test(c, parts_of_whole_waves_are_what_they_show);
    tcase_add_test(c, longer_windows_are_surer);
    return run_suite("calib: windows", c);
}
