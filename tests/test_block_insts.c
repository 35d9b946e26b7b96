/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The mean length of a grid's blocks, by a few of them that are counted. */
#include "model/block_insts.h"

#include "tests/kernel_text.h"

#include <check.h>
#include <math.h>

static struct block_insts count(const struct kernel *k)
{
    struct block_insts out = {.mean = NAN, .error = NAN};
    struct error e;
    ck_assert_msg(block_insts_count(&out, k, 1, &e), "%s", e.text);
    return out;
}

/* What is known without a doubt. */
static double mean_of(const struct kernel *k)
{
    struct block_insts all = count(k);
    ck_assert_double_eq(all.error, 0);
    return all.mean;
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

/* Loops of 10 to 210 turns, in no order. */
static const char irregular[] =
    "mov r1\n loop i, 10 + (gtid / 32 % 700) * 7919 % 201, p0\n"
    "iadd r1, r1\n endloop\n exit";

static double mean_of_first(const struct kernel *k, uint64_t blocks)
{
    double all = 0;
    for (uint64_t b = 0; b < blocks; b++)
        all += (double)insts_of(k, b);
    return all / (double)blocks;
}

/* Blocks of the first and the last column of a grid of 128 x 128, where loops
 * are a third longer, are not taken for all of them. */
START_TEST(columns_of_a_grid_are_not_taken_for_it)
{
    struct kernel *k =
        kernel_of("grid = [128, 128]; block = 32;",
                  "mov r1\n if bx == 0 || bx == 127, p0\n loop i, 100, p1\n"
                  "iadd r1, r1\n endloop\n endif\n loop i, 300, p1\n"
                  "iadd r1, r1\n endloop\n exit");
    struct block_insts out = count(k);
    double mean = mean_of_first(k, 128);
    ck_assert_double_eq_tol(out.mean, mean, 0.01 * mean);
    kernel_free(k);
}
END_TEST

/* One block in eight is six times as long as those beside it, of which more are
 * counted first: none of the seeds takes all for like blocks. */
START_TEST(longer_blocks_among_like_ones_are_found)
{
    struct kernel *k = kernel_of("grid = 256; block = 32;",
                                 "mov r1\n loop i, 20 + 100*(block % 8 == 0), "
                                 "p0\n iadd r1, r1\n endloop\n exit");
    double mean = mean_of_first(k, 8);
    for (uint64_t seed = 1; seed < 50; seed++) {
        struct block_insts out;
        struct error e;
        ck_assert(block_insts_count(&out, k, seed, &e));
        ck_assert_double_eq_tol(out.mean, mean, 0.01 * mean);
    }
    kernel_free(k);
}
END_TEST

/* One block of 4,096 that are all short, where all can be counted. */
START_TEST(a_long_block_among_thousands_is_found)
{
    struct kernel *k =
        kernel_of("grid = 4096; block = 32;",
                  "mov r1\n loop i, 20 + 20000*(block == 2171), p0\n"
                  "iadd r1, r1\n endloop\n exit");
    double longest = (double)insts_of(k, 2171);
    ck_assert_double_eq_tol(
        mean_of(k), (4095 * (double)insts_of(k, 0) + longest) / 4096, 1e-9);
    ck_assert_double_eq_tol(count(k).longest, longest / mean_of(k), 1e-9);
    kernel_free(k);
}
END_TEST

/* Of each block's four warps the last is twice as long as the others, and that
 * of the last block ten times as long as that: so is the block, which has not
 * five times as many instructions. */
START_TEST(a_long_warp_makes_a_long_block)
{
    struct kernel *k = kernel_of("grid = 64; block = 128;",
                                 "mov r1\n loop i, 98 + 100*(warp == 3)"
                                 " + 1800*(warp == 3)*(block == 63), p0\n"
                                 "iadd r1, r1\n endloop\n exit");
    ck_assert_double_lt((double)insts_of(k, 63), 5 * (double)insts_of(k, 0));
    ck_assert_double_eq_tol(count(k).longest, 10 / (1 + 9 / 64.0), 0.1);
    kernel_free(k);
}
END_TEST

/* One that has more instructions than are ever counted: the mean is no more
 * than a guess, and said to be. */
START_TEST(an_endless_block_leaves_an_error)
{
    struct kernel *k =
        kernel_of("grid = 4096; block = 32;",
                  "mov r1\n loop i, 20 + 2000000000*(block == 2171), p0\n"
                  "iadd r1, r1\n endloop\n exit");
    ck_assert_double_ge(count(k).error, 1);
    ck_assert_double_gt(count(k).longest, 1000);
    kernel_free(k);
}
END_TEST

/* The grid's only block is counted, however long it is. */
START_TEST(a_single_block_is_counted_to_its_end)
{
    struct kernel *k =
        kernel_of("grid = 1; block = 32;", "mov r1\n loop i, 17000000, p0\n"
                                           "iadd r1, r1\n endloop\n exit");
    ck_assert_double_gt(mean_of(k), COUNTED_MOST);
    ck_assert_double_eq(mean_of(k), (double)insts_of(k, 0));
    kernel_free(k);
}
END_TEST

/* Blocks whose work grows along the grid: a half of them is as much shorter, or
 * longer, than all as the one a quarter from its end; those about the middle
 * are not, nor is any stretch of blocks that are alike. */
START_TEST(a_stretch_of_growing_blocks_is_told)
{
    struct kernel *k =
        kernel_of("grid = 401; block = 32;", "mov r1\n loop i, 20 + block, p0\n"
                                             "iadd r1, r1\n endloop\n exit");
    struct kernel *alike =
        kernel_of("grid = 401; block = 32;", "mov r1\n loop i, 7, p0\n"
                                             "iadd r1, r1\n endloop\n exit");
    struct block_insts growing = count(k), same = count(alike);
    double mean = (double)insts_of(k, 200);
    ck_assert_double_eq_tol(block_insts_share(&growing, 0, 201),
                            (double)insts_of(k, 100) / mean, 0.01);
    ck_assert_double_eq_tol(block_insts_share(&growing, 200, 201),
                            (double)insts_of(k, 300) / mean, 0.01);
    ck_assert_double_eq_tol(block_insts_share(&growing, 150, 101), 1, 0.01);
    ck_assert_double_eq(block_insts_share(&same, 0, 201), 1);
    kernel_free(k);
    kernel_free(alike);
}
END_TEST

/* ... but not one that chance may have. */
START_TEST(stretches_in_no_order_are_alike)
{
    struct kernel *k = kernel_of("grid = 140000; block = 32;", irregular);
    struct block_insts out = count(k);
    for (uint64_t first = 0; first < 140000; first += 35000)
        ck_assert_double_eq(block_insts_share(&out, first, 35000), 1);
    kernel_free(k);
}
END_TEST

/* As many are drawn as the error takes, which is the true one. */
START_TEST(blocks_in_no_order_are_drawn)
{
    struct kernel *k = kernel_of("grid = 140000; block = 32;", irregular);
    double mean = mean_of_first(k, 700);
    for (uint64_t seed = 1; seed < 4; seed++) {
        struct block_insts out;
        struct error e;
        ck_assert(block_insts_count(&out, k, seed, &e));
        ck_assert_double_gt(out.error, 0.002);
        ck_assert_double_lt(out.error, 0.006);
        ck_assert_double_eq_tol(out.mean, mean, 3 * out.error * mean);
    }
    kernel_free(k);
}
END_TEST

/* Those of a period are all counted, as often as they come; so are those of a
 * small grid. */
START_TEST(a_period_is_counted)
{
    static const unsigned grid[] = {7001, 600, 64};
    for (int i = 0; i < 3; i++) {
        char launch[64];
        snprintf(launch, sizeof(launch), "grid = %u; block = 32;", grid[i]);
        struct kernel *k = kernel_of(launch, irregular);
        k->period = 700;
        ck_assert_double_eq_tol(mean_of(k), mean_of_first(k, k->blocks), 1e-6);
        kernel_free(k);
    }
}
END_TEST

/* Of blocks so long that no more are counted the error is told, too. */
START_TEST(few_long_blocks_leave_an_error)
{
    struct kernel *k =
        kernel_of("grid = 3000; block = 32;",
                  "mov r1\n loop i, (10 + gtid / 32 * 7919 % 201) * 1000, p0\n"
                  "iadd r1, r1\n endloop\n exit");
    struct block_insts out = count(k);
    ck_assert_double_gt(out.error, 0.05);
    ck_assert_double_lt(out.error, 0.2);
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
    tcase_add_test(tc, columns_of_a_grid_are_not_taken_for_it);
    tcase_add_test(tc, longer_blocks_among_like_ones_are_found);
    tcase_add_test(tc, a_long_block_among_thousands_is_found);
    tcase_add_test(tc, a_long_warp_makes_a_long_block);
    tcase_add_test(tc, an_endless_block_leaves_an_error);
    tcase_add_test(tc, a_single_block_is_counted_to_its_end);
    tcase_add_test(tc, blocks_in_no_order_are_drawn);
    tcase_add_test(tc, a_stretch_of_growing_blocks_is_told);
    tcase_add_test(tc, stretches_in_no_order_are_alike);
    tcase_add_test(tc, a_period_is_counted);
    tcase_add_test(tc, few_long_blocks_leave_an_error);
    tcase_add_test(tc, few_blocks_say_nothing);
    suite_add_tcase(s, tc);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
