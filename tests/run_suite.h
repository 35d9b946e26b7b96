/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The suite of one test case, run: what main() of most tests does. */
#ifndef TESTS_RUN_SUITE_H
#define TESTS_RUN_SUITE_H

#include <check.h>
#include <stdlib.h>

/* Returns the exit status. */
static inline int run_suite(const char *name, TCase *tc)
{
    Suite *suite = suite_create(name);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
