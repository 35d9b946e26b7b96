/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one queue of tlrr, moved by hand: eight slots, an active set of three. */
#include "base/bits.h"
#include "sampler/policy/warp/one_queue.h"
#include "sampler/policy/warp/warp_policy.h"

#include <check.h>
#include <stdlib.h>

enum { SLOTS = 8, SET = 3 };

static const struct warp_context context = {.issue_period = 1,
                                            .owned = BIT(SLOTS) - 1};

static struct one_queue fresh(struct warp_table *t)
{
    struct one_queue q;
    *t = (struct warp_table){.slots = SLOTS,
                             .schedulers = 1,
                             .live = BIT(SLOTS) - 1,
                             .hazard_free = BIT(SLOTS) - 1};
    one_queue_init(&q, &context, SET);
    for (int w = 0; w < SLOTS; w++)
        one_queue_launch(&q, w, 0);
    return q;
}

static uint64_t set_of(int a, int b, int c)
{
    return BIT(a) | BIT(b) | BIT(c);
}

/* Slots without a warp go round from the first warp's cycle on, not before. */
START_TEST(empty_slots_go_round)
{
    struct warp_table t = {.slots = SLOTS, .schedulers = 1};
    struct one_queue q;
    one_queue_init(&q, &context, SET);
    one_queue_launch(&q, 7, 2); /* cycle 2: 0, 1, 2 go, 3, 4, 5 come */
    t.live = BIT(7);
    ck_assert_uint_eq(one_queue_move(&q, &t, 3), set_of(6, 7, 0));
    ck_assert_uint_eq(one_queue_move(&q, &t, 4), set_of(7, 1, 2));
}
END_TEST

/* From the last warp's end to the next one's start nothing moves. */
START_TEST(without_blocks_nothing_goes_round)
{
    struct warp_table t = {.slots = SLOTS, .schedulers = 1, .live = BIT(7)};
    struct one_queue q;
    one_queue_init(&q, &context, SET);
    one_queue_launch(&q, 7, 2);
    ck_assert_uint_eq(one_queue_move(&q, &t, 3), set_of(6, 7, 0));
    one_queue_exit(&q, &t, 7, 4);
    t.live = 0;
    one_queue_launch(&q, 3, 1000);
    t.live = BIT(3);
    /* 6, 7, 0 go and 1, 2, 3 come, then 4 and 5 for 1 and 2 */
    ck_assert_uint_eq(one_queue_move(&q, &t, 1000), set_of(1, 2, 3));
    ck_assert_uint_eq(one_queue_move(&q, &t, 1001), set_of(3, 4, 5));
}
END_TEST

/* Another warp's end leaves the SM its blocks. */
START_TEST(with_blocks_ends_change_nothing)
{
    struct warp_table t = {
        .slots = SLOTS, .schedulers = 1, .live = BIT(7) | BIT(6)};
    struct one_queue q;
    one_queue_init(&q, &context, SET);
    one_queue_launch(&q, 6, 2);
    one_queue_launch(&q, 7, 2);
    one_queue_exit(&q, &t, 6, 3);
    ck_assert(!q.idle);
}
END_TEST

/* An instruction of the first of `ready`; returns its warp. */
static int issue(struct one_queue *q, uint64_t ready)
{
    int warp = one_queue_pick(q, ready);
    one_queue_issued(q, warp);
    return warp;
}

/* With the second instruction of a pair as many places are passed again: from
 * 0, 1, 2 the pair of 0 leaves 2, 0, 1; of these that of 0, in the second
 * place, leaves 1, 2, 0 and then 0, 1, 2. */
START_TEST(pairs_pass_twice)
{
    struct warp_table t;
    struct one_queue q = fresh(&t);
    one_queue_move(&q, &t, 1);
    ck_assert_int_eq(issue(&q, 7), 0);
    one_queue_issued(&q, 0);
    ck_assert_int_eq(one_queue_pick(&q, 7), 2);
    ck_assert_int_eq(issue(&q, BIT(0)), 0);
    one_queue_issued(&q, 0);
    ck_assert_int_eq(one_queue_pick(&q, 7), 0);
    one_queue_issued(&q, 5); /* another scheduler's */
    ck_assert_int_eq(one_queue_pick(&q, 7), 0);
}
END_TEST

/* Who does not wait stays. The one issued is asked last the next time. */
START_TEST(set_is_asked_in_turn)
{
    struct warp_table t;
    struct one_queue q = fresh(&t);
    ck_assert_uint_eq(one_queue_move(&q, &t, 1), set_of(0, 1, 2));
    ck_assert_int_eq(issue(&q, 7), 0);
    ck_assert_int_eq(issue(&q, 7), 1);
    ck_assert_int_eq(issue(&q, BIT(0) | BIT(1)), 0);
    ck_assert_int_eq(issue(&q, 7), 1);
    ck_assert_int_eq(issue(&q, 7), 2);
    ck_assert_int_eq(one_queue_pick(&q, BIT(5)), -1);
    ck_assert_uint_eq(one_queue_move(&q, &t, 2), set_of(0, 1, 2));
}
END_TEST

/* Each kind of wait sends a warp to the end; the head comes in though it waits
 * too, and leaves again a cycle later. */
START_TEST(waiting_warps_go_round)
{
    for (int kind = 0; kind < 4; kind++) {
        struct warp_table t;
        struct one_queue q = fresh(&t);
        uint64_t waits = BIT(1) | BIT(3);
        if (kind == 0)
            t.at_barrier = waits;
        else if (kind == 1)
            t.head_reads_load = waits;
        else if (kind == 2)
            t.finished = waits;
        else
            t.live &= ~waits;
        ck_assert_uint_eq(one_queue_move(&q, &t, 1), set_of(0, 2, 3));
        ck_assert_uint_eq(one_queue_move(&q, &t, 2), set_of(0, 2, 4));
        /* Behind 4 stand 5, 6, 7, 1 and 3. */
        t.at_barrier |= set_of(0, 2, 4);
        ck_assert_uint_eq(one_queue_move(&q, &t, 3), set_of(5, 6, 7));
        t.at_barrier |= set_of(5, 6, 7);
        ck_assert_uint_eq(one_queue_move(&q, &t, 4), set_of(1, 3, 0));
    }
}
END_TEST

/* A wait for a register that no memory wrote is none. */
START_TEST(short_waits_stay)
{
    struct warp_table t;
    struct one_queue q = fresh(&t);
    t.hazard_free = t.long_wait = 0;
    t.branch_wait = 7;
    ck_assert_uint_eq(one_queue_move(&q, &t, 1), set_of(0, 1, 2));
}
END_TEST

/* Called in every cycle or after some in which nothing changed, it ends the
 * same; and while the set changes and some warp could issue it asks to be
 * called in the next. */
START_TEST(idle_cycles_are_made_up)
{
    for (int run = 0; run < 500; run++) {
        struct warp_table t;
        struct one_queue each = fresh(&t), some = each;
        srand((unsigned)run);
        uint64_t cycle = 0;
        for (int step = 0; step < 20; step++) {
            uint64_t until = cycle + 1, a = 0;
            until += (uint64_t)(rand() % (step % 4 == 0 ? 500 : 12));
            t.at_barrier = (uint64_t)rand() & 0xff;
            uint64_t b = one_queue_move(&some, &t, cycle + 1);
            bool turns = (b & t.at_barrier) != 0;
            ck_assert_uint_eq(some.next_change, turns && t.hazard_free != 0
                                                    ? cycle + 2
                                                    : UINT64_MAX);
            if (until > cycle + 1)
                b = one_queue_move(&some, &t, until);
            while (cycle < until)
                a = one_queue_move(&each, &t, ++cycle);
            ck_assert_uint_eq(a, b);
            t.hazard_free = (uint64_t)rand() & 0xff;
        }
        for (int i = 0; i < SLOTS - SET; i++)
            ck_assert_int_eq(each.queue[i], some.queue[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy: one queue");
    TCase *tc = tcase_create("moves");
    tcase_add_test(tc, empty_slots_go_round);
    tcase_add_test(tc, without_blocks_nothing_goes_round);
    tcase_add_test(tc, with_blocks_ends_change_nothing);
    tcase_add_test(tc, set_is_asked_in_turn);
    tcase_add_test(tc, pairs_pass_twice);
    tcase_add_test(tc, waiting_warps_go_round);
    tcase_add_test(tc, short_waits_stay);
    tcase_add_test(tc, idle_cycles_are_made_up);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
