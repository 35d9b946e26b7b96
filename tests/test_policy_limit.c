/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedulers that hold warps back (swl, ccws), and gty, by hand and on the
 * machine. */
#include "sampler/policy/registry.h"
#include "sampler/policy/warp/table.h"
#include "tests/script_gate.h"

#define W(n) (UINT64_C(1) << (n))

static _Alignas(16) char state[65536];

static void start(const struct warp_policy *p, uint64_t owned, double a,
                  double b)
{
    const double param[POLICY_MAX_PARAMS] = {a, b};
    ck_assert_uint_le(p->state_size, sizeof(state));
    warp_policy_start(p, state,
                      &(struct warp_context){.owned = owned, .param = param});
}

static struct warp_table warps(int count)
{
    struct warp_table t = {.slots = 48, .schedulers = 1};
    for (int w = 0; w < count; w++) {
        t.live |= W(w);
        t.age[w] = 10 + (uint64_t)w;
    }
    return t;
}

static void tell(const struct warp_policy *p, const struct warp_table *t,
                 enum sched_event_type type, int warp, uint64_t line,
                 uint64_t cycle)
{
    ck_assert((p->events & type) != 0);
    p->event(state, t,
             &(struct sched_event){
                 .type = type, .warp = warp, .line = line, .cycle = cycle});
}

/* ---- gty ---------------------------------------------------------------- */

START_TEST(youngest_after_greedy)
{
    struct warp_table t = warps(4);
    start(&warp_gty, 0xf, 0, 0);
    ck_assert_int_eq(warp_gty.pick(state, &t, 0xf, 1), 3);
    ck_assert_int_eq(warp_gty.pick(state, &t, 0x7, 2), 2);
    ck_assert_int_eq(warp_gty.pick(state, &t, 0xf, 3), 2); /* goes on */
    t.age[0] = 99;
    ck_assert_int_eq(warp_gty.pick(state, &t, 0xb, 4), 0);
}
END_TEST

/* ---- swl ---------------------------------------------------------------- */

START_TEST(only_the_oldest_may_issue)
{
    struct warp_table t = warps(6);
    start(&warp_swl, 0x3f, 2, 0);
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 1), W(0) | W(1));
    t.at_barrier = W(0); /* makes room for the next */
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 2), W(1) | W(2));
    t.at_barrier = W(0) | W(1) | W(2) | W(3) | W(4);
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 3), W(5));
    t.at_barrier = 0;
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 4), W(0) | W(1));
    t.live &= ~W(1); /* has finished */
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 5), W(0) | W(2));
}
END_TEST

/* A slot that a new warp has taken holds the youngest one. */
START_TEST(age_counts_not_the_slot)
{
    struct warp_table t = warps(3);
    start(&warp_swl, 0x7, 2, 0);
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 1), W(0) | W(1));
    t.age[0] = 50;
    tell(&warp_swl, &t, EVENT_WARP_LAUNCH, 0, 0, 2);
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 2), W(1) | W(2));
    ck_assert_int_eq(warp_swl.pick(state, &t, W(1) | W(2), 2), 1);
    ck_assert_int_eq(warp_swl.pick(state, &t, W(2), 3), 2);
    ck_assert_int_eq(warp_swl.pick(state, &t, W(1) | W(2), 4), 2);
}
END_TEST

START_TEST(other_schedulers_do_not_count)
{
    struct warp_table t = warps(8);
    start(&warp_swl, 0xaa, 2, 0); /* the odd slots */
    ck_assert_uint_eq(warp_swl.eligible(state, &t, 1), W(1) | W(3));
}
END_TEST

/* ---- ccws --------------------------------------------------------------- */

/* Four warps with 100 points each; warp 1 is told to have issued 40
 * instructions. A lost line is then worth 1/40 * 8 * 400 = 80 points, two lost
 * ones 160, and so on. */
static struct warp_table ccws_of_four_owning(uint64_t owned)
{
    struct warp_table t = warps(4);
    start(&warp_ccws, owned, 8, 100);
    t.head_is_load = 0xf;
    for (int i = 0; i < 40; i++)
        tell(&warp_ccws, &t, EVENT_ISSUE, 1, 0, 1);
    return t;
}

static struct warp_table ccws_of_four(void)
{
    return ccws_of_four_owning(0xf);
}

/* Warp loses `line` and asks for it again. */
static void lose(const struct warp_table *t, int warp, uint64_t line,
                 uint64_t cycle)
{
    tell(&warp_ccws, t, EVENT_L1_EVICT, warp, line, cycle);
    tell(&warp_ccws, t, EVENT_L1_MISS, warp, line, cycle);
}

static uint64_t may_issue(const struct warp_table *t, uint64_t cycle)
{
    return warp_ccws.eligible(state, t, cycle);
}

START_TEST(without_loss_nobody_is_held)
{
    struct warp_table t = ccws_of_four();
    ck_assert_uint_eq(may_issue(&t, 1), 0xf);
    tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 77, 2); /* never had it */
    tell(&warp_ccws, &t, EVENT_L1_EVICT, 3, 78, 3);
    tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 78, 4); /* another's victim */
    ck_assert_uint_eq(may_issue(&t, 5), 0xf);
    lose(&t, 2, 79, 6); /* 80: below the base */
    ck_assert_uint_eq(may_issue(&t, 6), 0xf);
    lose(&t, 2, 80, 7); /* 160, and 360 with two more: the last may cross */
    ck_assert_uint_eq(may_issue(&t, 7), 0xf);
}
END_TEST

static void lose_three(const struct warp_table *t)
{
    for (uint64_t i = 0; i < 3; i++)
        lose(t, 2, 79 + i, 10);
}

/* Warp 2's third loss lifts it to 240: with 100 each for warps 0 and 1 that is
 * 440 of 400, so warp 3 is out, until the sum is below. */
START_TEST(a_high_score_holds_the_last_warp)
{
    struct warp_table t = ccws_of_four();
    lose_three(&t);
    ck_assert_uint_eq(may_issue(&t, 10), W(0) | W(1) | W(2));
    t.head_is_load = 0x7;
    ck_assert_uint_eq(may_issue(&t, 11), 0xf); /* only loads are held */
    t.head_is_load = 0xf;
    for (uint64_t cycle = 12; cycle < 51; cycle++) {
        ck_assert_uint_eq(may_issue(&t, cycle), W(0) | W(1) | W(2));
        ck_assert_uint_gt(warp_ccws.next_change(state), cycle);
        ck_assert_uint_le(warp_ccws.next_change(state), 51);
    }
    ck_assert_uint_eq(may_issue(&t, 51), 0xf);
    ck_assert_uint_eq(warp_ccws.next_change(state), UINT64_MAX);
}
END_TEST

/* Nobody looks for a while: the same at the cycle announced. */
START_TEST(scores_fall_by_themselves)
{
    struct warp_table t = ccws_of_four();
    uint64_t cycle = 10;
    lose_three(&t);
    for (int looks = 0; may_issue(&t, cycle) != 0xf; looks++) {
        ck_assert_int_lt(looks, 60);
        cycle = warp_ccws.next_change(state);
    }
    ck_assert_uint_eq(cycle, 51);
}
END_TEST

/* A scheduler's warp is held for what another one's lost. */
START_TEST(schedulers_share_the_list)
{
    struct warp_table t = ccws_of_four_owning(W(3));
    ck_assert(warp_ccws.whole_sm);
    lose_three(&t);
    ck_assert_uint_eq(may_issue(&t, 10), 0);
    ck_assert_uint_eq(may_issue(&t, 51), W(3));
}
END_TEST

/* With warp 3 go its three losses. One of 40 instructions is then worth 60
 * points of 300; four would be worth 240, too many for warp 1. */
START_TEST(losses_leave_with_their_warp)
{
    struct warp_table t = ccws_of_four();
    for (uint64_t i = 0; i < 3; i++)
        lose(&t, 3, 79 + i, 10);
    t.live &= ~W(3);
    tell(&warp_ccws, &t, EVENT_WARP_END, 3, 0, 11);
    lose(&t, 2, 79, 12);
    ck_assert_uint_eq(may_issue(&t, 12) & t.live, t.live);
}
END_TEST

/* Five losses: 400 points; nobody else may load, warp 0 not either. Another
 * warp's higher score takes the place. */
START_TEST(the_highest_goes_first)
{
    struct warp_table t = ccws_of_four();
    for (uint64_t i = 0; i < 5; i++)
        lose(&t, 2, 100 + i, 20);
    ck_assert_uint_eq(may_issue(&t, 20), W(2));
    lose(&t, 3, 200, 21); /* 480, above the cut-off, and yet the first */
    ck_assert_uint_eq(may_issue(&t, 21), W(3));
    t.live &= ~W(3);
    t.age[3] = 0;
    tell(&warp_ccws, &t, EVENT_WARP_END, 3, 0, 22);
    ck_assert_uint_eq(may_issue(&t, 22) & t.live, W(2));
}
END_TEST

/* 16 victims a warp in 2 sets of 8: of nine lost lines of a set the first is
 * forgotten, and one that came back is no longer a victim. */
START_TEST(victims_are_few)
{
    struct warp_table t = ccws_of_four();
    for (uint64_t i = 0; i < 9; i++)
        tell(&warp_ccws, &t, EVENT_L1_EVICT, 2, 2 * i, 30);
    for (int i = 0; i < 9; i++)
        tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 0, 31);
    ck_assert_uint_eq(may_issue(&t, 31), 0xf);
    tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 2, 32);
    for (int i = 0; i < 9; i++)
        tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 2, 33);
    ck_assert_uint_eq(may_issue(&t, 33), 0xf); /* one loss: 80 points */
    tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 4, 34);
    tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 6, 34);
    ck_assert_uint_eq(may_issue(&t, 34), W(0) | W(1) | W(2));
    tell(&warp_ccws, &t, EVENT_WARP_END, 2, 0, 35);
    tell(&warp_ccws, &t, EVENT_WARP_LAUNCH, 2, 0, 36); /* another warp */
    for (uint64_t i = 4; i < 9; i++)
        tell(&warp_ccws, &t, EVENT_L1_MISS, 2, 2 * i, 36);
    ck_assert_uint_eq(may_issue(&t, 36), 0xf);
}
END_TEST

/* ---- on the machine ----------------------------------------------------- */

/* Sixteen warps go through 12 lines each, over and over: 192 lines for the 128
 * of the L1, which refills slowly. Few warps at a time find theirs. */
static struct sampler_counts run_thrashing(const char *name)
{
    struct gpu g = plain_gpu();
    struct script s = {.count = 25, .repeat = 60};
    for (int i = 0; i < 12; i++) {
        s.op[2 * i] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4,
                                            .base = (uint64_t)i * 128,
                                            .stride = 4, .warp_step = 12 * 128);
        s.op[2 * i + 1] = (struct script_op)ALU(OP_SP, 2, 1, 2);
    }
    s.op[24] = (struct script_op)PLAIN(OP_EXIT);
    g.l1.ways = 16;
    g.icnt.flit_bytes = 8; /* a line takes 17 cycles */
    struct error e;
    struct policy_set p = policies_of(&warp_gto);
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, name, &e));
    return run_options(&s, 1, 16, &g, &p,
                       (struct sampler_options){.max_cycles = 0})
        .counts;
}

START_TEST(limits_save_the_cache)
{
    struct sampler_counts lrr = run_thrashing("lrr");
    struct sampler_counts ccws = run_thrashing("ccws");
    struct sampler_counts swl = run_thrashing("swl:8");
    struct sampler_counts all = run_thrashing("swl:16");
    struct sampler_counts gto = run_thrashing("gto");
    ck_assert_uint_gt(lrr.l1_misses * 10, lrr.l1_accesses * 9);
    ck_assert_uint_lt(ccws.l1_misses * 2, lrr.l1_misses);
    ck_assert_uint_lt(ccws.cycles, lrr.cycles);
    /* Eight warps' lines fit: each is missed once. */
    ck_assert_uint_eq(swl.l1_misses + swl.l1_merges, 16 * 12);
    ck_assert_uint_lt(swl.cycles, lrr.cycles);
    ck_assert_uint_eq(all.cycles, gto.cycles);
    ck_assert_uint_eq(all.l1_misses, gto.l1_misses);
}
END_TEST

/* Under every scheduler the kernels with barriers end, also with one warp at a
 * time or a base so low that every loss blocks all others. */
START_TEST(barriers_end)
{
    static const char *const names[] = {"swl:1", "swl:2", "ccws:1000:1",
                                        "ccws:1000:100", "tlrr:1"};
    struct gpu g = script_gpu(_i);
    for (size_t n = 0; n < sizeof(names) / sizeof(names[0]); n++)
        for (size_t c = 0; c < SCRIPT_CASES; c++) {
            const struct script_case *k = &script_cases[c];
            struct policy_set p = policies_of(&warp_gto);
            struct sampler_options o = {.tick_every_cycle = false};
            struct error e;
            ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, names[n], &e));
            struct script_run jump =
                run_options(&k->script, k->blocks, k->warps, &g, &p, o);
            ck_assert_uint_eq(jump.counts.blocks_done, k->blocks);
            o.tick_every_cycle = true;
            struct script_run tick =
                run_options(&k->script, k->blocks, k->warps, &g, &p, o);
            ck_assert_mem_eq(&jump.counts, &tick.counts, sizeof(jump.counts));
            ck_assert_uint_eq(jump.lives, tick.lives);
        }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("limits");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, youngest_after_greedy);
    tcase_add_test(tc, only_the_oldest_may_issue);
    tcase_add_test(tc, age_counts_not_the_slot);
    tcase_add_test(tc, other_schedulers_do_not_count);
    tcase_add_test(tc, without_loss_nobody_is_held);
    tcase_add_test(tc, a_high_score_holds_the_last_warp);
    tcase_add_test(tc, scores_fall_by_themselves);
    tcase_add_test(tc, schedulers_share_the_list);
    tcase_add_test(tc, losses_leave_with_their_warp);
    tcase_add_test(tc, the_highest_goes_first);
    tcase_add_test(tc, victims_are_few);
    tcase_add_test(tc, limits_save_the_cache);
    tcase_add_loop_test(tc, barriers_end, 0, SCRIPT_GPUS);
    return run_suite("limits", tc);
}
