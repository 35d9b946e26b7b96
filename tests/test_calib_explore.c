/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many GPUs of which some are sampled. */
#include "calib/kriging.h"
#include "tests/calib_bench.h"

#include <check.h>

/* ---- kriging ---------------------------------------------------------------
 */

#define SIDE 5

static double law(double x, double y)
{
    return 0.2 + 0.3 * x - 0.25 * y * y + 0.1 * x * y;
}

/* From a grid of five by five a smooth law is known between them. */
START_TEST(a_smooth_law_is_told_between_points)
{
    double x[SIDE * SIDE * 2], y[SIDE * SIDE], scratch[SIDE * SIDE], sd;
    struct error e;
    for (int i = 0; i < SIDE * SIDE; i++) {
        x[2 * i] = (double)(i % SIDE) / (SIDE - 1);
        x[2 * i + 1] = (double)(i / SIDE) / (SIDE - 1);
        y[i] = law(x[2 * i], x[2 * i + 1]);
    }
    struct kriging *k = kriging_create(x, y, SIDE * SIDE, 2, &e);
    ck_assert_ptr_nonnull(k);
    for (double u = 0.05; u < 1; u += 0.15)
        for (double v = 0.05; v < 1; v += 0.15) {
            const double at[2] = {u, v};
            ck_assert_double_eq_tol(kriging_at(k, at, scratch, &sd), law(u, v),
                                    0.005);
        }
    kriging_free(k);
}
END_TEST

/* The farther from what is known, the vaguer. */
START_TEST(deviations_grow_with_distance)
{
    const double x[] = {0, 0.1, 0.2, 0.3}, y[] = {0.1, -0.1, 0.2, 0.0};
    double scratch[4], near, far;
    struct error e;
    struct kriging *k = kriging_create(x, y, 4, 1, &e);
    ck_assert_ptr_nonnull(k);
    kriging_at(k, (const double[]){0.3}, scratch, &near);
    kriging_at(k, (const double[]){1}, scratch, &far);
    ck_assert_double_lt(near, far);
    ck_assert_double_gt(near, 0);
    kriging_free(k);
}
END_TEST

/* One point alone, or the same twice, says a constant. */
START_TEST(few_points_are_a_constant)
{
    const double x[] = {0.5, 0.5}, y[] = {0.2, 0.2};
    double scratch[2], sd;
    struct error e;
    for (size_t n = 1; n <= 2; n++) {
        struct kriging *k = kriging_create(x, y, n, 1, &e);
        ck_assert_ptr_nonnull(k);
        ck_assert_double_eq_tol(
            kriging_at(k, (const double[]){0.9}, scratch, &sd), 0.2, 1e-9);
        kriging_free(k);
    }
}
END_TEST

/* ---- studies ----------------------------------------------------------------
 */

#define DESIGNS 40
#define EVERY   8

struct choice_log {
    int calls;
    const struct study_result *out;
    double first;                  /* cycles of design 0 at the first call */
    int known;                     /* points told of */
    struct calib_options *options; /* of the call, to be changed */
};

static bool every_eighth(void *user, unsigned char *effort)
{
    struct choice_log *log = user;
    if (log->calls++ == 0)
        log->first = log->out[0].result->cycles;
    for (int i = 0; i < DESIGNS; i += EVERY)
        effort[i] = EFFORT_SAMPLED;
    return log->calls == 1;
}

struct designs_bench {
    struct bench bench;
    struct gpu gpu[DESIGNS];
    struct study study[DESIGNS];
    struct study_result out[DESIGNS];
    struct choice_log log;
    struct calib_options options;
};

static const int four[] = {4};

static void make(struct designs_bench *d, int kernel)
{
    bench_make(&d->bench, kernel, 20000);
    for (int i = 0; i < DESIGNS; i++) {
        d->gpu[i] = synthetic_gpu;
        d->gpu[i].sms = 8 + i;
        d->study[i] = d->bench.study;
        d->study[i].gpu = &d->gpu[i];
        d->study[i].tb = four;
        d->study[i].tb_count = 1;
        d->study[i].policy_count = 2;
    }
    d->log = (struct choice_log){.out = d->out};
    d->options = (struct calib_options){.mode = MODE_HYBRID,
                                        .seed = 1,
                                        .choose = every_eighth,
                                        .user = &d->log};
}

/* The model is off by what the kernel has and it does not know, the same on all
 * GPUs, so that samples of an eighth of them tell the rest. */
START_TEST(samples_of_some_tell_the_rest)
{
    struct designs_bench d;
    struct error e;
    make(&d, _i);
    synthetic_runs = 0;
    ck_assert(calib_studies(d.out, d.study, DESIGNS, &d.options, &e));
    ck_assert_int_eq(d.log.calls, 2);
    ck_assert_int_le(synthetic_runs, 2 * 2 * DESIGNS / EVERY);
    for (int i = 0; i < DESIGNS; i++) {
        const struct study_result *r = &d.out[i];
        ck_assert_int_eq(r->result->sampled, i % EVERY == 0);
        ck_assert_int_eq(r->carried, i % EVERY != 0);
        ck_assert_int_eq(study_point_mode(&d.study[i], r, MODE_HYBRID, 0),
                         MODE_HYBRID);
        for (int q = 0; q < 2; q++)
            ck_assert_double_lt(fabs(log(r->result[q].cycles /
                                         synthetic_truth(&d.study[i], 0, q))),
                                0.04);
        study_result_free(&d.out[i]);
    }
}
END_TEST

/* The chooser sees the model's cycles first. */
START_TEST(the_first_choice_is_by_the_model)
{
    struct designs_bench d;
    struct study_result model;
    struct error e;
    make(&d, 3);
    const struct calib_options o = {.mode = MODE_MODEL, .seed = 1};
    ck_assert(calib_study(&model, &d.study[0], &o, &e));
    ck_assert(calib_studies(d.out, d.study, DESIGNS, &d.options, &e));
    ck_assert(d.log.first == model.result->cycles);
    study_result_free(&model);
    for (int i = 0; i < DESIGNS; i++)
        study_result_free(&d.out[i]);
}
END_TEST

static bool never(void *user, unsigned char *effort)
{
    (void)user, (void)effort;
    return false;
}

START_TEST(without_samples_it_is_the_model)
{
    struct designs_bench d;
    struct error e;
    make(&d, 1);
    d.options.choose = never;
    ck_assert(calib_studies(d.out, d.study, DESIGNS, &d.options, &e));
    for (int i = 0; i < DESIGNS; i++) {
        ck_assert_int_eq(
            study_point_mode(&d.study[i], &d.out[i], MODE_HYBRID, 0),
            MODE_MODEL);
        study_result_free(&d.out[i]);
    }
}
END_TEST

/* ---- what is confirmed ------------------------------------------------------
 */

static bool then_the_first_again(void *user, unsigned char *effort)
{
    struct choice_log *log = user;
    bool more = every_eighth(user, effort);
    if (log->calls == 2)
        effort[0] = EFFORT_CONFIRMED;
    ck_assert_int_eq(log->known, 0);
    return more || log->calls == 2;
}

static void count_known(void *user, size_t study, size_t point)
{
    struct choice_log *log = user;
    (void)study, (void)point;
    log->known++;
}

/* A design is confirmed by longer windows, which take more instructions and
 * leave less open; the others are as they were. Points are told once, when
 * nothing changes any more. */
START_TEST(longer_samples_confirm_what_was_sampled)
{
    struct designs_bench once, twice;
    struct error e;
    make(&once, _i);
    make(&twice, _i);
    twice.options.choose = then_the_first_again;
    twice.options.known = count_known;
    ck_assert(calib_studies(once.out, once.study, DESIGNS, &once.options, &e));
    ck_assert(
        calib_studies(twice.out, twice.study, DESIGNS, &twice.options, &e));
    ck_assert_int_eq(twice.log.calls, 3);
    ck_assert_int_eq(twice.log.known, 2 * DESIGNS);
    for (int q = 0; q < 2; q++) {
        const struct result *a = &once.out[0].result[q];
        const struct result *b = &twice.out[0].result[q];
        double truth = synthetic_truth(&once.study[0], 0, q);
        ck_assert_double_lt(b->cycles_hi / b->cycles_lo,
                            a->cycles_hi / a->cycles_lo);
        ck_assert_double_lt(fabs(log(b->cycles / truth)), 0.02);
    }
    ck_assert_uint_gt(twice.out[0].sample_insts, 3 * once.out[0].sample_insts);
    ck_assert(
        same_results(&once.study[EVERY], &once.out[EVERY], &twice.out[EVERY]));
    for (int i = 0; i < DESIGNS; i++) {
        study_result_free(&once.out[i]);
        study_result_free(&twice.out[i]);
    }
}
END_TEST

static bool then_stop(void *user, unsigned char *effort)
{
    static volatile int stopped = 1;
    struct choice_log *log = user;
    bool more = then_the_first_again(user, effort);
    if (log->calls == 2)
        log->options->cancel = &stopped;
    return more;
}

/* What is stopped while it is confirmed is known as well as before. */
START_TEST(a_confirmation_that_is_cut_short_takes_nothing_away)
{
    struct designs_bench once, twice;
    struct error e;
    make(&once, 2);
    make(&twice, 2);
    twice.options.choose = then_stop;
    twice.log.options = &twice.options;
    ck_assert(calib_studies(once.out, once.study, DESIGNS, &once.options, &e));
    ck_assert(
        calib_studies(twice.out, twice.study, DESIGNS, &twice.options, &e));
    ck_assert_int_eq(twice.log.calls, 2);
    for (int i = 0; i < DESIGNS; i++) {
        ck_assert_double_eq(once.out[i].result->cycles,
                            twice.out[i].result->cycles);
        ck_assert_int_eq(twice.out[i].result->partial, i % EVERY != 0);
        study_result_free(&once.out[i]);
        study_result_free(&twice.out[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calib: explore");
    TCase *c = tcase_create("explore");
    tcase_add_test(c, a_smooth_law_is_told_between_points);
    tcase_add_test(c, deviations_grow_with_distance);
    tcase_add_test(c, few_points_are_a_constant);
    tcase_add_loop_test(c, samples_of_some_tell_the_rest, 0, 6);
    tcase_add_test(c, the_first_choice_is_by_the_model);
    tcase_add_loop_test(c, longer_samples_confirm_what_was_sampled, 0, 6);
    tcase_add_test(c, a_confirmation_that_is_cut_short_takes_nothing_away);
    tcase_add_test(c, without_samples_it_is_the_model);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
