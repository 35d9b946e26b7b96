/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dyncta and lcs by hand. */
#include "tests/block_driver.h"

#include <string.h>

/* ---- dyncta ------------------------------------------------------------- */

/* A period of 2048 cycles on an SM of two schedulers, whose slots were idle and
 * waiting for memory in these numbers of cycles. */
static void period(struct driver *d, int sm, uint64_t idle, uint64_t memory)
{
    driver_sample(
        d, sm,
        (uint64_t[STALLS]){[STALL_IDLE] = 2 * idle,
                           [STALL_SB_MEM] = 2 * memory,
                           [STALL_PIPE_MEM] = 600,
                           [STALL_ISSUED] = 2 * (2048 - idle - memory) - 600});
}

static void open_dyncta(struct driver *d, const char *choice, int max_blocks)
{
    driver_open(d, choice, 2, max_blocks);
    driver_kernel(d, 0, 1000, 1);
}

START_TEST(dyncta_begins_with_half)
{
    const int half[] = {0, 1, 1, 1, 2, 2, 3, 3, 4};
    for (int max = 1; max <= 8; max++) {
        struct driver d;
        open_dyncta(&d, "dyncta", max);
        ck_assert_int_eq(driver_limit(&d, 0), half[max]);
        driver_close(&d);
    }
}
END_TEST

START_TEST(dyncta_periods)
{
    struct driver d;
    open_dyncta(&d, "dyncta:500", 8);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    driver_launch(&d, 0, 70);
    driver_launch(&d, 0, 80);
    ck_assert_uint_eq(driver_due(&d, 0), 570);
    ck_assert_uint_eq(driver_due(&d, 1), UINT64_MAX);
    period(&d, 0, 0, 200);
    ck_assert_uint_eq(driver_due(&d, 0), 1070);
    driver_close(&d);
}
END_TEST

/* Each threshold to the cycle. */
START_TEST(dyncta_thresholds)
{
    const struct {
        uint64_t idle, memory;
        int step;
    } cases[] = {
        {0, 127, 1},   {0, 128, 0},  {0, 383, 0},  {0, 384, -1},
        {0, 2000, -1}, {15, 127, 1}, {15, 128, 0}, {15, 384, -1},
        {16, 128, 1},  {16, 384, 1}, {16, 0, 1},   {1000, 1000, 1},
        {0, 0, 1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct driver d;
        open_dyncta(&d, "dyncta", 8);
        driver_launch(&d, 0, 0);
        period(&d, 0, cases[i].idle, cases[i].memory);
        ck_assert_int_eq(driver_limit(&d, 0), 4 + cases[i].step);
        ck_assert_int_eq(driver_limit(&d, 1), 4);
        driver_close(&d);
    }
}
END_TEST

/* Counts are of the period alone, the range is 1 to all that fit. */
START_TEST(dyncta_range)
{
    struct driver d;
    open_dyncta(&d, "dyncta", 5);
    driver_launch(&d, 0, 0);
    const int down[] = {1, 1, 1}, up[] = {2, 3, 4, 5, 5};
    for (int i = 0; i < 3; i++) {
        period(&d, 0, 0, 1000);
        ck_assert_int_eq(driver_limit(&d, 0), down[i]);
    }
    for (int i = 0; i < 5; i++) {
        period(&d, 0, i % 2 == 0 ? 16 : 0, 100);
        ck_assert_int_eq(driver_limit(&d, 0), up[i]);
    }
    char *text = driver_explain(&d, 0);
    ck_assert_str_eq(text, "kernel 0 SM 0: N=5 of 5 after 8 periods, 4 up, 1 "
                           "down; in the last 16 cycles idle, 100 waiting for "
                           "memory\n");
    free(text);
    driver_kernel(&d, 1, 1000, 1);
    ck_assert_int_eq(driver_limit(&d, 0), 2);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    driver_close(&d);
}
END_TEST

START_TEST(dyncta_parameters)
{
    struct driver d;
    open_dyncta(&d, "dyncta:2048:40:50:60", 8);
    driver_launch(&d, 0, 0);
    const struct {
        uint64_t idle, memory;
        int blocks;
    } cases[] = {{39, 49, 5}, {39, 50, 5}, {39, 60, 4}, {40, 60, 5}};
    for (size_t i = 0; i < 4; i++) {
        period(&d, 0, cases[i].idle, cases[i].memory);
        ck_assert_int_eq(driver_limit(&d, 0), cases[i].blocks);
    }
    driver_close(&d);
}
END_TEST

START_TEST(dyncta_stops_with_the_grid)
{
    struct driver d;
    driver_open(&d, "dyncta", 1, 8);
    driver_kernel(&d, 0, 1, 1);
    driver_launch(&d, 0, 0);
    period(&d, 0, 0, 0);
    ck_assert_int_eq(driver_limit(&d, 0), 4);
    ck_assert_uint_eq(driver_due(&d, 0), UINT64_MAX);
    driver_close(&d);
}
END_TEST

/* ---- lcs ---------------------------------------------------------------- */

/* ceil(all / first), at most all that fit, once and for each SM by itself. */
START_TEST(lcs_ratio)
{
    const struct {
        uint64_t first, all;
        int blocks;
    } cases[] = {
        {100, 100, 1}, {100, 101, 2}, {100, 200, 2}, {100, 201, 3},
        {100, 599, 6}, {100, 600, 6}, {100, 601, 6}, {7, 7000, 6},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct driver d;
        driver_open(&d, "lcs", 2, 6);
        driver_kernel(&d, 0, 1000, 1);
        ck_assert_int_eq(driver_limit(&d, 0), 6);
        driver_launch(&d, 0, 0);
        ck_assert_int_eq(driver_limit(&d, 0), 6);
        driver_end(&d, 0, 50, cases[i].first, cases[i].all);
        ck_assert_int_eq(driver_limit(&d, 0), cases[i].blocks);
        driver_end(&d, 0, 60, 100, 350);
        ck_assert_int_eq(driver_limit(&d, 0), cases[i].blocks);
        ck_assert_int_eq(driver_limit(&d, 1), 6);
        ck_assert(driver_settled(&d, 0));
        ck_assert(!driver_settled(&d, 1));
        driver_kernel(&d, 1, 1000, 1);
        ck_assert_int_eq(driver_limit(&d, 0), 6);
        driver_close(&d);
    }
}
END_TEST

START_TEST(lcs_account)
{
    struct driver d;
    driver_open(&d, "lcs", 2, 6);
    driver_kernel(&d, 2, 1000, 1);
    driver_end(&d, 1, 77, 40, 90);
    char *text = driver_explain(&d, 1);
    ck_assert_str_eq(text, "kernel 2 SM 1: done N=3 of 6: at cycle 77 the SM "
                           "had issued 90 instructions, its first block 40\n");
    free(text);
    text = driver_explain(&d, 0);
    ck_assert_str_eq(text, "kernel 2 SM 0: stopped N=6 of 6: no block ended\n");
    free(text);
    driver_close(&d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("dyncta, lcs");
    TCase *dyncta = tcase_create("dyncta");
    tcase_add_test(dyncta, dyncta_begins_with_half);
    tcase_add_test(dyncta, dyncta_periods);
    tcase_add_test(dyncta, dyncta_thresholds);
    tcase_add_test(dyncta, dyncta_range);
    tcase_add_test(dyncta, dyncta_parameters);
    tcase_add_test(dyncta, dyncta_stops_with_the_grid);
    suite_add_tcase(suite, dyncta);
    TCase *lcs = tcase_create("lcs");
    tcase_add_test(lcs, lcs_ratio);
    tcase_add_test(lcs, lcs_account);
    suite_add_tcase(suite, lcs);
    return driver_main(suite);
}
