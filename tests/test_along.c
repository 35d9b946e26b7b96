/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the blocks of a grid touch along it, on lists of lines. */
#include "model/along.h"

#include "tests/run_suite.h"

#define BLOCKS 64

/* lines[i] of block i. */
static struct along along_of(const unsigned *lines, unsigned blocks)
{
    size_t end[BLOCKS + 1] = {0};
    struct along a;
    for (unsigned b = 0; b < blocks; b++)
        end[b + 1] = end[b] + lines[b];
    along_set(&a, end, blocks);
    return a;
}

/* The last quarter of a grid touches twice as much: 20 of 12.5 on average. */
START_TEST(a_denser_end_is_told)
{
    unsigned lines[BLOCKS];
    for (unsigned b = 0; b < BLOCKS; b++)
        lines[b] = b < 48 ? 10 : 20;
    struct along a = along_of(lines, BLOCKS);
    ck_assert_double_eq_tol(along_share(&a, 0, 0.5), 0.8, 1e-9);
    ck_assert_double_eq_tol(along_share(&a, 0.75, 1), 1.6, 1e-9);
    ck_assert_double_eq_tol(along_share(&a, 0.6, 0.9), 1.2, 1e-9);
    ck_assert_double_eq_tol(along_share(&a, 0, 1), 1, 1e-9);
}
END_TEST

/* Blocks that differ from those beside them as much as from any say nothing of
 * a stretch. */
START_TEST(blocks_in_no_order_are_alike)
{
    unsigned lines[BLOCKS], state = 1;
    for (unsigned b = 0; b < BLOCKS; b++) {
        state = state * 1664525u + 1013904223u;
        lines[b] = 10 + (state >> 24) % 10;
    }
    struct along a = along_of(lines, BLOCKS);
    for (int i = 0; i < ALONG_PARTS; i++)
        ck_assert_double_eq(
            along_share(&a, (double)i / ALONG_PARTS, (i + 1.0) / ALONG_PARTS),
            1);
}
END_TEST

START_TEST(few_blocks_say_nothing)
{
    unsigned lines[BLOCKS];
    for (unsigned b = 0; b < BLOCKS; b++)
        lines[b] = b < 16 ? 10 : 20;
    struct along enough = along_of(lines, ALONG_LEAST * ALONG_PARTS);
    struct along few = along_of(lines, ALONG_LEAST * ALONG_PARTS - 1);
    ck_assert_double_lt(along_share(&enough, 0, 0.5), 0.7);
    ck_assert_double_eq(along_share(&few, 0, 0.5), 1);
}
END_TEST

START_TEST(blocks_that_touch_nothing_are_alike)
{
    unsigned lines[BLOCKS] = {0};
    struct along a = along_of(lines, BLOCKS);
    ck_assert_double_eq(along_share(&a, 0, 0.5), 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("lines along the grid");
    tcase_add_test(tc, a_denser_end_is_told);
    tcase_add_test(tc, blocks_in_no_order_are_alike);
    tcase_add_test(tc, few_blocks_say_nothing);
    tcase_add_test(tc, blocks_that_touch_nothing_are_alike);
    return run_suite("lines along the grid", tc);
}
