/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that the interval model moves to and from DRAM and asks of the L2, by
 * kernels whose traffic can be counted by hand. */
#include "configs/gpu.h"
#include "model/demand.h"
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "tests/kernel_text.h"
#include "tests/script_kernel.h"

#include <math.h>

#define MB 1e6

static struct gpu machine(const char *name)
{
    struct gpu g;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(gpu_load(&g, name, NULL, 0, &e), "%s", e.text);
    return g;
}

static struct kernel *kernel_with(const char *launch, const char *buffers,
                                  const char *program)
{
    char text[4096];
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             "launch: { registers = 16; %s };\nbuffers: { %s };\n"
             "program = \"\n%s\n\";\n",
             launch, buffers, program);
    struct kernel *k =
        kernel_file_parse(text, strlen(text), "test.kernel", NULL, &e);
    ck_assert_msg(k != NULL, "%s", e.text);
    return k;
}

struct traffic {
    double dram, l2; /* bytes */
};

static struct traffic traffic_of(const struct kernel *k, const struct gpu *g,
                                 int blocks, const char *scheduler)
{
    struct model_params params;
    struct policy_set set;
    struct result r;
    struct demand d;
    struct error e = {STATUS_OK, ""};
    struct profile *p = profile_create(k, g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    ck_assert(policy_set_parse(&set, NULL, scheduler, NULL, NULL, &e));
    model_params_default(&params);
    model_estimate(&r, p, g, &set, blocks, &params);
    double warps = blocks * p->warps_per_block;
    demand_of(&d, p, g,
              &(struct sharing){.warps = warps,
                                .live = warps,
                                .blocks = blocks,
                                .active_sms = fmin(g->sms, p->blocks),
                                .aligned = strcmp(scheduler, "lrr") == 0,
                                .interference = 1,
                                .latency = 1,
                                .bandwidth = 1});
    struct traffic t = {
        .dram = r.dram_gbps * r.time_us * 1e3,
        .l2 = d.l2_bytes * p->blocks * p->warps_per_block,
    };
    profile_free(p);
    return t;
}

/* The same of a kernel of kernel_with(). */
static struct traffic traffic(struct kernel *k, const struct gpu *g, int blocks,
                              const char *scheduler)
{
    struct traffic t = traffic_of(k, g, blocks, scheduler);
    kernel_free(k);
    return t;
}

static void assert_near(double got, double want, double share)
{
    ck_assert_msg(fabs(got - want) <= share * want,
                  "%.3f MB is not within %.1f %% of %.3f MB", got / MB,
                  100 * share, want / MB);
}

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

/* 512 blocks that read 2048 words each, anywhere in 256 KiB, which is
 * as much as is read, as near as the few that are looked at tell. */
START_TEST(what_blocks_share_by_chance_is_read_once)
{
    static const struct script anywhere = {
        .op = {{.op = OP_LOAD,
                .space = SPACE_GLOBAL,
                .dst = 1,
                .src0 = 2,
                .src1 = -1,
                .width = 4,
                .random_bytes = 262144},
               {.op = OP_EXIT, .dst = -1, .src0 = -1, .src1 = -1}},
        .count = 2,
        .repeat = 16};
    struct gpu g = machine("v100");
    struct kernel *k = script_kernel(&anywhere, 512, 4);
    double dram = traffic_of(k, &g, 8, "gto").dram;
    ck_assert(dram > 262144 / 2.0 && dram < 262144 * 2.0);
    k->ops->destroy(k);
}
END_TEST

/* ---- what is written ---------------------------------------------------- */

/* 64 MiB, 256 bytes a warp, of which the L2 keeps what may be dirty there: of
 * 6 MiB half. */
#define STREAM "grid = 32768; block = 512;"
#define BYTES  67108864.0
#define KEPT   3145728.0

static double stream_of(const char *program)
{
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with(STREAM, "x = { bytes = 67108864; };", program);
    return traffic(k, &g, 4, "gto").dram;
}

START_TEST(what_is_written_in_place_is_read_and_written)
{
    assert_near(stream_of("    ldg.4 r1, [x + 4*gtid]\n"
                          "    ffma  r2, r1, r1, r1\n"
                          "    stg.4 [x + 4*gtid], r2\n"
                          "    exit\n"),
                2 * BYTES - KEPT, 0.02);
}
END_TEST

START_TEST(what_is_overwritten_is_not_read)
{
    assert_near(stream_of("    stg.4 [x + 4*gtid], r2\n"
                          "    exit\n"),
                BYTES - KEPT, 0.02);
}
END_TEST

START_TEST(what_is_written_again_and_again_leaves_once)
{
    assert_near(stream_of("    loop i, 20, p0\n"
                          "    stg.4 [x + 4*gtid], r2\n"
                          "    endloop\n"
                          "    exit\n"),
                BYTES - KEPT, 0.02);
}
END_TEST

/* ---- the L2 ------------------------------------------------------------- */

/* A block goes twice over 64 lines that lie 96 KiB apart, which is once round
 * the sets of an M2090's L2, of 8 ways and without a hash. */
START_TEST(strides_that_meet_in_few_sets_miss)
{
    static const char program[] =
        "    loop i, 2, p0\n"
        "    loop j, 64, p1\n"
        "    ldg.4 r1, [x + 98304*j + 128*block + 4*lane], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("m2090");
    const double once = 16 * 64 * 128;
    g.l1.size_kb = 1;
    for (int hashed = 0; hashed <= 1; hashed++) {
        g.l2.hashed = hashed;
        struct kernel *k = kernel_with("grid = 16; block = 32;",
                                       "x = { bytes = 6291456; };", program);
        assert_near(traffic(k, &g, 1, "gto").dram, hashed ? once : 2 * once,
                    0.1);
    }
}
END_TEST

/* What the L1 holds is not fetched again for an L2 that holds less. */
START_TEST(dram_serves_what_is_asked_of_the_l2)
{
    static const char program[] =
        "    loop i, 20, p0\n"
        "    loop j, 16, p1\n"
        "    ldg.4 r1, [x + 128*(16*block + j) + 4*lane], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("v100");
    g.l2.size_kb = 192;
    struct kernel *k = kernel_with("grid = 5120; block = 32;",
                                   "x = { bytes = 10485760; };", program);
    struct traffic t = traffic(k, &g, 32, "gto");
    assert_near(t.dram, 10485760, 0.01);
    assert_near(t.l2, 10485760, 0.01);
}
END_TEST

/* 640 blocks go twice over 64 KiB of their own, eight of them on an SM at a
 * time: neither its texture cache nor the L2 keeps that. A line's four sectors,
 * which the V100's texture cache asks for one by one, are lost together. */
START_TEST(textures_that_fit_nowhere_are_read_again)
{
    static const char program[] =
        "    loop i, 2, p0\n"
        "    loop j, 64, p1\n"
        "    tex.4 r1, [x + 65536*block + 1024*j + 4*tid], r0\n"
        "    ffma  r3, r1, r1, r3\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 640; block = 256;",
                                   "x = { bytes = 41943040; };", program);
    assert_near(traffic(k, &g, 8, "gto").dram, 2 * 41943040.0, 0.02);
}
END_TEST

/* 40 lines of each of 28 warps, read twice: the texture cache of a TITAN X has
 * 16 sets of 24 lines, of which those 2 KiB apart fall in one, and others 128
 * bytes farther apart in all. */
START_TEST(textures_that_meet_in_one_set_are_read_again)
{
    static const char *const program[] = {
        "    loop i, 2, p0\n"
        "    loop j, 40, p1\n"
        "    tex.4 r1, [x + 131072*block + 2048*j + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n",
        "    loop i, 2, p0\n"
        "    loop j, 40, p1\n"
        "    tex.4 r1, [x + 131072*block + 2176*j + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n"};
    struct gpu g = machine("titanx");
    for (int i = 0; i < 2; i++) {
        struct kernel *k = kernel_with("grid = 28; block = 32;",
                                       "x = { bytes = 3670016; };", program[i]);
        assert_near(traffic(k, &g, 1, "gto").l2, 28 * 40 * 128.0 * (2 - i),
                    0.02);
    }
}
END_TEST

/* 48 blocks of 4 KiB each, which are repeated a hundred times and fit the L2.
 */
START_TEST(blocks_that_are_repeated_are_read_once)
{
    static const char program[] =
        "    ldg.4 r1, [x + 4096*(block % 48) + 4*tid], r0\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 4800; block = 1024;",
                                   "x = { bytes = 196608; };", program);
    k->period = 48;
    assert_near(traffic(k, &g, 1, "gto").dram, 196608, 0.03);
}
END_TEST

/* A period at which remote neighbours, 0.382 and 0.618 of 300 blocks on, lie as
 * well: no two blocks of it touch the same 4 KiB. */
START_TEST(periods_are_not_taken_for_sharing)
{
    static const char program[] =
        "    ldg.4 r1, [x + 4096*(block % 186) + 4*tid], r0\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 300; block = 1024;",
                                   "x = { bytes = 761856; };", program);
    k->period = 186;
    assert_near(traffic(k, &g, 1, "gto").dram, 761856, 0.03);
}
END_TEST

/* 48 blocks write 64 KiB each, 3 MiB that half of the L2 holds, a hundred times
 * over. */
START_TEST(what_is_repeated_stays_in_the_l2)
{
    static const char program[] =
        "    loop i, 16, p0\n"
        "    stg.4 [x + 65536*(block % 48) + 4096*i + 4*tid], r0\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("a100");
    struct kernel *k = kernel_with("grid = 4800; block = 1024;",
                                   "x = { bytes = 3145728; };", program);
    k->period = 48;
    ck_assert_double_lt(traffic(k, &g, 1, "gto").dram, 0.1 * 3145728);
}
END_TEST

/* 13 blocks of 256 KiB, which each of them reads twice: 3.3 MiB, which half of
 * the L2 holds, however many of their repetitions run side by side. */
START_TEST(repetitions_side_by_side_take_no_more_room)
{
    static const char program[] =
        "    loop j, 2, p1\n"
        "    loop i, 64, p0\n"
        "    ldg.4 r1, [x + 262144*(block % 13) + 4096*i + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 300; block = 1024;",
                                   "x = { bytes = 3407872; };", program);
    k->period = 13;
    assert_near(traffic(k, &g, 2, "gto").dram, 3407872, 0.1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: traffic");
    TCase *c = tcase_create("traffic");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, rows_and_columns_are_read_once);
    tcase_add_test(c, rows_and_columns_of_long_blocks_are_read_once);
    tcase_add_test(c, blocks_in_step_share_what_the_l1_gets);
    tcase_add_test(c, what_blocks_share_by_chance_is_read_once);
    tcase_add_test(c, what_is_written_in_place_is_read_and_written);
    tcase_add_test(c, what_is_overwritten_is_not_read);
    tcase_add_test(c, what_is_written_again_and_again_leaves_once);
    tcase_add_test(c, strides_that_meet_in_few_sets_miss);
    tcase_add_test(c, dram_serves_what_is_asked_of_the_l2);
    tcase_add_test(c, textures_that_fit_nowhere_are_read_again);
    tcase_add_test(c, textures_that_meet_in_one_set_are_read_again);
    tcase_add_test(c, blocks_that_are_repeated_are_read_once);
    tcase_add_test(c, rows_and_columns_of_a_line_of_blocks_are_read_once);
    tcase_add_test(c, periods_are_not_taken_for_sharing);
    tcase_add_test(c, what_is_repeated_stays_in_the_l2);
    tcase_add_test(c, repetitions_side_by_side_take_no_more_room);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
