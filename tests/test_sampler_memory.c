/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates of the way to memory and back, as sums of configuration terms.
 * On plain_gpu() a cycle is one of every clock, and
 *
 *   2    from issue to the load/store unit's step: collector, unit
 *   11   request: icnt.latency 10, one flit (header 8 of 40 bytes)
 *   50   l2.latency
 *   14   answer with a line: icnt.latency 10, four flits (8 + 128 bytes)
 *   40   dram.latency
 *   12   dram.rcd, 12 dram.cl, 12 dram.rp
 *   5    two bursts of 64 bytes, whose commands are dram.ccdl 3 apart, and two
 *        cycles of data (64 GB/s over 2 channels = 32 bytes a cycle) */
#include "tests/script_gate.h"

enum {
    TO_UNIT = 2,
    REQUEST = 11,
    L2 = 50,
    ANSWER = 14,
    L2_HIT = TO_UNIT + REQUEST + L2 + ANSWER,
    RCD = 12,
    CL = 12,
    RP = 12,
    BURSTS = 3 + 2,
    CONTROLLER = 40,
    ROW_HIT = CL + BURSTS + CONTROLLER
};

/* A load of one line whose address comes from the load before. */
#define CHASE(...) MEM(OP_LOAD, SPACE_GLOBAL, 1, 1, 4, .stride = 4, __VA_ARGS__)
/* One that nothing waits for. */
#define TOUCH(...)                                                             \
    MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4, .stride = 4, __VA_ARGS__)

/* Loads go past the L1. */
static struct gpu uncached(void)
{
    struct gpu g = plain_gpu();
    g.l1.caches_global = 0;
    return g;
}

/* ---- load to use -------------------------------------------------------- */

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

/* ---- throughput --------------------------------------------------------- */

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

/* ---- who shares a fill -------------------------------------------------- */

START_TEST(l1_merging)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(TOUCH(.base = 0), TOUCH(.base = 0),
                             TOUCH(.base = 0), TOUCH(.base = 0));
    for (unsigned room = 1; room <= 5; room++) {
        g.l1.mshr_merge = (int)room;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        unsigned joined = room < 4 ? room : 4;
        ck_assert_uint_eq(c.l1_misses, 1);
        ck_assert_uint_eq(c.l1_merges, joined - 1);
        ck_assert_uint_eq(c.l1_hits, 4 - joined);
        ck_assert_uint_eq(c.l2_accesses, 1);
    }
}
END_TEST

/* Two SMs ask for a line at the same time: one read of 128 bytes. */
START_TEST(l2_merging)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(TOUCH(.base = 0));
    g.sms = 2;
    struct sampler_counts c = run_gate(&s, 1, 2, 1, &g);
    ck_assert_uint_eq(c.l1_misses, 2);
    ck_assert_uint_eq(c.l2_misses, 1);
    ck_assert_uint_eq(c.l2_merges, 1);
    ck_assert_uint_eq(c.dram_bytes, 128);
    ck_assert_uint_eq(c.dram_row_misses, 1);
}
END_TEST

/* ---- sectors and stores ------------------------------------------------- */

/* Eight lanes touch 32 bytes: one sector of four, each fetched when asked. */
START_TEST(sectors)
{
    struct gpu g = plain_gpu();
    g.l1.sector_bytes = 32;
    g.dram.burst_bytes = 32;
    struct script s = SCRIPT(CHASE(.mask = 0xff, .iteration_step = 32));
    struct sampler_counts c = run_gate(&s, 8, 1, 1, &g);
    ck_assert_uint_eq(c.l1_misses, 8);
    ck_assert_uint_eq(c.l2_misses, 8);
    ck_assert_uint_eq(c.dram_bytes, 8 * 32);
    g.l1.sector_bytes = 128;
    c = run_gate(&s, 8, 1, 1, &g);
    ck_assert_uint_eq(c.l1_misses, 2);
    ck_assert_uint_eq(c.l1_hits, 6);
    ck_assert_uint_eq(c.dram_bytes, 8 * 32);
}
END_TEST

/* Load, store, load of a line: the second load finds what the policy left. */
START_TEST(write_policies)
{
    const struct {
        enum l1_write_policy policy;
        unsigned hits, l2_accesses;
    } expect[] = {
        {L1_WRITE_THROUGH, 0, 3},  /* load, store, load */
        {L1_WRITE_UPDATE, 1, 2},   /* load, store */
        {L1_WRITE_BACK, 1, 2},     /* load, write-through at the end */
        {L1_WRITE_ALLOCATE, 1, 2}, /* load, store */
    };
    struct script s = SCRIPT(CHASE(.base = 0),
                             MEM(OP_STORE, SPACE_GLOBAL, -1, 1, 4, .stride = 4),
                             PLAIN(OP_FENCE), CHASE(.base = 0));
    for (size_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
        struct gpu g = plain_gpu();
        g.l1.write_policy = expect[i].policy;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.l1_hits, expect[i].hits);
        ck_assert_uint_eq(c.l2_accesses, expect[i].l2_accesses);
    }
}
END_TEST

/* Flits of a line's store and its answer, with flits of a sector and header: a
 * packet of a line and one without data, or one of these a sector. */
START_TEST(answers_by_sector)
{
    struct script s =
        SCRIPT(MEM(OP_STORE, SPACE_GLOBAL, -1, 1, 4, .stride = 4));
    for (int sectors = 0; sectors < 2; sectors++) {
        struct gpu g = plain_gpu();
        g.l1.write_policy = L1_WRITE_UPDATE;
        g.l2.sector_bytes = 32;
        g.dram.burst_bytes = 32;
        g.icnt.flit_bytes = 40;
        g.icnt.header_bytes = 8;
        g.icnt.sector_answers = sectors;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.noc_flits, 4 + (sectors ? 4 : 1));
    }
}
END_TEST

/* Store and load of a line with an L1 that takes lines for stores: what was
 * written whole need not be fetched, every other word has to be. */
START_TEST(written_and_read)
{
    const struct {
        int64_t stride;
        unsigned hits;
    } expect[] = {{4, 1}, {8, 0}};
    for (size_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
        struct script s = SCRIPT(
            MEM(OP_STORE, SPACE_GLOBAL, -1, 1, 4, .stride = expect[i].stride),
            PLAIN(OP_FENCE), CHASE(.base = 0));
        struct gpu g = plain_gpu();
        g.l1.write_policy = L1_WRITE_ALLOCATE;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.l1_hits, expect[i].hits);
        ck_assert_uint_eq(c.l1_misses, 1 - expect[i].hits);
    }
}
END_TEST

/* A load of two lines leaves the one that goes last in an L1 of one line. */
START_TEST(last_address_first)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    for (int stride = -8; stride <= 8; stride += 16) {
        struct script s =
            SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, -1, 1, 4, .stride = stride,
                       .base = stride < 0 ? 248 : 0),
                   PLAIN(OP_FENCE), CHASE(.base = 0));
        g.ldst.last_first = 0;
        ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).l1_hits, stride < 0);
        g.ldst.last_first = 1;
        ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).l1_hits, 1);
    }
}
END_TEST

/* A write-back L1 of one line: each further line drives the dirty one out, the
 * kernel's end the last one. */
START_TEST(written_back)
{
    struct gpu g = plain_gpu();
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    g.l1.write_policy = L1_WRITE_BACK;
    struct script s = SCRIPT(MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4, .stride = 4,
                                 .iteration_step = 128));
    struct sampler_counts c = run_gate(&s, 10, 1, 1, &g);
    ck_assert_uint_eq(c.l1_evictions, 9);
    ck_assert_uint_eq(c.l2_accesses, 10);
}
END_TEST

/* A set of eight lines in each slice, of which four may be dirty. Lines in
 * turn, two to a slice; then the first and all that slice holds are read. */
START_TEST(dirty_lines)
{
    struct gpu g = uncached();
    g.l2.size_kb = 2;
    for (int lines = 1; lines <= 16; lines++) {
        struct script s = {.count = 2 * lines + 1};
        for (int i = 0; i < lines; i++) {
            struct script_op store = MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4,
                                         .stride = 4, .base = 128 * i);
            struct script_op load = MEM(OP_LOAD, SPACE_GLOBAL, -1, -1, 4,
                                        .stride = 4, .base = 128 * i);
            s.op[i] = store;
            s.op[lines + 1 + i] = load;
        }
        s.op[lines] = (struct script_op)PLAIN(OP_FENCE);
        int first = lines / 4 * 2 + (lines % 4 < 2 ? lines % 4 : 2);
        int second = lines - first, over = 0;
        over += first > 4 ? first - 4 : 0;
        over += second > 4 ? second - 4 : 0;
        g.l2.dirty_share = 0.5;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.dram_reads, 0);
        ck_assert_uint_eq(c.dram_bytes, 128u * (unsigned)over);
        g.l2.dirty_share = 1;
        ck_assert_uint_eq(run_gate(&s, 1, 1, 1, &g).dram_writes, 0);
    }
}
END_TEST

/* Loads of one slice, which takes four cycles for each, a line waiting; the
 * last leads to the next repeat's. The first is in the queue 20 cycles after
 * it came to the door, one a cycle behind it, of which the next finds the slice
 * taken: 21 are in by then. One more comes in when the last of them leaves the
 * queue, unless its place was kept. */
START_TEST(places_at_a_slice)
{
    enum { LATENCY = 20, TAKES = 4, IN = LATENCY + 1 };
    struct gpu g = uncached();
    g.icnt.output_queue = 4 * REQUEST;
    g.l2.latency = LATENCY;
    g.l2.queue = 4;
    for (int loads = IN - 1; loads <= IN + 2; loads++) {
        struct script s = {.count = loads + 1};
        for (int i = 0; i < loads; i++)
            s.op[i] = (struct script_op)MEM(OP_LOAD, SPACE_GLOBAL,
                                            i < loads - 1 ? -1 : 1, 1, 4,
                                            .stride = 4);
        s.op[loads] = (struct script_op)PLAIN(OP_EXIT);
        double kept =
            TO_UNIT + REQUEST + LATENCY + (loads - 1) * TAKES + ANSWER;
        g.l2.unreserved = 0;
        ck_assert_double_eq(per_repeat(&s, 1, &g), kept);
        g.l2.unreserved = 1;
        int idle = loads > IN ? 1 + LATENCY - TAKES : 0;
        ck_assert_double_eq(per_repeat(&s, 1, &g), kept + idle);
    }
}
END_TEST

/* The fence issues when the store is acknowledged: four flits there, one back;
 * the next store a cycle later. */
START_TEST(fence_after_store)
{
    struct gpu g = plain_gpu();
    struct script s = SCRIPT(
        MEM(OP_STORE, SPACE_GLOBAL, -1, -1, 4, .stride = 4), PLAIN(OP_FENCE));
    ck_assert_double_eq(per_repeat(&s, 1, &g),
                        TO_UNIT + (10 + 4) + L2 + (10 + 1) + 1);
}
END_TEST

/* One operation a cycle on one address: 32 cycles a warp. On 32 words of a line
 * the port's four cycles (128 of 32 bytes) count. */
START_TEST(atomics)
{
    struct gpu g = plain_gpu();
    struct script same = SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, -1, -1, 4, 0));
    struct script apart =
        SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, -1, -1, 4, .stride = 4));
    struct script four =
        SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, -1, -1, 4, .mask = 0xf));
    ck_assert_double_eq(cycles_a_repeat(&same, 40, 40, 1, &g), 32);
    ck_assert_double_eq(cycles_a_repeat(&same, 20, 20, 4, &g), 4 * 32);
    ck_assert_double_eq(cycles_a_repeat(&apart, 40, 40, 1, &g), 4);
    ck_assert_double_eq(cycles_a_repeat(&four, 40, 40, 1, &g), 4);
    /* Its value is one flit, and so is the answer's. */
    struct script chain =
        SCRIPT(MEM(OP_ATOMIC, SPACE_GLOBAL, 1, 1, 4, .stride = 4));
    ck_assert_double_eq(per_repeat(&chain, 1, &g), TO_UNIT + 11 + L2 + 11);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("gates");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, l1_hit);
    tcase_add_test(tc, l2_hit);
    tcase_add_test(tc, instructions_from_l2);
    tcase_add_test(tc, l1_miss_l2_hit);
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
    tcase_add_test(tc, l1_lookups);
    tcase_add_test(tc, l2_bandwidth);
    tcase_add_test(tc, store_bandwidth);
    tcase_add_test(tc, one_l1_mshr);
    tcase_add_test(tc, one_l2_mshr);
    tcase_add_test(tc, one_in_flight);
    tcase_add_test(tc, sector_fetches);
    tcase_add_test(tc, l1_merging);
    tcase_add_test(tc, l2_merging);
    tcase_add_test(tc, sectors);
    tcase_add_test(tc, answers_by_sector);
    tcase_add_test(tc, write_policies);
    tcase_add_test(tc, written_and_read);
    tcase_add_test(tc, written_back);
    tcase_add_test(tc, dirty_lines);
    tcase_add_test(tc, places_at_a_slice);
    tcase_add_test(tc, code_by_sector);
    tcase_add_test(tc, last_address_first);
    tcase_add_test(tc, fence_after_store);
    tcase_add_test(tc, atomics);
    return run_suite("sampler: memory", tc);
}
