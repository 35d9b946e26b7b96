/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates of the SM's pipeline. Every expected number is derived from the
 * configuration beside it: plain_gpu() has a latency of 9 for SP and INT, an
 * interval of 1, a fetch latency of 1 and a branch latency of 2. */
#include "tests/script_gate.h"

/* A dependent instruction issues latency + 1 after its source. */
START_TEST(dependent_chain)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 9 + 1);
    g.latency.sp = 30;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 30 + 1);
}
END_TEST

/* An instruction that overwrites a result under way waits for it too. */
/* A compare, whose result is a predicate, and what that guards. */
START_TEST(predicates)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_INT, REG_PREDICATE, 1, -1),
                             ALU(OP_INT, 1, REG_PREDICATE, -1));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 2 * (g.latency.integer + 1));
    g.sm.predicate_latency = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 2 * (g.latency.integer + 1));
    g.sm.predicate_latency = 40;
    ck_assert_double_eq(per_repeat(&s, 1, &g), g.latency.integer + 1 + 41);
}
END_TEST

START_TEST(write_after_write)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, -1, -1));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 9 + 1);
}
END_TEST

/* W warps share the latency until the issue slot is full at latency + 1. */
START_TEST(warps_hide_latency)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    for (uint32_t warps = 1; warps <= 20; warps++)
        ck_assert_double_eq(per_repeat(&s, warps, &g), warps < 10 ? 10 : warps);
}
END_TEST

/* Units start an instruction every interval cycles, each. */
START_TEST(independent_instructions)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    for (int interval = 1; interval <= 6; interval++)
        for (int units = 1; units <= 4; units++) {
            g.interval.sp = interval;
            g.unit.sp = units;
            double each = (double)interval / units; /* issue: one a cycle */
            double got = cycles_a_repeat(&s, 48, 96, 1, &g);
            ck_assert_double_eq_tol(got, each > 1 ? each : 1, 1e-9);
        }
}
END_TEST

START_TEST(special_functions)
{
    struct gpu g = plain_gpu(); /* interval.sfu = 8 */
    struct script s = SCRIPT(PLAIN(OP_SFU));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 8);
    ck_assert_double_eq(per_repeat(&s, 4, &g), 4 * 8);
}
END_TEST

/* On compute capability 2.x as integer multiplications, later as special
 * functions. */
START_TEST(conversions)
{
    struct gpu g = plain_gpu(); /* interval.sfu = 8 */
    struct script s = SCRIPT(PLAIN(OP_CONVERT));
    g.interval.imul = 4;
    g.arch = 21;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
    g.arch = 30;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 8);
    s = SCRIPT(PLAIN(OP_CONVERT), PLAIN(OP_SFU));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 8 + 8);
    g.arch = 21;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 8);
}
END_TEST

/* Classes without a unit of their own share another's: integer on SP, double
 * and matrix on SFU. */
START_TEST(shared_units)
{
    struct gpu g = plain_gpu();
    g.interval.sp = g.interval.integer = 4;
    struct script s = SCRIPT(PLAIN(OP_SP), PLAIN(OP_INT));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4 + 4);
    g.unit.integer = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
    struct gpu h = plain_gpu();
    h.interval.dp = 8;
    h.interval.tensor = 16;
    s = SCRIPT(PLAIN(OP_SFU), PLAIN(OP_DP), PLAIN(OP_TENSOR));
    ck_assert_double_eq(per_repeat(&s, 1, &h), 8 + 8 + 16);
    h.unit.dp = h.unit.tensor = 1;
    h.collector.dp = h.collector.tensor = 8;
    ck_assert_double_eq(per_repeat(&s, 1, &h), 16);
}
END_TEST

/* Issue slots come every issue_period cycles: a chain rounds up to them. */
START_TEST(issue_period)
{
    struct gpu g = plain_gpu();
    g.sm.issue_period = 2;
    struct script s = SCRIPT(PLAIN(OP_SP));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 2);
    s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 10);
    g.latency.sp = 10;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 12);
    g.sm.issue_period = 4;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 12);
}
END_TEST

/* Schedulers issue side by side; warps w mod 2 belong to scheduler w. */
START_TEST(two_schedulers)
{
    struct gpu g = plain_gpu();
    g.sm.schedulers = g.unit.sp = 2;
    struct script s = SCRIPT(PLAIN(OP_SP));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 1);
    ck_assert_double_eq(per_repeat(&s, 2, &g), 1);
    ck_assert_double_eq(per_repeat(&s, 3, &g), 2);
    ck_assert_double_eq(per_repeat(&s, 4, &g), 2);
}
END_TEST

/* Sub-cores keep their units to themselves: a warp has one of four. */
START_TEST(sub_cores)
{
    struct gpu g = plain_gpu();
    g.sm.schedulers = g.unit.sp = 4;
    g.interval.sp = 4;
    struct script s = SCRIPT(PLAIN(OP_SP));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 1);
    g.sm.sub_core = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
    ck_assert_double_eq(per_repeat(&s, 4, &g), 4);
}
END_TEST

/* Two blocks of two warps, whose second warps run for 1000 instructions more:
 * both on the second scheduler, or one on each, which then issues 1000 fewer;
 * the second block starts at most a cycle after the first. */
START_TEST(blocks_turn)
{
    struct gpu g = plain_gpu();
    g.sm.schedulers = g.unit.sp = 2;
    struct script s = SCRIPT(PLAIN(OP_SP));
    s.warp_repeat = 1000;
    uint64_t straight = run_gate(&s, 10, 2, 2, &g).cycles;
    g.sm.turn_blocks = 1;
    uint64_t turned = run_gate(&s, 10, 2, 2, &g).cycles;
    ck_assert_uint_ge(straight - turned, 1000 - 1);
    ck_assert_uint_le(straight - turned, 1000);
}
END_TEST

START_TEST(dual_issue)
{
    struct gpu g = plain_gpu();
    g.fetch.buffer = 8;
    g.sm.issue_width = 2;
    g.unit.sp = 2;
    g.unit.integer = 1;
    struct script same = SCRIPT(PLAIN(OP_SP), PLAIN(OP_SP));
    struct script mixed = SCRIPT(PLAIN(OP_SP), PLAIN(OP_INT));
    struct script chain = SCRIPT(ALU(OP_SP, 1, 2, -1), ALU(OP_SP, 2, 1, -1));
    ck_assert_double_eq(per_repeat(&same, 1, &g), 1);
    ck_assert_double_eq(per_repeat(&mixed, 1, &g), 1);
    ck_assert_double_eq(per_repeat(&chain, 1, &g), 2 * 10);
    g.sm.dual_distinct = 1;
    ck_assert_double_eq(per_repeat(&same, 1, &g), 2);
    ck_assert_double_eq(per_repeat(&mixed, 1, &g), 1);
}
END_TEST

/* One bank with one port: three operands are read in three cycles, which are
 * two more than a chain has anyway. */
START_TEST(register_bank_conflicts)
{
    struct gpu g = plain_gpu();
    struct script chain =
        SCRIPT({.op = OP_SP, .dst = 1, .src0 = 1, .src1 = 2, .src2 = 3 + 1});
    ck_assert_double_eq(per_repeat(&chain, 1, &g), 10);
    g.collector.banks = g.collector.ports = 1;
    ck_assert_double_eq(per_repeat(&chain, 1, &g), 10 + 2);
    g.collector.ports = 3;
    ck_assert_double_eq(per_repeat(&chain, 1, &g), 10);
    g.collector.ports = 1;
    g.collector.banks = 2; /* registers 1 and 3 in one of them */
    ck_assert_double_eq(per_repeat(&chain, 1, &g), 10 + 1);
    struct script reads =
        SCRIPT({.op = OP_SP, .dst = -1, .src0 = 1, .src1 = 2, .src2 = 3 + 1});
    ck_assert_double_eq(per_repeat(&reads, 1, &g), 2);
    g.collector.banks = 1;
    ck_assert_double_eq(per_repeat(&reads, 1, &g), 3);
    /* A result takes the port of its bank for a cycle. Six registers in turn,
     * so that no result is waited for: 4 port cycles each > chain. */
    struct script writes =
        SCRIPT({.op = OP_SP, .dst = 1, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_SP, .dst = 2, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_SP, .dst = 3, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_SP, .dst = 4, .src0 = 7, .src1 = 8, .src2 = 9 + 1});
    ck_assert_double_eq(per_repeat(&writes, 1, &g), 4 * 4);
}
END_TEST

/* Three SFU instructions (8 cycles each) beside 21 SP ones: 24 cycles when the
 * third SFU instruction finds a collector at once. With a single collector it
 * issues when the second is dispatched, 8 cycles after the first went and 7
 * after it could have been issued. */
START_TEST(collectors)
{
    struct gpu g = plain_gpu();
    struct script s = {.count = 25, .repeat = 1};
    for (int i = 0; i < 25; i++)
        s.op[i] = (struct script_op)PLAIN(OP_SP);
    for (int i = 0; i < 3; i++)
        s.op[i].op = OP_SFU;
    s.op[24].op = OP_EXIT;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 24);
    g.collector.sfu = 2;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 24);
    g.collector.sfu = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 24 + 7);
}
END_TEST

/* As many collectors of every class as a configuration may have. */
START_TEST(most_collectors)
{
    struct gpu g = plain_gpu();
    g.unit.integer = g.unit.dp = g.unit.tensor = 1;
    g.collector.sp = g.collector.sfu = g.collector.dp = g.collector.tensor =
        g.collector.mem = 24;
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 10);
}
END_TEST

/* ---- front end ---------------------------------------------------------- */

/* A buffer of one instruction is empty until the next is decoded. */
START_TEST(fetch_latency)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    g.fetch.buffer = 1;
    for (int latency = 1; latency <= 7; latency++) {
        g.fetch.latency = latency;
        ck_assert_double_eq(per_repeat(&s, 1, &g), latency);
    }
}
END_TEST

/* One fetch a cycle for three warps, each of which could use it, one longer
 * than the other, and whose code ends without an exit: that a warp is at its
 * end is found when it is fetched for once more, in vain. Two of the three take
 * a cycle for that from those that go on. */
START_TEST(fetch_at_the_end)
{
    struct gpu g = plain_gpu();
    struct script s = {
        .count = 2, .op = {PLAIN(OP_SP), PLAIN(OP_SP)}, .warp_repeat = 5};
    g.fetch.buffer = 1;
    g.fetch.warps_per_cycle = 1;
    uint64_t once_more = run_gate(&s, 10, 1, 3, &g).cycles;
    g.fetch.no_end = 1;
    ck_assert_uint_eq(run_gate(&s, 10, 1, 3, &g).cycles, once_more - 2);
}
END_TEST

/* The last warp that a cycle can fetch for issues a cycle later. */
START_TEST(last_is_late)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    g.fetch.buffer = 1;
    g.fetch.late_last = 1;
    g.fetch.warps_per_cycle = 1;
    for (int latency = 1; latency <= 7; latency++) {
        g.fetch.latency = latency;
        ck_assert_double_eq(per_repeat(&s, 1, &g), latency + 1);
    }
    for (int warps = 2; warps <= 3; warps++) {
        g.fetch.warps_per_cycle = warps;
        g.fetch.latency = 7;
        ck_assert_double_eq(per_repeat(&s, 1, &g), 7);
    }
}
END_TEST

/* Refilled when empty, a buffer of two issues at 0 and 1, is fetched for at 1
 * and issues again at 1 + latency. Half full, one of eight never runs dry. */
START_TEST(refill)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    g.fetch.buffer = 2;
    g.fetch.when_empty = 1;
    for (int latency = 1; latency <= 7; latency++) {
        g.fetch.latency = latency;
        ck_assert_double_eq(per_repeat(&s, 1, &g), (1 + latency) / 2.0);
    }
    g.fetch.latency = 2;
    g.fetch.buffer = 8;
    g.fetch.when_empty = 0;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 1);
}
END_TEST

/* Foreseen branches cost nothing: a buffer of eight, half of it fetched in four
 * cycles while the other half issues. */
START_TEST(branches_foreseen)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_BRANCH));
    g.fetch.buffer = 8;
    g.fetch.latency = 4;
    g.fetch.branch_latency = 0;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
    g.fetch.past_branches = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 1);
}
END_TEST

/* One warp a cycle is fetched for, one instruction each. */
START_TEST(fetch_width)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_SP));
    g.fetch.buffer = g.fetch.latency = 1;
    g.sm.schedulers = g.unit.sp = 4;
    for (int width = 1; width <= 4; width++) {
        g.fetch.warps_per_cycle = width;
        ck_assert_double_eq_tol(cycles_a_repeat(&s, 48, 48, 12, &g),
                                12.0 / width, 1e-9);
    }
}
END_TEST

/* The next fetch starts branch_latency after the branch, the next instruction
 * issues fetch.latency later. */
START_TEST(branch_latency)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_BRANCH));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 2 + 1);
    g.fetch.branch_latency = 11;
    g.fetch.latency = 4;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 11 + 4);
    g.fetch.branch_latency = 0; /* fetched in the same cycle */
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
}
END_TEST

/* A loop of n one-line instructions through a cache of one set of four lines,
 * least recently used first: it fits or every fetch misses. */
START_TEST(instruction_cache)
{
    struct gpu g = plain_gpu();
    g.icache.perfect = 0;
    g.icache.size_kb = 0.5;
    g.icache.ways = 4;
    g.icache.line_bytes = 128;
    g.icache.miss_latency = 120;
    g.fetch.buffer = 1;
    for (int n = 1; n <= 6; n++) {
        struct script s = {.count = n + 1, .pc_bytes = 128};
        for (int i = 0; i <= n; i++)
            s.op[i] = (struct script_op)PLAIN(i < n ? OP_SP : OP_EXIT);
        int miss = n <= 4 ? 0 : 120;
        ck_assert_double_eq(per_repeat(&s, 1, &g), n * (1 + miss));
        struct sampler_counts c = run_gate(&s, 10, 1, 1, &g);
        ck_assert_uint_eq(c.icache_accesses, 10u * (unsigned)n + 1);
        ck_assert_uint_eq(c.icache_misses,
                          n <= 4 ? (unsigned)n + 1 : 10u * (unsigned)n + 1);
    }
}
END_TEST

/* ---- barriers ----------------------------------------------------------- */

#define COUNTED(class, ...)                                                    \
    {                                                                          \
        .op = (class), .dst = -1, .src0 = -1, .src1 = -1, __VA_ARGS__          \
    }

/* A count that every warp raises and waits for is a barrier. */
START_TEST(count_as_barrier)
{
    const struct gpu g = plain_gpu();
    struct script barrier = SCRIPT(ALU(OP_SP, 1, 1, -1), PLAIN(OP_BARRIER));
    for (uint32_t warps = 1; warps <= 8; warps *= 2) {
        struct script counted =
            SCRIPT(ALU(OP_SP, 1, 1, -1), COUNTED(OP_BARRIER, .times = warps));
        ck_assert_double_eq(per_repeat(&counted, warps, &g),
                            per_repeat(&barrier, warps, &g));
    }
}
END_TEST

/* A copy without registers: each line more is 128 bytes and a header more to
 * come through a port of 40 bytes a cycle, four cycles. */
START_TEST(copy_without_registers)
{
    const struct gpu g = plain_gpu();
    struct script copy[2];
    for (int i = 0; i < 2; i++)
        copy[i] = SCRIPT(COUNTED(OP_LOAD, .space = SPACE_GLOBAL, .width = 16,
                                 .box_bytes = (uint64_t)4096 << i, .times = 1));
    ck_assert_double_eq(
        per_repeat(&copy[1], 1, &g) - per_repeat(&copy[0], 1, &g), 32 * 4);
}
END_TEST

/* What memory raises is raised when the access is complete, which is when one
 * that reads its result may issue. */
START_TEST(count_of_memory)
{
    struct gpu g = plain_gpu();
    struct script chain =
        SCRIPT(MEM(OP_LOAD, SPACE_SHARED, 1, 1, 4, .stride = 4));
    struct script counted = SCRIPT(COUNTED(
        OP_LOAD, .space = SPACE_SHARED, .width = 4, .stride = 4, .times = 1));
    for (g.shared.latency = 20; g.shared.latency <= 40; g.shared.latency += 20)
        ck_assert_double_eq(per_repeat(&counted, 1, &g),
                            per_repeat(&chain, 1, &g));
}
END_TEST

/* W warps arrive one a cycle; the next round starts a cycle after the last. */
START_TEST(barrier_of_many)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_BARRIER));
    for (uint32_t warps = 1; warps <= 32; warps *= 2)
        ck_assert_double_eq(per_repeat(&s, warps, &g), warps);
}
END_TEST

/* SP at 0 and 1; the INTs that wait for them at 10 and 11 (round-robin gives
 * slot 11 to the second warp); barriers at 12 and 13; the next round at 14. */
START_TEST(barrier_after_a_chain)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(ALU(OP_SP, 1, -1, -1), ALU(OP_INT, 2, 1, -1), PLAIN(OP_BARRIER));
    ck_assert_double_eq(per_repeat(&s, 2, &g), 14);
}
END_TEST

/* Warp 1 runs `more` barriers more than warp 0: those are its own. */
START_TEST(barrier_forgets_exited_warps)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(PLAIN(OP_BARRIER));
    s.warp_repeat = 10;
    uint64_t few = run_gate(&s, 5, 1, 2, &g).cycles;
    s.warp_repeat = 30;
    ck_assert_uint_eq(run_gate(&s, 5, 1, 2, &g).cycles - few, 20);
}
END_TEST

/* Blocks do not wait for each other's barriers: two blocks of one warp. */
START_TEST(barrier_of_one_block_only)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(ALU(OP_SP, 1, 1, -1), PLAIN(OP_BARRIER));
    uint64_t few = run_gate(&s, 8, 2, 1, &g).cycles;
    ck_assert_uint_eq(run_gate(&s, 24, 2, 1, &g).cycles - few, 16 * 10);
}
END_TEST

/* ---- scheduling wait ---------------------------------------------------- */

/* Per repeat, of all warps together. */
static double wait_a_repeat(const struct script *s, uint32_t warps,
                            const struct gpu *g)
{
    uint64_t few = run_gate(s, 16, 1, warps, g).sched_wait;
    return (double)(run_gate(s, 32, 1, warps, g).sched_wait - few) / 16;
}

/* A warp alone issues as soon as it can; of w warps in turn each waits for the
 * other w - 1. Hazards and barriers are no scheduling wait. */
START_TEST(scheduling_wait)
{
    struct script free = SCRIPT(PLAIN(OP_SP));
    struct script chain = SCRIPT(ALU(OP_SP, 1, 1, -1));
    struct script held =
        SCRIPT(ALU(OP_SP, 1, -1, -1), ALU(OP_INT, 2, 1, -1), PLAIN(OP_BARRIER));
    for (int period = 1; period <= 3; period++) {
        struct gpu g = plain_gpu();
        g.sm.issue_period = period;
        g.latency.sp = g.latency.integer = 11; /* chains of 12 */
        ck_assert_double_eq(wait_a_repeat(&free, 1, &g), 0);
        ck_assert_double_eq(wait_a_repeat(&chain, 1, &g), 0);
        ck_assert_double_eq(wait_a_repeat(&held, 1, &g), 0);
        for (uint32_t warps = 2; warps <= 4; warps++)
            ck_assert_double_eq(wait_a_repeat(&free, warps, &g),
                                (double)warps * (warps - 1) * period);
    }
    /* Barriers of two warps: the first comes to it a slot before the second,
     * and after it the second waits a slot for the first. */
    struct gpu g = plain_gpu();
    struct script barrier = SCRIPT(PLAIN(OP_BARRIER));
    ck_assert_double_eq(wait_a_repeat(&barrier, 2, &g), 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gates");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, dependent_chain);
    tcase_add_test(tc, predicates);
    tcase_add_test(tc, write_after_write);
    tcase_add_test(tc, warps_hide_latency);
    tcase_add_test(tc, independent_instructions);
    tcase_add_test(tc, special_functions);
    tcase_add_test(tc, conversions);
    tcase_add_test(tc, shared_units);
    tcase_add_test(tc, issue_period);
    tcase_add_test(tc, two_schedulers);
    tcase_add_test(tc, sub_cores);
    tcase_add_test(tc, blocks_turn);
    tcase_add_test(tc, dual_issue);
    tcase_add_test(tc, register_bank_conflicts);
    tcase_add_test(tc, collectors);
    tcase_add_test(tc, most_collectors);
    tcase_add_test(tc, fetch_latency);
    tcase_add_test(tc, fetch_at_the_end);
    tcase_add_test(tc, last_is_late);
    tcase_add_test(tc, refill);
    tcase_add_test(tc, branches_foreseen);
    tcase_add_test(tc, fetch_width);
    tcase_add_test(tc, branch_latency);
    tcase_add_test(tc, instruction_cache);
    tcase_add_test(tc, count_as_barrier);
    tcase_add_test(tc, copy_without_registers);
    tcase_add_test(tc, count_of_memory);
    tcase_add_test(tc, barrier_of_many);
    tcase_add_test(tc, barrier_after_a_chain);
    tcase_add_test(tc, barrier_forgets_exited_warps);
    tcase_add_test(tc, barrier_of_one_block_only);
    tcase_add_test(tc, scheduling_wait);
    return run_suite("sampler: pipeline", tc);
}
