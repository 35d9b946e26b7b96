/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How claims are judged, on runs made up here in place of the lab. */
#include "paper_repro/claim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* Cycles of kernels x and y under policies a and b. */
static const struct made_up {
    const char *kernel, *policies;
    struct sampler_run run;
} made_up[] = {
    {"x", "a", {.counts = {.cycles = 1000}}},
    {"x", "b", {.counts = {.cycles = 2000}}},
    {"y", "a", {.counts = {.cycles = 1010}}},
    {"y", "b", {.counts = {.cycles = 1000}}},
};

struct lab *lab_create(bool full)
{
    (void)full;
    return NULL;
}

void lab_free(struct lab *l)
{
    (void)l;
}

const struct sampler_run *lab_run(struct lab *l, const struct point *p,
                                  struct error *e)
{
    (void)l;
    for (size_t i = 0; i < sizeof(made_up) / sizeof(made_up[0]); i++)
        if (strcmp(made_up[i].kernel, p->kernel) == 0 &&
            strcmp(made_up[i].policies, p->policies) == 0)
            return &made_up[i].run;
    error_set(e, STATUS_USAGE, "no such run");
    return NULL;
}

static struct finding judged(struct claim c)
{
    struct finding f;
    struct error e;
    c.metric = speed;
    c.subject = "a";
    c.baseline = "b";
    ck_assert(claim_judge(&f, NULL, &c, "m2090", &e));
    return f;
}

START_TEST(test_each_kernel_counts)
{
    struct claim c = {.kernels = "x y", .relation = MORE};
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, FAILS);
    ck_assert_str_eq(f.ours, "1 of 2: x:a 2.000 !y:a 0.990");
    c.need = 1;
    ck_assert_int_eq(judged(c).verdict, HOLDS);
    c.kernels = "x";
    c.need = 0;
    ck_assert_int_eq(judged(c).verdict, HOLDS);
    c.relation = LESS;
    ck_assert_int_eq(judged(c).verdict, FAILS);
}
END_TEST

/* sqrt(2 / 1.01) = 1.4072 */
START_TEST(test_mean_is_geometric)
{
    struct claim c = {.kernels = "x y", .relation = AT_LEAST, .mean = true};
    c.bound = 1.407;
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, HOLDS);
    ck_assert_str_eq(f.ours, "1 of 1: a/b 1.4072");
    c.bound = 1.4073;
    ck_assert_int_eq(judged(c).verdict, FAILS);
}
END_TEST

/* Of 1/cycles: (1/1000 + 1/1010) / (1/2000 + 1/1000) = 1.3267 */
START_TEST(test_ratio_of_means)
{
    struct claim c = {.kernels = "x y", .relation = AT_LEAST, .of_means = true};
    c.bound = 1.326;
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, HOLDS);
    ck_assert_str_eq(f.ours, "1 of 1: a/b 1.3267");
    c.bound = 1.327;
    ck_assert_int_eq(judged(c).verdict, FAILS);
}
END_TEST

START_TEST(test_comparable)
{
    struct claim c = {.kernels = "y", .relation = ABOUT};
    ck_assert_int_eq(judged(c).verdict, HOLDS);
    c.kernels = "x";
    ck_assert_int_eq(judged(c).verdict, FAILS);
}
END_TEST

START_TEST(test_not_judged)
{
    struct claim c = {.kernels = "x", .why_not = "no workload"};
    struct finding f = judged(c);
    ck_assert_int_eq(f.verdict, NOT_JUDGED);
    ck_assert_str_eq(f.ours, "no workload");
}
END_TEST

START_TEST(test_failed_run)
{
    struct claim c = {
        .metric = speed, .kernels = "z", .subject = "a", .baseline = "b"};
    struct finding f;
    struct error e;
    ck_assert(!claim_judge(&f, NULL, &c, "m2090", &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("claims");
    TCase *t = tcase_create("judging");
    tcase_add_test(t, test_each_kernel_counts);
    tcase_add_test(t, test_mean_is_geometric);
    tcase_add_test(t, test_ratio_of_means);
    tcase_add_test(t, test_comparable);
    tcase_add_test(t, test_not_judged);
    tcase_add_test(t, test_failed_run);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
