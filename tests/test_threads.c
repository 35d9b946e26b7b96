/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The library called from several threads at once, over the same kernels, GPU
 * and study, each call with several threads of its own: all get what one gets
 * alone. `make tsan` runs this under ThreadSanitizer. */
#include <estimate.h>

#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CALLERS    3
#define TEXT_BYTES (1 << 16)

struct call {
    const struct estimate_study *study;
    enum estimate_mode mode;
    size_t points; /* of a policy */
    char text[TEXT_BYTES];
};

#define POLICIES 3
static const struct estimate_policies policies[POLICIES] = {
    {.sched = "lrr"}, {.sched = "gcaws"}, {.sched = "cawa"}};

/* Every column of every point. */
static void print(struct call *c, const struct estimate_results *r)
{
    size_t used = 0;
    const struct estimate_point *p;
    for (size_t q = 0; q < POLICIES; q++)
        for (size_t tb = 0; (p = estimate_result(r, 0, tb, q)) != NULL; tb++)
            for (size_t i = 0; estimate_column(i) != NULL; i++) {
                used += estimate_column_text(c->text + used, TEXT_BYTES - used,
                                             estimate_column(i), p);
                ck_assert_uint_lt(used + 1, TEXT_BYTES);
                c->text[used++] = ',';
            }
    c->text[used] = '\0';
}

static void *run(void *user)
{
    struct call *c = user;
    struct estimate_error e;
    struct estimate_options o;
    estimate_options_init(&o, sizeof(o));
    o.mode = c->mode;
    o.threads = 2;
    o.use_cache = false;
    o.budget_insts = 20000;
    o.max_cycles = 2000;
    struct estimate_results *r = estimate_run(c->study, &o, &e);
    ck_assert_msg(r != NULL, "%s", e.text);
    print(c, r);
    estimate_results_free(r);
    return NULL;
}

static void compare(const struct estimate_study *study, enum estimate_mode mode)
{
    static struct call call[1 + CALLERS];
    pthread_t thread[CALLERS];
    for (int i = 0; i <= CALLERS; i++)
        call[i] = (struct call){.study = study, .mode = mode};
    for (int i = 0; i < CALLERS; i++)
        ck_assert_int_eq(pthread_create(&thread[i], NULL, run, &call[1 + i]),
                         0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(thread[i], NULL);
    run(&call[0]);
    for (int i = 0; i < CALLERS; i++)
        ck_assert_str_eq(call[1 + i].text, call[0].text);
}

static const struct {
    const char *input;
    uint32_t grid;
    bool exec_all;
} inputs[] = {{"nn", 32, false},
              {"tests/traces/divergence.traceg", 8, false},
              {"tests/ptx/histogram.launch", 0, false},
              {"ptx-vectoradd", 0, true}};
#define INPUTS (int)(sizeof(inputs) / sizeof(inputs[0]))

START_TEST(callers_at_once)
{
    struct estimate_error e;
    struct estimate_launch launch;
    estimate_launch_init(&launch, sizeof(launch));
    launch.grid.x = inputs[_i].grid;
    launch.exec_all = inputs[_i].exec_all;
    struct estimate_input *in =
        estimate_input_load(inputs[_i].input, &launch, &e);
    ck_assert_msg(in != NULL, "%s", e.text);
    struct estimate_gpu *gpu = estimate_gpu_load("m2090", &e);
    struct estimate_study *study =
        estimate_study_create(NULL, policies, POLICIES, &e);
    ck_assert_msg(study != NULL, "%s", e.text);
    const int tb[] = {1, 2};
    ck_assert_msg(
        estimate_study_add(study, estimate_input_kernel(in, 0), gpu, tb, 2, &e),
        "%s", e.text);
    compare(study, ESTIMATE_MODEL);
    compare(study, ESTIMATE_DETAILED);
    compare(study, ESTIMATE_HYBRID);
    estimate_study_free(study);
    estimate_gpu_free(gpu);
    estimate_input_free(in);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("calls");
    tcase_add_loop_test(tc, callers_at_once, 0, INPUTS);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
