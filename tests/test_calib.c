/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/calib_synthetic.h"

#include "calib/fit.h"
#include "calib/residual.h"
#include "calib/throughput.h"
#include "calib/window.h"

#include <check.h>
#include <dirent.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <unistd.h>

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
    double mean, near, far, between;
    residual_predict(r, log(3), 1, NULL, &mean, &near);
    ck_assert_double_eq_tol(mean, wave(log(3), 1), 1e-6);
    residual_predict(r, log(5), 1, NULL, &mean, &between);
    ck_assert_double_eq_tol(mean, wave(log(5), 1), 0.01);
    residual_predict(r, log(32), 1, NULL, &mean, &far);
    ck_assert_double_lt(near, between);
    ck_assert_double_lt(between, far);
    residual_difference(r, log(5), 2, 0, &mean, &near);
    ck_assert_double_eq_tol(mean, 0.02, 0.008);
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
    double mean, without, with;
    struct residual *r = residual_create(p, 4, 4000, NULL);
    residual_predict(r, 0, 2, NULL, &mean, &without);
    residual_free(r);
    r = residual_create(p, 5, 4000, NULL);
    residual_predict(r, 0, 2, NULL, &mean, &with);
    ck_assert_double_lt(fabs(mean), 0.01);
    ck_assert_double_lt(with, without / 25);
    residual_predict(r, 0, 2, &p[2], &mean, &with);
    ck_assert_double_eq_tol(mean, 0.1, 0.01);
    residual_free(r);
}
END_TEST

START_TEST(residual_without_points_is_its_prior)
{
    struct residual *r = residual_create(NULL, 0, 4000, NULL);
    double mean, var;
    residual_predict(r, 1, 0, NULL, &mean, &var);
    ck_assert_double_eq(mean, 0);
    ck_assert_double_gt(var, 0.09);
    residual_free(r);
}
END_TEST

/* ---- studies ------------------------------------------------------------ */

static const int tb_list[] = {1, 2, 3, 4, 5, 6, 7, 8};

struct bench {
    struct kernel kernel;
    struct synthetic law;
    struct policy_set policy[SYNTHETIC_POLICIES];
    struct study study;
};

static void bench_make(struct bench *b, int i, uint64_t blocks)
{
    synthetic_kernel(&b->kernel, &b->law, i, blocks);
    synthetic_policies(b->policy);
    b->study = (struct study){.kernel = &b->kernel,
                              .gpu = &synthetic_gpu,
                              .tb = tb_list,
                              .tb_count = 8,
                              .policies = b->policy,
                              .policy_count = SYNTHETIC_POLICIES};
}

/* The fit finds the parameters that made exact samples, and leaves alone those
 * that had no part in them. */
START_TEST(fit_recovers_parameters)
{
    struct bench b;
    bench_make(&b, 3, 65536);
    b.law.bend = b.law.bend_own = b.law.block_noise = b.law.slice_miss = 0;
    struct profile *profile =
        profile_create(&b.kernel, &synthetic_gpu, 0, NULL);
    struct sample s[8 * 4];
    for (int i = 0; i < 32; i++) {
        struct result r;
        model_estimate(&r, profile, &synthetic_gpu, &b.policy[i % 4],
                       tb_list[i / 4], &b.law.truth);
        s[i] = (struct sample){.tb_index = i / 4,
                               .policy_index = i % 4,
                               .window = {.kind = WINDOW_SHARE, .sms = 1},
                               .done = true,
                               .log_cycles = log(r.cycles),
                               .run = {.l1_miss = NAN, .l2_miss = NAN}};
        s[i].run.stall[STALL_ISSUED] = 1;
    }
    struct fit_input in = {profile, &synthetic_gpu, b.policy, tb_list, s, 32,
                           -1};
    struct fit fit;
    ck_assert(fit_params(&fit, &in, 4, NULL, NULL));
    double off = 0, prior_off = 0;
    for (int i = 0; i < MODEL_PARAMS; i++) {
        const struct model_param_info *p = &model_param_info[i];
        bool used =
            i != PARAM_BETA_LIMIT && i != PARAM_INTERFERENCE && i != PARAM_TAIL;
        ck_assert_int_eq(fit.at_prior[i], !used);
        off += fabs(fit.params.value[i] - b.law.truth.value[i]) / p->sigma;
        prior_off += fabs(p->prior - b.law.truth.value[i]) / p->sigma;
        if (!used)
            ck_assert_double_eq_tol(fit.params.value[i], p->prior, 1e-3);
    }
    ck_assert_double_lt(off, prior_off / 3);
    ck_assert_int_ge(fit.rank, 3);
    ck_assert_int_le(fit.rank, 5);
    char note[256];
    fit_note(note, sizeof(note), &fit);
    ck_assert_str_eq(note, "beta_limit interference tail stayed at their "
                           "priors");
    profile_free(profile);
}
END_TEST

struct score {
    double error, model_error; /* mean absolute, of points not sampled */
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
            if (p->sampled)
                continue;
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
    printf("synthetic: %.1f sampled a study, at the others error %.2f %% "
           "(model alone %.1f %%), 90 %% intervals hold %.1f %% (half-width "
           "%.1f %%), of differences %.1f %%\n",
           s.sampled / 60.0, 100 * s.error / n, 100 * s.model_error / n,
           100 * s.cover / n, s.narrow / n, 100 * s.pair_cover / n);
    ck_assert_int_gt(s.points, 500);
    ck_assert_double_lt(s.error / n, 0.02);
    ck_assert_double_gt(s.model_error / n, 3 * s.error / n);
    ck_assert_double_gt(s.cover / n, 0.80);
    ck_assert_double_lt(s.cover / n, 0.98);
    ck_assert_double_gt(s.pair_cover / n, 0.80);
}
END_TEST

static bool same_results(const struct study *st, const struct study_result *a,
                         const struct study_result *b)
{
    size_t n = (size_t)st->tb_count * (size_t)st->policy_count;
    return memcmp(a->delta, b->delta, n * sizeof(*a->delta)) == 0 &&
           memcmp(a->result, b->result, n * sizeof(*a->result)) == 0 &&
           memcmp(&a->params, &b->params, sizeof(a->params)) == 0 &&
           a->sample_insts == b->sample_insts && a->rank == b->rank;
}

START_TEST(threads_do_not_matter)
{
    struct bench b[3];
    struct study study[3];
    for (int i = 0; i < 3; i++) {
        bench_make(&b[i], 10 + i, 16 * 300);
        study[i] = b[i].study;
    }
    struct calib_options o = {.mode = MODE_HYBRID, .threads = 1};
    struct study_result one[3], many[3], alone;
    struct error e;
    ck_assert(calib_studies(one, study, 3, &o, &e));
    o.threads = 4;
    ck_assert(calib_studies(many, study, 3, &o, &e));
    ck_assert(calib_study(&alone, &study[1], &o, &e));
    for (int i = 0; i < 3; i++)
        ck_assert(same_results(&study[i], &one[i], &many[i]));
    ck_assert(same_results(&study[1], &one[1], &alone));
    for (int i = 0; i < 3; i++) {
        study_result_free(&one[i]);
        study_result_free(&many[i]);
    }
    study_result_free(&alone);
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
        ck_assert_uint_le(r.sample_insts, budget);
        ck_assert(budget < 100000 || r.samples > 0);
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

START_TEST(detailed_is_exact)
{
    struct bench b;
    bench_make(&b, 7, 500);
    struct calib_options o = {.mode = MODE_DETAILED};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    for (int tb = 0; tb < 8; tb++)
        for (int q = 0; q < SYNTHETIC_POLICIES; q++) {
            const struct result *p = &r.result[tb * SYNTHETIC_POLICIES + q];
            ck_assert(p->sampled && !p->partial);
            ck_assert_double_eq(p->cycles, synthetic_truth(&b.study, tb, q));
            ck_assert_double_eq(p->cycles_lo, p->cycles);
            ck_assert_double_eq(p->cycles_hi, p->cycles);
        }
    struct paired_delta d = r.delta[3 * SYNTHETIC_POLICIES + 4];
    double want = 100 * (r.result[3 * SYNTHETIC_POLICIES + 4].cycles /
                             r.result[3 * SYNTHETIC_POLICIES].cycles -
                         1);
    ck_assert_double_eq_tol(d.pct, want, 1e-9);
    ck_assert_double_eq(d.lo, d.hi);
    ck_assert_double_eq(r.delta[3 * SYNTHETIC_POLICIES].hi, 0);
    study_result_free(&r);
}
END_TEST

/* b to a is the inverse of a to b, its interval too. */
static void assert_inverse(struct paired_delta a, struct paired_delta b)
{
    ck_assert_double_eq_tol((1 + a.pct / 100) * (1 + b.pct / 100), 1, 1e-12);
    ck_assert_double_eq_tol((1 + a.lo / 100) * (1 + b.hi / 100), 1, 1e-12);
    ck_assert_double_eq_tol((1 + a.hi / 100) * (1 + b.lo / 100), 1, 1e-12);
}

START_TEST(versus_compares_with_the_reference)
{
    static const enum mode modes[] = {MODE_MODEL, MODE_HYBRID, MODE_DETAILED};
    for (size_t m = 0; m < 3; m++) {
        struct bench b;
        bench_make(&b, 9, 16 * 300);
        b.study.reference = 2;
        struct calib_options o = {.mode = modes[m]};
        struct study_result r;
        struct error e;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        for (int tb = 0; tb < b.study.tb_count; tb++) {
            size_t row = (size_t)(tb * b.study.policy_count);
            ck_assert_double_eq(r.versus[row + 2].pct, 0);
            ck_assert_double_eq(r.versus[row + 2].hi, 0);
            assert_inverse(r.versus[row], r.delta[row + 2]);
        }
        study_result_free(&r);
    }
}
END_TEST

START_TEST(model_runs_no_sample)
{
    struct bench b;
    bench_make(&b, 8, 4000);
    struct calib_options o = {.mode = MODE_MODEL};
    struct study_result r;
    struct error e;
    synthetic_runs = 0;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert_int_eq(synthetic_runs, 0);
    ck_assert_uint_eq(r.sample_insts, 0);
    for (int i = 0; i < 56; i++)
        ck_assert(!r.result[i].sampled &&
                  r.result[i].cycles_lo < r.result[i].cycles_hi);
    study_result_free(&r);
}
END_TEST

/* ---- limits ------------------------------------------------------------- */

static void all_partial(enum mode mode, struct calib_options o)
{
    struct bench b;
    bench_make(&b, 9, 16 * 400);
    struct study_result r;
    struct error e;
    o.mode = mode;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    for (int i = 0; i < 56; i++)
        ck_assert(r.result[i].partial && r.result[i].cycles > 0);
    study_result_free(&r);
}

START_TEST(limits_mark_partial)
{
    volatile int cancel = 1;
    all_partial(MODE_DETAILED, (struct calib_options){.cancel = &cancel});
    all_partial(MODE_HYBRID, (struct calib_options){.cancel = &cancel});
    all_partial(MODE_HYBRID, (struct calib_options){.time_limit_s = 1e-9});
    all_partial(MODE_DETAILED, (struct calib_options){.max_cycles = 100});
}
END_TEST

/* ---- kept fits ---------------------------------------------------------- */

static char folder[] = "/tmp/calib-test-XXXXXX";

/* The path of the only file in folder, or false. */
static bool kept_file(char *path, size_t size)
{
    DIR *d = opendir(folder);
    int files = 0;
    if (d == NULL)
        return false;
    for (struct dirent *f; (f = readdir(d)) != NULL;)
        if (f->d_name[0] != '.') {
            snprintf(path, size, "%s/%s", folder, f->d_name);
            files++;
        }
    closedir(d);
    return files == 1;
}

START_TEST(kept_fits)
{
    struct bench b;
    bench_make(&b, 11, 16 * 400);
    struct calib_options o = {.mode = MODE_HYBRID, .cache_dir = folder};
    struct study_result fresh, kept, again;
    struct error e;
    char path[4096];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert(calib_study(&fresh, &b.study, &o, &e));
    ck_assert(!kept_file(path, sizeof(path)));
    study_result_free(&fresh);

    o.use_cache = true;
    ck_assert(calib_study(&fresh, &b.study, &o, &e));
    ck_assert(kept_file(path, sizeof(path)));
    synthetic_runs = 0;
    ck_assert(calib_study(&kept, &b.study, &o, &e));
    ck_assert_int_eq(synthetic_runs, 0);
    ck_assert(same_results(&b.study, &fresh, &kept));
    ck_assert_str_eq(fresh.fit_note, kept.fit_note);

    FILE *f = fopen(path, "r+");
    fseek(f, 60, SEEK_SET);
    fputs("garbage", f);
    fclose(f);
    ck_assert(calib_study(&again, &b.study, &o, &e));
    ck_assert_int_gt(synthetic_runs, 0);
    ck_assert(same_results(&b.study, &fresh, &again));

    synthetic_runs = 0;
    b.study.policy_count--;
    study_result_free(&again);
    ck_assert(calib_study(&again, &b.study, &o, &e));
    ck_assert_int_gt(synthetic_runs, 0);
    ck_assert(!kept_file(path, sizeof(path)));
    study_result_free(&fresh);
    study_result_free(&kept);
    study_result_free(&again);
}
END_TEST

static void empty_folder(void)
{
    DIR *d = opendir(folder);
    if (d == NULL)
        return;
    for (struct dirent *f; (f = readdir(d)) != NULL;) {
        char path[4096];
        snprintf(path, sizeof(path), "%s/%s", folder, f->d_name);
        remove(path);
    }
    closedir(d);
    rmdir(folder);
}

static Suite *suite(void)
{
    Suite *s = suite_create("calib");
    TCase *t = tcase_create("calib");
    tcase_set_timeout(t, 120);
    tcase_add_unchecked_fixture(t, NULL, empty_folder);
    tcase_add_test(t, window_of_a_small_grid_is_the_grid);
    tcase_add_test(t, window_of_few_waves_is_the_share);
    tcase_add_test(t, window_parts_end_as_the_share_does);
    tcase_add_test(t, window_of_many_waves_streams);
    tcase_add_test(t, locked_waves_have_no_error);
    tcase_add_test(t, batch_means_cover);
    tcase_add_test(t, runs_over_the_same_blocks_correlate);
    tcase_add_test(t, stop_rule_spends_its_error_probability);
    tcase_add_test(t, residual_follows_its_points);
    tcase_add_test(t, residual_learns_a_shared_bias);
    tcase_add_test(t, residual_without_points_is_its_prior);
    tcase_add_test(t, fit_recovers_parameters);
    tcase_add_test(t, hybrid_on_synthetic_truth);
    tcase_add_test(t, threads_do_not_matter);
    tcase_add_test(t, budget_is_kept);
    tcase_add_test(t, few_waves_run_whole);
    tcase_add_test(t, detailed_is_exact);
    tcase_add_test(t, versus_compares_with_the_reference);
    tcase_add_test(t, model_runs_no_sample);
    tcase_add_test(t, limits_mark_partial);
    tcase_add_test(t, kept_fits);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *r = srunner_create(suite());
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
