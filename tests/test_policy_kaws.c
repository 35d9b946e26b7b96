/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kaws: the end of a kernel (its Fig. 2) and schedulers that share warps (its
 * Fig. 3), by hand and on the machine. */
#include "sampler/policy/warp/table.h"
#include "sampler/sm/share.h"
#include "tests/script_gate.h"

#define W(n) (UINT64_C(1) << (n))

/* ---- the last block: Fig. 2 --------------------------------------------- */

/* SM 1 of the figure: blocks 24, 26, 29 and 31 with two warps each, launched in
 * that order; warp slots and block slots count alike. */
static struct warp_table figure_2(void)
{
    static const uint64_t blocks[] = {24, 26, 29, 31};
    struct warp_table t = {.slots = 8, .schedulers = 1, .live = 0xff};
    for (uint32_t w = 0; w < 8; w++) {
        t.age[w] = 100 + w;
        t.block_slot[w] = w / 2;
        t.block_id[w] = blocks[w / 2];
        t.warp_in_block[w] = w % 2;
    }
    return t;
}

static void set_progress(struct warp_table *t, uint64_t b24, uint64_t b26,
                         uint64_t b29, uint64_t b31)
{
    t->block_insts[0] = b24;
    t->block_insts[1] = b26;
    t->block_insts[2] = b29;
    t->block_insts[3] = b31;
}

struct driven {
    const struct warp_policy *policy;
    char state[64];
};

static struct driven drive(const struct warp_policy *policy)
{
    struct driven d = {.policy = policy};
    ck_assert_uint_le(policy->state_size, sizeof(d.state));
    warp_policy_start(policy, d.state,
                      &(struct warp_context){.owned = UINT64_MAX});
    return d;
}

static void last_block_issued(struct driven *d, const struct warp_table *t)
{
    ck_assert_uint_eq(d->policy->events, EVENT_LAST_BLOCK);
    d->policy->event(d->state, t,
                     &(struct sched_event){.type = EVENT_LAST_BLOCK,
                                           .warp = -1,
                                           .block_slot = -1});
}

static const struct warp_policy *const kernel_aware[] = {&warp_kaws,
                                                         &warp_kaws_k};

START_TEST(oldest_until_the_last_block)
{
    struct driven d = drive(kernel_aware[_i]);
    struct warp_table t = figure_2();
    set_progress(&t, 900, 700, 400, 0);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 10), 0);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xf8, 11), 3);
    t.age[5] = 1;
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xf8, 12), 5);
}
END_TEST

/* Fig. 2(c): 31 goes first at t2; at t3 it has overtaken 29, which does. */
START_TEST(least_progress_after_it)
{
    struct driven d = drive(kernel_aware[_i]);
    struct warp_table t = figure_2();
    set_progress(&t, 900, 700, 400, 0);
    last_block_issued(&d, &t);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 20), 6);
    ck_assert_int_eq(d.policy->pick(d.state, &t, W(7) | W(4) | W(0), 21), 7);
    ck_assert_int_eq(d.policy->pick(d.state, &t, W(0) | W(2) | W(5), 22), 5);
    set_progress(&t, 900, 700, 400, 401);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 30), 4);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff & ~W(4), 31), 5);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff & ~0x30u, 32), 6);
}
END_TEST

/* Inside a block the oldest warp, whatever its slot; equal blocks by age. */
START_TEST(age_breaks_ties)
{
    struct driven d = drive(kernel_aware[_i]);
    struct warp_table t = figure_2();
    set_progress(&t, 500, 500, 500, 500);
    last_block_issued(&d, &t);
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 1), 0);
    t.age[7] = 10;
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 2), 7);
}
END_TEST

START_TEST(every_kernel_starts_anew)
{
    struct driven d = drive(kernel_aware[_i]);
    struct warp_table t = figure_2();
    set_progress(&t, 900, 700, 400, 0);
    last_block_issued(&d, &t);
    warp_policy_start(d.policy, d.state,
                      &(struct warp_context){.owned = UINT64_MAX});
    ck_assert_int_eq(d.policy->pick(d.state, &t, 0xff, 40), 0);
}
END_TEST

/* Blocks of four warps whose chains of dependent instructions leave a lone
 * block most slots empty: evened out, the last ones end together and sooner. */
START_TEST(the_end_of_a_kernel_is_shorter)
{
    struct gpu g = plain_gpu();
    g.sm.max_blocks = 4;
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), ALU(OP_SP, 1, 1, -1));
    s.repeat = 100;
    struct sampler_options o = {.max_cycles = 0};
    struct policy_set p = policies_of(&warp_old);
    struct script_run old = run_options(&s, 8, 4, &g, &p, o);
    p = policies_of(&warp_kaws_k);
    struct script_run kaws = run_options(&s, 8, 4, &g, &p, o);
    ck_assert_uint_eq(kaws.counts.warp_insts, old.counts.warp_insts);
    ck_assert_uint_lt(kaws.counts.cycles, old.counts.cycles * 9 / 10);
    ck_assert_uint_lt(kaws.counts.last_block_end - kaws.counts.last_block_start,
                      old.counts.last_block_end - old.counts.last_block_start);
}
END_TEST

/* ---- warp sharing: Fig. 3 ----------------------------------------------- */

/* w0 and w4 (of S0), w6 (S2), w3 and w7 (S3) want a MEM collector, w1 an SP and
 * w5 an SFU one (S1); only S1 has one for MEM, S2 for SFU, S3 for SP. */
static struct share figure_3(void)
{
    struct share s = {.idle = 0xf};
    s.unit_warps[UNIT_MEM] = W(0) | W(4) | W(6) | W(3) | W(7);
    s.unit_warps[UNIT_SP] = W(1);
    s.unit_warps[UNIT_SFU] = W(5);
    s.room[UNIT_MEM] = 1 << 1;
    s.room[UNIT_SFU] = 1 << 2;
    s.room[UNIT_SP] = 1 << 3;
    return s;
}

static struct warp_table eight_warps(void)
{
    struct warp_table t = {.slots = 8, .schedulers = 4, .live = 0xff};
    for (uint32_t w = 0; w < 8; w++)
        t.age[w] = w;
    return t;
}

START_TEST(figure_3_is_followed)
{
    struct share s = figure_3();
    struct warp_table t = eight_warps();
    ck_assert_int_eq(share_pick(&s, &t, 0), -1);
    ck_assert_int_eq(share_pick(&s, &t, 1), 0);
    ck_assert_int_eq(share_pick(&s, &t, 2), 5);
    ck_assert_int_eq(share_pick(&s, &t, 3), 1);
    t.age[6] = 0;
    t.age[0] = 6;
    ck_assert_int_eq(share_pick(&s, &t, 1), 6);
}
END_TEST

/* The AND gate: free here and busy at every other scheduler. */
START_TEST(a_class_free_twice_is_not_shared)
{
    struct share s = figure_3();
    struct warp_table t = eight_warps();
    s.room[UNIT_MEM] |= 1 << 3;
    ck_assert_int_eq(share_pick(&s, &t, 1), -1);
    ck_assert_int_eq(share_pick(&s, &t, 3), 1);
    ck_assert_int_eq(share_pick(&s, &t, 2), 5);
}
END_TEST

START_TEST(who_issues_receives_nothing)
{
    struct share s = figure_3();
    struct warp_table t = eight_warps();
    s.idle &= ~(1u << 1);
    ck_assert_int_eq(share_pick(&s, &t, 1), -1);
    ck_assert_int_eq(share_pick(&s, &t, 2), 5);
}
END_TEST

START_TEST(of_two_classes_the_oldest_warp)
{
    struct share s = figure_3();
    struct warp_table t = eight_warps();
    s.room[UNIT_SFU] = 1 << 1;
    ck_assert_int_eq(share_pick(&s, &t, 1), 0);
    t.age[0] = 50;
    t.age[3] = 51;
    t.age[4] = 52;
    ck_assert_int_eq(share_pick(&s, &t, 1), 5);
    ck_assert_int_eq(share_pick(&s, &t, 2), -1);
}
END_TEST

/* ---- warp sharing on the machine ---------------------------------------- */

/* Two schedulers with one SP collector and unit each, a unit busy for 8 cycles
 * an instruction. */
static struct gpu two_halves(void)
{
    struct gpu g = plain_gpu();
    g.sm.schedulers = 2;
    g.sm.sub_core = 1;
    g.unit.sp = 2;
    g.collector.sp = 2;
    g.interval.sp = 8;
    return g;
}

static struct sampler_counts run_sp(const struct gpu *g, int insts,
                                    const struct warp_policy *policy)
{
    struct script s = SCRIPT(PLAIN(OP_SP));
    s.repeat = insts;
    struct policy_set p = policies_of(policy);
    return run_options(&s, 1, 1, g, &p,
                       (struct sampler_options){.max_cycles = 0})
        .counts;
}

/* One warp of independent instructions: its own unit takes one each 8 cycles,
 * both take two. */
START_TEST(a_lone_warp_uses_both_halves)
{
    struct gpu g = two_halves();
    struct sampler_counts more = run_sp(&g, 96, &warp_old);
    struct sampler_counts less = run_sp(&g, 64, &warp_old);
    ck_assert_uint_eq(more.cycles - less.cycles, 32 * 8);
    ck_assert_uint_eq(more.lent_insts, 0);
    more = run_sp(&g, 96, &warp_kaws_s);
    less = run_sp(&g, 64, &warp_kaws_s);
    ck_assert_uint_eq(more.cycles - less.cycles, 32 * 8 / 2);
    ck_assert_uint_eq(more.lent_insts - less.lent_insts, 32 / 2);
    ck_assert_uint_eq(more.warp_insts, 97);
}
END_TEST

/* With a third scheduler two are free: the gate stays shut. */
START_TEST(two_free_receivers_are_none)
{
    struct gpu g = two_halves();
    g.sm.schedulers = 3;
    g.unit.sp = g.collector.sp = 3;
    struct sampler_counts old = run_sp(&g, 64, &warp_old);
    struct sampler_counts kaws = run_sp(&g, 64, &warp_kaws_s);
    ck_assert_uint_eq(kaws.lent_insts, 0);
    ck_assert_uint_eq(kaws.cycles, old.cycles);
}
END_TEST

/* Where schedulers share the unit, sharing does nothing. */
START_TEST(a_shared_unit_is_not_lent)
{
    struct gpu g = two_halves();
    g.unit.sp = 1;
    struct sampler_counts old = run_sp(&g, 64, &warp_old);
    struct sampler_counts kaws = run_sp(&g, 64, &warp_kaws_s);
    ck_assert_uint_eq(kaws.lent_insts, 0);
    ck_assert_uint_eq(kaws.cycles, old.cycles);
}
END_TEST

/* Collectors are the machine's, not the policy's: what all schedulers share
 * stays shared, and there is nothing to lend. */
START_TEST(shared_collectors_stay_shared)
{
    struct gpu g = two_halves();
    g.sm.sub_core = 0;
    struct sampler_counts old = run_sp(&g, 64, &warp_old);
    struct sampler_counts kaws = run_sp(&g, 64, &warp_kaws_s);
    ck_assert_uint_eq(kaws.lent_insts, 0);
    ck_assert_mem_eq(&kaws, &old, sizeof(old));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("kaws");
    int aware = sizeof(kernel_aware) / sizeof(kernel_aware[0]);
    tcase_add_loop_test(tc, oldest_until_the_last_block, 0, aware);
    tcase_add_loop_test(tc, least_progress_after_it, 0, aware);
    tcase_add_loop_test(tc, age_breaks_ties, 0, aware);
    tcase_add_loop_test(tc, every_kernel_starts_anew, 0, aware);
    tcase_add_test(tc, the_end_of_a_kernel_is_shorter);
    tcase_add_test(tc, figure_3_is_followed);
    tcase_add_test(tc, a_class_free_twice_is_not_shared);
    tcase_add_test(tc, who_issues_receives_nothing);
    tcase_add_test(tc, of_two_classes_the_oldest_warp);
    tcase_add_test(tc, a_lone_warp_uses_both_halves);
    tcase_add_test(tc, two_free_receivers_are_none);
    tcase_add_test(tc, a_shared_unit_is_not_lent);
    tcase_add_test(tc, shared_collectors_stay_shared);
    return run_suite("kaws", tc);
}
