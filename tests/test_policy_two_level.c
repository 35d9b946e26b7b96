/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-level schedulers on the machine: what a warp leaves the ready queue
 * for. */
#include "tests/script_gate.h"

/* Cycles of a block of `warps` warps, each of which loads and uses what it
 * loaded, `repeat` times. */
static double cycles_of(enum mem_space space, const char *sched, int repeat,
                        uint32_t warps)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, space, 1, -1, 4, .base = 4096),
                             ALU(OP_SP, 2, 1, -1));
    struct policy_set p = policies_of(warp_policies[0]);
    struct error e;
    s.repeat = repeat;
    ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, sched, &e));
    struct sampler_options o = {.max_cycles = 0};
    return (double)run_options(&s, 1, warps, &g, &p, o).counts.cycles;
}

/* What a repeat takes with two warps over what it takes with one. */
static double two_over_one(enum mem_space space, const char *sched)
{
    double a_repeat[2];
    for (uint32_t w = 0; w < 2; w++)
        a_repeat[w] = cycles_of(space, sched, 120, w + 1) -
                      cycles_of(space, sched, 20, w + 1);
    return a_repeat[1] / a_repeat[0];
}

/* Warps stay for shared memory and constants, so that the second runs after
 * the first; they leave for all other memory, so that both waits overlap. */
START_TEST(warps_leave_for_long_operations_only)
{
    static const struct {
        enum mem_space space;
        bool is_long;
    } cases[] = {
        {SPACE_GLOBAL, true},  {SPACE_LOCAL, true},  {SPACE_TEXTURE, true},
        {SPACE_SHARED, false}, {SPACE_CONST, false},
    };
    static const char *const scheds[] = {"tlrr:1", "tlgto:1", "tlpaws:1",
                                         "tlrr:1:1"};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        double ratio = two_over_one(cases[i].space, scheds[_i]);
        ck_assert_msg(cases[i].is_long ? ratio < 1.5 : ratio == 2,
                      "%s, space %d: two warps take %.2f times as long as one",
                      scheds[_i], cases[i].space, ratio);
    }
}
END_TEST

/* Empty slots are put down to memory for the same operations. */
START_TEST(constants_are_no_memory_stalls)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, -1, 4, .base = 4096),
                             ALU(OP_SP, 2, 1, -1));
    struct sampler_counts n = run_gate(&s, 20, 1, 1, &g);
    ck_assert_uint_eq(n.stalls[STALL_SB_MEM], 0);
    ck_assert_uint_gt(n.stalls[STALL_SB_ALU], 0);
}
END_TEST

/* What a repeat takes in which a warp uses one of two loads at once for a chain
 * of 40 operations, and the other, a miss, after it. */
static double chain_beside_miss(const char *sched)
{
    struct gpu g = plain_gpu();
    struct script s = {.count = 0};
    double cycles[2];
    s.op[s.count++] =
        (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .base = 4096);
    s.op[s.count++] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL, 2, -1, 4,
                                            .base = 1 << 20, OWN_LINES);
    for (int i = 0; i < 40; i++)
        s.op[s.count++] = (struct script_op)ALU(OP_SP, 1, 1, -1);
    s.op[s.count++] = (struct script_op)ALU(OP_SP, 2, 2, -1);
    s.op[s.count++] = (struct script_op)PLAIN(OP_EXIT);
    for (int i = 0; i < 2; i++) {
        struct policy_set p = policies_of(warp_policies[0]);
        struct error e;
        s.repeat = 10 + 20 * i;
        ck_assert(choice_parse(&p.warp, NULL, POLICY_WARP, sched, &e));
        struct sampler_options o = {.max_cycles = 0};
        cycles[i] = (double)run_options(&s, 1, 1, &g, &p, o).counts.cycles;
    }
    return (cycles[1] - cycles[0]) / 20;
}

/* With `all` the warp comes back when the miss has returned, and the chain no
 * longer overlaps it: each operation is a cycle more at least. */
START_TEST(back_when_all_are_done)
{
    static const char *const sched[][2] = {{"tlrr:1", "tlrr:1:0:1"},
                                           {"tlgto:1", "tlgto:1:1"},
                                           {"tlpaws:1", "tlpaws:1:1"}};
    double one = chain_beside_miss(sched[_i][0]);
    double all = chain_beside_miss(sched[_i][1]);
    ck_assert_double_ge(all, one + 40);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("two levels");
    tcase_add_loop_test(tc, warps_leave_for_long_operations_only, 0, 4);
    tcase_add_test(tc, constants_are_no_memory_stalls);
    tcase_add_loop_test(tc, back_when_all_are_done, 0, 3);
    return run_suite("two-level schedulers", tc);
}
