/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every allocation of a piece of work fails once, in a run of its own: each run
 * must say that memory is out, and neither crash nor leak. The linker puts
 * allocations of the library (of the C library's for it, and GSL's) behind the
 * __wrap_ functions here; those inside shared libraries are not counted.
 * libconfig ends the program when it has no memory and cannot be tested. */
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/load.h"
#include "sampler/policy/registry.h"
#include "sampler/sampler.h"

#include <check.h>
#include <estimate.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <gsl/gsl_multimin.h>
#include <gsl/gsl_qrng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
int __lsan_do_recoverable_leak_check(void);
#else
static int __lsan_do_recoverable_leak_check(void)
{
    return 0;
}
#endif

/* ---- allocations -------------------------------------------------------- */

static long to_go = -1; /* allocations until one fails; < 0: none does */

static bool fails(void)
{
    return to_go >= 0 && to_go-- == 0;
}

#define WRAP(type, name, parameters, arguments)                                \
    type __real_##name parameters;                                             \
    type __wrap_##name parameters;                                             \
    type __wrap_##name parameters                                              \
    {                                                                          \
        return fails() ? NULL : __real_##name arguments;                       \
    }

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *old, size_t size), (old, size))
WRAP(void *, aligned_alloc, (size_t to, size_t size), (to, size))
WRAP(char *, strdup, (const char *text), (text))
WRAP(char *, strndup, (const char *text, size_t size), (text, size))
WRAP(FILE *, open_memstream, (char **text, size_t *size), (text, size))
WRAP(gsl_vector *, gsl_vector_alloc, (size_t n), (n))
WRAP(gsl_matrix *, gsl_matrix_alloc, (size_t m, size_t n), (m, n))
WRAP(gsl_matrix *, gsl_matrix_calloc, (size_t m, size_t n), (m, n))
WRAP(gsl_qrng *, gsl_qrng_alloc, (const gsl_qrng_type *type, unsigned n),
     (type, n))
WRAP(gsl_multimin_fminimizer *, gsl_multimin_fminimizer_alloc,
     (const gsl_multimin_fminimizer_type *type, size_t n), (type, n))
WRAP(gsl_multifit_nlinear_workspace *, gsl_multifit_nlinear_alloc,
     (const gsl_multifit_nlinear_type *type,
      const gsl_multifit_nlinear_parameters *p, size_t n, size_t m),
     (type, p, n, m))

/* ---- work --------------------------------------------------------------- */

static bool load(const char *input, struct error *e)
{
    struct kernel_list list;
    struct load_options o = load_options_default();
    bool ok = kernel_load(&list, input, &o, e);
    if (ok)
        kernel_list_free(&list);
    return ok;
}

static bool load_gpu(const char *input, struct error *e)
{
    struct gpu g;
    return gpu_load(&g, input, NULL, 0, e);
}

/* The first `blocks` blocks of a kernel's streams. */
static bool stream(const char *input, struct error *e)
{
    struct kernel_list list;
    struct load_options o = load_options_default();
    o.launch.grid = (struct dim3){2, 1, 1};
    if (strstr(input, "ptx-") == input)
        o.launch.grid.x = 0;
    if (!kernel_load(&list, input, &o, e))
        return false;
    struct gpu g;
    struct sampler_run run;
    struct sampler_options options = {.max_cycles = 3000, .block_count = 2};
    struct policy_set policies = policy_set_default();
    bool ok = gpu_load(&g, "m2090", NULL, 0, e) &&
              sampler_simulate(&run,
                               &(struct sampler_job){.kernel = list.kernel,
                                                     .kernels = 1,
                                                     .gpu = &g,
                                                     .policies = &policies,
                                                     .options = &options},
                               e);
    kernel_list_free(&list);
    return ok;
}

static bool study(const char *input, enum mode mode, struct error *e)
{
    static const int tb[] = {1, 3};
    struct kernel_list list;
    struct load_options o = load_options_default();
    struct policy_set policies[2];
    struct gpu g;
    struct study_result out;
    o.launch.grid = (struct dim3){64, 1, 1};
    if (!gpu_load(&g, "m2090", NULL, 0, e) ||
        !policy_set_parse(&policies[0], NULL, "lrr", NULL, NULL, e) ||
        !policy_set_parse(&policies[1], NULL, "gto", NULL, NULL, e) ||
        !kernel_load(&list, input, &o, e))
        return false;
    const struct study s = {.kernel = list.kernel[0],
                            .gpu = &g,
                            .tb = tb,
                            .tb_count = 2,
                            .policies = policies,
                            .policy_count = 2};
    const struct calib_options options = {
        .mode = mode, .threads = 1, .max_cycles = 2000, .budget_insts = 20000};
    bool ok = calib_study(&out, &s, &options, e);
    if (ok)
        study_result_free(&out);
    kernel_list_free(&list);
    return ok;
}

static bool estimate_by_model(const char *input, struct error *e)
{
    return study(input, MODE_MODEL, e);
}

static bool estimate(const char *input, struct error *e)
{
    return study(input, MODE_HYBRID, e);
}

static bool simulate(const char *input, struct error *e)
{
    return study(input, MODE_DETAILED, e);
}

/* ---- the same by the public library ---------------------------------------
 */

struct public_work {
    struct estimate_context *context;
    struct estimate_gpu *gpu, *copy;
    struct estimate_input *input;
    struct estimate_code *code;
    struct estimate_study *study;
    struct estimate_results *results;
    char *config;
};

static int pick_first(void *state, const struct estimate_warps *warps,
                      uint64_t ready, uint64_t cycle)
{
    (void)state, (void)warps, (void)cycle;
    return __builtin_ctzll(ready);
}

static bool add_policies(struct estimate_context *c, struct estimate_error *e)
{
    struct estimate_scheduler s;
    struct estimate_block_scheduler b;
    estimate_scheduler_init(&s, sizeof(s));
    estimate_block_scheduler_init(&b, sizeof(b));
    s.name = "first";
    s.pick = pick_first;
    b.name = "plain";
    return estimate_scheduler_register(c, &s, e) &&
           estimate_block_scheduler_register(c, &b, e);
}

static bool load_all(struct public_work *w, const char *input,
                     struct estimate_error *e)
{
    struct estimate_launch launch;
    estimate_launch_init(&launch, sizeof(launch));
    launch.grid.x = 64;
    return (w->context = estimate_context_create(e)) != NULL &&
           add_policies(w->context, e) &&
           (w->gpu = estimate_gpu_load("m2090", e)) != NULL &&
           (w->copy = estimate_gpu_copy(w->gpu, e)) != NULL &&
           (w->config = estimate_gpu_config(w->copy, e)) != NULL &&
           (w->input = estimate_input_load(input, &launch, e)) != NULL &&
           (w->code = estimate_code_create(estimate_input_kernel(w->input, 0),
                                           0, e)) != NULL;
}

static bool run_all(struct public_work *w, struct estimate_error *e)
{
    static const struct estimate_policies p[] = {
        {.sched = "gto"}, {.sched = "first", .tb_sched = "plain"}};
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = ESTIMATE_DETAILED;
    o.max_cycles = 2000;
    o.threads = 1;
    o.accounts = true;
    return (w->study = estimate_study_create(w->context, p, 2, e)) != NULL &&
           estimate_study_add(w->study, estimate_input_kernel(w->input, 0),
                              w->copy, NULL, 0, e) &&
           (w->results = estimate_run(w->study, &o, e)) != NULL;
}

static bool by_the_public_library(const char *input, struct error *e)
{
    struct public_work w = {0};
    struct estimate_error failure = {0, ""};
    bool ok = load_all(&w, input, &failure) && run_all(&w, &failure);
    estimate_results_free(w.results);
    estimate_study_free(w.study);
    estimate_code_free(w.code);
    estimate_input_free(w.input);
    estimate_gpu_free(w.copy);
    estimate_gpu_free(w.gpu);
    estimate_context_free(w.context);
    free(w.config);
    return ok || error_set(e, (enum status)failure.status, "%s", failure.text);
}

static const struct {
    bool (*run)(const char *input, struct error *e);
    const char *input;
} works[] = {
    {load, "nn"},
    {load, "resnet"},
    {load, "tests/fuzz/corpus/kernel/program.kernel"},
    {load, "tests/traces/divergence.traceg"},
    {load, "kernels/bundled/ptx/scan.launch"},
    {load_gpu, "tests/fuzz/corpus/gpgpusim/minimal.config"},
    {load_gpu, "tests/fuzz/corpus/gpu/based.cfg"},
    {stream, "hotspot"},
    {stream, "ptx-histogram"},
    {estimate_by_model, "nn"},
    {estimate, "nn"},
    {simulate, "nn"},
    {by_the_public_library, "nn"},
};
#define WORKS (int)(sizeof(works) / sizeof(works[0]))

/* Every allocation up to this one, then ever fewer. */
#define ALL_OF 300

START_TEST(says_so)
{
    long runs = 0;
    for (long n = 0;; n += n < ALL_OF ? 1 : n / 20) {
        struct error e = {.text = "nothing"};
        to_go = n;
        bool ok = works[_i].run(works[_i].input, &e);
        bool failed = to_go < 0;
        to_go = -1;
        ck_assert_msg(ok != failed, "%s, allocation %ld: %s", works[_i].input,
                      n, ok ? "went well" : e.text);
        if (ok)
            break;
        ck_assert_msg(e.status == STATUS_FAILED &&
                          strstr(e.text, "out of memory") != NULL,
                      "%s, allocation %ld: %s", works[_i].input, n, e.text);
        runs++;
    }
    ck_assert_int_gt(runs, 1);
    ck_assert_int_eq(__lsan_do_recoverable_leak_check(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("no_memory");
    TCase *tc = tcase_create("every allocation");
    tcase_set_timeout(tc, 300);
    tcase_add_loop_test(tc, says_so, 0, WORKS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
