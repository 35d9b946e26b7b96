/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exact gates: who shares a fill, which sectors come, what stores do. */
#include "tests/memory_gate.h"

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

/* Every other sector of 32 bytes is read; two come at a time, or the one. */
START_TEST(whole_fetches)
{
    struct gpu g = plain_gpu();
    g.l1.sector_bytes = 32;
    g.dram.burst_bytes = 32;
    g.l2.fetch_bytes = 64;
    struct script s = SCRIPT(CHASE(.mask = 0xff, .iteration_step = 64));
    ck_assert_uint_eq(run_gate(&s, 8, 1, 1, &g).dram_bytes, 8 * 32);
    g.l2.fetch_whole = 1;
    ck_assert_uint_eq(run_gate(&s, 8, 1, 1, &g).dram_bytes, 8 * 64);
    struct script all = SCRIPT(CHASE(.mask = 0xff, .iteration_step = 32));
    struct sampler_counts c = run_gate(&all, 8, 1, 1, &g);
    ck_assert_uint_eq(c.l2_misses, 4);
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
        ck_assert_uint_eq(c.l2_accesses, sectors ? 4 : 1);
    }
}
END_TEST

/* A line that an L1 misses is parted in the slice, too, and there once all of
 * its sectors are; an L1 of sectors asks for one at a time. */
START_TEST(fills_by_sector)
{
    struct script s = SCRIPT(CHASE(.base = 0), CHASE(.base = 0));
    for (int sectors = 0; sectors < 2; sectors++) {
        struct gpu g = plain_gpu();
        g.l2.sector_bytes = 32;
        g.dram.burst_bytes = 32;
        g.icnt.sector_answers = sectors;
        struct sampler_counts c = run_gate(&s, 1, 1, 1, &g);
        ck_assert_uint_eq(c.l1_misses, 1);
        ck_assert_uint_eq(c.l1_hits, 1);
        ck_assert_uint_eq(c.l2_accesses, sectors ? 4 : 1);
        ck_assert_uint_eq(c.dram_bytes, 128);
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
    tcase_set_timeout(tc, 300);
    tcase_add_test(tc, l1_merging);
    tcase_add_test(tc, l2_merging);
    tcase_add_test(tc, sectors);
    tcase_add_test(tc, whole_fetches);
    tcase_add_test(tc, write_policies);
    tcase_add_test(tc, answers_by_sector);
    tcase_add_test(tc, fills_by_sector);
    tcase_add_test(tc, written_and_read);
    tcase_add_test(tc, last_address_first);
    tcase_add_test(tc, written_back);
    tcase_add_test(tc, dirty_lines);
    tcase_add_test(tc, places_at_a_slice);
    tcase_add_test(tc, fence_after_store);
    tcase_add_test(tc, atomics);
    return run_suite("memory: fills, sectors, stores", tc);
}
