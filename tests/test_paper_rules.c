/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of claims, each at its edges. */
#include "paper_repro/rules.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static enum standing stands(enum rule rule, double ours, double paper)
{
    const struct value v = {.ours = ours, .paper = paper};
    return rule_standing(rule, &v, RULE_BAND);
}

static const struct edge {
    enum rule rule;
    double ours, paper;
    enum standing standing;
} edges[] = {
    /* Within 1 % neither side counts, whichever is right. */
    {MORE, 1.0101, 1, RIGHT},
    {MORE, 1.01, 1, EVEN},
    {MORE, 0.99, 1, EVEN},
    {MORE, 0.9899, 1, WRONG},
    {LESS, 0.9899, 1, RIGHT},
    {LESS, 0.99, 1, EVEN},
    {LESS, 1.01, 1, EVEN},
    {LESS, 1.0101, 1, WRONG},
    {NOT_LESS, 2, 1, RIGHT},
    {NOT_LESS, 0.99, 1, RIGHT},
    {NOT_LESS, 0.9899, 1, WRONG},
    {COMPARABLE, 1.02, 1, RIGHT},
    {COMPARABLE, 0.98, 1, RIGHT},
    {COMPARABLE, 1.0201, 1, WRONG},
    {COMPARABLE, 0.9799, 1, WRONG},
    /* A change of at most half of the other one, in either direction. */
    {CONTRAST, 0.9, 0.8, RIGHT},
    {CONTRAST, 1.1, 0.8, RIGHT},
    {CONTRAST, 0.899, 0.8, WRONG},
    {CONTRAST, 0.98, 1, RIGHT},
    {CONTRAST, 0.97, 1, WRONG},
    {AT_LEAST, 0.99, 0.99, RIGHT},
    {AT_LEAST, 0.9899, 0.99, WRONG},
    {AT_MOST, 1, 1, RIGHT},
    {AT_MOST, 1.001, 1, WRONG},
    {EXACT, 14, 14, RIGHT},
    {EXACT, 14.001, 14, WRONG},
    /* +20 %: from +10 to +40; -20 %: from -10 to -40. */
    {CHANGE, 1.10, 1.20, RIGHT},
    {CHANGE, 1.40, 1.20, RIGHT},
    {CHANGE, 1.0999, 1.20, WRONG},
    {CHANGE, 1.4001, 1.20, WRONG},
    {CHANGE, 0.90, 0.80, RIGHT},
    {CHANGE, 0.60, 0.80, RIGHT},
    {CHANGE, 0.9001, 0.80, WRONG},
    {CHANGE, 0.80, 1.20, WRONG},
    /* Small ones: 3 points are wider than the band; of the same sign. */
    {CHANGE, 1.05, 1.02, RIGHT},
    {CHANGE, 1.0001, 1.02, RIGHT},
    {CHANGE, 0.9999, 1.02, WRONG},
    {CHANGE, 1.0501, 1.02, WRONG},
    {CHANGE, 1.03, 1, RIGHT},
    {CHANGE, 0.97, 1, RIGHT},
    {CHANGE, 0.9699, 1, WRONG},
    /* 3.13 times is +213 %. */
    {CHANGE, 2.07, 3.13, RIGHT},
    {CHANGE, 2.06, 3.13, WRONG},
    {VALUE, 9, 18, RIGHT},
    {VALUE, 36, 18, RIGHT},
    {VALUE, 8.9, 18, WRONG},
    {VALUE, 4, 1, WRONG},
    {PERCENT, 4, 1, RIGHT},
    {PERCENT, 4.1, 1, WRONG},
    {PERCENT, 50, 100, RIGHT},
    {PERCENT, 49, 100, WRONG},
    {PERCENT, 0, 3, RIGHT},
    {SHAPE, 1, 0, RIGHT},
    {SHAPE, 0, 0, WRONG},
};

START_TEST(test_edges)
{
    const struct edge *x = &edges[_i];
    ck_assert_msg(stands(x->rule, x->ours, x->paper) == x->standing,
                  "rule %d: %g for %g", (int)x->rule, x->ours, x->paper);
}
END_TEST

START_TEST(test_no_number_does_not_hold)
{
    for (int rule = LESS; rule <= SHAPE; rule++)
        ck_assert_int_eq(stands((enum rule)rule, NAN, 1), WRONG);
    ck_assert_int_eq(rule_judge(MORE, NULL, 0, 0).verdict, FAILS);
}
END_TEST

static enum verdict of_three(double a, double b, double c, int need)
{
    const struct value v[] = {{.ours = a}, {.ours = b}, {.ours = c}};
    return rule_judge(MORE, v, 3, need).verdict;
}

/* A tie as long as the even ones could make it hold. */
START_TEST(test_enough_of_several)
{
    ck_assert_int_eq(of_three(1.1, 1.1, 1.1, 0), HOLDS);
    ck_assert_int_eq(of_three(1.1, 1.1, 1.0, 0), TIE);
    ck_assert_int_eq(of_three(1.1, 1.0, 0.9, 0), FAILS);
    ck_assert_int_eq(of_three(1.1, 1.1, 0.9, 2), HOLDS);
    ck_assert_int_eq(of_three(1.1, 1.0, 0.9, 2), TIE);
    ck_assert_int_eq(of_three(1.1, 0.9, 0.9, 2), FAILS);
}
END_TEST

START_TEST(test_close)
{
    const struct value near = {.ours = 1.14, .paper = 1.20};
    const struct value far = {.ours = 1.13, .paper = 1.20};
    ck_assert(rule_judge(CHANGE, &near, 1, 0).close);
    ck_assert_int_eq(rule_judge(CHANGE, &far, 1, 0).verdict, HOLDS);
    ck_assert(!rule_judge(CHANGE, &far, 1, 0).close);
}
END_TEST

START_TEST(test_ratio)
{
    const struct value v = {.ours = 1.05, .paper = 1.20};
    ck_assert_double_eq_tol(rule_ratio(CHANGE, &v), 0.25, 1e-9);
    ck_assert_double_eq_tol(rule_ratio(VALUE, &v), 0.875, 1e-9);
    ck_assert(isnan(rule_ratio(MORE, &v)));
}
END_TEST

static void text_is(enum rule rule, double number, const char *expected)
{
    char text[32];
    rule_text(rule, number, text, sizeof(text));
    ck_assert_str_eq(text, expected);
}

START_TEST(test_text)
{
    text_is(CHANGE, 1.063, "+6.3 %");
    text_is(LESS, 0.99, "-1.0 %");
    text_is(PERCENT, 44.3, "44.3 %");
    text_is(AT_LEAST, 0.9931, "0.9931");
    text_is(EXACT, 1523, "1523");
    text_is(SHAPE, 1, "yes");
    text_is(SHAPE, 0, "no");
    text_is(VALUE, NAN, "unknown");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper_rules");
    TCase *t = tcase_create("rules");
    tcase_add_loop_test(t, test_edges, 0, sizeof(edges) / sizeof(edges[0]));
    tcase_add_test(t, test_no_number_does_not_hold);
    tcase_add_test(t, test_enough_of_several);
    tcase_add_test(t, test_close);
    tcase_add_test(t, test_ratio);
    tcase_add_test(t, test_text);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
