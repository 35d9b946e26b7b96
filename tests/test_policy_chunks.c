/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chunk, reset, flip and steal by hand: who launches which block when. */
#include "tests/block_driver.h"

#define END INT64_MIN /* of a list of expected launches */

/* SM `sm` must be given just these blocks, in this order. */
static void launches(struct driver *d, int sm, const int64_t *block)
{
    for (; *block != END; block++) {
        int64_t got = driver_launch(d, sm, 0);
        ck_assert_msg(got == *block, "SM %d: block %lld, expected %lld", sm,
                      (long long)got, (long long)*block);
    }
}

#define LAUNCHES(d, sm, ...)                                                   \
    launches(d, sm, (const int64_t[]){__VA_ARGS__, END})

/* All remaining own blocks of a chunk first..last (either may be larger). */
static void launches_all(struct driver *d, int sm, int64_t first, int64_t last)
{
    int64_t step = first <= last ? 1 : -1;
    for (int64_t b = first; b != last + step; b += step)
        LAUNCHES(d, sm, b);
}

/* ---- static chunks ------------------------------------------------------ */

/* ikra Fig. 2: a grid of 6 x 4 on four CUs is a row each, and then no more. */
static void figure_2(struct driver *d, bool backwards)
{
    for (int i = 0; i < 6; i++)
        for (int sm = 0; sm < 4; sm++)
            LAUNCHES(d, sm, sm * 6 + (backwards ? 5 - i : i));
    for (int sm = 0; sm < 4; sm++)
        LAUNCHES(d, sm, -1);
}

START_TEST(rows_of_figure_2)
{
    const char *const names[] = {"chunk", "reset", "flip"};
    struct driver d;
    driver_open(&d, names[_i], 4, 8);
    driver_kernel(&d, 0, 6, 4);
    figure_2(&d, false);
    driver_close(&d);
}
END_TEST

/* "the first remainder number of CUs will have one more TB" */
START_TEST(uneven_chunks)
{
    struct driver d;
    driver_open(&d, "reset", 4, 8);
    driver_kernel(&d, 0, 11, 1);
    LAUNCHES(&d, 3, 9, 10, -1);
    LAUNCHES(&d, 0, 0, 1, 2, -1);
    LAUNCHES(&d, 1, 3, 4, 5, -1);
    LAUNCHES(&d, 2, 6, 7, 8, -1);
    driver_close(&d);
}
END_TEST

START_TEST(fewer_blocks_than_sms)
{
    const char *const names[] = {"chunk", "reset", "flip", "steal"};
    struct driver d;
    driver_open(&d, names[_i], 4, 8);
    driver_kernel(&d, 0, 2, 1);
    LAUNCHES(&d, 0, 0);
    LAUNCHES(&d, 1, 1, -1);
    LAUNCHES(&d, 0, -1);
    LAUNCHES(&d, 2, -1);
    LAUNCHES(&d, 3, -1);
    driver_close(&d);
}
END_TEST

/* The next kernel is dealt out from the successor of the SM that ended last,
 * and the larger chunks with it. */
START_TEST(chunk_goes_on_where_it_ended)
{
    struct driver d;
    driver_open(&d, "chunk", 4, 8);
    driver_kernel(&d, 0, 6, 4);
    ck_assert_int_eq(driver_first_sm(&d), 0);
    figure_2(&d, false);
    driver_end(&d, 3, 10, 1, 1);
    driver_end(&d, 1, 20, 1, 1);
    driver_kernel(&d, 1, 9, 1);
    ck_assert_int_eq(driver_first_sm(&d), 2);
    LAUNCHES(&d, 2, 0, 1, 2, -1);
    LAUNCHES(&d, 3, 3, 4, -1);
    LAUNCHES(&d, 0, 5, 6, -1);
    LAUNCHES(&d, 1, 7, 8, -1);
    driver_close(&d);
}
END_TEST

START_TEST(reset_begins_at_the_first)
{
    struct driver d;
    driver_open(&d, "reset", 4, 8);
    for (int k = 0; k < 3; k++) {
        driver_kernel(&d, k, 6, 4);
        ck_assert_int_eq(driver_first_sm(&d), 0);
        figure_2(&d, false);
        driver_end(&d, 1, 20, 1, 1);
    }
    driver_close(&d);
}
END_TEST

/* "from 0 to 9 in the first kernel, 9 to 0 in the second kernel, and so on" */
START_TEST(flip_turns_round)
{
    struct driver d;
    driver_open(&d, "flip", 4, 8);
    for (int k = 0; k < 4; k++) {
        driver_kernel(&d, k, 6, 4);
        figure_2(&d, k % 2 == 1);
        driver_end(&d, 1, 20, 1, 1);
    }
    driver_kernel(&d, 4, 10, 4);
    launches_all(&d, 0, 0, 9);
    driver_kernel(&d, 5, 10, 4);
    launches_all(&d, 0, 9, 0);
    driver_close(&d);
}
END_TEST

/* ---- stealing ----------------------------------------------------------- */

/* ikra Fig. 3: CU 0 has finished its row and takes (5,1,0), CU 1's last. */
static void figure_3(struct driver *d)
{
    driver_open(d, "steal", 4, 8);
    driver_kernel(d, 0, 6, 4);
    launches_all(d, 0, 0, 5);
    launches_all(d, 1, 6, 8);
    launches_all(d, 2, 12, 14);
    launches_all(d, 3, 18, 20);
    LAUNCHES(d, 0, 1 * 6 + 5);
}

START_TEST(stolen_block_of_figure_3)
{
    struct driver d;
    figure_3(&d);
    LAUNCHES(&d, 1, 9, 10);
    LAUNCHES(&d, 2, 15, 16, 17);
    LAUNCHES(&d, 3, 21, 22, 23);
    for (int sm = 0; sm < 4; sm++)
        LAUNCHES(&d, sm, -1);
    driver_close(&d);
}
END_TEST

/* What was stolen stays with the thief, and runs first in the next kernel as
 * directions turn; the kernel after that runs it last. */
START_TEST(replay)
{
    struct driver d;
    figure_3(&d);
    LAUNCHES(&d, 0, 10);
    LAUNCHES(&d, 1, 9);
    launches_all(&d, 2, 15, 17);
    launches_all(&d, 3, 21, 23);
    driver_kernel(&d, 1, 6, 4);
    LAUNCHES(&d, 0, 10, 11, 5, 4, 3, 2, 1, 0);
    LAUNCHES(&d, 1, 9, 8, 7, 6);
    launches_all(&d, 2, 17, 12);
    launches_all(&d, 3, 23, 18);
    driver_kernel(&d, 2, 6, 4);
    LAUNCHES(&d, 0, 0, 1, 2, 3, 4, 5, 11, 10);
    LAUNCHES(&d, 1, 6, 7, 8, 9);
    launches_all(&d, 2, 12, 17);
    launches_all(&d, 3, 18, 23);
    driver_kernel(&d, 3, 6, 4);
    LAUNCHES(&d, 0, 10, 11, 5, 4, 3, 2, 1, 0);
    driver_close(&d);
}
END_TEST

/* A chunk that runs backwards is robbed at its start. */
START_TEST(stealing_against_the_direction)
{
    struct driver d;
    driver_open(&d, "steal", 3, 8);
    driver_kernel(&d, 0, 12, 1);
    for (int sm = 0; sm < 3; sm++)
        launches_all(&d, sm, sm * 4, sm * 4 + 3);
    driver_kernel(&d, 1, 12, 1);
    LAUNCHES(&d, 0, 3, 2, 1, 0);
    LAUNCHES(&d, 1, 7);
    LAUNCHES(&d, 0, 4, 5);
    LAUNCHES(&d, 1, 6, 8);
    LAUNCHES(&d, 2, 11, 10, 9, -1);
    driver_close(&d);
}
END_TEST

/* Left before right before the others, lowest first. */
/* Whom the round over the SMs asks first: the one after the last taker, in the
 * next kernel too. There SM 1, whose chunk is launched, is asked before SM 0
 * for its second block. */
START_TEST(round_goes_on)
{
    struct driver d;
    driver_open(&d, "steal", 3, 8);
    int64_t took[2][4];
    for (int kernel = 0; kernel < 2; kernel++) {
        driver_kernel(&d, kernel, 4, 1);
        int first = driver_first_sm(&d);
        ck_assert_int_eq(first, kernel);
        for (int i = 0; i < 4; i++)
            took[kernel][i] = driver_launch(&d, (first + i) % 3, 0);
    }
    const int64_t first[] = {0, 2, 3, 1}, second[] = {2, 3, 1, 0};
    ck_assert_mem_eq(took[0], first, sizeof(first));
    ck_assert_mem_eq(took[1], second, sizeof(second));
    driver_close(&d);
}
END_TEST

START_TEST(order_of_victims)
{
    struct driver d;
    driver_open(&d, "steal", 6, 8);
    driver_kernel(&d, 0, 12, 1);
    LAUNCHES(&d, 3, 6, 7, 5, 4, 9, 8, 1, 0, 3, 2, 11, 10, -1);
    driver_close(&d);
}
END_TEST

/* The first SM has no left neighbour, unless the row is closed to a ring. */
START_TEST(ends_of_the_row)
{
    struct driver d;
    driver_open(&d, "steal", 4, 8);
    driver_kernel(&d, 0, 4, 1);
    LAUNCHES(&d, 3, 3, 2, 0, 1, -1);
    driver_close(&d);
    driver_open(&d, "steal:1", 4, 8);
    driver_kernel(&d, 0, 4, 1);
    LAUNCHES(&d, 0, 0, 3, 1, 2, -1);
    driver_close(&d);
}
END_TEST

/* With `finished` an SM steals when none of its own blocks runs any more. */
START_TEST(stealing_when_finished)
{
    struct driver d;
    driver_open(&d, "steal:0:1", 2, 8);
    driver_kernel(&d, 0, 8, 1);
    LAUNCHES(&d, 0, 0, 1, 2, 3, -1);
    driver_end(&d, 0, 10, 1, 1);
    LAUNCHES(&d, 0, -1);
    for (int block = 1; block < 4; block++)
        driver_end(&d, 0, 10, 1, 1);
    LAUNCHES(&d, 0, 7);
    driver_close(&d);
}
END_TEST

/* Queues are robbed before chunks, from the tail, wherever they are. */
START_TEST(queues_before_chunks)
{
    struct driver d;
    driver_open(&d, "steal", 4, 8);
    driver_kernel(&d, 0, 8, 1);
    LAUNCHES(&d, 0, 0, 1, 3, 2);
    LAUNCHES(&d, 2, 4, 5);
    LAUNCHES(&d, 3, 6, 7, -1);
    driver_kernel(&d, 1, 8, 1);
    LAUNCHES(&d, 3, 7, 6); /* SM 0 has 2, 3 queued before 1, 0 */
    LAUNCHES(&d, 3, 3, 2);
    LAUNCHES(&d, 3, 4);
    LAUNCHES(&d, 0, 1);
    LAUNCHES(&d, 1, 0, 5, -1);
    driver_kernel(&d, 2, 8, 1); /* and the last thief keeps it */
    LAUNCHES(&d, 3, 6, 7, 4, 2, 3);
    LAUNCHES(&d, 0, 1);
    LAUNCHES(&d, 1, 5, 0, -1);
    driver_close(&d);
}
END_TEST

/* SM 0 launches its own `own` blocks and steals so many of SM 1's. */
static void rob(struct driver *d, int kernel, uint32_t own, uint32_t stolen)
{
    driver_kernel(d, kernel, 2 * own, 1);
    launches_all(d, 0, 0, own - 1);
    launches_all(d, 0, 2 * own - 1, 2 * own - stolen);
    if (stolen < own)
        launches_all(d, 1, own, 2 * own - stolen - 1);
    LAUNCHES(d, 1, -1);
}

/* 31 stolen blocks are replayed. */
START_TEST(queue_not_quite_full)
{
    struct driver d;
    driver_open(&d, "steal", 2, 8);
    rob(&d, 0, 50, 31);
    driver_kernel(&d, 1, 100, 1);
    launches_all(&d, 0, 69, 99);
    launches_all(&d, 0, 49, 0);
    launches_all(&d, 1, 68, 50);
    driver_close(&d);
}
END_TEST

/* The 32nd fills the queue: whatever is stolen, the next kernel is dealt out
 * afresh, in the direction whose turn it is; the one after replays again. */
START_TEST(queue_overflow)
{
    struct driver d;
    driver_open(&d, "steal", 2, 8);
    rob(&d, 0, 50, (uint32_t)_i);
    driver_kernel(&d, 1, 100, 1);
    launches_all(&d, 0, 49, 0);
    LAUNCHES(&d, 0, 50);
    launches_all(&d, 1, 99, 51);
    driver_kernel(&d, 2, 100, 1);
    launches_all(&d, 0, 0, 49);
    LAUNCHES(&d, 0, 50);
    launches_all(&d, 1, 51, 99);
    driver_close(&d);
}
END_TEST

/* Other dimensions are dealt out afresh, also with as many blocks. */
START_TEST(other_dimensions)
{
    struct driver d;
    driver_open(&d, "steal", 2, 8);
    driver_kernel(&d, 0, 4, 2);
    LAUNCHES(&d, 0, 0, 1, 2, 3, 7);
    launches_all(&d, 1, 4, 6);
    driver_kernel(&d, 1, 2, 4);
    LAUNCHES(&d, 0, 3, 2, 1, 0);
    launches_all(&d, 1, 7, 4);
    driver_kernel(&d, 2, 2, 5);
    launches_all(&d, 0, 0, 4);
    launches_all(&d, 1, 5, 9);
    driver_close(&d);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk, reset, flip, steal");
    TCase *tc = tcase_create("static");
    tcase_add_loop_test(tc, rows_of_figure_2, 0, 3);
    tcase_add_test(tc, uneven_chunks);
    tcase_add_loop_test(tc, fewer_blocks_than_sms, 0, 4);
    tcase_add_test(tc, chunk_goes_on_where_it_ended);
    tcase_add_test(tc, reset_begins_at_the_first);
    tcase_add_test(tc, flip_turns_round);
    suite_add_tcase(suite, tc);
    TCase *steal = tcase_create("steal");
    tcase_add_test(steal, stolen_block_of_figure_3);
    tcase_add_test(steal, replay);
    tcase_add_test(steal, stealing_against_the_direction);
    tcase_add_test(steal, round_goes_on);
    tcase_add_test(steal, order_of_victims);
    tcase_add_test(steal, ends_of_the_row);
    tcase_add_test(steal, stealing_when_finished);
    tcase_add_test(steal, queues_before_chunks);
    tcase_add_test(steal, queue_not_quite_full);
    tcase_add_loop_test(steal, queue_overflow, 32, 37);
    tcase_add_test(steal, other_dimensions);
    suite_add_tcase(suite, steal);
    return driver_main(suite);
}
