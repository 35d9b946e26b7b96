/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates: from a load to its use. */
#include "tests/memory_gate.h"

START_TEST(l1_hit)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(CHASE(.base = 0));
    ck_assert_double_eq(per_repeat(&s, 1, &g), TO_UNIT + 30);
    g.l1.latency = 77;
    ck_assert_double_eq(per_repeat(&s, 1, &g), TO_UNIT + 77);
}
END_TEST

START_TEST(l2_hit)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(CHASE(.base = 0));
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT);
    g.icnt.latency = 25;
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + 2 * 15);
    g = uncached();
    g.clock.icnt_mhz = 500; /* 1 + 4 flits of two cycles */
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + 5);
    g = uncached();
    g.icnt.flit_bytes = 136;
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT - 3);
    struct script sector = SCRIPT(CHASE(.mask = 0xff)); /* 32 bytes, 1 flit */
    g = uncached();
    ck_assert_double_eq(per_repeat(&sector, 1, &g), L2_HIT - 3);
}
END_TEST

/* Queues that GPGPU-Sim has on the way, a cycle each: before the network's
 * step, behind the slice, at the SM, and where data come back to the slice. */
START_TEST(queues_on_the_way)
{
    struct script hit = SCRIPT(CHASE(.base = 0));
    struct script miss = SCRIPT(CHASE(.iteration_step = 128));
    for (int on = 0; on < 8; on++) {
        struct gpu g = uncached();
        g.icnt.next_step = on & 1;
        g.l2.staged = on >> 1 & 1;
        g.icnt.answer_queue = on >> 2 & 1;
        int queues = __builtin_popcount((unsigned)on);
        ck_assert_double_eq(per_repeat(&hit, 1, &g), L2_HIT + queues);
        ck_assert_double_eq(per_repeat(&miss, 1, &g),
                            L2_HIT + ROW_HIT + queues + g.l2.staged);
    }
}
END_TEST

/* A loop of six one-line instructions through an instruction cache of four
 * lines: every fetch goes to the L2 and its instruction is decoded a cycle
 * after the line is there. Warps wait for a line together: a second one costs
 * nothing where it may join, and takes what the first has brought where not. */
START_TEST(instructions_from_l2)
{
    struct gpu g = plain_gpu();
    g.icache.perfect = 0;
    g.icache.from_l2 = 1;
    g.icache.size_kb = 0.5;
    g.icache.ways = 4;
    g.icache.line_bytes = 128;
    g.fetch.buffer = 1;
    struct script s = {.count = 7, .pc_bytes = 128};
    for (int i = 0; i < 7; i++)
        s.op[i] = (struct script_op)PLAIN(i < 6 ? OP_SP : OP_EXIT);
    for (int merge = 1; merge <= 2; merge++) {
        g.icache.mshr_merge = merge;
        ck_assert_double_eq(per_repeat(&s, 1, &g), 6 * (L2_HIT - TO_UNIT + 1));
        ck_assert_double_eq(per_repeat(&s, 2, &g), 6 * (L2_HIT - TO_UNIT + 1));
        uint64_t accesses = run_gate(&s, 10, 1, 2, &g).icache_accesses;
        uint64_t misses = run_gate(&s, 10, 1, 2, &g).icache_misses;
        ck_assert_uint_eq(accesses, 2 * 61);
        ck_assert_uint_eq(misses, (unsigned)merge * 61);
    }
}
END_TEST

/* Flits for a line of code, with flits of a sector and header: a request and
 * the line, in one packet or in one a sector. */
START_TEST(code_by_sector)
{
    struct gpu g = plain_gpu();
    g.icache.perfect = 0;
    g.icache.from_l2 = 1;
    g.icache.line_bytes = 128;
    struct script s = {.count = 1, .pc_bytes = 128};
    s.op[0] = (struct script_op)PLAIN(OP_EXIT);
    for (int sectors = 0; sectors < 2; sectors++) {
        g.icnt.sector_answers = sectors;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.icache_misses, 1);
        ck_assert_uint_eq(c.noc_flits, 1 + 4);
        ck_assert_uint_eq(c.l2_accesses, sectors ? 4 : 1);
    }
}
END_TEST

/* Code and the data of a load are one line where code lies at address 0. */
START_TEST(where_code_lies)
{
    struct script s = SCRIPT(CHASE(.base = 0));
    struct gpu g = uncached();
    g.icache.perfect = 0;
    g.icache.from_l2 = 1;
    ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).l2_misses, 2);
    g.icache.base_mb = 0;
    ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).l2_misses, 1);
    ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).l2_accesses, 2);
}
END_TEST

/* Two lines in an L1 of one line: each load misses there. */
START_TEST(l1_miss_l2_hit)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    struct script s = SCRIPT(CHASE(.base = 0), CHASE(.base = 128));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 2 * L2_HIT);
    struct sampler_counts c = run_gate(&s, 10, 1, 1, &g);
    ck_assert_uint_eq(c.l1_misses, 20);
    ck_assert_uint_eq(c.l1_hits, 0);
    ck_assert_uint_eq(c.l2_misses, 2);
    ck_assert_uint_eq(c.l2_hits, 18);
}
END_TEST

/* With a miss queue a request leaves a cycle later, and the only MSHR is free a
 * cycle after the fill: of two loads side by side the second waits for it. */
START_TEST(misses_leave_by_a_queue)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    struct script one = SCRIPT(CHASE(.base = 0), CHASE(.base = 128));
    struct script two =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, -1, 4, .stride = 4),
               MEM(OP_LOAD, SPACE_GLOBAL, 2, -1, 4, .stride = 4, .base = 128),
               ALU(OP_SP, 3, 1, 2), PLAIN(OP_FENCE));
    double before = per_repeat(&one, 1, &g);
    g.l1.mshr = 1;
    double waits = per_repeat(&two, 1, &g);
    g.ldst.one_miss = 1;
    ck_assert_double_eq(per_repeat(&one, 1, &g), before + 2);
    ck_assert_double_eq(per_repeat(&two, 1, &g), waits + 3);
}
END_TEST

/* Line after line: all of one row of either channel, which is open. */
START_TEST(row_hit)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(CHASE(.iteration_step = 128));
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + ROW_HIT);
    g.dram.latency = 140;
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + ROW_HIT + 100);
    g = uncached();
    g.dram.gbps = 32;
    /* Bursts of four cycles are longer than ccdl. */
    ck_assert_double_eq(per_repeat(&s, 1, &g),
                        L2_HIT + CL + 2 * 4 + CONTROLLER);
    g = uncached();
    g.clock.dram_mhz = 500;
    /* Clocks of two cycles; an odd sum waits for the next. */
    int sum = L2_HIT + 2 * CL + 2 * 3 + 2 + CONTROLLER;
    ck_assert_double_eq(per_repeat(&s, 1, &g), sum + sum % 2);
    g = plain_gpu(); /* through the L1 it is the same */
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + ROW_HIT);
}
END_TEST

/* A page of 4096 bytes of one channel is 8192 bytes of addresses, and a channel
 * has 16 banks: the first load to each opens its row. */
START_TEST(closed_row)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(CHASE(.iteration_step = 8192));
    ck_assert_double_eq(cycles_a_repeat(&s, 2, 14, 1, &g),
                        L2_HIT + RCD + ROW_HIT);
}
END_TEST

/* With a single bank every such load closes the row of the one before. */
START_TEST(row_conflict)
{
    struct gpu g = uncached();
    g.dram.banks = g.dram.bank_groups = 1;
    struct script s = SCRIPT(CHASE(.iteration_step = 8192));
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT + RP + RCD + ROW_HIT);
}
END_TEST

START_TEST(shared_memory)
{
    struct gpu g = plain_gpu(); /* shared.latency 20 */
    for (int interval = 1; interval <= 2; interval++)
        for (int degree = 1; degree <= 32; degree *= 2) {
            g.interval.mem = interval;
            struct script use = SCRIPT(
                MEM(OP_LOAD, SPACE_SHARED, 1, 1, 4, .stride = 4 * degree));
            ck_assert_double_eq(per_repeat(&use, 1, &g),
                                TO_UNIT + 20 + (degree - 1) * interval);
            struct script rate = SCRIPT(
                MEM(OP_LOAD, SPACE_SHARED, -1, -1, 4, .stride = 4 * degree));
            ck_assert_double_eq(per_repeat(&rate, 1, &g), degree * interval);
            ck_assert_uint_eq(
                run_gate(&rate, 10, 1, 1, &g).shared_conflict_cycles,
                10u * (unsigned)((degree - 1) * interval));
        }
}
END_TEST

START_TEST(constant_memory)
{
    struct gpu g = plain_gpu();
    g.constant.latency = 8;
    g.constant.miss_latency = 240;
    struct script hit = SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, 1, 4, .base = 0));
    ck_assert_double_eq(per_repeat(&hit, 1, &g), TO_UNIT + 8);
    struct script miss =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, 1, 4, .iteration_step = 64));
    ck_assert_double_eq(per_repeat(&miss, 1, &g), TO_UNIT + 8 + 240);
}
END_TEST

/* Addresses 16 bytes apart, four to a line of the constant cache: with
 * constant.by_address each is an access of its own. */
START_TEST(constant_addresses)
{
    struct gpu g = plain_gpu();
    g.constant.latency = 8;
    g.constant.miss_latency = 0;
    struct script use =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, 1, 4, .stride = 16));
    struct script rate =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, -1, -1, 4, .stride = 16));
    struct script same =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, -1, -1, 4, .stride = 0));
    for (int interval = 1; interval <= 2; interval++)
        for (int by_address = 0; by_address <= 1; by_address++) {
            int n = by_address ? 32 : 8;
            g.constant.interval = interval;
            g.constant.by_address = by_address;
            ck_assert_double_eq(per_repeat(&use, 1, &g),
                                TO_UNIT + 8 + (n - 1) * interval);
            ck_assert_double_eq(per_repeat(&rate, 1, &g), n * interval);
            ck_assert_double_eq(per_repeat(&same, 1, &g), interval);
            ck_assert_uint_eq(run_gate(&rate, 10, 1, 1, &g).constant_accesses,
                              10u * (unsigned)n);
        }
}
END_TEST

/* A constant of 32 addresses, then a pass over shared memory: one after the
 * other, or with constant.apart side by side. */
START_TEST(constants_apart)
{
    struct gpu g = plain_gpu();
    g.constant.by_address = 1;
    g.constant.miss_latency = 0;
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_CONST, -1, -1, 4, .stride = 4),
               MEM(OP_LOAD, SPACE_SHARED, -1, -1, 4, .stride = 4 * 8));
    ck_assert_double_eq(per_repeat(&s, 1, &g), 32 + 8);
    g.constant.apart = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), 32);
}
END_TEST

/* The longest latencies that a configuration may have, of 32 lines one after
 * another. */
START_TEST(longest_constant_miss)
{
    struct gpu g = plain_gpu();
    g.constant.latency = g.constant.miss_latency = 1000;
    g.constant.interval = 32;
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_CONST, 1, 1, 4, .stride = 64,
                                 .iteration_step = 64 * 32));
    ck_assert_double_eq(per_repeat(&s, 1, &g), TO_UNIT + 2000 + 31 * 32);
}
END_TEST

START_TEST(texture_hit)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_TEXTURE, 1, 1, 4, .stride = 4));
    g.texture.latency = 200;
    ck_assert_double_eq(per_repeat(&s, 1, &g), TO_UNIT + 200);
}
END_TEST

/* The units take an instruction each texture.interval cycles, or longer where
 * it takes more lines. */
START_TEST(texture_units)
{
    struct gpu g = plain_gpu();
    g.texture.line_bytes = 32;
    for (int interval = 1; interval <= 8; interval *= 2)
        for (int lines = 1; lines <= 8; lines *= 2) {
            struct script s =
                SCRIPT(MEM(OP_LOAD, SPACE_TEXTURE, -1, -1, 1, .stride = lines));
            g.texture.interval = interval;
            ck_assert_double_eq(per_repeat(&s, 1, &g),
                                lines > interval ? lines : interval);
        }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gates");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, l1_hit);
    tcase_add_test(tc, l2_hit);
    tcase_add_test(tc, queues_on_the_way);
    tcase_add_test(tc, instructions_from_l2);
    tcase_add_test(tc, code_by_sector);
    tcase_add_test(tc, where_code_lies);
    tcase_add_test(tc, l1_miss_l2_hit);
    tcase_add_test(tc, misses_leave_by_a_queue);
    tcase_add_test(tc, row_hit);
    tcase_add_test(tc, closed_row);
    tcase_add_test(tc, row_conflict);
    tcase_add_test(tc, shared_memory);
    tcase_add_test(tc, constant_memory);
    tcase_add_test(tc, constant_addresses);
    tcase_add_test(tc, constants_apart);
    tcase_add_test(tc, longest_constant_miss);
    tcase_add_test(tc, texture_hit);
    tcase_add_test(tc, texture_units);
    return run_suite("memory: latency", tc);
}
