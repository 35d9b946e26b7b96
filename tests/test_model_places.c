/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the interval model has the lines of blocks lie, and how long L2 slices
 * take over what is changed there. */
#include "configs/address.h"
#include "model/moves.h"
#include "tests/model_traffic.h"
#include "tests/run_suite.h"

/* ---- from a block to the next -------------------------------------------- */

#define ACCESSES 6

/* Accesses of a block, of which the next one does some, in another order. */
START_TEST(accesses_move_by_what_they_are_of)
{
    static const struct access from[ACCESSES] = {
        {.inst = 7, .warp = 0, .address = 1000},
        {.inst = 7, .warp = 1, .address = 2000},
        {.inst = 7, .warp = 0, .address = 3000},
        {.inst = 7, .warp = 0, .address = 4000},
        {.inst = 8, .warp = 0, .address = 5000},
        {.inst = 9, .warp = 0, .address = 6000},
    };
    static const struct access to[] = {
        {.inst = 9, .warp = 0, .address = 6000},
        {.inst = 7, .warp = 1, .address = 2100},
        {.inst = 7, .warp = 1, .address = 9999},
        {.inst = 7, .warp = 0, .address = 1200},
        {.inst = 7, .warp = 0, .address = 3300},
    };
    /* the third of warp 0 as its second; what is not done at all as the one
     * before it */
    static const double expected[ACCESSES] = {200, 100, 300, 300, 100, 0};
    double move[ACCESSES];
    ck_assert(moves_find(move, from, ACCESSES, to, sizeof(to) / sizeof(to[0])));
    for (int i = 0; i < ACCESSES; i++)
        ck_assert_double_eq(move[i], expected[i]);
    ck_assert(moves_find(move, from, ACCESSES, to, 0));
    for (int i = 0; i < ACCESSES; i++)
        ck_assert_double_eq(move[i], 0);
}
END_TEST

/* Blocks go through lines of their own, as many as may be: they crowd no slice.
 * Where all go through the same line they ask one slice. */
START_TEST(blocks_of_any_length_are_spread_over_slices)
{
    static const struct {
        const char *trips, *address;
        bool spread;
    } of[] = {
        {"16", "x + 8192*block + 512*i + 4*tid", true},
        {"1 + hash(block, 16)", "x + 8192*block + 512*i + 4*tid", true},
        {"1 + hash(4*block + warp, 16)", "x + 8192*block + 512*i + 4*tid",
         true},
        {"1 + hash(block, 16)", "x", false},
    };
    struct gpu g = machine("v100");
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        char program[512];
        snprintf(program, sizeof(program),
                 "    loop i, %s, p0\n"
                 "    ldg.4 r1, [%s], r0\n"
                 "    ffma  r3, r1, r1, r3\n"
                 "    endloop\n"
                 "    exit\n",
                 of[i].trips, of[i].address);
        double crowding =
            traffic(kernel_with("grid = 2000; block = 128;",
                                "x = { bytes = 16384000; };", program),
                    &g, 8, "gto")
                .crowding;
        if (of[i].spread)
            ck_assert_double_le(crowding, 1.1);
        else
            ck_assert_double_ge(crowding, 0.9 * g.l2.banks);
    }
}
END_TEST

/* ---- in the sets of the L1 ----------------------------------------------- */

/* Lines of a block all fall in one of four sets; those of the next block in the
 * same, or in the next one, so that of two blocks one in four share a set. */
START_TEST(blocks_crowd_the_sets_that_they_share)
{
    enum { LINES = 32, SETS = 4 };
    static const struct {
        double right, across, tolerance;
    } of[] = {{SETS * LINES, SETS, 1e-9}, {SETS * LINES + 1, 1, 0.4}};
    struct gpu g = machine("v100");
    ck_assert_int_eq(g.l1.hashed, 0);
    ck_assert_double_eq(g.l1.size_kb * 1024 / g.l1.line_bytes / g.l1.ways,
                        SETS);
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct moving_line line[LINES];
        struct placement placed;
        for (uint64_t l = 0; l < LINES; l++)
            line[l] = (struct moving_line){
                .line = SETS * l, .sent = 1, .right = of[i].right};
        const struct moving_block m = {.line = line,
                                       .lines = LINES,
                                       .at_a_time = LINES,
                                       .row = 4096,
                                       .blocks = 4096,
                                       .resident = 1024};
        ck_assert(placement_measure(&placed, &g, &m));
        ck_assert_double_eq_tol(placed.l1.crowding, SETS, 1e-9);
        ck_assert_double_eq_tol(placed.l1.across, of[i].across,
                                of[i].tolerance);
    }
}
END_TEST

/* ---- in the rows of DRAM ------------------------------------------------- */

/* The share of requests that open a row, of one block that touches these lines
 * again and again, when so many are queued at a time. */
static double rows_opened(const struct gpu *gpu, const uint64_t *of, size_t n,
                          int queue)
{
    enum { LINES = 1024 };
    struct moving_line line[LINES];
    struct placement placed;
    struct gpu g = *gpu;
    g.dram.queue = queue;
    for (size_t i = 0; i < LINES; i++)
        line[i] = (struct moving_line){.line = of[i % n], .sent = 1};
    ck_assert(placement_measure(&placed, &g,
                                &(struct moving_block){.line = line,
                                                       .lines = LINES,
                                                       .at_a_time = queue,
                                                       .row = 1,
                                                       .blocks = 1,
                                                       .resident = 1}));
    return placed.row_miss;
}

static struct place place_of_line(const struct gpu *g, uint64_t line)
{
    uint64_t byte = line * (uint64_t)g->l1.line_bytes;
    return address_locate(g, byte / (uint64_t)g->l2.line_bytes);
}

/* Two rows of a bank in turn: where one request is queued each closes the row
 * of the one before; of two the one to the open row goes first, of four both
 * of each row together. A row by itself stays open. */
START_TEST(requests_to_the_open_row_go_first)
{
    struct gpu g = machine("m2090");
    g.dram.channels = 1;
    g.l2.banks = 1;
    uint64_t of[] = {0, 1};
    struct place first = place_of_line(&g, 0), second;
    do {
        second = place_of_line(&g, ++of[1]);
    } while (second.bank != first.bank || second.row == first.row);
    ck_assert_double_eq_tol(rows_opened(&g, of, 2, 1), 1, 0.01);
    ck_assert_double_eq_tol(rows_opened(&g, of, 2, 2), 0.5, 0.01);
    ck_assert_double_eq_tol(rows_opened(&g, of, 2, 4), 0.25, 0.01);
    ck_assert_double_eq_tol(rows_opened(&g, of, 1, 1), 0, 0.01);
}
END_TEST

/* One line that all store to keeps one slice of 64 busy with half of all
 * requests, beside its share of the others. */
START_TEST(a_hot_line_keeps_one_slice_busy)
{
    struct gpu g = machine("v100");
    struct hot_line one = {.line = 12345, .sent = 100};
    const struct hot_lines hot[] = {{NULL, 0, 0}, {&one, 1, 0.5}};
    const double slice[] = {1, 1 + 0.5 * 63};
    struct moving_line line[64];
    ck_assert_int_eq(g.l2.banks, 64);
    for (uint64_t l = 0; l < 64; l++)
        line[l] = (struct moving_line){.line = l, .sent = 1, .right = 64};
    for (int i = 0; i < 2; i++) {
        struct placement placed;
        const struct moving_block m = {.line = line,
                                       .lines = 64,
                                       .at_a_time = 64,
                                       .row = 4096,
                                       .blocks = 4096,
                                       .resident = 1024,
                                       .hot = &hot[i]};
        ck_assert(placement_measure(&placed, &g, &m));
        ck_assert_double_eq_tol(placed.slice, slice[i], 0.01);
    }
}
END_TEST

/* Of what each block asks for one request in 64 is an atomic of 32 lanes: where
 * all that run at a time go to one line one slice of 64 does all of them,
 * though hardly a request is for it; where each goes to the line behind, all
 * do. */
START_TEST(atomics_of_neighbours_keep_one_slice_busy)
{
    static const struct {
        double right, atomics, tolerance;
    } of[] = {{0, 64, 1e-9}, {1.0 / 4096, 64, 1e-9}, {1, 1, 0.2}};
    struct gpu g = machine("v100");
    ck_assert_int_eq(g.l2.banks, 64);
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct moving_line line[64];
        struct placement placed;
        for (uint64_t l = 1; l < 64; l++)
            line[l] = (struct moving_line){.line = l, .sent = 1, .right = 64};
        line[0] = (struct moving_line){
            .line = 1 << 20, .sent = 1, .serial = 32, .right = of[i].right};
        const struct moving_block m = {.line = line,
                                       .lines = 64,
                                       .at_a_time = 64,
                                       .row = 4096,
                                       .blocks = 4096,
                                       .resident = 1024};
        ck_assert(placement_measure(&placed, &g, &m));
        ck_assert_double_eq_tol(placed.slice, 1, 0.1);
        ck_assert_double_eq_tol(placed.atomics, of[i].atomics, of[i].tolerance);
    }
}
END_TEST

/* Warps that each go through a sector of their own rows, all rows in one set:
 * the L1 holds 256 of them, the lines of eight warps. */
START_TEST(rows_in_one_set_miss_beyond_its_ways)
{
    static const struct {
        int warps;
        double misses;
    } of[] = {{4, 0.25}, {16, 1}, {32, 1}};
    static const char program[] =
        "    loop i, 4, p0\n"
        "    ldg.4 r1, [x + 32768*block + 512*tid + 4*i], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("v100");
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct kernel *k = kernel_with("grid = 2000; block = 64;",
                                       "x = { bytes = 65536000; };", program);
        ck_assert_double_eq_tol(traffic(k, &g, of[i].warps / 2, "lrr").l1_miss,
                                of[i].misses, 0.01);
    }
}
END_TEST

/* ---- in the slices ------------------------------------------------------- */

/* Cycles that a warp of a kernel of one such instruction takes the slices. */
static double in_slices(const char *instruction, const struct gpu *g)
{
    char program[256];
    snprintf(program, sizeof(program), "    %s\n    exit\n", instruction);
    return traffic(kernel_with("grid = 2000; block = 32;",
                               "x = { bytes = 8192000; };", program),
                   g, 8, "gto")
               .slices *
           g->clock.l2_mhz / g->clock.core_mhz * g->l2.banks / g->sms;
}

/* A part of a sector may take a slice longer than its bytes do, and so may
 * lanes that change one address. */
START_TEST(what_is_changed_takes_slices)
{
    struct gpu g = machine("h100"), plain = machine("v100");
    const double sector = 32 / g.l2.port_bytes;
    static const char whole[] = "stg.4 [x + 128*block + 4*tid], r1";
    static const char parts[] = "stg.4 [x + 4096*block + 128*tid], r1";
    static const char one[] = "atom.4 r2, [x + 4096*block], r1";
    static const char each[] = "atom.4 r2, [x + 4096*block + 4*tid], r1";
    ck_assert_double_eq_tol(in_slices(whole, &g), 4 * sector, 0.01);
    ck_assert_double_eq_tol(in_slices(parts, &g), 32 * g.l2.partial_cycles,
                            0.5);
    ck_assert_double_eq_tol(in_slices(one, &g), 32 * g.l2.atomic_cycles, 0.5);
    ck_assert_double_eq_tol(in_slices(each, &g), 4 * g.l2.atomic_cycles, 0.1);
    ck_assert_double_eq_tol(in_slices(parts, &plain),
                            32 * 32 / plain.l2.port_bytes, 0.5);
    ck_assert_double_eq_tol(in_slices(one, &plain), 32, 0.5);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("places");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, accesses_move_by_what_they_are_of);
    tcase_add_test(c, blocks_of_any_length_are_spread_over_slices);
    tcase_add_test(c, blocks_crowd_the_sets_that_they_share);
    tcase_add_test(c, a_hot_line_keeps_one_slice_busy);
    tcase_add_test(c, atomics_of_neighbours_keep_one_slice_busy);
    tcase_add_test(c, requests_to_the_open_row_go_first);
    tcase_add_test(c, rows_in_one_set_miss_beyond_its_ways);
    tcase_add_test(c, what_is_changed_takes_slices);
    return run_suite("model: places", c);
}
