/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that the interval model moves for blocks that touch the same lines, as
 * other blocks of the grid do or the same ones repeated; all can be counted by
 * hand. */
#include "kernels/load.h"
#include "model/rows.h"
#include "model/shared_lines.h"
#include "tests/model_traffic.h"
#include "tests/script_kernel.h"

/* ---- lines that blocks share -------------------------------------------- */

/* Block (x, y) of 16 x 16 reads 64 KiB of its column and of its row, and writes
 * 512 bytes: what all read is 2 MiB, and half the V100's L2 holds what they
 * write. */
static const char tiles[] = "    loop i, 128, p0\n"
                            "    ldg.4 r1, [a + 65536*bx + 512*i + 4*tid], r0\n"
                            "    ldg.4 r2, [b + 65536*by + 512*i + 4*tid], r0\n"
                            "    ffma  r3, r1, r2, r3\n"
                            "    endloop\n"
                            "    stg.4 [c + 512*block + 4*tid], r3\n"
                            "    exit\n";

START_TEST(rows_and_columns_are_read_once)
{
    struct gpu g = machine("v100");
    for (int blocks = 1; blocks <= 8; blocks *= 2) {
        struct kernel *k =
            kernel_with("grid = [16, 16]; block = 128;",
                        "a = { bytes = 1048576; }; b = { bytes = 1048576; }; "
                        "c = { bytes = 131072; };",
                        tiles);
        assert_near(traffic(k, &g, blocks, "gto").dram, 2097152, 0.03);
    }
}
END_TEST

/* The same of a grid of one dimension, as it may be given for a file that was
 * written for 16 x 16 blocks. */
START_TEST(rows_and_columns_of_a_line_of_blocks_are_read_once)
{
    static const char program[] =
        "    loop i, 128, p0\n"
        "    ldg.4 r1, [a + 65536*(block % 16) + 512*i + 4*tid], r0\n"
        "    ldg.4 r2, [b + 65536*(block / 16) + 512*i + 4*tid], r0\n"
        "    ffma  r3, r1, r2, r3\n"
        "    endloop\n"
        "    stg.4 [c + 512*block + 4*tid], r3\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 256; block = 128;",
                                   "a = { bytes = 1048576; }; "
                                   "b = { bytes = 1048576; }; "
                                   "c = { bytes = 131072; };",
                                   program);
    k->row = 16;
    assert_near(traffic(k, &g, 4, "gto").dram, 2097152, 0.03);
}
END_TEST

/* Five blocks of a row that touch the same line are one line in five touches;
 * two are one in two. */
START_TEST(lines_are_as_many_as_their_ends_say)
{
    const uint32_t known =
        BIT(CENTRE) | BIT(LEFT) | BIT(RIGHT) | BIT(FAR_RIGHT);
    const uint32_t first = BIT(CENTRE) | BIT(RIGHT),
                   last = BIT(CENTRE) | BIT(LEFT), inner = first | last;
    const uint32_t five[] = {first, inner, inner, inner, last};
    const uint32_t two[] = {first, last};
    struct kernel *k = kernel_with("grid = [64, 64]; block = 32;",
                                   "a = { bytes = 4; };", "    exit\n");
    double of_five[SHARING_SUMS] = {0}, of_two[SHARING_SUMS] = {0};
    struct group_sides sides = {.near = {0, 0}};
    for (int i = 0; i < 5; i++)
        neighbours_add_sides(&sides, five[i], known, 1);
    ck_assert_double_eq(sides.near.both, 3);
    ck_assert_double_eq(sides.near.one, 2);
    for (int i = 0; i < 5; i++)
        neighbours_count(of_five, k, 64, five[i], known, &sides, 1);
    ck_assert_double_eq(of_five[SHARED_COLD], 5);
    ck_assert_double_eq(of_five[SHARED_NEAR], 4);
    sides = (struct group_sides){.near = {0, 2}};
    for (int i = 0; i < 2; i++)
        neighbours_count(of_two, k, 64, two[i], known, &sides, 1);
    ck_assert_double_eq(of_two[SHARED_NEAR], 1);
    kernel_free(k);
}
END_TEST

/* Blocks of a grid of three dimensions read 512 bytes of their own plane and of
 * the next four: each plane once, of which the L2 does not hold all. */
START_TEST(planes_of_a_grid_are_read_once)
{
    static const char program[] =
        "    ldg.4 r1, [a + 512*block + 4*tid], r0\n"
        "    ldg.4 r2, [a + 512*block + 32768 + 4*tid], r0\n"
        "    ldg.4 r3, [a + 512*block + 65536 + 4*tid], r0\n"
        "    ldg.4 r4, [a + 512*block + 98304 + 4*tid], r0\n"
        "    ldg.4 r5, [a + 512*block + 131072 + 4*tid], r0\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = [8, 8, 400]; block = 128;",
                                   "a = { bytes = 13238272; };", program);
    assert_near(traffic(k, &g, 8, "gto").dram, 13238272, 0.05);
}
END_TEST

/* Blocks read 4 KiB of their own plane and of the next eight, and the next
 * block's as well. Four planes of blocks run at a time on an A10, and touch
 * twelve, 5.3 MB: its L2 holds them, so that each plane is read once. */
START_TEST(planes_that_run_together_are_held)
{
    static const char program[] =
        "    loop j, 9, p0\n"
        "    loop i, 8, p1\n"
        "    ldg.4 r1, [a + 4096*block + 442368*j + 512*i + 4*tid], r0\n"
        "    ldg.4 r2, [a + 4096*block + 4096 + 442368*j + 512*i + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("a10");
    struct kernel *k = kernel_with("grid = [12, 9, 64]; block = 128;",
                                   "a = { bytes = 31854592; };", program);
    assert_near(traffic(k, &g, 6, "gto").dram, 31854592, 0.15);
}
END_TEST

/* 6400 blocks read a kilobyte of an image each, whose rows take five, and those
 * of the rows above and below: three times as much, of which a share is counted
 * for blocks between rows, too. */
START_TEST(rows_of_an_image_are_read_once_by_a_line_of_blocks)
{
    static const char program[] =
        "    ldg.4 r1, [x + 1024*block + 4*tid], r0\n"
        "    ldg.4 r2, [x + 1024*block + 5120 + 4*tid], r0\n"
        "    ldg.4 r3, [x + 1024*block + 10240 + 4*tid], r0\n"
        "    ffma  r1, r1, r2, r3\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 6400; block = 256;",
                                   "x = { bytes = 6563840; };", program);
    assert_near(traffic(k, &g, 4, "gto").dram, 6563840, 0.2);
}
END_TEST

/* Accesses of a block of 1 KiB, and of the next one. */
START_TEST(rows_are_found_by_addresses)
{
    static const struct {
        uint64_t here[5], next[5];
        uint64_t blocks, row;
    } of[] = {
        /* above, here and below in an image; another one far behind it */
        {{1 << 20, (1 << 20) + 5120, (1 << 20) + 10240, 1 << 26, 64},
         {(1 << 20) + 1024, (1 << 20) + 6144, (1 << 20) + 11264,
          (1 << 26) + 1024, 64},
         6400,
         5},
        /* of a grid that has but one such row */
        {{1 << 20, (1 << 20) + 5120, 64, 64, 64},
         {(1 << 20) + 1024, (1 << 20) + 6144, 64, 64, 64},
         9,
         0},
        /* the neighbour's; between two blocks; those that move otherwise */
        {{0, 1024, 1536, 1 << 20, 1 << 21},
         {1024, 2048, 2560, (1 << 20) + 512, (1 << 21) + 256},
         6400,
         0},
    };
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        struct access here[5], next[5];
        uint64_t row;
        for (int n = 0; n < 5; n++) {
            here[n] = (struct access){.address = of[i].here[n]};
            next[n] = (struct access){.address = of[i].next[n]};
        }
        ck_assert(rows_find(&row, here, next, 5, of[i].blocks));
        ck_assert_uint_eq(row, of[i].row);
    }
}
END_TEST

/* Rows of 1,600 blocks, of which an M2090 runs 96 and its L2 holds the lines of
 * some 200: four rows read each kilobyte again. */
START_TEST(rows_longer_than_the_l2_are_read_by_each)
{
    static const char program[] =
        "    loop i, 4, p0\n"
        "    ldg.4 r1, [x + 4*(gtid + 409600*i)], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("m2090");
    for (int lrr = 0; lrr < 2; lrr++) {
        struct kernel *k = kernel_with("grid = 12000; block = 256;",
                                       "x = { bytes = 17203200; };", program);
        assert_near(traffic(k, &g, 6, lrr ? "lrr" : "gto").dram,
                    4 * 12000 * 1024.0, 0.02);
    }
}
END_TEST

/* The same of blocks so long that their neighbours are not walked to the end:
 * 8 x 64 of them read 512 KiB of the 4 MiB that their columns have in common,
 * and 16 KiB of the 1 MiB of rows. */
START_TEST(rows_and_columns_of_long_blocks_are_read_once)
{
    static const char program[] =
        "    loop i, 1024, p0\n"
        "    ldg.4 r1, [a + 524288*bx + 512*i + 4*tid], r0\n"
        "    ldg.4 r2, [b + 16384*by + 16*i + 4*(tid % 4)], r0\n"
        "    loop j, 8, p1\n"
        "    ffma  r3, r1, r2, r3\n"
        "    endloop\n"
        "    endloop\n"
        "    stg.4 [c + 512*block + 4*tid], r3\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = [8, 64]; block = 128;",
                    "a = { bytes = 4194304; }; b = { bytes = 1048576; }; "
                    "c = { bytes = 262144; };",
                    program);
    assert_near(traffic(k, &g, 4, "gto").dram, 5242880, 0.05);
}
END_TEST

/* Blocks of an SM that go in step have each line from the L2 once: block b and
 * the 80 later blocks of the V100's 80 SMs read the same, 64 KiB and more than
 * the L1 would keep until the next block comes. */
START_TEST(blocks_in_step_share_what_the_l1_gets)
{
    static const char program[] =
        "    loop i, 4096, p0\n"
        "    ldg.4 r1, [a + 524288*(block % 80) + 128*i + 4*lane], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("v100");
    for (int blocks = 1; blocks <= 4; blocks++) {
        struct kernel *k = kernel_with("grid = 960; block = 32;",
                                       "a = { bytes = 41943040; };", program);
        assert_near(traffic(k, &g, blocks, "lrr").l2, 960 * 524288.0 / blocks,
                    0.03);
    }
}
END_TEST

/* All blocks read the same 512 KiB, which four of a warp each on an SM wait for
 * most of the time: in one order what one of them waits for is there for the
 * others; each in an order of its own they need it at other times. */
START_TEST(blocks_share_what_they_read_in_one_order)
{
    static const char *const program[] = {
        "    loop i, 4096, p0\n"
        "    ldg.4 r1, [a + 128*i + 4*lane], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    exit\n",
        "    loop i, 4096, p0\n"
        "    ldg.4 r1, [a + 128*hash(i + 4096*block, 4096) + 4*lane], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    exit\n"};
    struct gpu g = machine("v100");
    g.l1.size_kb = 16;
    double asked[2];
    for (int i = 0; i < 2; i++)
        asked[i] = traffic(kernel_with("grid = 960; block = 32;",
                                       "a = { bytes = 524288; };", program[i]),
                           &g, 4, "gto")
                       .l2;
    assert_near(asked[0], 960 * 524288.0 / 4, 0.05);
    assert_near(asked[1], 960 * 524288.0, 0.1);
}
END_TEST

/* 512 blocks that read 2048 words each, anywhere in 256 KiB, which is as much
 * as is read. */
START_TEST(what_blocks_share_by_chance_is_read_once)
{
    struct gpu g = machine("v100");
    struct script s = readers(16, 262144);
    struct kernel *k = script_kernel(&s, 512, 4);
    assert_near(traffic_of(k, &g, 8, "gto").dram, 262144, 0.2);
    k->ops->destroy(k);
}
END_TEST

/* 288 blocks that read 128 KiB of their own each and go to as many words of 1
 * MiB, anywhere in it and again and again: what streams past them meanwhile
 * fills the L2, of 4 MiB, but some other block has touched each line since. */
START_TEST(what_blocks_share_by_chance_stays_for_all)
{
    struct gpu g = machine("t4");
    struct kernel *k =
        kernel_with("grid = 288; block = 256;",
                    "a = { bytes = 1048576; }; b = { bytes = 37748736; };",
                    "    loop i, 128, p0\n"
                    "    ldg.4 r1, [b + 131072*block + 1024*i + 4*tid], r0\n"
                    "    ldg.4 r2, [a + 4*rand(262144)], r1\n"
                    "    fadd r3, r2, r3\n"
                    "    endloop\n"
                    "    exit\n");
    assert_near(traffic(k, &g, 4, "gto").dram, 37748736 + 1048576, 0.15);
}
END_TEST

/* Half of the words in the first 16 KiB, which nearly all blocks have, half
 * anywhere in 1 MiB, of whose sectors any other block touches 3 %: two chances
 * of one kind, of which the smaller looks like none. All that is read is 1 MiB.
 */
START_TEST(what_there_is_no_room_for_is_read_once)
{
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with(
        "grid = 512; block = 128;", "a = { bytes = 1048576; };",
        "    loop i, 16, p0\n"
        "    ldg.4 r1, [a + 4*(rand(4096) + rand(2)*rand(258048))], r0\n"
        "    endloop\n"
        "    exit\n");
    assert_near(traffic(k, &g, 8, "gto").dram, 1048576, 0.25);
}
END_TEST

/* Of ten first touches two are of what others touch by chance, of eight there
 * is room for two, or for as many: three other blocks touch the same, or none.
 * Of all that do all but the first find it. */
START_TEST(what_there_is_no_room_for_is_shared)
{
    double crammed[SHARING_SUMS] = {
        [SHARED_COLD] = 10, [SHARED_WIDE] = 2, [SHARED_ROOM] = 2};
    double roomy[SHARING_SUMS] = {
        [SHARED_COLD] = 10, [SHARED_WIDE] = 2, [SHARED_ROOM] = 8};
    ck_assert_double_eq_tol(shared_crammed(crammed), 3, 1e-12);
    ck_assert_double_eq_tol(crammed[SHARED_ROOM], 8, 1e-12);
    ck_assert_double_eq(shared_crammed(roomy), 0);
    ck_assert_double_eq(roomy[SHARED_ROOM], 0);
    ck_assert_double_eq(shared_again(0), 0);
    ck_assert_double_eq_tol(shared_again(3), 1 - (1 - exp(-3)) / 3, 1e-12);
}
END_TEST

/* 32 blocks an SM that read 256 words each, anywhere in 64 KiB, which the L1
 * holds together with their many more lines: each SM asks for them once, but
 * for what blocks that run at a time ask for before any has it. */
START_TEST(what_an_sm_shares_by_chance_is_asked_for_once)
{
    struct gpu g = machine("v100");
    struct script s = readers(2, 65536);
    struct kernel *k = script_kernel(&s, 2560, 4);
    struct traffic t = traffic_of(k, &g, 2, "gto");
    double loaded = 2560 * 4 * 2 * 32 * 32.0;
    assert_near(t.l2, 80 * 65536.0, 0.25);
    ck_assert_double_eq_tol(t.l1_miss, 80 * 65536 / loaded, 0.1);
    k->ops->destroy(k);
}
END_TEST

/* Eight blocks at a time that read 128 words each, anywhere in 88 lines, on an
 * L1 of 128: what one of them has not touched for long another one has, so that
 * each SM asks for all of it once. */
START_TEST(what_blocks_read_again_together_stays)
{
    struct gpu g = machine("gtx480");
    struct script s = readers(1, 11264);
    struct kernel *k = script_kernel(&s, 1200, 4);
    struct traffic t = traffic_of(k, &g, 8, "gto");
    assert_near(t.l2, 15 * 11264.0, 0.25);
    k->ops->destroy(k);
}
END_TEST

/* Blocks that read 1024 words each, anywhere in 2048 lines, of which the L1
 * holds 128: the next block of the SM touches many of one's lines, as any other
 * does, and not at the same time, though both go in step. */
START_TEST(what_the_next_block_shares_by_chance_is_not_in_step)
{
    struct gpu g = machine("gtx480");
    struct script s = readers(8, 262144);
    struct kernel *k = script_kernel(&s, 1200, 4);
    struct traffic t = traffic_of(k, &g, 8, "lrr");
    double loaded = 1200 * 4 * 8 * 32 * 128.0;
    assert_near(t.l2, (1 - 128 / 2048.) * loaded, 0.08);
    k->ops->destroy(k);
}
END_TEST

/* Three in four of the sectors of the same blocks are there, each by chance: of
 * the 32 that a warp asks for at a time some is not, and it waits for that. */
START_TEST(one_line_of_many_is_not_there)
{
    struct gpu g = machine("v100");
    struct script s = readers(2, 65536);
    struct kernel *k = script_kernel(&s, 2560, 4);
    struct traffic t = traffic_of(k, &g, 2, "gto");
    ck_assert_double_ge(t.alone, 0.95 * t.from_l2);
    k->ops->destroy(k);
}
END_TEST

/* Of ten lines six are touched by chance, each by nearly all others, and six by
 * blocks in the middle, by as many: two of five by neither where one says
 * nothing of the other, two of five of these. */
START_TEST(what_is_shared_in_two_ways_is_taken_off_once)
{
    const struct shared_lines s = {
        .blocks = 1e6,
        .row = 1e6,
        .by_chance = 0.9,
        .middle = 0.9,
        .share = {[SHARED_WIDE] = 0.6, [SHARED_MIDDLE] = 0.6}};
    ck_assert_double_eq_tol(shared_lines_own(&s, 1e6), 0.4 * 0.4, 0.01);
}
END_TEST

/* All lines that cfd touches are those of its four buffers, 36.3 MB (its file):
 * so much of its grid has passed when they fill the L2 of an a10. */
START_TEST(a_mesh_fills_the_l2_by_all_its_lines)
{
    struct gpu g = machine("a10");
    struct kernel_list list;
    struct error e;
    struct load_options o = load_options_default();
    ck_assert_msg(kernel_load(&list, "cfd", &o, &e), "%s", e.text);
    struct profile *p = profile_create(list.kernel[0], &g, 1, &e);
    ck_assert_ptr_nonnull(p);
    double share = g.l2.size_kb * 1024 / 36281856.0;
    ck_assert_double_eq_tol(profile_stores_left(p, &g), share, 0.45 * share);
    profile_free(p);
    kernel_list_free(&list);
}
END_TEST

/* Blocks that have their lines in common with every 56th, as in 2D data that a
 * grid of one dimension goes over: none is next to another, nor comes next on
 * its SM. As near as the few that are looked at tell. */
START_TEST(what_blocks_far_apart_share_is_read_once)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 2240; block = 128;", "x = { bytes = 229376; };",
                    "    loop i, 8, p0\n"
                    "    ldg.4 r1, [x + 4096*(block % 56) + "
                    "512*i + 4*tid], r0\n"
                    "    ffma  r3, r1, r1, r3\n"
                    "    endloop\n"
                    "    exit\n");
    assert_near(traffic(k, &g, 4, "gto").dram, 229376, 0.5);
}
END_TEST

/* ---- blocks that are repeated ------------------------------------------- */

/* The first `period` of so many blocks of 1024 threads, which together touch
 * `bytes`, again and again. */
static double repeated(const char *gpu, int resident, int blocks, int period,
                       int bytes, const char *program)
{
    struct gpu g = machine(gpu);
    char launch[64], buffers[64];
    snprintf(launch, sizeof(launch), "grid = %d; block = 1024;", blocks);
    snprintf(buffers, sizeof(buffers), "x = { bytes = %d; };", bytes);
    struct kernel *k = kernel_with(launch, buffers, program);
    k->period = (uint64_t)period;
    return traffic(k, &g, resident, "gto").dram;
}

/* 48 blocks of 4 KiB each, which are repeated a hundred times and fit the L2.
 */
START_TEST(blocks_that_are_repeated_are_read_once)
{
    assert_near(repeated("v100", 1, 4800, 48, 196608,
                         "    ldg.4 r1, [x + 4096*(block % 48) + 4*tid], r0\n"
                         "    exit\n"),
                196608, 0.03);
}
END_TEST

/* A period at which remote neighbours, 0.382 and 0.618 of 300 blocks on, lie as
 * well: no two blocks of it touch the same 4 KiB. */
START_TEST(periods_are_not_taken_for_sharing)
{
    assert_near(repeated("v100", 1, 300, 186, 761856,
                         "    ldg.4 r1, [x + 4096*(block % 186) + 4*tid], r0\n"
                         "    exit\n"),
                761856, 0.03);
}
END_TEST

/* 48 blocks write 64 KiB each, 3 MiB that half of the L2 holds, a hundred times
 * over. */
START_TEST(what_is_repeated_stays_in_the_l2)
{
    double dram =
        repeated("a100", 1, 4800, 48, 3145728,
                 "    loop i, 16, p0\n"
                 "    stg.4 [x + 65536*(block % 48) + 4096*i + 4*tid], r0\n"
                 "    endloop\n"
                 "    exit\n");
    ck_assert_double_lt(dram, 0.1 * 3145728);
}
END_TEST

/* 48 blocks write 256 KiB each, 12 MiB and twice what the L2 holds, twenty
 * times over: all is written back each time, but for half an L2 at the end. */
START_TEST(what_is_repeated_and_does_not_stay_is_written_each_time)
{
    double dram =
        repeated("v100", 1, 960, 48, 12582912,
                 "    loop i, 64, p0\n"
                 "    stg.4 [x + 262144*(block % 48) + 4096*i + 4*tid], r0\n"
                 "    endloop\n"
                 "    exit\n");
    assert_near(dram, 20 * 12582912.0 - 3145728, 0.02);
}
END_TEST

/* 13 blocks of 256 KiB, which each of them reads twice: 3.3 MiB, which half of
 * the L2 holds, however many of their repetitions run side by side. */
START_TEST(repetitions_side_by_side_take_no_more_room)
{
    double dram = repeated(
        "v100", 2, 300, 13, 3407872,
        "    loop j, 2, p1\n"
        "    loop i, 64, p0\n"
        "    ldg.4 r1, [x + 262144*(block % 13) + 4096*i + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n");
    assert_near(dram, 3407872, 0.1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: sharing");
    TCase *c = tcase_create("sharing");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, rows_and_columns_are_read_once);
    tcase_add_test(c, lines_are_as_many_as_their_ends_say);
    tcase_add_test(c, planes_of_a_grid_are_read_once);
    tcase_add_test(c, planes_that_run_together_are_held);
    tcase_add_test(c, rows_of_an_image_are_read_once_by_a_line_of_blocks);
    tcase_add_test(c, rows_are_found_by_addresses);
    tcase_add_test(c, rows_longer_than_the_l2_are_read_by_each);
    tcase_add_test(c, rows_and_columns_of_long_blocks_are_read_once);
    tcase_add_test(c, blocks_in_step_share_what_the_l1_gets);
    tcase_add_test(c, blocks_share_what_they_read_in_one_order);
    tcase_add_test(c, what_blocks_share_by_chance_is_read_once);
    tcase_add_test(c, what_blocks_share_by_chance_stays_for_all);
    tcase_add_test(c, what_there_is_no_room_for_is_read_once);
    tcase_add_test(c, what_there_is_no_room_for_is_shared);
    tcase_add_test(c, what_an_sm_shares_by_chance_is_asked_for_once);
    tcase_add_test(c, what_blocks_read_again_together_stays);
    tcase_add_test(c, what_the_next_block_shares_by_chance_is_not_in_step);
    tcase_add_test(c, one_line_of_many_is_not_there);
    tcase_add_test(c, what_is_shared_in_two_ways_is_taken_off_once);
    tcase_add_test(c, a_mesh_fills_the_l2_by_all_its_lines);
    tcase_add_test(c, what_blocks_far_apart_share_is_read_once);
    tcase_add_test(c, blocks_that_are_repeated_are_read_once);
    tcase_add_test(c, rows_and_columns_of_a_line_of_blocks_are_read_once);
    tcase_add_test(c, periods_are_not_taken_for_sharing);
    tcase_add_test(c, what_is_repeated_stays_in_the_l2);
    tcase_add_test(c, what_is_repeated_and_does_not_stay_is_written_each_time);
    tcase_add_test(c, repetitions_side_by_side_take_no_more_room);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
