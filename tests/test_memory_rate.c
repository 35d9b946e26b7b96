/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates: how many accesses a cycle, and how many at a time. */
#include "tests/memory_gate.h"

/* 32 lines a load; the L1 looks at so many a step, interval.mem apart. (64
 * repeats take longer than the misses of the first.) */
START_TEST(l1_lookups)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, .stride = 128));
    ck_assert_double_eq(cycles_a_repeat(&s, 64, 64, 1, &g), 32);
    g.l1.accesses_per_cycle = 4;
    ck_assert_double_eq(cycles_a_repeat(&s, 64, 64, 1, &g), 8);
    g.interval.mem = 2;
    ck_assert_double_eq(cycles_a_repeat(&s, 64, 64, 1, &g), 16);
    g.l1.accesses_per_cycle = 1;
    ck_assert_double_eq(cycles_a_repeat(&s, 64, 64, 1, &g), 64);
}
END_TEST

/* Answers of four flits into one SM; a slice's port of 16 bytes a cycle takes
 * eight cycles a line, unless two slices (256 bytes apart) share the lines. */
START_TEST(l2_bandwidth)
{
    struct gpu g = uncached();
    struct script one = SCRIPT(TOUCH(.base = 0), TOUCH(.base = 0));
    struct script two = SCRIPT(TOUCH(.base = 0), TOUCH(.base = 256));
    ck_assert_double_eq(cycles_a_repeat(&one, 40, 40, 1, &g), 2 * 4);
    ck_assert_double_eq(cycles_a_repeat(&two, 40, 40, 1, &g), 2 * 4);
    g.l2.port_bytes = 16;
    ck_assert_double_eq(cycles_a_repeat(&one, 40, 40, 1, &g), 2 * 8);
    ck_assert_double_eq(cycles_a_repeat(&two, 40, 40, 1, &g), 2 * 4);
}
END_TEST

/* Stores carry their line in four flits. */
START_TEST(store_bandwidth)
{
    struct gpu g = plain_gpu();
    struct script s =
        SCRIPT(MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4, .stride = 4));
    ck_assert_double_eq(cycles_a_repeat(&s, 40, 40, 1, &g), 4);
}
END_TEST

/* Eight half sectors of one slice's two lines take a slice so many cycles each,
 * whole ones the four flits of their line; atomics likewise, and lanes of one
 * address one after another. */
START_TEST(sectors_changed_in_part)
{
    struct gpu g = plain_gpu();
    struct script whole =
        SCRIPT(MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4, .stride = 4));
    struct script half =
        SCRIPT(MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4, .stride = 8));
    struct script atomic =
        SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, -1, -1, 4, .stride = 8));
    struct script same =
        SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, -1, -1, 4, .stride = 0));
    g.l2.sector_bytes = 32;
    ck_assert_double_eq(cycles_a_repeat(&half, 40, 40, 1, &g), 8);
    g.l2.partial_cycles = 2;
    ck_assert_double_eq(cycles_a_repeat(&whole, 40, 40, 1, &g), 4);
    ck_assert_double_eq(cycles_a_repeat(&half, 40, 40, 1, &g), 16);
    ck_assert_double_eq(cycles_a_repeat(&atomic, 40, 40, 1, &g), 8);
    ck_assert_double_eq(cycles_a_repeat(&same, 40, 40, 1, &g), 32);
    g.l2.atomic_cycles = 3;
    ck_assert_double_eq(cycles_a_repeat(&atomic, 40, 40, 1, &g), 24);
    ck_assert_double_eq(cycles_a_repeat(&same, 40, 40, 1, &g), 96);
}
END_TEST

/* With one MSHR the next miss leaves when the line of the last one is there:
 * all but the way to the unit. */
START_TEST(one_l1_mshr)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(TOUCH(.iteration_step = 128));
    g.l1.mshr = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), L2_HIT - TO_UNIT + ROW_HIT);
}
END_TEST

/* Lines of one slice (512 bytes apart) in one row: the slice turns to the next
 * request when the controller has brought the line of the last. */
START_TEST(one_l2_mshr)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(TOUCH(.iteration_step = 512));
    g.dram.row_bytes = 65536;
    g.l2.mshr = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), ROW_HIT);
}
END_TEST

/* Likewise the controller, when no more than one may be under way. */
START_TEST(one_in_flight)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(TOUCH(.iteration_step = 512));
    g.dram.row_bytes = 65536;
    g.dram.in_flight = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g), ROW_HIT);
}
END_TEST

/* Sectors fetched one by one: four bursts of 64 bytes, ccdl apart, for a line
 * of two; with one MSHR entry one after another. */
START_TEST(sector_fetches)
{
    struct gpu g = uncached();
    struct script s = SCRIPT(CHASE(.iteration_step = 128));
    g.l2.fetch_bytes = 32;
    ck_assert_double_eq(per_repeat(&s, 1, &g),
                        L2_HIT + CL + 3 * 3 + 2 + CONTROLLER);
    ck_assert_uint_eq(run_gate(&s, 10, 1, 1, &g).dram_bytes, 10 * 4 * 64);
    g.l2.mshr = 1;
    ck_assert_double_eq(per_repeat(&s, 1, &g),
                        L2_HIT + 4 * (CL + 2 + CONTROLLER));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gates");
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, l1_lookups);
    tcase_add_test(tc, l2_bandwidth);
    tcase_add_test(tc, store_bandwidth);
    tcase_add_test(tc, sectors_changed_in_part);
    tcase_add_test(tc, one_l1_mshr);
    tcase_add_test(tc, one_l2_mshr);
    tcase_add_test(tc, one_in_flight);
    tcase_add_test(tc, sector_fetches);
    return run_suite("memory: rate", tc);
}
