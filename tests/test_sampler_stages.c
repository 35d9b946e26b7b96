/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates of the pipeline with registers around the collectors, of banked
 * sector accesses, of L1 tags looked up late and of write-back. With one read
 * step a cycle an instruction that issues at 0 enters a collector at 1, has
 * its operands at 2, leaves at 3, enters its unit at 4, is in the write-back
 * register latency + 1 later and written back one cycle after that. With two
 * steps it reads at 1 and leaves at 2. */
#include "tests/script_gate.h"

#define CHASE(...) MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .stride = 4, __VA_ARGS__)
#define TOUCH(...) MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, __VA_ARGS__)

static struct gpu staged(int steps)
{
    struct gpu g = plain_gpu();
    g.stage.registers = 1;
    g.stage.sp = g.stage.mem = g.stage.sp_moves = g.stage.mem_moves = 4;
    g.collector.ports = steps;
    return g;
}

/* ---- units -------------------------------------------------------------- */

/* Dependent instructions are latency + 6 apart, with two steps latency + 5;
 * without operands there is nothing to read: one step less. */
START_TEST(dependent_chain)
{
    struct script reads = SCRIPT(ALU(OP_SP, 1, 1, -1));
    struct script writes = SCRIPT(ALU(OP_SP, 1, -1, -1));
    for (int steps = 1; steps <= 2; steps++) {
        struct gpu g = staged(steps);
        int stages = steps == 1 ? 6 : 5;
        ck_assert_double_eq(per_repeat(&reads, 1, &g), 9 + stages);
        ck_assert_double_eq(per_repeat(&writes, 1, &g), 9 + stages - 1);
        g.latency.sp = 30;
        ck_assert_double_eq(per_repeat(&reads, 1, &g), 30 + stages);
    }
}
END_TEST

/* Two schedulers' warps in a register each cycle: one register, or one move a
 * step, halves that. */
START_TEST(registers_and_moves)
{
    struct script s = SCRIPT(PLAIN(OP_SP));
    struct gpu g = staged(1);
    g.sm.schedulers = g.unit.sp = 2;
    ck_assert_double_eq(per_repeat(&s, 2, &g), 1);
    g.stage.sp_moves = 1;
    ck_assert_double_eq(per_repeat(&s, 2, &g), 2);
    g.stage.sp_moves = 2;
    g.stage.sp = 1;
    ck_assert_double_eq(per_repeat(&s, 2, &g), 2);
    g.collector.ports = 2; /* two moves a cycle, but still one register */
    ck_assert_double_eq(per_repeat(&s, 2, &g), 2);
}
END_TEST

/* Seven loads of shared memory, eight passes each. The first is in the unit,
 * the second in the register before it, either from the first of four
 * collectors; there the third is now, in the others the fourth to sixth. They
 * are gone round: the fourth goes next, and the seventh takes its place.
 * Sub-cores begin with their first: the third goes next, then the seventh in
 * its place. What comes of a load goes on for longer than the others take. */
START_TEST(collectors_in_turn)
{
    const int order[2][7] = {{1, 2, 4, 5, 6, 3, 7}, {1, 2, 3, 7, 4, 5, 6}};
    struct gpu g = staged(2);
    g.stage.mem = g.stage.mem_moves = 1;
    g.collector.mem = 4;
    g.latency.sfu = 200;
    for (int sub_core = 0; sub_core < 2; sub_core++) {
        g.sm.sub_core = sub_core;
        uint64_t before = 0;
        for (int n = 0; n < 7; n++) {
            struct script s = {.count = 9, .repeat = 1};
            for (int i = 1; i <= 7; i++)
                s.op[i - 1] = (struct script_op)MEM(OP_LOAD, SPACE_SHARED, i,
                                                    -1, 4, .stride = 32);
            s.op[7] = (struct script_op)ALU(OP_SFU, 8, order[sub_core][n], -1);
            s.op[8] = (struct script_op)PLAIN(OP_EXIT);
            uint64_t end = run_gate(&s, 1, 1, 1, &g).cycles;
            ck_assert(n == 0 || end == before + 8);
            before = end;
        }
    }
}
END_TEST

/* SP and INT end together: one result a cycle, or two. */
START_TEST(results)
{
    struct script s = SCRIPT(PLAIN(OP_SP), PLAIN(OP_INT));
    struct gpu g = staged(1);
    g.sm.schedulers = 2;
    g.unit.integer = 1;
    g.stage.integer = 4;
    ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 2, &g), 2);
    g.unit.results = 2;
    ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 2, &g), 2);
    g.unit.results = 1;
    ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 2, &g), 4);
}
END_TEST

/* An INT and an SP that issue together end together. Of two results in a cycle
 * one has to wait: that of the younger SP, which the last instruction needs, or
 * where SP units are asked first, that of the INT. */
START_TEST(results_by_unit)
{
    struct script s = SCRIPT(ALU(OP_INT, 4, -1, -1), ALU(OP_SP, 1, -1, -1),
                             ALU(OP_SP, 6, 1, -1));
    struct gpu g = staged(1);
    g.sm.issue_width = 2;
    g.sm.dual_distinct = 1;
    g.unit.integer = 1;
    g.stage.integer = 4;
    g.latency.integer = g.latency.sp;
    for (int by_port = 0; by_port <= 1; by_port++) {
        g.stage.by_port = by_port;
        g.unit.results = 2;
        uint64_t both = run_gate(&s, 1, 1, 1, &g).cycles;
        g.unit.results = 1;
        ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).cycles, both + !by_port);
    }
}
END_TEST

/* Branches keep the integer unit unless they have one of their own. */
START_TEST(branch_unit)
{
    struct script s = SCRIPT(PLAIN(OP_INT), PLAIN(OP_BRANCH));
    struct gpu g = plain_gpu();
    g.fetch.past_branches = 1;
    g.fetch.branch_latency = 0;
    g.unit.integer = 1;
    g.interval.branch = 4;
    ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 1, &g), 5);
    g.unit.branch = 1;
    ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 1, &g), 4);
}
END_TEST

/* Sixteen warps' branches share all the units there are. */
START_TEST(branch_units)
{
    struct script s = SCRIPT(PLAIN(OP_BRANCH));
    for (int sub_core = 0; sub_core <= 1; sub_core++) {
        struct gpu g = plain_gpu();
        g.fetch.branch_latency = 0;
        g.interval.branch = 64;
        g.sm.schedulers = 2;
        g.sm.sub_core = sub_core;
        for (g.unit.branch = 2; g.unit.branch <= 8; g.unit.branch += 2)
            ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 16, &g),
                                16 * 64.0 / g.unit.branch);
    }
}
END_TEST

/* One bank: three operands are read in three steps, a register named three
 * times in one. */
START_TEST(bank_conflicts)
{
    struct script three =
        SCRIPT({.op = OP_SP, .dst = 1, .src0 = 1, .src1 = 2, .src2 = 3 + 1});
    struct script same =
        SCRIPT({.op = OP_SP, .dst = 1, .src0 = 1, .src1 = 1, .src2 = 1 + 1});
    struct gpu g = staged(1);
    g.collector.banks = 1;
    ck_assert_double_eq(per_repeat(&same, 1, &g), 9 + 6);
    ck_assert_double_eq(per_repeat(&three, 1, &g), 9 + 6 + 2);
}
END_TEST

/* An SP reads three operands from one bank: in the collector at 1, out of it at
 * 5. Then an INT and a younger SP wait for it. Either holds it for four cycles,
 * and what needs the INT's result ends as much later when the SP goes first. */
START_TEST(collectors_by_class)
{
    struct script s =
        SCRIPT({.op = OP_SP, .dst = 4, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_INT, .dst = 1, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_SP, .dst = 5, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               ALU(OP_SP, 6, 1, -1));
    struct gpu g = staged(1);
    g.unit.integer = 1;
    g.collector.generic = g.collector.banks = 1;
    uint64_t by_age = run_gate(&s, 1, 1, 1, &g).cycles;
    g.stage.by_class = 1;
    ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).cycles, by_age + 4);
}
END_TEST

/* An SFU and an SP of one cycle read three operands each from one bank. What
 * needs the SP's result ends by as much earlier when the SP, whose port comes
 * first, is served before the older SFU. (The SFU's result comes late: written
 * while that reads, it would take the bank.) */
START_TEST(collectors_by_port)
{
    struct script s =
        SCRIPT({.op = OP_SFU, .dst = 4, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               {.op = OP_SP, .dst = 1, .src0 = 7, .src1 = 8, .src2 = 9 + 1},
               ALU(OP_SP, 6, 1, -1));
    struct gpu g = staged(1);
    g.stage.sfu = g.stage.sfu_moves = 4;
    g.latency.sfu = 20;
    g.sm.issue_width = 2;
    g.sm.dual_distinct = 1;
    g.collector.banks = 1;
    uint64_t by_age = run_gate(&s, 1, 1, 1, &g).cycles;
    g.stage.by_port = 1;
    ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).cycles, by_age - 3);
}
END_TEST

/* ---- loads -------------------------------------------------------------- */

/* At the unit 4 after issue (with two steps 3), the first access a cycle later,
 * and the value is there l1.latency after that. Without registers the access is
 * 2 after issue, whenever the tags are looked up. */
START_TEST(late_tags)
{
    struct script s = SCRIPT(CHASE(.base = 0));
    for (int steps = 1; steps <= 2; steps++) {
        struct gpu g = staged(steps);
        g.ldst.late_tags = 1;
        ck_assert_double_eq(per_repeat(&s, 1, &g), (steps == 1 ? 5 : 4) + 30);
    }
    struct gpu g = plain_gpu();
    double early = per_repeat(&s, 1, &g);
    ck_assert_double_eq(early, 2 + 30);
    g.ldst.late_tags = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), early);
}
END_TEST

/* A miss leaves for the L2 when its latency is over. */
START_TEST(late_miss)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = 0.125; /* one line, two in turn: every load misses */
    g.l1.ways = 1;
    struct script s = SCRIPT(CHASE(.base = 0), CHASE(.base = 128));
    double early = per_repeat(&s, 1, &g);
    g.ldst.late_tags = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), early + 2 * 30);
}
END_TEST

/* An answer is in its register three cycles after it has come. */
START_TEST(write_back)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    struct script s = SCRIPT(CHASE(.base = 0));
    double at_once = per_repeat(&s, 1, &g);
    g.ldst.write_back = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), at_once + 3);
    struct script shared =
        SCRIPT(MEM(OP_LOAD, SPACE_SHARED, 1, 1, 4, .stride = 4));
    ck_assert_double_eq(per_repeat(&shared, 1, &g), 2 + 20);
}
END_TEST

/* Eight warps miss on one line and wait for it together: it is written back for
 * them one by one, so that the last has it seven cycles after the first. */
START_TEST(write_back_one_by_one)
{
    struct gpu g = plain_gpu();
    g.l1.mshr_merge = 8;
    struct script s = SCRIPT(CHASE(.base = 0));
    g.ldst.write_back = 1;
    uint64_t one = run_gate(&s, 1, 1, 1, &g).cycles;
    uint64_t eight = run_gate(&s, 1, 1, 8, &g).cycles;
    /* The last issues seven cycles after the first in any case. */
    ck_assert_uint_eq(eight - one, 7);
    g.ldst.write_back = 0;
    one = run_gate(&s, 1, 1, 1, &g).cycles;
    eight = run_gate(&s, 1, 1, 8, &g).cycles;
    ck_assert_uint_lt(eight - one, 7);
}
END_TEST

/* A load's answer comes while results go into one of two banks each cycle, into
 * which it goes, too, or into the other. There it is written at once, so that
 * what writes its register anew issues a cycle after the last of the results'
 * instructions; here a cycle after the last result, which is their latency and
 * a cycle after that one's issue. */
START_TEST(answers_await_their_bank)
{
    uint64_t cycles[2];
    struct gpu g = plain_gpu();
    g.ldst.write_back = 1;
    g.collector.banks = 2;
    g.collector.ports = 1;
    for (int same = 0; same <= 1; same++) {
        struct script s = {.count = 43};
        s.op[0] =
            (struct script_op)MEM(OP_LOAD, SPACE_SHARED, 1, -1, 4, .stride = 4);
        for (int i = 1; i <= 40; i++)
            s.op[i] =
                (struct script_op)ALU(OP_SP, 10 + 2 * (i % 10) + same, -1, -1);
        s.op[41] = (struct script_op)ALU(OP_SP, 1, -1, -1);
        s.op[42] = (struct script_op)PLAIN(OP_EXIT);
        cycles[same] = run_gate(&s, 1, 1, 1, &g).cycles;
    }
    ck_assert_uint_eq(cycles[1] - cycles[0], (uint64_t)g.latency.sp + 1);
}
END_TEST

/* ---- accesses ----------------------------------------------------------- */

static struct gpu sectored(void)
{
    struct gpu g = plain_gpu();
    g.l1.sector_bytes = 32;
    g.ldst.sectors = 1;
    return g;
}

/* Once the lines are there. */
static double steady(const struct script *s, const struct gpu *g)
{
    return cycles_a_repeat(s, 48, 96, 1, g);
}

/* The four sectors of a line are four accesses. */
START_TEST(sectors)
{
    struct script s = SCRIPT(TOUCH(.stride = 4));
    struct gpu g = sectored();
    for (int each = 1; each <= 4; each *= 2) {
        g.l1.accesses_per_cycle = each;
        ck_assert_double_eq(steady(&s, &g), 4 / each);
    }
    g.ldst.sectors = 0;
    g.l1.accesses_per_cycle = 1;
    ck_assert_double_eq(steady(&s, &g), 1);
}
END_TEST

/* Lanes a line apart all want the bank of their line's first sector. */
START_TEST(banks)
{
    struct script s = SCRIPT(TOUCH(.stride = 128));
    struct gpu g = sectored();
    g.l1.accesses_per_cycle = 4;
    ck_assert_double_eq(steady(&s, &g), 32 / 4);
    g.ldst.banked = 1;
    ck_assert_double_eq(steady(&s, &g), 32);
    struct script line = SCRIPT(TOUCH(.stride = 4));
    ck_assert_double_eq(steady(&line, &g), 1);
}
END_TEST

/* Sixteen bytes that all lanes share: a pass for each quarter of the warp, or
 * one when only the first word counts. */
START_TEST(wide_shared)
{
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_SHARED, -1, -1, 16, .stride = 0));
    struct gpu g = plain_gpu();
    ck_assert_double_eq(per_repeat(&s, 1, &g), 4);
    g.shared.wide = 0;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 1);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gates");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, dependent_chain);
    tcase_add_test(tc, registers_and_moves);
    tcase_add_test(tc, collectors_in_turn);
    tcase_add_test(tc, results);
    tcase_add_test(tc, results_by_unit);
    tcase_add_test(tc, branch_unit);
    tcase_add_test(tc, branch_units);
    tcase_add_test(tc, bank_conflicts);
    tcase_add_test(tc, collectors_by_class);
    tcase_add_test(tc, collectors_by_port);
    tcase_add_test(tc, late_tags);
    tcase_add_test(tc, late_miss);
    tcase_add_test(tc, write_back);
    tcase_add_test(tc, write_back_one_by_one);
    tcase_add_test(tc, answers_await_their_bank);
    tcase_add_test(tc, sectors);
    tcase_add_test(tc, banks);
    tcase_add_test(tc, wide_shared);
    return run_suite("sampler: stages", tc);
}
