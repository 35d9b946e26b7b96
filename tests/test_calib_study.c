/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/calib_bench.h"

#include "calib/predict.h"
#include "sampler/policy/block/table.h"
#include "sampler/policy/warp/table.h"
#include "tests/run_suite.h"

#include <check.h>

START_TEST(anchors_are_powers_of_two_and_the_most)
{
    static const int rows[][4] = {
        /* tb, most, below, above */
        {1, 1, 1, 1}, {1, 8, 1, 1},   {2, 8, 2, 2},
        {3, 8, 2, 4}, {5, 6, 4, 6},   {6, 6, 6, 6},
        {7, 8, 4, 8}, {9, 12, 8, 12}, {31, 32, 16, 32}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        int below, above;
        anchors_about(rows[i][0], rows[i][1], &below, &above);
        ck_assert_int_eq(below, rows[i][2]);
        ck_assert_int_eq(above, rows[i][3]);
    }
}
END_TEST

/* A point's row is the same whatever else is asked for. */
START_TEST(rows_do_not_depend_on_others)
{
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    struct calib_options o = {.mode = MODE_HYBRID};
    struct study_result all, one;
    struct error e;
    ck_assert(calib_study(&all, &b.study, &o, &e));
    for (int tb = 0; tb < 8; tb++)
        for (int q = 0; q < SYNTHETIC_POLICIES; q++) {
            struct study lone = b.study;
            lone.tb = &tb_list[tb];
            lone.policies = &b.policy[q];
            lone.tb_count = lone.policy_count = 1;
            ck_assert(calib_study(&one, &lone, &o, &e));
            ck_assert_mem_eq(&one.result[0],
                             &all.result[tb * SYNTHETIC_POLICIES + q],
                             sizeof(one.result[0]));
            study_result_free(&one);
        }
    study_result_free(&all);
}
END_TEST

/* Five of eight lies between anchors; a whole grid is exact, where they would
 * leave 3 % at best: it is run and they are not. */
START_TEST(what_anchors_leave_vague_is_run_alone)
{
    static const int five = 5;
    struct bench b;
    bench_make(&b, 4, 20);
    struct study lone = b.study;
    lone.tb = &five;
    lone.tb_count = lone.policy_count = 1;
    struct calib_options o = {.mode = MODE_HYBRID};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &lone, &o, &e));
    ck_assert_int_eq(r.samples, 1);
    ck_assert(r.result[0].sampled);
    ck_assert_double_eq(r.result[0].cycles_lo, r.result[0].cycles_hi);
    study_result_free(&r);
}
END_TEST

/* What is said to be needed is enough; with less, what is needed is said. */
START_TEST(needed_budget_reaches_the_error)
{
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    struct calib_options o = {
        .mode = MODE_HYBRID, .error_pct = 3, .budget_insts = 20000};
    struct study_result r;
    struct error e;
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert_double_gt(r.needed_insts, 20000);
    o.budget_insts = (uint64_t)r.needed_insts + 1;
    study_result_free(&r);
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert_double_eq(r.needed_insts, 0);
    for (int i = 0; i < 56; i++)
        ck_assert_double_le(r.result[i].cycles_hi, 1.0301 * r.result[i].cycles);
    study_result_free(&r);
}
END_TEST

START_TEST(expected_cost_is_that_of_the_samples)
{
    struct bench b;
    bench_make(&b, 4, 16 * 3000);
    struct calib_options o = {.mode = MODE_HYBRID, .threads = 2};
    struct study_cost cost, less;
    struct study_result r;
    struct error e;
    ck_assert(calib_expect(&cost, &b.study, &o, &e));
    ck_assert(calib_study(&r, &b.study, &o, &e));
    ck_assert_double_ge((double)r.sample_insts, 0.5 * cost.insts);
    ck_assert_double_le((double)r.sample_insts, 2.5 * cost.insts);
    study_result_free(&r);
    b.study.policy_count = 1;
    ck_assert(calib_expect(&less, &b.study, &o, &e));
    ck_assert_double_lt(less.insts, cost.insts);
    ck_assert_double_lt(less.seconds, cost.seconds);
}
END_TEST

static const struct warp_policy *acts_as_b(const double *param, int warps,
                                           bool lent)
{
    (void)param, (void)warps, (void)lent;
    return &synthetic_policy[1];
}

/* In any mode: a policy that does the same as another has its samples. */
START_TEST(what_acts_alike_is_run_once)
{
    static const struct warp_policy like_b = {
        .info = {.name = "like b"},
        .traits = {.family = FAMILY_GREEDY},
        .acts_as = acts_as_b};
    static const enum mode modes[] = {MODE_HYBRID, MODE_DETAILED};
    struct bench b;
    struct gpu g = synthetic_gpu;
    bench_make(&b, 4, 16 * 300);
    g.sm.schedulers = 1;
    b.study.gpu = &g;
    b.policy[2].warp.warp = &like_b;
    b.study.policies = &b.policy[1];
    for (int m = 0; m < 2; m++) {
        struct calib_options o = {.mode = modes[m], .threads = 2};
        struct study_result both, alone;
        struct error e;
        synthetic_runs = 0;
        b.study.policy_count = 1;
        ck_assert(calib_study(&alone, &b.study, &o, &e));
        int runs = synthetic_runs;
        b.study.policy_count = 2;
        ck_assert(calib_study(&both, &b.study, &o, &e));
        ck_assert_int_eq(synthetic_runs, 2 * runs);
        for (int tb = 0; tb < 8; tb++)
            for (int q = 0; q < 2; q++)
                ck_assert_mem_eq(&both.result[2 * tb + q], &alone.result[tb],
                                 sizeof(struct result));
        study_result_free(&both);
        study_result_free(&alone);
    }
}
END_TEST

/* In any mode: of a grid that a block count does not limit one run is all of
 * them, but under a thread-block scheduler that may ask for it. */
START_TEST(limits_above_the_share_are_run_once)
{
    static const enum mode modes[] = {MODE_HYBRID, MODE_DETAILED};
    struct bench b;
    bench_make(&b, 4, 16 * 2);
    const struct block_policy other = {.info = {.name = "other"}};
    const struct {
        const struct block_policy *blocks;
        int runs;
    } rows[] = {{&block_rr, 2}, {&other, 8}};
    for (int i = 0; i < 4; i++) {
        struct calib_options o = {.mode = modes[i / 2], .threads = 2};
        struct study_result r;
        struct error e;
        b.policy[1].block.block = rows[i % 2].blocks;
        b.study.policies = &b.policy[1];
        b.study.policy_count = 1;
        synthetic_runs = 0;
        ck_assert(calib_study(&r, &b.study, &o, &e));
        ck_assert_int_eq(synthetic_runs, rows[i % 2].runs);
        for (int tb = 2; tb < 8 && i % 2 == 0; tb++)
            ck_assert_mem_eq(&r.result[tb], &r.result[1],
                             sizeof(struct result));
        study_result_free(&r);
    }
}
END_TEST

static bool always(const void *state)
{
    (void)state;
    return true;
}

static bool never(const void *state)
{
    (void)state;
    return false;
}

/* Runs of the sampler for so many of the policies. */
static int runs_of(struct study_result *out, struct bench *b, int first,
                   int count, enum mode mode)
{
    struct calib_options o = {.mode = mode, .threads = 2};
    struct error e;
    synthetic_runs = 0;
    b->study.policies = &b->policy[first];
    b->study.policy_count = count;
    ck_assert(calib_study(out, &b->study, &o, &e));
    return synthetic_runs;
}

/* In any mode: a policy whose runs are those of its base has them for it, and
 * one that departs leaves the base its own. */
START_TEST(a_base_is_run_where_policies_depart)
{
    static const enum mode modes[] = {MODE_HYBRID, MODE_DETAILED};
    struct warp_policy as_b = {.info = {.name = "as b"},
                               .traits = {.family = FAMILY_GREEDY},
                               .base = &synthetic_policy[1]};
    struct bench b;
    bench_make(&b, 4, 16 * 300);
    b.policy[2].warp.warp = &as_b;
    for (int m = 0; m < 4; m++) {
        bool departs = m % 2 != 0;
        struct study_result both, base, other;
        as_b.departed = departs ? always : never;
        int of_base = runs_of(&base, &b, 1, 1, modes[m / 2]);
        int of_other = runs_of(&other, &b, 2, 1, modes[m / 2]);
        ck_assert_int_eq(runs_of(&both, &b, 1, 2, modes[m / 2]),
                         departs ? of_base + of_other : of_other);
        for (int tb = 0; tb < 8; tb++)
            ck_assert_mem_eq(&both.result[2 * tb],
                             departs ? &base.result[tb] : &other.result[tb],
                             sizeof(struct result));
        study_result_free(&both);
        study_result_free(&base);
        study_result_free(&other);
    }
}
END_TEST

/* Where lrr is asked for, too, its runs are first passes: of whole grids, and
 * of windows, those among them that the grid's first wave is run beside. */
START_TEST(a_first_pass_is_run_once)
{
    static const struct {
        enum mode mode;
        uint64_t blocks;
    } cases[] = {{MODE_HYBRID, 16 * 20000},
                 {MODE_HYBRID, 16 * 300},
                 {MODE_DETAILED, 16 * 300}};
    struct bench b;
    bench_make(&b, 4, cases[_i].blocks);
    b.policy[0].warp.warp = &warp_lrr;
    b.policy[1].warp.warp = &warp_caws;
    b.policy[2].warp.warp = &warp_lrr;
    b.study.tb = &tb_list[3];
    b.study.tb_count = 1;
    struct study_result both, alone, first;
    synthetic_passes = 0;
    int of_caws = runs_of(&alone, &b, 1, 1, cases[_i].mode);
    int own_passes = synthetic_passes;
    int of_lrr = runs_of(&first, &b, 0, 1, cases[_i].mode);
    ck_assert_int_eq(own_passes + of_lrr, of_caws);
    synthetic_passes = 0;
    ck_assert_int_eq(runs_of(&both, &b, 1, 2, cases[_i].mode), of_caws);
    ck_assert_int_eq(synthetic_passes, own_passes);
    ck_assert_mem_eq(&both.result[0], &alone.result[0], sizeof(struct result));
    ck_assert_mem_eq(&both.result[1], &first.result[0], sizeof(struct result));
    study_result_free(&both);
    study_result_free(&alone);
    study_result_free(&first);
}
END_TEST

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

static void study_with(struct study_result *r, enum mode mode,
                       struct calib_options o)
{
    struct bench b;
    bench_make(&b, 9, 16 * 400);
    struct error e;
    o.mode = mode;
    ck_assert(calib_study(r, &b.study, &o, &e));
}

static void all_partial(enum mode mode, struct calib_options o)
{
    struct study_result r;
    study_with(&r, mode, o);
    for (int i = 0; i < 56; i++)
        ck_assert(r.result[i].partial && r.result[i].cycles > 0);
    study_result_free(&r);
}

START_TEST(limits_mark_partial)
{
    volatile int cancel = 1;
    all_partial(MODE_HYBRID, (struct calib_options){.cancel = &cancel});
    all_partial(MODE_HYBRID, (struct calib_options){.time_limit_s = 1e-9});
    all_partial(MODE_DETAILED, (struct calib_options){.max_cycles = 100});
}
END_TEST

/* A detailed point is what was simulated of it, and nothing else: unknown where
 * nothing was. */
START_TEST(detailed_points_that_did_not_run_are_unknown)
{
    volatile int cancel = 1;
    struct study_result r;
    study_with(&r, MODE_DETAILED, (struct calib_options){.cancel = &cancel});
    for (int i = 0; i < 56; i++) {
        ck_assert(r.result[i].partial && !r.result[i].sampled);
        ck_assert(isnan(r.result[i].cycles) && isnan(r.result[i].warp_insts));
        ck_assert(isnan(r.delta[i].pct) && isnan(r.versus[i].pct));
    }
    study_result_free(&r);
}
END_TEST

START_TEST(partial_detailed_points_are_what_ran)
{
    static const uint64_t limits[] = {20000, 60000};
    struct study_result r[2];
    for (int i = 0; i < 2; i++)
        study_with(&r[i], MODE_DETAILED,
                   (struct calib_options){.max_cycles = limits[i]});
    for (int i = 0; i < 56; i++) {
        const struct result *few = &r[0].result[i], *more = &r[1].result[i];
        ck_assert(few->partial && few->sampled);
        /* the synthetic sampler looks at the limit as blocks end */
        ck_assert_double_gt(few->cycles, 20000);
        ck_assert_double_lt(few->cycles, 60000);
        ck_assert_double_gt(more->cycles, 60000);
        ck_assert_double_gt(more->warp_insts, few->warp_insts);
        ck_assert_double_eq(few->cycles_lo, few->cycles);
        ck_assert_double_eq(few->cycles_hi, few->cycles);
        ck_assert(isnan(r[0].delta[i].pct) && isnan(r[0].versus[i].pct));
    }
    study_result_free(&r[0]);
    study_result_free(&r[1]);
}
END_TEST

/* A kernel that the model cannot walk in reasonable time can be run. */
START_TEST(detailed_mode_does_without_the_model)
{
    struct study_result r;
    synthetic_profiles = 0;
    study_with(&r, MODE_DETAILED, (struct calib_options){.max_cycles = 100});
    study_result_free(&r);
    study_with(&r, MODE_DETAILED, (struct calib_options){0});
    study_result_free(&r);
    ck_assert_int_eq(synthetic_profiles, 0);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("studies");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, anchors_are_powers_of_two_and_the_most);
    tcase_add_test(c, rows_do_not_depend_on_others);
    tcase_add_test(c, what_anchors_leave_vague_is_run_alone);
    tcase_add_test(c, needed_budget_reaches_the_error);
    tcase_add_test(c, expected_cost_is_that_of_the_samples);
    tcase_add_test(c, what_acts_alike_is_run_once);
    tcase_add_test(c, limits_above_the_share_are_run_once);
    tcase_add_test(c, a_base_is_run_where_policies_depart);
    tcase_add_loop_test(c, a_first_pass_is_run_once, 0, 3);
    tcase_add_test(c, threads_do_not_matter);
    tcase_add_test(c, detailed_is_exact);
    tcase_add_test(c, versus_compares_with_the_reference);
    tcase_add_test(c, model_runs_no_sample);
    tcase_add_test(c, limits_mark_partial);
    tcase_add_test(c, detailed_points_that_did_not_run_are_unknown);
    tcase_add_test(c, partial_detailed_points_are_what_ran);
    tcase_add_test(c, detailed_mode_does_without_the_model);
    return run_suite("calib: studies", c);
}
