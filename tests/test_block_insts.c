/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mean length of a grid's blocks, by a few of them that are counted. */
#include "model/block_insts.h"

#include "tests/kernel_text.h"

#include <check.h>
#include <math.h>

static double mean_of(const struct kernel *k)
{
    double mean = NAN;
    struct error e;
    ck_assert_msg(block_insts_mean(&mean, k, &e), "%s", e.text);
    return mean;
}

/* Of one block, warp after warp. */
static uint64_t insts_of(const struct kernel *k, uint64_t block)
{
    void *state = open_block(k, block);
    struct step s = {.inst = 0};
    uint64_t n = 0;
    for (uint32_t w = 0; w < k->warps_per_block; w++)
        while (k->ops->next(k, state, w, &s))
            n++;
    close_block(k, state);
    return n;
}

START_TEST(like_blocks_are_all_as_long)
{
    struct kernel *k = kernel_of("grid = 500; block = 96;",
                                 "mov r1\n loop i, 7, p0\n iadd r1, r1\n"
                                 "endloop\n exit");
    ck_assert_double_eq(mean_of(k), (double)insts_of(k, 3));
    kernel_free(k);
}
END_TEST

/* Blocks past the data exit at once; where they begin is found to within a
 * thousandth of all. Data for a part of the grid, or all but the last block. */
START_TEST(blocks_past_the_data_are_found)
{
    static const unsigned with_data[] = {701, 40, 999};
    for (int i = 0; i < 3; i++) {
        char program[200];
        snprintf(program, sizeof(program),
                 "mov r1\n if gtid < %u, p0\n loop i, 50, p1\n"
                 "iadd r1, r1\n endloop\n endif\n exit",
                 32 * with_data[i]);
        struct kernel *k = kernel_of("grid = 1000; block = 32;", program);
        double n = with_data[i];
        double mean = (n * (double)insts_of(k, 0) +
                       (1000 - n) * (double)insts_of(k, 999)) /
                      1000;
        ck_assert_double_eq_tol(mean_of(k), mean, 0.002 * mean);
        kernel_free(k);
    }
}
END_TEST

/* Work that grows along the grid: the trapezoidal rule has it exactly. */
START_TEST(work_may_grow_along_the_grid)
{
    struct kernel *k = kernel_of("grid = 300; block = 32;",
                                 "mov r1\n loop i, 10 + gtid / 32, p0\n"
                                 "iadd r1, r1\n endloop\n exit");
    double mean = ((double)insts_of(k, 0) + (double)insts_of(k, 299)) / 2;
    ck_assert_double_eq_tol(mean_of(k), mean, 1e-9 * mean);
    kernel_free(k);
}
END_TEST

/* Of blocks that are very long less than three are counted, unless that is all
 * of the grid. */
START_TEST(few_blocks_say_nothing)
{
    const char *program = "mov r1\n loop i, 1500000, p0\n iadd r1, r1\n"
                          "endloop\n exit";
    struct kernel *k = kernel_of("grid = 50; block = 32;", program);
    ck_assert_double_eq(mean_of(k), 0);
    kernel_free(k);
    k = kernel_of("grid = 1; block = 32;", program);
    ck_assert_double_eq(mean_of(k), (double)insts_of(k, 0));
    kernel_free(k);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lengths of blocks");
    TCase *tc = tcase_create("lengths of blocks");
    tcase_add_test(tc, like_blocks_are_all_as_long);
    tcase_add_test(tc, blocks_past_the_data_are_found);
    tcase_add_test(tc, work_may_grow_along_the_grid);
    tcase_add_test(tc, few_blocks_say_nothing);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
