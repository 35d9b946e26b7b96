/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/objectives.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

#define DESIGNS 400

static bool beats(const double *a, const double *b, int objectives)
{
    bool better = false;
    for (int k = 0; k < objectives; k++) {
        if (a[k] > b[k])
            return false;
        better |= a[k] < b[k];
    }
    return better;
}

/* Few different values, so that many are equal. */
static double drawn(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 16 & 15;
}

START_TEST(the_front_is_what_none_beats)
{
    int objectives = 1 + _i;
    double value[DESIGNS * OBJECTIVES];
    bool front[DESIGNS];
    unsigned state = 7;
    for (int i = 0; i < DESIGNS * objectives; i++)
        value[i] = drawn(&state);
    value[5] = NAN;
    ck_assert(pareto_front(front, value, DESIGNS, objectives));
    for (int i = 0; i < DESIGNS; i++) {
        bool beaten = i == 5 / objectives;
        for (int j = 0; j < DESIGNS; j++)
            beaten |= beats(&value[j * objectives], &value[i * objectives],
                            objectives) &&
                      j != 5 / objectives;
        ck_assert_msg(front[i] == !beaten, "design %d", i);
    }
}
END_TEST

/* A front of (100, 10) and (200, 5), of which 2 % less is asked; cost is not
 * what is uncertain. */
START_TEST(close_is_what_two_percent_would_bring_to_the_front)
{
    static const struct objectives by = {{OBJECTIVE_CYCLES, OBJECTIVE_COST}, 2};
    static const double value[] = {100, 10, 200, 5,  102, 10,  103, 10,
                                   203, 5,  205, 5,  203, 5.1, NAN, 1,
                                   102, 11, 100, 10, 150, 9};
    static const bool expected[] = {true, true,  true, false, true, false,
                                    true, false, true, true,  true};
    bool front[11], close[11];
    ck_assert(pareto_front(front, value, 11, 2));
    pareto_close(close, front, value, 11, &by, 0.02);
    for (int i = 0; i < 11; i++)
        ck_assert_msg(close[i] == expected[i], "design %d", i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli: designs");
    TCase *c = tcase_create("designs");
    tcase_add_loop_test(c, the_front_is_what_none_beats, 0, OBJECTIVES);
    tcase_add_test(c, close_is_what_two_percent_would_bring_to_the_front);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
