/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Warp schedulers driven by hand through a warp table, without an SM. */
#include "base/bits.h"
#include "kernels/form/kernel.h"
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/table.h"
#include "sampler/policy/warp/two_level.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* One scheduler over all slots of a table. */
struct bench {
    const struct warp_policy *policy;
    struct warp_table table;
    void *state;
    double param[POLICY_MAX_PARAMS];
    uint64_t ages, cycle;
};

static void bench_open(struct bench *b, const struct warp_policy *policy,
                       double param)
{
    *b = (struct bench){.policy = policy,
                        .param = {param},
                        .table = {.slots = MAX_WARP_SLOTS, .schedulers = 1}};
    b->state = calloc(1, policy->state_size + 1);
    warp_policy_start(policy, b->state,
                      &(struct warp_context){.owned = UINT64_MAX,
                                             .param = b->param,
                                             .warps_per_block = 4});
}

static void bench_close(struct bench *b)
{
    free(b->state);
}

static void tell(struct bench *b, enum sched_event_type type, int warp)
{
    static const struct inst add = {.op = OP_INT, .target = NO_INST};
    if (b->policy->events & type)
        b->policy->event(b->state, &b->table,
                         &(struct sched_event){.type = type,
                                               .cycle = b->cycle,
                                               .warp = warp,
                                               .block_slot = 0,
                                               .inst = &add,
                                               .mask = UINT32_MAX});
}

static void launch(struct bench *b, int warp)
{
    struct warp_table *t = &b->table;
    t->live |= BIT(warp);
    t->has_inst |= BIT(warp);
    t->hazard_free |= BIT(warp);
    t->age[warp] = b->ages++;
    tell(b, EVENT_WARP_LAUNCH, warp);
}

static void end(struct bench *b, int warp)
{
    struct warp_table *t = &b->table;
    t->live &= ~BIT(warp);
    t->has_inst &= ~BIT(warp);
    t->hazard_free &= ~BIT(warp);
    t->long_wait &= ~BIT(warp);
    tell(b, EVENT_WARP_EXIT, warp);
}

/* The warps that may issue in the next cycle. */
static uint64_t eligible(struct bench *b)
{
    b->cycle++;
    if (b->policy->eligible == NULL)
        return UINT64_MAX;
    return b->policy->eligible(b->state, &b->table, b->cycle);
}

static int pick(struct bench *b, uint64_t ready)
{
    return b->policy->pick(b->state, &b->table, ready, b->cycle);
}

/* ---- single level ------------------------------------------------------- */

START_TEST(lrr_rotates)
{
    struct bench b;
    bench_open(&b, &warp_lrr, 0);
    for (int w = 0; w < MAX_WARP_SLOTS; w++)
        launch(&b, w);
    for (int i = 0; i < 3 * MAX_WARP_SLOTS; i++)
        ck_assert_int_eq(pick(&b, UINT64_MAX), i % MAX_WARP_SLOTS);
    ck_assert_int_eq(pick(&b, BIT(2) | BIT(7) | BIT(63)), 2);
    ck_assert_int_eq(pick(&b, BIT(2) | BIT(7) | BIT(63)), 7);
    ck_assert_int_eq(pick(&b, BIT(2) | BIT(7) | BIT(63)), 63);
    ck_assert_int_eq(pick(&b, BIT(2) | BIT(7) | BIT(63)), 2);
    ck_assert_int_eq(pick(&b, BIT(1) | BIT(2)), 1);
    bench_close(&b);
}
END_TEST

/* Launched out of the order of their slots: 9 is the oldest. */
static void launch_some(struct bench *b)
{
    const int order[] = {9, 4, 40, 0};
    for (int i = 0; i < 4; i++)
        launch(b, order[i]);
}

START_TEST(gto_stays_then_takes_the_oldest)
{
    struct bench b;
    bench_open(&b, &warp_gto, 0);
    launch_some(&b);
    uint64_t all = b.table.live;
    ck_assert_int_eq(pick(&b, all), 9);
    ck_assert_int_eq(pick(&b, all), 9);
    ck_assert_int_eq(pick(&b, all & ~BIT(9)), 4);
    ck_assert_int_eq(pick(&b, all), 4); /* stays though 9 is older */
    ck_assert_int_eq(pick(&b, BIT(0) | BIT(40)), 40);
    ck_assert_int_eq(pick(&b, BIT(0)), 0);
    ck_assert_int_eq(pick(&b, all), 0);
    bench_close(&b);
}
END_TEST

static const struct warp_policy *const greedy[] = {
    &warp_gto, &warp_gty, &warp_gcaws, &warp_cawa, &warp_swl, &warp_ccws};

/* A new warp in the slot of the one that issued last is another warp: it takes
 * its place in the order, which is the last one here. */
START_TEST(greed_ends_with_its_warp)
{
    const bool youngest = greedy[_i] == &warp_gty;
    struct bench b;
    bench_open(&b, greedy[_i], 8);
    launch(&b, 9);
    launch(&b, 4);
    ck_assert_int_eq(pick(&b, BIT(4)), 4);
    ck_assert_int_eq(pick(&b, BIT(4) | BIT(9)), 4);
    end(&b, 4);
    launch(&b, 4);
    if (youngest)
        launch(&b, 7);
    ck_assert_int_eq(pick(&b, b.table.live), youngest ? 7 : 9);
    bench_close(&b);
}
END_TEST

START_TEST(old_takes_the_oldest)
{
    struct bench b;
    bench_open(&b, &warp_old, 0);
    launch_some(&b);
    uint64_t all = b.table.live;
    ck_assert_int_eq(pick(&b, all & ~BIT(9)), 4);
    ck_assert_int_eq(pick(&b, all), 9);
    ck_assert_int_eq(pick(&b, BIT(0) | BIT(40)), 40);
    end(&b, 9);
    launch(&b, 9);
    ck_assert_int_eq(pick(&b, all), 4);
    ck_assert_int_eq(pick(&b, BIT(9) | BIT(0)), 0);
    bench_close(&b);
}
END_TEST

START_TEST(paws_takes_the_shortest_then_the_oldest)
{
    struct bench b;
    bench_open(&b, &warp_paws, 0);
    launch_some(&b);
    uint64_t all = b.table.live;
    b.table.distance[9] = 7;
    b.table.distance[4] = 3;
    b.table.distance[40] = 5;
    b.table.distance[0] = 3;
    ck_assert_int_eq(pick(&b, all), 4); /* as near as 0, and older */
    ck_assert_int_eq(pick(&b, all & ~BIT(4)), 0);
    ck_assert_int_eq(pick(&b, BIT(9) | BIT(40)), 40);
    b.table.distance[9] = 0;
    ck_assert_int_eq(pick(&b, all), 9);
    bench_close(&b);
}
END_TEST

/* ---- two levels --------------------------------------------------------- */

static const struct warp_policy *const two_levels[] = {&warp_tlrr, &warp_tlgto,
                                                       &warp_tlpaws};

/* With ready queues of `size` and warps 0..warps-1, all just launched. */
static void open_two_level(struct bench *b, const struct warp_policy *p,
                           int size, int warps)
{
    bench_open(b, p, size);
    for (int w = 0; w < warps; w++)
        launch(b, w);
}

START_TEST(ready_queue_has_its_size)
{
    for (int size = 1; size <= 10; size++) {
        struct bench b;
        open_two_level(&b, two_levels[_i], size, 8);
        ck_assert_uint_eq(eligible(&b), BIT(size < 8 ? size : 8) - 1);
        bench_close(&b);
    }
}
END_TEST

/* Round-robin over the places, passing by those that cannot issue. */
START_TEST(ready_queue_is_arbitrated_in_turn)
{
    struct bench b;
    open_two_level(&b, two_levels[_i], 3, 8);
    ck_assert_uint_eq(eligible(&b), 7);
    const int expect[] = {0, 1, 2, 0, 1};
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(pick(&b, 7), expect[i]);
    ck_assert_int_eq(pick(&b, 3), 0);
    ck_assert_int_eq(pick(&b, 5), 2);
    ck_assert_int_eq(pick(&b, 2), 1);
    ck_assert_int_eq(pick(&b, 8), -1); /* not in the ready queue */
    bench_close(&b);
}
END_TEST

/* Whatever a warp waits for, the next one takes its place in the same cycle,
 * and when the wait is over the warp is back in the cycle in which a place is
 * free. */
START_TEST(waiting_warps_are_parked)
{
    for (int what = 0; what < 3; what++) {
        struct bench b;
        open_two_level(&b, two_levels[_i], 2, 4);
        uint64_t *wait = what == 0   ? &b.table.long_wait
                         : what == 1 ? &b.table.at_barrier
                                     : &b.table.branch_wait;
        ck_assert_uint_eq(eligible(&b), BIT(0) | BIT(1));
        *wait = BIT(0);
        ck_assert_uint_eq(eligible(&b), BIT(1) | BIT(2));
        *wait = BIT(0) | BIT(1) | BIT(2);
        ck_assert_uint_eq(eligible(&b), BIT(3));
        *wait = BIT(0) | BIT(2);
        ck_assert_uint_eq(eligible(&b), BIT(3) | BIT(1));
        *wait = 0; /* no place is free */
        ck_assert_uint_eq(eligible(&b), BIT(3) | BIT(1));
        end(&b, 3);
        ck_assert_uint_eq(eligible(&b), BIT(1) | BIT(0));
        bench_close(&b);
    }
}
END_TEST

/* A warp that began to wait while it was in the active queue does not keep a
 * place of the ready queue for a cycle. */
START_TEST(waiting_warps_pass_through)
{
    struct bench b;
    open_two_level(&b, two_levels[_i], 1, 4);
    ck_assert_uint_eq(eligible(&b), BIT(0));
    b.table.long_wait = BIT(0) | BIT(1) | BIT(2);
    ck_assert_uint_eq(eligible(&b), BIT(3));
    b.table.long_wait = UINT64_C(0xf);
    ck_assert_uint_eq(eligible(&b), 0);
    b.table.long_wait = UINT64_C(0xb);
    ck_assert_uint_eq(eligible(&b), BIT(2));
    bench_close(&b);
}
END_TEST

/* Four warps with one place. 0 issues; 3, 2 and 1 come back in this order. */
static void come_back(struct bench *b, const struct warp_policy *p, int *order)
{
    open_two_level(b, p, 1, 4);
    b->table.distance[1] = 9;
    b->table.distance[2] = 2;
    b->table.distance[3] = 2;
    b->table.long_wait = UINT64_C(0xe);
    eligible(b);
    b->table.long_wait = BIT(0) | BIT(1) | BIT(2) | BIT(3);
    ck_assert_uint_eq(eligible(b), 0);
    b->table.long_wait = BIT(1) | BIT(2) | BIT(3);
    ck_assert_uint_eq(eligible(b), BIT(0));
    for (int w = 3; w >= 1; w--) {
        b->table.long_wait &= ~BIT(w);
        ck_assert_uint_eq(eligible(b), BIT(0));
    }
    for (int i = 0; i < 3; i++) {
        end(b, i == 0 ? 0 : order[i - 1]);
        order[i] = __builtin_ctzll(eligible(b));
    }
}

START_TEST(order_of_the_active_queue)
{
    const int expect[3][3] = {
        {3, 2, 1}, /* tlrr: first in, first out */
        {1, 2, 3}, /* tlgto: the oldest */
        {2, 3, 1}, /* tlpaws: the nearest, then the oldest */
    };
    struct bench b;
    int order[3];
    come_back(&b, two_levels[_i], order);
    ck_assert_mem_eq(order, expect[_i], sizeof(order));
    bench_close(&b);
}
END_TEST

/* One place; 0 has it. 1, back from a branch, and 2, new, have no instruction
 * yet and the distance of what ran before in their slots. They join with the
 * distance of their next instruction, 3, which has one, before them. */
START_TEST(warps_join_with_their_next_instruction)
{
    struct bench b;
    open_two_level(&b, &warp_tlpaws, 1, 2);
    b.table.distance[0] = b.table.distance[1] = 1;
    b.table.branch_wait = BIT(0);
    ck_assert_uint_eq(eligible(&b), BIT(1));
    b.table.branch_wait = BIT(1);
    ck_assert_uint_eq(eligible(&b), BIT(0));
    b.table.branch_wait = 0;
    b.table.has_inst = BIT(0);
    launch(&b, 2);
    launch(&b, 3);
    b.table.has_inst = BIT(0) | BIT(3);
    b.table.distance[2] = 1;
    b.table.distance[3] = 5;
    ck_assert_uint_eq(eligible(&b), BIT(0));
    end(&b, 0);
    ck_assert_uint_eq(eligible(&b), BIT(3));
    b.table.has_inst |= BIT(1) | BIT(2);
    b.table.distance[1] = 9;
    b.table.distance[2] = 7;
    ck_assert_uint_eq(eligible(&b), BIT(3));
    end(&b, 3);
    ck_assert_uint_eq(eligible(&b), BIT(2));
    bench_close(&b);
}
END_TEST

/* Nor does a new warp, whatever the order, before it can issue. */
START_TEST(new_warps_wait_for_their_first_instruction)
{
    struct bench b;
    open_two_level(&b, two_levels[_i], 1, 2);
    b.table.has_inst = BIT(1);
    ck_assert_uint_eq(eligible(&b), BIT(1));
    b.table.has_inst = BIT(0) | BIT(1);
    ck_assert_uint_eq(eligible(&b), BIT(1));
    end(&b, 1);
    ck_assert_uint_eq(eligible(&b), BIT(0));
    bench_close(&b);
}
END_TEST

/* A new warp in the slot of an ended one joins at the tail, whatever queue the
 * old one was in. */
START_TEST(slots_are_used_again)
{
    for (int where = 0; where < 3; where++) {
        struct bench b;
        open_two_level(&b, &warp_tlrr, 1, 3);
        ck_assert_uint_eq(eligible(&b), BIT(0));
        int slot = where == 2 ? 1 : 0; /* ready, pending, active */
        if (where == 1) {
            b.table.long_wait = BIT(0);
            ck_assert_uint_eq(eligible(&b), BIT(1));
        }
        end(&b, slot);
        launch(&b, slot);
        if (where == 2)
            end(&b, 0);
        const int expect[3][3] = {{1, 2, 0}, {1, 2, 0}, {2, 1, -1}};
        for (int i = 0; i < 3; i++) {
            int w = expect[where][i];
            ck_assert_uint_eq(eligible(&b), w < 0 ? 0 : BIT(w));
            if (w >= 0)
                end(&b, w);
        }
        bench_close(&b);
    }
}
END_TEST

/* ---- against the rules, one warp after another -------------------------- */

/* The rules of the design written as plainly as can be: lists of warps. */
struct model {
    int ready[MAX_WARP_SLOTS]; /* places, -1 = free */
    int size, next;
    int active[MAX_WARP_SLOTS], active_count;
    uint64_t pending, known;
};

static bool sooner(int kind, const struct warp_table *t, int a, int b)
{
    if (kind == 2 && t->distance[a] != t->distance[b])
        return t->distance[a] < t->distance[b];
    return kind != 0 && t->age[a] < t->age[b];
}

static void model_forget(struct model *m, int warp)
{
    int kept = 0;
    for (int i = 0; i < m->active_count; i++)
        if (m->active[i] != warp)
            m->active[kept++] = m->active[i];
    m->active_count = kept;
    for (int i = 0; i < m->size; i++)
        if (m->ready[i] == warp)
            m->ready[i] = -1;
    m->pending &= ~BIT(warp);
    m->known &= ~BIT(warp);
}

/* Warps of `mask` join the tail, the oldest first; then the queue is ordered,
 * warps that tie staying as they were. */
static void model_join(struct model *m, int kind, const struct warp_table *t,
                       uint64_t mask)
{
    while (mask != 0) {
        int oldest = -1;
        for (int w = 0; w < MAX_WARP_SLOTS; w++)
            if ((mask >> w & 1) && (oldest < 0 || t->age[w] < t->age[oldest]))
                oldest = w;
        mask &= ~BIT(oldest);
        m->active[m->active_count++] = oldest;
    }
    for (int pass = 0; pass < m->active_count; pass++)
        for (int i = 1; i < m->active_count; i++)
            if (sooner(kind, t, m->active[i], m->active[i - 1])) {
                int w = m->active[i];
                m->active[i] = m->active[i - 1];
                m->active[i - 1] = w;
            }
}

static uint64_t model_ready(const struct model *m)
{
    uint64_t mask = 0;
    for (int i = 0; i < m->size; i++)
        if (m->ready[i] >= 0)
            mask |= BIT(m->ready[i]);
    return mask;
}

static bool model_park(struct model *m, uint64_t waits)
{
    bool any = false;
    for (int i = 0; i < m->size; i++)
        if (m->ready[i] >= 0 && (waits >> m->ready[i] & 1)) {
            m->pending |= BIT(m->ready[i]);
            m->ready[i] = -1;
            any = true;
        }
    return any;
}

static uint64_t model_move(struct model *m, int kind,
                           const struct warp_table *t)
{
    uint64_t waits = t->long_wait | t->at_barrier | t->branch_wait;
    uint64_t joining = (m->pending & ~waits) | (t->live & ~m->known);
    joining &= t->has_inst;
    m->pending &= ~joining;
    m->known |= joining;
    if (joining != 0)
        model_join(m, kind, t, joining);
    do {
        model_park(m, waits);
        for (int i = 0; i < m->size && m->active_count > 0; i++)
            if (m->ready[i] < 0) {
                m->ready[i] = m->active[0];
                m->active_count--;
                memmove(m->active, m->active + 1,
                        (size_t)m->active_count * sizeof(m->active[0]));
            }
    } while (model_park(m, waits));
    return model_ready(m);
}

static int model_pick(struct model *m, uint64_t ready)
{
    for (int i = 0; i < m->size; i++) {
        int w = m->ready[(m->next + i) % m->size];
        if (w >= 0 && (ready >> w & 1)) {
            m->next = (m->next + i + 1) % m->size;
            return w;
        }
    }
    return -1;
}

static uint64_t some_of(uint64_t mask)
{
    uint64_t r =
        (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
    return mask & r;
}

/* Something happens to one warp; waits only begin for warps that issued. */
static void shake(struct bench *b, struct model *m, int warps)
{
    int w = rand() % warps;
    uint64_t bit = BIT(w);
    struct warp_table *t = &b->table;
    if ((t->live & bit) == 0) {
        launch(b, w);
    } else if (rand() % 12 == 0) {
        t->at_barrier &= ~bit;
        t->branch_wait &= ~bit;
        end(b, w);
        model_forget(m, w);
    } else {
        t->long_wait ^= some_of(bit);
        t->at_barrier ^= some_of(bit);
        t->branch_wait ^= some_of(bit);
        t->has_inst ^= some_of(bit);
        t->distance[w] = (uint32_t)rand() % 4;
    }
}

START_TEST(queues_follow_the_rules)
{
    srand(7);
    for (int size = 1; size <= 9; size++)
        for (int warps = 1; warps <= MAX_WARP_SLOTS; warps = warps * 2 + 1) {
            struct bench b;
            struct model m = {.size = size};
            memset(m.ready, -1, sizeof(m.ready));
            bench_open(&b, two_levels[_i], size);
            for (int i = 0; i < 3000; i++) {
                for (int n = rand() % 4; n > 0; n--)
                    shake(&b, &m, warps);
                uint64_t is = eligible(&b);
                ck_assert_uint_eq(is, model_move(&m, _i, &b.table));
                uint64_t ready = some_of(is);
                if (ready != 0)
                    ck_assert_int_eq(pick(&b, ready), model_pick(&m, ready));
            }
            bench_close(&b);
        }
}
END_TEST

/* ---- all ---------------------------------------------------------------- */

/* A picked warp is one of those that may go, and nobody touches the table. */
START_TEST(picks_are_ready)
{
    srand(11);
    for (size_t p = 0; warp_policies[p] != NULL; p++) {
        const struct warp_policy *policy = warp_policies[p];
        struct bench b;
        bench_open(&b, policy, policy->info.param[0].fallback);
        for (int w = 0; w < 48; w++)
            launch(&b, w);
        for (int i = 0; i < 5000; i++) {
            int changed = rand() % 48;
            b.table.distance[changed] = (uint32_t)rand() % 20;
            b.table.long_wait ^= some_of(BIT(changed));
            struct warp_table before = b.table;
            uint64_t may = eligible(&b) & b.table.live & ~b.table.long_wait;
            uint64_t ready = some_of(may);
            if (ready != 0) {
                int w = pick(&b, ready);
                ck_assert_msg(w >= 0 && (ready >> w & 1), "%s picked %d",
                              policy->info.name, w);
                tell(&b, EVENT_ISSUE, w);
            }
            ck_assert_mem_eq(&before, &b.table, sizeof(before));
        }
        bench_close(&b);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("warp schedulers");
    TCase *tc = tcase_create("by hand");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, lrr_rotates);
    tcase_add_test(tc, gto_stays_then_takes_the_oldest);
    tcase_add_loop_test(tc, greed_ends_with_its_warp, 0,
                        sizeof(greedy) / sizeof(greedy[0]));
    tcase_add_test(tc, old_takes_the_oldest);
    tcase_add_test(tc, paws_takes_the_shortest_then_the_oldest);
    tcase_add_loop_test(tc, ready_queue_has_its_size, 0, 3);
    tcase_add_loop_test(tc, ready_queue_is_arbitrated_in_turn, 0, 3);
    tcase_add_loop_test(tc, waiting_warps_are_parked, 0, 3);
    tcase_add_loop_test(tc, waiting_warps_pass_through, 0, 3);
    tcase_add_loop_test(tc, order_of_the_active_queue, 0, 3);
    tcase_add_test(tc, warps_join_with_their_next_instruction);
    tcase_add_loop_test(tc, new_warps_wait_for_their_first_instruction, 0, 3);
    tcase_add_test(tc, slots_are_used_again);
    tcase_add_loop_test(tc, queues_follow_the_rules, 0, 3);
    tcase_add_test(tc, picks_are_ready);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
