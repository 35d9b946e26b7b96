/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Peaks, what a point achieves of them, and the limiter that follows. */
#include "base/result.h"
#include "configs/gpu.h"
#include "configs/peaks.h"

#include <check.h>
#include <estimate.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_limiter_is_the_highest)
{
    static const struct {
        enum use first, second;
        double high, low;
        const char *limiter;
    } cases[] = {
        {USE_DRAM, USE_L2, 0.9, 0.8, "dram"},
        {USE_L2, USE_DRAM, 0.9, 0.8, "l2"},
        {USE_ISSUE, USE_SP, 0.61, 0.2, "issue"},
        {USE_TENSOR, USE_DRAM, 0.7, 0.69, "alu"},
        {USE_NETWORK, USE_L1, 1, 0.99, "interconnect"},
        {USE_SHARED, USE_L1, 0.75, 0.7, "shared"},
        {USE_L1, USE_DRAM, 0.6, 0.5, "latency"}, /* not above the knee */
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double use[USES] = {0};
        use[USE_SFU] = NAN; /* not known: left out */
        use[cases[i].first] = cases[i].high;
        use[cases[i].second] = cases[i].low;
        ck_assert_str_eq(limiter_names[limiter_of(use)], cases[i].limiter);
    }
}
END_TEST

/* V100: 80 SMs of 4 schedulers, an instruction a cycle each (NVIDIA's Volta
 * white paper); 4096 bits at 877 MHz, twice a cycle: 898 GB/s. */
START_TEST(test_peaks_of_v100)
{
    struct error e;
    struct gpu gpu, *g = &gpu;
    struct peaks peak;
    ck_assert(gpu_load(g, "v100", NULL, 0, &e));
    peaks_of(&peak, g);
    ck_assert_double_eq(peak.issue, 80 * 4);
    ck_assert_double_eq(peak_value(g, USE_ISSUE), 4);
    ck_assert_double_eq_tol(peak_value(g, USE_DRAM), 4096.0 / 8 * 2 * 0.877,
                            0.1);
    ck_assert_double_eq(peak_value(g, USE_TENSOR), 1);
    ck_assert_str_eq(peak_unit(USE_L2), "GB/s");
}
END_TEST

static const struct estimate_point *run_nn(struct estimate_results **r,
                                           const struct estimate_gpu *g,
                                           enum estimate_mode mode)
{
    struct estimate_error e;
    struct estimate_launch l;
    struct estimate_options o;
    estimate_launch_init(&l, sizeof(l));
    l.grid = (struct estimate_dim){64, 1, 1};
    estimate_options_init(&o, sizeof(o));
    o.mode = mode;
    o.use_cache = false;
    static struct estimate_input *in;
    estimate_input_free(in);
    in = estimate_input_load("nn", &l, &e);
    ck_assert_ptr_nonnull(in);
    struct estimate_study *s = estimate_study_create(NULL, NULL, 0, &e);
    ck_assert(
        estimate_study_add(s, estimate_input_kernel(in, 0), g, NULL, 0, &e));
    *r = estimate_run(s, &o, &e);
    ck_assert_ptr_nonnull(*r);
    estimate_study_free(s);
    return estimate_result(*r, 0, 0, 0);
}

/* In every mode: shares from 0 to 1 of which the limiter is the highest, and
 * those that other columns tell of agree with them. */
START_TEST(test_use_of_a_point)
{
    struct estimate_error e;
    struct estimate_gpu *g = estimate_gpu_load("m2090", &e);
    for (int mode = ESTIMATE_MODEL; mode <= ESTIMATE_DETAILED; mode++) {
        struct estimate_results *r;
        const struct estimate_point *p =
            run_nn(&r, g, (enum estimate_mode)mode);
        struct estimate_use u, most = {.share = 0};
        for (size_t i = 0; estimate_point_use(&u, sizeof(u), p, g, i); i++) {
            ck_assert(u.share >= 0 && u.share <= 1);
            ck_assert_double_eq_tol(u.achieved, u.share * u.peak, 1e-9);
            if (u.share > most.share)
                most = u;
            if (strcmp(u.resource, "dram") == 0)
                ck_assert_double_eq_tol(u.achieved, p->dram_gbps, 1e-6);
            if (strcmp(u.resource, "issue") == 0)
                ck_assert_double_eq_tol(u.achieved, p->ipc, 1e-6);
        }
        if (most.share > LIMITER_KNEE)
            ck_assert_ptr_nonnull(strstr(most.resource, p->limiter));
        else
            ck_assert_str_eq(p->limiter, "latency");
        estimate_results_free(r);
    }
    estimate_gpu_free(g);
}
END_TEST

/* A result has the name of its GPU when the study is gone, also where kernels
 * find another L1 than the GPU's own (l1.unified). */
START_TEST(test_results_outlive_studies)
{
    struct estimate_error e;
    struct estimate_gpu *g = estimate_gpu_load("h200", &e);
    struct estimate_results *r;
    const struct estimate_point *p = run_nn(&r, g, ESTIMATE_MODEL);
    ck_assert_str_eq(p->gpu, "h200");
    estimate_results_free(r);
    estimate_gpu_free(g);
}
END_TEST

/* ---- over time -------------------------------------------------------------
 */

struct sums {
    uint64_t to;
    double insts, issued, idle;
    bool gapless;
};

static void add_interval(void *user, const struct estimate_interval *i)
{
    struct sums *s = user;
    double cycles = (double)(i->to - i->from);
    double all = i->stall.issued + i->stall.idle + i->stall.sb_mem +
                 i->stall.sb_alu + i->stall.pipe_mem + i->stall.pipe_alu;
    s->gapless &= i->from == s->to && i->to > i->from;
    s->to = i->to;
    s->insts += i->warp_insts;
    s->issued += cycles * i->stall.issued;
    s->idle += cycles * i->stall.idle;
    ck_assert_double_eq_tol(all, 1, 1e-9);
}

/* Looking at a run changes nothing of it: intervals of any length add up to
 * what it is without. */
static void assert_intervals(const char *kernel, const char *gpu,
                             const char *sched, unsigned grid, uint64_t period)
{
    struct estimate_error e;
    struct estimate_launch l;
    struct estimate_options o;
    const struct estimate_policies policies = {sched, NULL, NULL};
    struct sums s = {.gapless = true};
    estimate_launch_init(&l, sizeof(l));
    if (grid > 0)
        l.grid = (struct estimate_dim){grid, 1, 1};
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    o.use_cache = false;
    struct estimate_input *in = estimate_input_load(kernel, &l, &e);
    struct estimate_gpu *g = estimate_gpu_load(gpu, &e);
    struct estimate_study *study =
        estimate_study_create(NULL, &policies, 1, &e);
    ck_assert(in != NULL && g != NULL && study != NULL);
    ck_assert(estimate_study_add(study, estimate_input_kernel(in, 0), g, NULL,
                                 0, &e));
    struct estimate_results *r = estimate_run(study, &o, &e);
    const struct estimate_point *p = estimate_result(r, 0, 0, 0);
    ck_assert_msg(estimate_over_time(study, period, NULL, add_interval, &s, &e),
                  "%s", e.text);
    ck_assert(s.gapless);
    ck_assert_double_eq((double)s.to, p->cycles);
    ck_assert_double_eq(s.insts, p->warp_insts);
    ck_assert_double_eq_tol(s.issued / p->cycles, p->stall.issued, 1e-9);
    ck_assert_double_eq_tol(s.idle / p->cycles, p->stall.idle, 1e-9);
    estimate_results_free(r);
    estimate_study_free(study);
    estimate_gpu_free(g);
    estimate_input_free(in);
}

START_TEST(test_intervals_add_up)
{
    assert_intervals("nn", "m2090", "gto", 40, 1);
    assert_intervals("lud", "m2090", "lrr", 40, 97);
    assert_intervals("lud", "v100", "paws", 200, 500);
    assert_intervals("kmeans", "titanx", "ccws", 30, 1000);
    assert_intervals("cfd", "v100", "gto", 60, UINT64_C(1) << 40);
    assert_intervals("ikra-gpu-small", "ikra-micro", "gto", 0, 333);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("use");
    TCase *t = tcase_create("use");
    tcase_add_test(t, test_limiter_is_the_highest);
    tcase_add_test(t, test_peaks_of_v100);
    tcase_add_test(t, test_use_of_a_point);
    tcase_add_test(t, test_results_outlive_studies);
    tcase_add_test(t, test_intervals_add_up);
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
