/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/calib_bench.h"

#include <check.h>
#include <stdio.h>

struct score {
    double error, model_error; /* mean absolute */
    double cover, pair_cover;  /* shares of 90 % intervals that hold */
    double narrow;             /* mean half-width, percent */
    int points, sampled;
};

static void add_study(struct score *s, const struct study *st,
                      const struct study_result *r,
                      const struct study_result *model)
{
    for (int tb = 0; tb < st->tb_count; tb++) {
        double first = synthetic_truth(st, tb, 0);
        for (int q = 0; q < st->policy_count; q++) {
            int at = tb * st->policy_count + q;
            const struct result *p = &r->result[at];
            double truth = synthetic_truth(st, tb, q);
            s->sampled += p->sampled;
            double delta = 100 * (truth / first - 1);
            s->points++;
            s->error += fabs(p->cycles / truth - 1);
            s->model_error += fabs(model->result[at].cycles / truth - 1);
            s->cover += p->cycles_lo <= truth && truth <= p->cycles_hi;
            s->pair_cover +=
                r->delta[at].lo <= delta && delta <= r->delta[at].hi;
            s->narrow += 50 * (p->cycles_hi - p->cycles_lo) / truth;
        }
    }
}

START_TEST(hybrid_on_synthetic_truth)
{
    struct score s = {0};
    for (int i = 0; i < 60; i++) {
        struct bench b;
        bench_make(&b, i, 16 * 400);
        struct calib_options o = {.mode = MODE_HYBRID, .threads = 2};
        struct study_result r, model;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        o.mode = MODE_MODEL;
        ck_assert(calib_study(&model, &b.study, &o, &e));
        add_study(&s, &b.study, &r, &model);
        study_result_free(&r);
        study_result_free(&model);
    }
    double n = s.points;
    printf("synthetic: %.1f sampled a study, error %.2f %% "
           "(model alone %.1f %%), 90 %% intervals hold %.1f %% (half-width "
           "%.1f %%), of differences %.1f %%\n",
           s.sampled / 60.0, 100 * s.error / n, 100 * s.model_error / n,
           100 * s.cover / n, s.narrow / n, 100 * s.pair_cover / n);
    ck_assert_int_gt(s.points, 500);
    /* The goal for hybrid estimates. */
    ck_assert_double_lt(s.error / n, 0.03);
    ck_assert_double_gt(s.model_error / n, 3 * s.error / n);
    ck_assert_double_gt(s.cover / n, 0.80);
    ck_assert_double_gt(s.pair_cover / n, 0.80);
}
END_TEST

START_TEST(budget_is_kept)
{
    for (uint64_t budget = 1000; budget < 10000000; budget *= 3) {
        struct bench b;
        bench_make(&b, 5, 16 * 400);
        struct calib_options o = {
            .mode = MODE_HYBRID, .error_pct = 0.1, .budget_insts = budget};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        /* a sample stops at the first end of a block past its due: at most
         * the blocks of 128 slots that end together */
        ck_assert_double_le((double)r.sample_insts,
                            r.samples * ((double)budget + 128 * 500));
        for (size_t i = 0; i < 56; i++) {
            double slots = 0;
            for (int j = 0; j < STALLS; j++)
                slots += r.result[i].stall[j];
            ck_assert_double_gt(r.result[i].cycles, 0);
            ck_assert_double_eq_tol(slots, 1, 1e-9);
        }
        study_result_free(&r);
    }
}
END_TEST

START_TEST(none_is_less_sure_than_the_model)
{
    static const uint64_t budgets[] = {6000, 20000, 100000};
    for (size_t n = 0; n < sizeof(budgets) / sizeof(budgets[0]); n++) {
        struct bench b;
        bench_make(&b, 5, 16 * 400);
        struct calib_options o = {.mode = MODE_HYBRID,
                                  .budget_insts = budgets[n]};
        struct study_result r, model;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        o.mode = MODE_MODEL;
        ck_assert(calib_study(&model, &b.study, &o, &e));
        ck_assert_int_gt(r.samples, 0);
        for (size_t i = 0; i < 56; i++) {
            const struct result *p = &r.result[i], *m = &model.result[i];
            ck_assert_double_le(p->cycles_hi / p->cycles_lo,
                                m->cycles_hi / m->cycles_lo * (1 + 1e-9));
        }
        study_result_free(&r);
        study_result_free(&model);
    }
}
END_TEST

/* 6000 warp instructions, on one SM, of a block of 8000, and of eight of them.
 */
START_TEST(what_says_less_than_the_model_is_not_run)
{
    struct bench b;
    bench_make(&b, 5, 16 * 400);
    b.law.insts = 8000;
    struct calib_options o = {.mode = MODE_HYBRID, .budget_insts = 6000};
    struct study_result r;
    struct error e;
    int last = 7 * SYNTHETIC_POLICIES;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert(r.result[0].sampled);
    ck_assert(!r.result[last].sampled);
    study_result_free(&r);
    o.budget_insts = 60000;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert(r.result[last].sampled);
    study_result_free(&r);
}
END_TEST

/* Two answers at eight blocks, of blocks of 8,000 warp instructions: as the law
 * has it, and with `knob` at `value`. */
struct told {
    struct result as_is, turned;
};

static struct result told_at_most(const struct bench *b, uint64_t budget)
{
    struct calib_options o = {.mode = MODE_HYBRID, .budget_insts = budget};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &b->study, &o, &e));
    struct result most = r.result[7 * SYNTHETIC_POLICIES];
    ck_assert(most.sampled);
    study_result_free(&r);
    return most;
}

static struct told told_twice(uint64_t blocks, double crowding, uint64_t budget,
                              double *knob, double value)
{
    struct bench b;
    struct told out;
    bench_make(&b, 5, blocks);
    b.law.insts = 8000;
    b.law.crowding = crowding;
    out.as_is = told_at_most(&b, budget);
    *knob = value;
    out.turned = told_at_most(&b, budget);
    *knob = 1;
    return out;
}

/* How many times as wide the interval is. */
static double wider(const struct told *t)
{
    return t->turned.cycles_hi / t->turned.cycles_lo /
           (t->as_is.cycles_hi / t->as_is.cycles_lo);
}

/* One SM runs the window of waves of a million warp instructions. Half of what
 * the model has it slower than the whole GPU is taken off, and makes it less
 * sure. */
START_TEST(what_a_slice_is_off_by_the_model_is_put_right)
{
    struct told t = told_twice(16 * 400, 0, 200000, &synthetic_slower, 1.1);
    ck_assert_double_le(t.as_is.cycles / t.turned.cycles, sqrt(1.1));
    ck_assert_double_ge(t.as_is.cycles / t.turned.cycles, 1.03);
    ck_assert_double_gt(wider(&t), 1);
}
END_TEST

/* A grid of three waves of a million warp instructions: a slice runs its share
 * beside the start, which shows no difference. All that the model has the slice
 * slower than the whole GPU is taken off. */
START_TEST(what_a_start_does_not_show_the_model_puts_right)
{
    struct told t = told_twice(16 * 24, 0, 500000, &synthetic_slower, 1.1);
    ck_assert_double_le(t.as_is.cycles / t.turned.cycles, 1.11);
    ck_assert_double_ge(t.as_is.cycles / t.turned.cycles, 1.06);
    ck_assert_double_gt(wider(&t), 1);
}
END_TEST

/* The same grid, whose requests crowd: one SM runs its share beside a brief
 * start, twice as fast as the GPU. Whether that lasts is not sure. */
START_TEST(what_a_brief_start_is_slower_by_is_unsure)
{
    struct told t = told_twice(16 * 24, 2, 500000, &synthetic_lone, 0.5);
    ck_assert_double_gt(wider(&t), 1.05);
}
END_TEST

/* Whether time goes with instructions or with blocks is not told by a window
 * whose blocks have other ones than the grid's, up to a tenth by chance. */
START_TEST(windows_of_other_blocks_are_unsure)
{
    static const double uneven[] = {0, 0.09, 0.5, -0.5};
    static const double least[] = {0, 0, 20, 20}, most[] = {7, 7, 30, 30};
    for (size_t n = 0; n < sizeof(uneven) / sizeof(uneven[0]); n++) {
        struct bench b;
        bench_make(&b, 5, 16 * 400);
        b.law.uneven = uneven[n];
        struct calib_options o = {.mode = MODE_HYBRID, .budget_insts = 1000000};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        const struct result *p = &r.result[0];
        double wide = 50 * log(p->cycles_hi / p->cycles_lo);
        ck_assert(p->sampled);
        ck_assert_double_ge(wide, least[n]);
        ck_assert_double_le(wide, most[n]);
        study_result_free(&r);
    }
}
END_TEST

/* The whole grid is run up to twice what one of few waves may take. Blocks that
 * touch more, or less, are uneven where memory limits them. */
START_TEST(grids_of_uneven_blocks_run_whole)
{
    static const struct {
        double counted, touched;
        enum limiter limiter;
        uint64_t blocks; /* of 500 warp instructions */
        bool whole;
    } cases[] = {{0, 0, LIMITER_DRAM, 16 * 400, false},
                 {0.09, 0.09, LIMITER_DRAM, 16 * 400, false},
                 {0.5, 0, LIMITER_ISSUE, 16 * 400, true},
                 {-0.5, 0, LIMITER_ISSUE, 23999, true},
                 {0.5, 0, LIMITER_ISSUE, 24001, false},
                 {0, 0.11, LIMITER_L2, 16 * 400, true},
                 {0, -0.11, LIMITER_LATENCY, 23999, true},
                 {0, 0.5, LIMITER_ALU, 16 * 400, false}};
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
        struct bench b;
        bench_make(&b, 5, cases[n].blocks);
        b.law.counted = cases[n].counted;
        b.law.touched = cases[n].touched;
        b.law.limiter = cases[n].limiter;
        struct calib_options o = {.mode = MODE_HYBRID};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        const struct result *p = &r.result[0];
        ck_assert_int_eq(p->cycles_lo == p->cycles_hi, cases[n].whole);
        study_result_free(&r);
    }
}
END_TEST

/* A grid whose longest block has four times the mean ends later by 0.6 waves,
 * a fifth of what it has more, and by a tenth of it more or fewer. */
START_TEST(long_blocks_end_late)
{
    double cycles[2], wide[2];
    for (int i = 0; i < 2; i++) {
        struct bench b;
        bench_make(&b, 5, 16 * 400);
        b.law.longest = i * 3.0;
        struct calib_options o = {.mode = MODE_HYBRID, .budget_insts = 1000000};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        const struct result *p = &r.result[7 * SYNTHETIC_POLICIES];
        ck_assert(p->sampled && p->cycles_lo < p->cycles_hi);
        cycles[i] = p->cycles;
        wide[i] = log(p->cycles_hi / p->cycles_lo);
        study_result_free(&r);
    }
    double waves = 16 * 400 / (8.0 * synthetic_gpu.sms);
    ck_assert_double_eq_tol(cycles[1] / cycles[0], 1 + 0.6 / waves, 0.003);
    ck_assert_double_gt(wide[1], 1.02 * wide[0]);
}
END_TEST

START_TEST(few_waves_run_whole)
{
    struct bench b;
    bench_make(&b, 6, 20);
    struct calib_options o = {.mode = MODE_HYBRID};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    int last = 7 * SYNTHETIC_POLICIES;
    ck_assert(r.result[last].sampled);
    ck_assert_double_eq(r.result[last].cycles, synthetic_truth(&b.study, 7, 0));
    ck_assert_double_eq(r.result[last].cycles_lo, r.result[last].cycles_hi);
    study_result_free(&r);
}
END_TEST

/* Where SMs wait for each other at a few slices of the L2 no slice of the GPU
 * tells, and 7.5 M warp instructions are run whole. */
START_TEST(grids_that_crowd_slices_run_whole)
{
    static const double crowding[] = {0.9, 1.1};
    for (int i = 0; i < 2; i++) {
        struct bench b;
        bench_make(&b, 5, 1000);
        b.law.insts = 7500;
        b.law.crowding = crowding[i];
        struct calib_options o = {.mode = MODE_HYBRID};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        const struct result *most = &r.result[7 * SYNTHETIC_POLICIES];
        ck_assert_int_eq(most->cycles_lo == most->cycles_hi, i == 1);
        study_result_free(&r);
    }
}
END_TEST

/* Ten waves and a bit of blocks that all take about as long: eleven. */
START_TEST(blocks_in_step_take_whole_waves)
{
    struct bench b;
    bench_make(&b, 6, 16 * 10 + 1);
    b.law.block_noise = 0.001;
    b.law.insts = 5000;
    struct calib_options o = {.mode = MODE_HYBRID,
                              .budget_insts = 161 * 5000 / 2};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert(r.result[0].sampled);
    ck_assert_double_lt(r.result[0].cycles_lo, r.result[0].cycles_hi);
    ck_assert_double_eq_tol(
        r.result[0].cycles / synthetic_truth(&b.study, 0, 0), 1, 0.02);
    study_result_free(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calib: hybrid");
    TCase *c = tcase_create("hybrid");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, hybrid_on_synthetic_truth);
    tcase_add_test(c, budget_is_kept);
    tcase_add_test(c, none_is_less_sure_than_the_model);
    tcase_add_test(c, what_says_less_than_the_model_is_not_run);
    tcase_add_test(c, what_a_slice_is_off_by_the_model_is_put_right);
    tcase_add_test(c, what_a_start_does_not_show_the_model_puts_right);
    tcase_add_test(c, what_a_brief_start_is_slower_by_is_unsure);
    tcase_add_test(c, windows_of_other_blocks_are_unsure);
    tcase_add_test(c, grids_of_uneven_blocks_run_whole);
    tcase_add_test(c, long_blocks_end_late);
    tcase_add_test(c, few_waves_run_whole);
    tcase_add_test(c, grids_that_crowd_slices_run_whole);
    tcase_add_test(c, blocks_in_step_take_whole_waves);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
