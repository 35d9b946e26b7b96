/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coherence across the launches of an application: lines and whole L1s. */
#include "kernels/form/read_only.h"
#include "sampler/memory/controller.h"
#include "sampler/memory/mesh.h"
#include "sampler/memory/owners.h"
#include "tests/coherence_acts.h"

#include <math.h>

/* ---- ownership ---------------------------------------------------------- */

START_TEST(owned_lines_stay)
{
    struct gpu g = machine(2);
    struct act a[] = {{"store", 0, 0},
                      {"load", 0, 0},
                      {"store", 0, 0},
                      {"store", 0, 1},
                      {"load", 0, 0}};
    EXPECT(&g, a, L2, L1, L1, L2, L1);
}
END_TEST

START_TEST(a_reader_leaves_ownership)
{
    struct gpu g = machine(2);
    struct act a[] = {{"store", 0, 0},
                      {"load", 1, 0},
                      {"load", 0, 0},
                      {"load", 1, 0},
                      {"store", 0, 0}};
    /* The second load by SM 1 finds its clean copy dropped at the boundary. */
    EXPECT(&g, a, L2, REMOTE, L1, REMOTE, L1);
}
END_TEST

START_TEST(a_writer_takes_over)
{
    struct gpu g = machine(2);
    struct act a[] = {{"store", 0, 0}, {"store", 1, 0}, {"load", 1, 0},
                      {"load", 0, 0},  {"store", 0, 0}, {"load", 1, 0}};
    EXPECT(&g, a, L2, REMOTE, L1, REMOTE, REMOTE, REMOTE);
}
END_TEST

START_TEST(no_stale_copies)
{
    struct gpu g = machine(2);
    struct act a[] = {{"load", 0, 0}, {"store", 1, 0}, {"load", 0, 0}};
    EXPECT(&g, a, MEMORY, L2, REMOTE);
}
END_TEST

START_TEST(eviction_writes_back)
{
    struct gpu g = machine(2);
    g.l1.size_kb = 0.125;
    g.l1.ways = 1;
    struct act a[] = {{"store", 0, 0},
                      {"store", 0, 1},
                      {"load", 1, 0},
                      {"load", 1, 1},
                      {"store", 1, 0}};
    EXPECT(&g, a, L2, L2, L2, REMOTE, L2);
    struct sampler_counts c = run_acts(a, 2, &g, NULL);
    ck_assert_uint_gt(c.noc_crossings[NOC_WRITEBACK] + c.noc_flits, 0);
    ck_assert_uint_eq(c.l1_evictions, 1);
}
END_TEST

START_TEST(atomics_take_over)
{
    struct gpu g = machine(2);
    struct act a[] = {{"store", 0, 0}, {"add", 1, 0},   {"add", 1, 0},
                      {"load", 1, 0},  {"load", 0, 0},  {"add", 0, 0},
                      {"add", 1, 0},   {"store", 0, 1}, {"add", 0, 1},
                      {"add", 0, 2},   {"add", 0, 2}};
    /* Line 2 has never been anywhere: its data come from memory. */
    EXPECT(&g, a, L2, REMOTE, L1, L1, REMOTE, REMOTE, REMOTE, L2, L1, MEMORY,
           L1);
    struct sampler_counts c = run_acts(a, 11, &g, NULL);
    ck_assert_uint_eq(c.l1_atomics, 7);
    ck_assert_uint_eq(c.l1_writes, 7 + 2);
}
END_TEST

START_TEST(atomics_at_the_l2)
{
    struct gpu g = machine(2);
    g.coherence = COHERENCE_GPU;
    struct act a[] = {{"add", 0, 0}, {"add", 0, 0}, {"add", 1, 0}};
    EXPECT(&g, a, MEMORY, L2, L2);
    ck_assert_uint_eq(run_acts(a, 3, &g, NULL).l1_atomics, 0);
}
END_TEST

/* All lanes add to one address: in the L1 one after the other. */
START_TEST(atomics_on_one_address)
{
    static const char text[] =
        "buffers: { x = { bytes = 128; }; };\n"
        "kernels: { k: { launch: { grid = 1; block = 32; registers = 8; };"
        " program = \"loop i, 100, p0\nred.4 [x + 4*(lane %% %d)], r1\n"
        "endloop\nexit\"; }; };\n"
        "application = ( \"k\" );";
    char one[sizeof(text)], all[sizeof(text)];
    snprintf(one, sizeof(one), text, 1);
    snprintf(all, sizeof(all), text, 32);
    struct gpu g = machine(1);
    uint64_t apart = run_text(all, &g, "rr", NULL).cycles;
    uint64_t same = run_text(one, &g, "rr", NULL).cycles;
    ck_assert_uint_ge(same, 99 * 32);
    ck_assert_uint_lt(apart, same);
}
END_TEST

START_TEST(who_owns)
{
    struct owners o;
    ck_assert(owners_init(&o));
    for (uint64_t line = 0; line < 10000; line++)
        ck_assert(owners_set(&o, line * 977, 0xff, (int)(line % 15)));
    ck_assert(owners_set(&o, 977, 0xf0, NO_OWNER));
    ck_assert(owners_set(&o, 5, 1, NO_OWNER));
    for (uint64_t line = 0; line < 10000; line++) {
        uint32_t words = line == 1 ? 0x0f : 0xff;
        ck_assert_uint_eq(owners_words(&o, line * 977, (int)(line % 15)),
                          words);
        ck_assert_uint_eq(owners_any(&o, line * 977), words);
    }
    ck_assert_uint_eq(owners_any(&o, 5), 0);
    ck_assert_uint_eq(owners_any(&o, 123456789), 0);
    owners_free(&o);
}
END_TEST

/* ---- whole L1s ---------------------------------------------------------- */

/* 8 blocks, x += 1, 64 lines in all. */
static const char update[] =
    "buffers: { x = { bytes = 8192; }; };\n"
    "kernels: { k: { launch: { grid = 8; block = 256; registers = 8; };"
    " program = \"ldg.4 r1, [x + 4*gtid]\nfadd r1, r1, r1\n"
    "stg.4 [x + 4*gtid], r1\nexit\"; }; };\n"
    "application = ( { repeat = %d; launches = ( \"k\" ); } );";

static struct sampler_counts run_update(int launches, const struct gpu *g,
                                        const char *block)
{
    char text[sizeof(update) + 10];
    snprintf(text, sizeof(text), update, launches);
    return run_text(text, g, block, NULL);
}

START_TEST(data_that_fits_stays)
{
    struct gpu g = machine(4);
    struct sampler_counts one = run_update(1, &g, "reset");
    struct sampler_counts five = run_update(5, &g, "reset");
    ck_assert_uint_eq(one.l1_hits, 0);
    ck_assert_uint_eq(five.l1_hits, 4 * 64);
    ck_assert_uint_eq(five.l1_misses, one.l1_misses);
    ck_assert_uint_eq(five.noc_flits, one.noc_flits);
    ck_assert_uint_eq(five.dram_bytes, one.dram_bytes);
}
END_TEST

START_TEST(gpu_coherence_empties)
{
    struct gpu g = machine(4);
    g.coherence = COHERENCE_GPU;
    struct sampler_counts one = run_update(1, &g, "reset");
    struct sampler_counts five = run_update(5, &g, "reset");
    ck_assert_uint_eq(five.l1_hits, 0);
    ck_assert_uint_eq(five.served_remote, 0);
    /* Loads of later launches find in the L2 what was written through. */
    ck_assert_uint_eq(five.served_l2 - one.served_l2, 4 * 64);
    ck_assert_uint_eq(five.noc_crossings[NOC_WRITEBACK],
                      5 * one.noc_crossings[NOC_WRITEBACK]);
    ck_assert_uint_gt(one.noc_crossings[NOC_WRITEBACK], 0);
}
END_TEST

/* Without a mesh, 64 lines of 9 flits (8 + 128 bytes) from 4 SMs. */
START_TEST(writing_through_takes_time)
{
    struct gpu g = machine(4);
    g.icnt.mesh = 0;
    struct sampler_counts kept = run_update(1, &g, "reset");
    g.coherence = COHERENCE_GPU;
    struct sampler_counts through = run_update(1, &g, "reset");
    ck_assert_uint_eq(through.noc_crossings[NOC_WRITEBACK], 64 * 9);
    ck_assert_uint_eq(kept.noc_crossings[NOC_WRITEBACK], 0);
    ck_assert_uint_ge(through.cycles, through.last_block_end + 16 * 9);
    ck_assert_uint_eq(kept.cycles, kept.last_block_end);
}
END_TEST

/* Stores to lines 0, 1 and 0 again, each after the one before. */
static uint64_t written_back(int store_buffer)
{
    static const char text[] =
        "buffers: { x = { bytes = 256; }; };\n"
        "kernels: { k: { launch: { grid = 1; block = 32; registers = 8; };"
        " program = \"stg.4 [x + 4*lane], r1\nstg.4 [x + 128 + 4*lane], r1\n"
        "stg.4 [x + 4*lane], r1\nexit\"; }; };\n"
        "application = ( \"k\" );";
    struct gpu g = machine(1);
    g.icnt.mesh = false;
    g.coherence = COHERENCE_GPU;
    g.l1.store_buffer = store_buffer;
    return run_text(text, &g, "reset", NULL).noc_crossings[NOC_WRITEBACK];
}

/* With room for one line each store but the last drives the other line out,
 * with room for two both go at the end; a line is 9 flits. */
START_TEST(full_store_buffers_write_through)
{
    ck_assert_uint_eq(written_back(1), 3 * 9);
    ck_assert_uint_eq(written_back(2), 2 * 9);
    ck_assert_uint_eq(written_back(0), 2 * 9);
}
END_TEST

/* y is written in no launch, x in one of them. */
START_TEST(read_only_buffers_stay)
{
    struct gpu g = machine(2);
    struct act a[] = {{"ready", 0, 0},
                      {"load", 0, 0},
                      {"ready", 0, 0},
                      {"load", 0, 0},
                      {"store", 1, 9}};
    expect(&g, a, (const enum answer[]){MEMORY, MEMORY, L1, L1}, 4);
    /* With the store in it x is not read-only, from the first launch on. */
    struct sampler_counts without = run_acts(a, 4, &g, NULL);
    struct sampler_counts with = run_acts(a, 5, &g, NULL);
    ck_assert_uint_eq(without.served_l1, 2);
    ck_assert_uint_eq(with.served_l1, 1);
}
END_TEST

/* What the launches do not write to, whichever comes first. */
START_TEST(ranges_nobody_writes)
{
    struct gpu g = machine(2);
    struct act a[] = {{"load", 0, 0}, {"ready", 0, 0}, {"store", 1, 9}};
    for (int launches = 2; launches <= 3; launches++) {
        struct kernel_list l = load_acts(a, launches, &g);
        const struct buffer *x = &l.kernel[0]->buffer[0];
        const struct buffer *y = &l.kernel[0]->buffer[1];
        struct address_ranges r;
        struct error e;
        ck_assert(read_only_ranges(&r, l.kernel, (int)l.count, &e));
        ck_assert_uint_eq(r.count, launches == 2 ? 2 : 1);
        ck_assert(address_ranges_contain(&r, y->address));
        ck_assert(address_ranges_contain(&r, y->address + y->bytes - 1));
        ck_assert(!address_ranges_contain(&r, y->address + y->bytes));
        ck_assert(address_ranges_contain(&r, x->address) == (launches == 2));
        address_ranges_free(&r);
        kernel_list_free(&l);
    }
}
END_TEST

/* ---- mesh --------------------------------------------------------------- */

START_TEST(distances)
{
    ck_assert_int_eq(mesh_hops(0, 0), 0);
    ck_assert_int_eq(mesh_hops(0, 15), 6);
    ck_assert_int_eq(mesh_hops(3, 12), 6);
    ck_assert_int_eq(mesh_hops(5, 6), 1);
    ck_assert_int_eq(mesh_hops(1, 13), 3);
    ck_assert_int_eq(mesh_hops(14, 4), 4);
}
END_TEST

/* Reader, line (its slice holds two lines in a row), owner. */
static const struct {
    int reader, line, owner;
} ways[] = {{0, 0, 1},  {0, 1, 1},   {0, 24, 12}, {5, 10, 6},
            {0, 30, 3}, {12, 6, 14}, {7, 14, 8},  {3, 24, 0}};

/* An L2 hit takes 29 cycles and 32/12 more a hop of the way there and back; a
 * remote L1 hit 35 and 48/12 a hop from reader over slice and owner to reader
 * (ikra Table 2). Parts of a cycle are rounded up at each stage. */
START_TEST(remote_latency)
{
    struct gpu g = machine(15);
    int reader = ways[_i].reader, owner = ways[_i].owner;
    int line = ways[_i].line, slice = line / 2 % 16;
    struct act near[] = {{"load", reader, line},
                         {"load", owner, line + 32},
                         {"store", 14 - owner, 100},
                         {"load", reader, line + 32}};
    struct act far[] = {{"store", owner, line}, {"load", reader, line}};
    struct spans s;
    struct sampler_counts c = run_acts(near, 4, &g, &s);
    ck_assert_uint_ge(c.served_l2, 1);
    uint64_t l2 = s.longest[3];
    c = run_acts(far, 2, &g, &s);
    ck_assert_uint_eq(c.served_remote, 1);
    uint64_t remote = s.longest[1];
    int there = mesh_hops(reader, slice);
    int hops = there + mesh_hops(slice, owner) + mesh_hops(owner, reader);
    double wanted = 35 + 48.0 * hops / 12 - (29 + 32.0 * 2 * there / 12);
    ck_assert_double_eq_tol((double)remote - (double)l2, wanted, 2);
}
END_TEST

/* Of the load in a launch by SM 0 after launches of other SMs. */
static double load_span(const struct gpu *g, int line, bool in_l2)
{
    const struct act a[] = {{"store", 2, 100},
                            {"load", in_l2 ? 1 : 0, in_l2 ? line : 200},
                            {"load", 0, line}};
    struct spans s;
    struct sampler_counts c = run_acts(a, 3, g, &s);
    ck_assert_uint_eq(c.served_memory, in_l2 ? 1 : 2);
    return (double)s.longest[2];
}

/* 29 to 61 cycles for an L2 hit and 197 to 261 for memory. Line 0: its slice
 * and its controller are at SM 0. Line 30: both are at node 15, 6 hops off. */
START_TEST(latency_ranges)
{
    struct gpu g = machine(15);
    double near = load_span(&g, 0, true), far = load_span(&g, 30, true);
    ck_assert_double_eq(far - near, 61 - 29);
    ck_assert_double_eq_tol(load_span(&g, 0, false) - near, 197 - 29, 3);
    /* Memory waits for command clocks of its own. */
    ck_assert_double_eq_tol(load_span(&g, 30, false) - load_span(&g, 0, false),
                            261 - 197, 2);
}
END_TEST

/* memory_near is that of a controller no hop away, whatever the controllers and
 * the DRAM, which take no longer, take by themselves; memory_far, twelve hops
 * on, stays as it is. */
START_TEST(memory_near_sets_the_latency)
{
    static const int near[] = {197, 220, 240, 261};
    struct gpu g = machine(15);
    double l2 = load_span(&g, 0, true), far = load_span(&g, 30, false);
    g.mesh.memory_near = near[_i];
    ck_assert_double_eq_tol(load_span(&g, 0, false) - l2, near[_i] - 29, 3);
    ck_assert_double_eq_tol(load_span(&g, 30, false), far, 3);
    g.dram.latency = 100;
    ck_assert_double_eq_tol(load_span(&g, 0, false) - l2, near[_i] - 29, 3);
}
END_TEST

/* What the bundled machines of the paper say agrees. */
START_TEST(mesh_agrees_with_dram)
{
    struct gpu g;
    ck_assert(gpu_load(&g, _i == 0 ? "ikra" : "ikra-micro", NULL, 0, NULL));
    ck_assert_double_eq(controller_mesh_cycles(&g), 0);
}
END_TEST

/* Latencies that no configuration may have, far ones below near ones: nothing
 * arrives before it was sent, and the run ends. */
START_TEST(nothing_travels_back_in_time)
{
    struct gpu g = machine(15);
    struct spans s;
    struct act a[] = {{"store", 12, 30}, {"load", 2, 30}, {"load", 3, 31}};
    g.mesh.l2_near = g.mesh.remote_near = g.mesh.memory_near = 10000;
    g.mesh.l2_far = g.mesh.remote_far = g.mesh.memory_far = 0;
    struct sampler_counts c = run_acts(a, 3, &g, &s);
    ck_assert_uint_lt(c.cycles, 100000);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_gt(s.longest[i], 0);
}
END_TEST

/* A remote read: request to the slice, passed on to the owner, a line of nine
 * flits to the reader. */
START_TEST(remote_traffic)
{
    struct gpu g = machine(15);
    struct act a[] = {{"store", 12, 6}, {"load", 2, 6}};
    struct sampler_counts before = run_acts(a, 1, &g, NULL);
    struct sampler_counts after = run_acts(a, 2, &g, NULL);
    int there = mesh_hops(2, 3), on = mesh_hops(3, 12), back = mesh_hops(12, 2);
    ck_assert_uint_eq(after.noc_crossings[NOC_READ],
                      (uint64_t)(there + on + 9 * back));
    ck_assert_uint_eq(after.noc_flits - before.noc_flits, 1 + 1 + 9);
    /* The store asked the slice and was told. */
    ck_assert_uint_eq(before.noc_crossings[NOC_WRITE],
                      2 * (uint64_t)mesh_hops(12, 3));
    ck_assert_uint_eq(after.noc_crossings[NOC_WRITE],
                      before.noc_crossings[NOC_WRITE]);
}
END_TEST

/* ---- sums --------------------------------------------------------------- */

static const char *const blocks[] = {"rr", "chunk", "reset", "flip", "steal"};

START_TEST(sums)
{
    for (int c = 0; c < 2; c++) {
        struct gpu g = machine(4);
        g.coherence = c;
        g.l1.size_kb = 1;
        struct sampler_counts n = run_update(6, &g, blocks[_i]);
        ck_assert_uint_eq(n.served_l1 + n.served_remote + n.served_l2 +
                              n.served_memory,
                          n.l1_accesses + n.l1_writes);
        ck_assert_uint_eq(n.l1_accesses, 6 * 64);
        ck_assert_uint_eq(n.l1_writes, 6 * 64);
        g.icnt.mesh = 0; /* one link between any two */
        n = run_update(6, &g, blocks[_i]);
        ck_assert_uint_eq(n.noc_crossings[NOC_READ] +
                              n.noc_crossings[NOC_WRITE] +
                              n.noc_crossings[NOC_WRITEBACK],
                          n.noc_flits);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("coherence");
    TCase *t = tcase_create("all");
    tcase_add_test(t, owned_lines_stay);
    tcase_add_test(t, a_reader_leaves_ownership);
    tcase_add_test(t, a_writer_takes_over);
    tcase_add_test(t, no_stale_copies);
    tcase_add_test(t, eviction_writes_back);
    tcase_add_test(t, atomics_take_over);
    tcase_add_test(t, atomics_at_the_l2);
    tcase_add_test(t, atomics_on_one_address);
    tcase_add_test(t, who_owns);
    tcase_add_test(t, data_that_fits_stays);
    tcase_add_test(t, gpu_coherence_empties);
    tcase_add_test(t, writing_through_takes_time);
    tcase_add_test(t, full_store_buffers_write_through);
    tcase_add_test(t, read_only_buffers_stay);
    tcase_add_test(t, ranges_nobody_writes);
    tcase_add_test(t, distances);
    tcase_add_loop_test(t, remote_latency, 0, sizeof(ways) / sizeof(ways[0]));
    tcase_add_test(t, latency_ranges);
    tcase_add_loop_test(t, memory_near_sets_the_latency, 0, 4);
    tcase_add_loop_test(t, mesh_agrees_with_dram, 0, 2);
    tcase_add_test(t, nothing_travels_back_in_time);
    tcase_add_test(t, remote_traffic);
    tcase_add_loop_test(t, sums, 0, sizeof(blocks) / sizeof(blocks[0]));
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
