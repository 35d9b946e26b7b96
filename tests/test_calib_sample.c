/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/calib_bench.h"

#include "calib/sample.h"
#include "tests/run_suite.h"

#include <check.h>

/* Of the bench's first policy, four blocks an SM. */
static struct sample_request request_of(const struct bench *b,
                                        struct kernel *const *kernel)
{
    return (struct sample_request){.kernel = kernel,
                                   .kernels = 1,
                                   .gpu = &synthetic_gpu,
                                   .policies = b->policy[0],
                                   .tb = 4};
}

/* A window in the middle of a grid, of waves of 64 blocks of 500 instructions,
 * which begins with one wave underway. */
static struct sample middle_sample(double settle, double insts)
{
    return (struct sample){.tb = 4,
                           .window = {.kind = WINDOW_MIDDLE,
                                      .first = 100,
                                      .count = 1000,
                                      .resident = 64,
                                      .tb = 4,
                                      .underway = 64,
                                      .settle = settle,
                                      .insts = insts,
                                      .wave = 64 * 500}};
}

/* A window whose parts differ goes on, as far as it may. */
START_TEST(uneven_windows_are_measured_for_longer)
{
    struct bench b;
    struct error e;
    bench_make(&b, 4, 16 * 300);
    b.law.block_noise = 0.3;
    struct kernel *const kernel = &b.kernel;
    const struct sample_request request = request_of(&b, &kernel);
    struct sample s = middle_sample(64 * 500, 128 * 500);
    s.window.more = 64 * 500;
    double mark = (64 + 128) * 500 / 64.0 + 500; /* and a block */
    ck_assert(sample_run(&s, &request, &e));
    ck_assert_double_gt(s.steady.error, 0);
    ck_assert_double_eq_tol(s.steady.insts, 192 * 500, 2 * mark);
    s.window.enough = 1;
    ck_assert(sample_run(&s, &request, &e));
    ck_assert_double_eq_tol(s.steady.insts, 128 * 500, 2 * mark);
}
END_TEST

/* Instructions that a sample measures where block times vary by `noise`. */
static double measured(struct bench *b, struct sample *s, double noise)
{
    struct kernel *const kernel = &b->kernel;
    const struct sample_request request = request_of(b, &kernel);
    struct error e;
    b->law.block_noise = noise;
    ck_assert_msg(sample_run(s, &request, &e), "%s", e.text);
    return s->steady.insts;
}

/* Windows of less than half a wave say nothing of misses and stalls, nor do
 * slices of blocks that share their lines; a slice beside a start has run whole
 * blocks. A window on half of the GPU's 16 SMs has run half of what it is told
 * of. */
START_TEST(long_samples_tell_the_shares_of_a_row)
{
    static const struct {
        enum window_kind kind;
        double insts, rest;
        int slice_sms;
        bool shared, tells;
    } cases[] = {
        {WINDOW_GRID, 100, 0, 0, true, true},
        {WINDOW_MIDDLE, 16000, 0, 0, true, true},
        {WINDOW_MIDDLE, 15900, 0, 0, false, false},
        {WINDOW_MIDDLE, 8000, 0, 8, false, true},
        {WINDOW_MIDDLE, 7900, 0, 8, false, false},
        {WINDOW_MIDDLE, 8000, 0, 8, true, false},
        {WINDOW_START, 16000, 0, 0, false, true},
        {WINDOW_START, 15900, 0, 4, false, false},
        {WINDOW_START, 100, 5000, 4, false, true},
        {WINDOW_START, 100, 5000, 4, true, false},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct sample s = {.window = {.kind = cases[i].kind,
                                            .tb = 4,
                                            .resident = 64,
                                            .slice_sms = cases[i].slice_sms,
                                            .wave = 64 * 500},
                                 .rest = cases[i].rest,
                                 .run = {.warp_insts = cases[i].insts}};
        ck_assert_msg(sample_tells_shares(&s, cases[i].shared) ==
                          cases[i].tells,
                      "case %zu", i);
    }
}
END_TEST

/* Blocks that go on evenly, each elsewhere, have issued half of themselves: of
 * 64 that are seen over a wave and a half, give or take 0.29 / 8, here three
 * times that. What those that began in their middle have issued is seen once
 * they have ended. */
START_TEST(windows_see_what_resident_blocks_have_issued)
{
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    double wave = 64 * 500;
    struct sample s = middle_sample(1.5 * wave, 1.5 * wave);
    measured(&b, &s, 0.1);
    ck_assert_double_eq_tol(s.issued, 0.5, 3 * 0.29 / 8);
    s.window.settle = 0.2 * wave;
    s.window.insts = 0.3 * wave;
    measured(&b, &s, 0.1);
    ck_assert(isnan(s.issued));
}
END_TEST

/* Of 2.4 waves in step two are measured, of as many that are not all. */
START_TEST(windows_in_step_are_measured_by_whole_waves)
{
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    double wave = 64 * 500;
    struct sample s = middle_sample(wave, 2.4 * wave);
    s.window.start = wave;
    ck_assert_double_eq_tol(measured(&b, &s, 0.02), 2 * wave, 0.12 * wave);
    ck_assert_double_eq_tol(measured(&b, &s, 0.5), 2.4 * wave, 0.12 * wave);
}
END_TEST

/* A hundred blocks behind a wave of 64, each 2 % off, are 2 % times the root of
 * the waves from step; those that are 50 % off may be anywhere. */
START_TEST(windows_begin_as_far_from_step_as_the_first_wave_says)
{
    struct bench b;
    struct error e;
    bench_make(&b, 4, 16 * 300);
    b.law.block_noise = 0.02;
    struct kernel *const kernel = &b.kernel;
    const struct sample_request request = request_of(&b, &kernel);
    struct sample s = middle_sample(64 * 500, 128 * 500);
    s.window.start = 64 * 500;
    ck_assert(sample_run(&s, &request, &e));
    ck_assert_double_eq_tol(synthetic_apart, 0.02 * sqrt(1 + 100 / 64.0),
                            0.3 * 0.032);
    b.law.block_noise = 0.5;
    ck_assert(sample_run(&s, &request, &e));
    ck_assert_double_eq(synthetic_apart, 0);
    b.law.block_noise = 0;
    ck_assert(sample_run(&s, &request, &e));
    ck_assert_double_gt(synthetic_apart, 0);
}
END_TEST

/* Where the first wave shows blocks in step two whole waves of a window that is
 * planned shorter are measured, behind one that settles; else what is planned.
 */
START_TEST(windows_of_heavy_waves_are_longer_in_step)
{
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    double wave = 64 * 500;
    struct sample s = middle_sample(0.4 * wave, 0.6 * wave);
    s.window.start = wave;
    s.window.in_step = 3 * wave;
    ck_assert_double_eq_tol(measured(&b, &s, 0.02), 2 * wave, 0.15 * wave);
    ck_assert_double_eq_tol(measured(&b, &s, 0.5), 0.6 * wave, 0.1 * wave);
}
END_TEST

/* Of 2.2 waves in step the second is measured; of as many that are not, the
 * last 1.3. */
START_TEST(starts_in_step_are_measured_by_whole_waves)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    double wave = 64 * 500;
    struct sample s = {.tb = 4,
                       .window = {.kind = WINDOW_START,
                                  .count = 320,
                                  .resident = 64,
                                  .tb = 4,
                                  .settle = 0.9 * wave,
                                  .insts = 1.3 * wave,
                                  .wave = wave}};
    ck_assert_double_eq_tol(measured(&b, &s, 0.01), wave, 0.15 * wave);
    ck_assert_double_eq_tol(measured(&b, &s, 0.3), 1.3 * wave, 0.1 * wave);
}
END_TEST

/* A quarter of a machine whose blocks do not meet takes as long as all of it:
 * the start and what the slice has left are the time of the grid. */
START_TEST(a_slice_goes_on_where_a_start_ends)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    struct sample whole = {.tb = 4};
    struct sample s = {.tb = 4};
    const struct window_grid grid = {320, 16, 500, 4,     false,
                                     0,   0,  1,   false, false};
    window_whole(&whole.window, &grid, 4);
    measured(&b, &whole, 0.1);
    window_plan(&s.window, &grid, 4, 5, 1e5, 1.5e5);
    ck_assert_int_eq(s.window.slice_sms, 4);
    measured(&b, &s, 0.1);
    ck_assert(s.done && !s.partial);
    double cycles = s.steady.end_cycle + s.rest;
    ck_assert_double_eq_tol(cycles / whole.run.cycles, 1, 0.05);
    ck_assert_double_eq_tol(s.slower, 1, 0.1);
    ck_assert_double_ge(s.insts, 0.25 * 160000); /* the slice's, at least */
}
END_TEST

/* A start whose parts differ by more than `enough` goes on to the wave's end,
 * without a slice, and its last third is measured; else the slice is run. */
START_TEST(a_start_that_does_not_run_evenly_goes_on)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    struct sample s = {.tb = 4};
    const struct window_grid grid = {320, 16, 500, 4,     false,
                                     0,   0,  1,   false, false};
    window_plan(&s.window, &grid, 4, 5, 1e5, 1.5e5);
    double wave = s.window.wave;
    s.window.settle = 0.1 * wave;
    s.window.insts = 0.2 * wave;
    s.window.more = 0.7 * wave;
    s.window.enough = 1e-9;
    measured(&b, &s, 0.1);
    ck_assert_double_eq(s.rest, 0);
    ck_assert_double_eq_tol(s.steady.begun, wave, 0.1 * wave);
    ck_assert_double_eq_tol(s.steady.insts, wave / 3, 0.1 * wave);
    s.window.enough = 10;
    measured(&b, &s, 0.1);
    ck_assert_double_gt(s.rest, 0);
    ck_assert_double_eq_tol(s.steady.begun, 0.3 * wave, 0.1 * wave);
}
END_TEST

/* A third of the first wave is run and one and a half later, and of one SM two
 * waves, whose blocks take as long as those of all SMs: so do all waves. */
START_TEST(a_brief_start_goes_on_as_an_sm_does)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    double wave = 64 * 500;
    struct sample whole = middle_sample(wave, 2 * wave);
    struct sample brief = middle_sample(0.5 * wave, wave);
    whole.window.start = wave;
    brief.window.start = wave / 3;
    measured(&b, &whole, 0.02);
    measured(&b, &brief, 0.02);
    ck_assert(brief.done && !brief.partial);
    ck_assert_double_le(brief.start.begun, 0.45 * wave);
    ck_assert_double_eq_tol(brief.first_wave / whole.start.end_cycle, 1, 0.1);
    ck_assert_double_eq_tol(brief.later_wave / brief.first_wave, 1, 0.1);
    ck_assert_double_eq_tol(brief.slower, 1, 0.1);
    ck_assert_double_le(brief.lone_spread, 0.06);
    ck_assert_double_eq(whole.first_wave, 0);
    /* of blocks that ended: the GPU's, and most of the SM's two waves */
    ck_assert_double_gt(brief.run.warp_insts, 0.9 * wave);
    ck_assert_double_gt(brief.insts - brief.run.warp_insts, 1.5 / 16 * wave);
}
END_TEST

/* A GPU that is slower than an SM at the start is so for the rest of the wave,
 * and for a part of the next; one that is faster is not. */
START_TEST(what_makes_the_gpu_slower_at_a_brief_start_lasts)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    double wave = 64 * 500;
    struct sample slower = middle_sample(0.5 * wave, wave);
    struct sample faster = middle_sample(0.5 * wave, wave);
    slower.window.start = faster.window.start = wave / 3;
    synthetic_lone = 1 / 1.5;
    measured(&b, &slower, 0.02);
    synthetic_lone = 1.5;
    measured(&b, &faster, 0.02);
    synthetic_lone = 1;
    ck_assert_double_eq_tol(slower.slower, 1.5, 0.1);
    ck_assert_double_eq(faster.slower, 1);
    ck_assert_double_eq(faster.first_alone, faster.first_wave);
    /* of the SM's wave, 1.5 times as long, two thirds */
    ck_assert_double_eq_tol(slower.first_wave / slower.later_wave,
                            1.5 / pow(1.5, 0.4), 0.15);
    ck_assert_double_eq_tol(slower.first_wave / slower.first_alone,
                            1 / (1 / 3.0 + 2 / 3.0 / 1.5), 0.15);
    ck_assert_double_eq_tol(faster.first_wave / slower.first_wave,
                            1 / 3.0 + 1.5 * 2 / 3, 0.15);
}
END_TEST

/* ... and of few waves one SM runs its twenty blocks of the grid, to the end:
 * which is when the grid ends, but that some SM runs two blocks more. */
START_TEST(a_brief_start_of_few_waves_ends_as_an_sm_does)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    double wave = 64 * 500;
    struct sample whole = {.tb = 4};
    struct sample brief = middle_sample(0.5 * wave, wave);
    const struct window_grid grid = {320, 16, 500, 4,     false,
                                     0,   0,  1,   false, false};
    window_whole(&whole.window, &grid, 4);
    brief.window.start = wave / 3;
    brief.window.slice_blocks = 20;
    measured(&b, &whole, 0.1);
    measured(&b, &brief, 0.02);
    ck_assert(brief.done && !brief.partial);
    double cycles = brief.first_wave + brief.after_first;
    ck_assert_double_eq_tol(cycles / whole.run.cycles, 1, 0.1);
    ck_assert_double_lt(brief.apart, 0.05 * whole.run.cycles);
    /* of blocks that ended: all of the SM's, most of a wave of the GPU's */
    ck_assert_double_gt(brief.insts, 20 * 500 + 0.9 * wave);
    ck_assert_double_eq(brief.rest, 0);
}
END_TEST

/* Beside any window a block of 500 warp instructions: the SM that has nothing
 * else takes longer for it than all of the GPU for as many, and less than for a
 * wave. */
START_TEST(a_long_block_is_run_by_itself)
{
    struct bench b;
    bench_make(&b, 4, 16 * 20);
    double wave = 64 * 500;
    struct sample without = middle_sample(wave, wave);
    struct sample with = middle_sample(wave, wave);
    with.window.long_block = (struct long_block){319, 1, 500};
    measured(&b, &without, 0.02);
    measured(&b, &with, 0.02);
    ck_assert_double_eq(without.long_cycles, 0);
    ck_assert_double_eq(with.insts - without.insts, 500);
    ck_assert_double_eq(with.steady.cycles_per_inst,
                        without.steady.cycles_per_inst);
    ck_assert_double_gt(with.long_cycles, 500 * with.steady.cycles_per_inst);
    ck_assert_double_lt(with.long_cycles, wave * with.steady.cycles_per_inst);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("samples");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, uneven_windows_are_measured_for_longer);
    tcase_add_test(c, windows_see_what_resident_blocks_have_issued);
    tcase_add_test(c, windows_in_step_are_measured_by_whole_waves);
    tcase_add_test(c, windows_begin_as_far_from_step_as_the_first_wave_says);
    tcase_add_test(c, long_samples_tell_the_shares_of_a_row);
    tcase_add_test(c, windows_of_heavy_waves_are_longer_in_step);
    tcase_add_test(c, starts_in_step_are_measured_by_whole_waves);
    tcase_add_test(c, a_slice_goes_on_where_a_start_ends);
    tcase_add_test(c, a_start_that_does_not_run_evenly_goes_on);
    tcase_add_test(c, a_brief_start_goes_on_as_an_sm_does);
    tcase_add_test(c, what_makes_the_gpu_slower_at_a_brief_start_lasts);
    tcase_add_test(c, a_brief_start_of_few_waves_ends_as_an_sm_does);
    tcase_add_test(c, a_long_block_is_run_by_itself);
    return run_suite("calib: samples", c);
}
