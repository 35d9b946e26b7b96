/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bytes that the interval model moves for a block's own writes and reads,
 * through caches that hold them or not, and how long their lines take MSHRs;
 * all can be counted by hand. */
#include "tests/model_traffic.h"

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

/* Of 64 MiB the last that fill the half; of 1 MiB all, and twice what fills it.
 */
START_TEST(the_l2_keeps_the_last_stores)
{
    static const struct {
        const char *launch;
        double left;
    } of[] = {{"grid = 32768; block = 512;", KEPT / BYTES},
              {"grid = 3072; block = 512;", 0.5},
              {"grid = 512; block = 512;", 1}};
    struct gpu g = machine("v100");
    for (int i = 0; i < 3; i++) {
        struct error e;
        struct kernel *k =
            kernel_with(of[i].launch, "x = { bytes = 67108864; };",
                        "    stg.4 [x + 4*gtid], r2\n    exit\n");
        struct profile *p = profile_create(k, &g, 1, &e);
        ck_assert_msg(p != NULL, "%s", e.text);
        ck_assert_double_eq_tol(profile_stores_left(p, &g), of[i].left, 0.03);
        profile_free(p);
        kernel_free(k);
    }
}
END_TEST

/* 320 blocks at a time go twice over 14 KiB each, their warps together as they
 * wait for a word between: 4.4 MiB, of which the L2 holds all but lets half of
 * its 6 MiB be dirty. So all is written twice, less what it keeps at the end.
 */
START_TEST(what_may_not_stay_dirty_leaves_twice)
{
    const double all = 3200 * 14336.0;
    struct gpu g = machine("v100");
    struct kernel *k =
        kernel_with("grid = 3200; block = 512;",
                    "x = { bytes = 45875200; }; y = { bytes = 256; };",
                    "    loop j, 2, p1\n"
                    "    ldg.4 r1, [y + 128*j], r0\n"
                    "    ffma  r2, r1, r1, r1\n"
                    "    loop i, 7, p0\n"
                    "    stg.4 [x + 14336*block + 2048*i + 4*tid], r2\n"
                    "    endloop\n"
                    "    endloop\n"
                    "    exit\n");
    assert_near(traffic(k, &g, 4, "gto").dram, 2 * all - KEPT, 0.05);
}
END_TEST

/* ---- the L1 ------------------------------------------------------------- */

/* 256 threads of a block read four columns of 64 lines at a time, six blocks an
 * SM, whose L1 has 128: warps that come one after another, in turn or before
 * they have waited for much, load each line once, and not where blocks have
 * come apart. */
START_TEST(neighbouring_warps_load_lines_once)
{
    static const struct {
        int waits;
        const char *scheduler;
        double times;
    } cases[] = {{1, "lrr", 1}, {1, "gto", 1}, {64, "lrr", 1}, {64, "gto", 4}};
    struct gpu g = machine("gtx480");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char program[200];
        snprintf(program, sizeof(program),
                 "    loop i, %d, p0\n"
                 "    ldg.4 r1, [a + 8192*(block + 180*i) + 128*(tid%%64) + "
                 "4*(tid/64)], r0\n"
                 "    ffma  r1, r1, r1, r1\n"
                 "    endloop\n    exit\n",
                 cases[i].waits);
        struct kernel *k = kernel_with("grid = 180; block = 256;",
                                       "a = { bytes = 94371840; };", program);
        double once = 180 * 64.0 * 128 * cases[i].waits;
        assert_near(traffic(k, &g, 6, cases[i].scheduler).l2,
                    cases[i].times * once, 0.1);
    }
}
END_TEST

/* ---- the L2 ------------------------------------------------------------- */

/* Each lane reads the first sector of a line of its own, and then the second:
 * what is fetched with the first is moved, and there for the second. */
START_TEST(sectors_are_fetched_together)
{
    static const struct {
        const char *second;
        int fetch;
        double moved, missing; /* sectors a lane; of those asked of the L2 */
    } of[] = {{"", 32, 1, 1},
              {"", 64, 2, 1},
              {"    ldg.4 r2, [x + 128*gtid + 32], r1\n", 32, 2, 1},
              {"    ldg.4 r2, [x + 128*gtid + 32], r1\n", 64, 2, 0.5}};
    struct gpu g = machine("h100");
    ck_assert_double_eq(g.l2.sector_bytes, 32);
    for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
        char program[256];
        snprintf(program, sizeof(program),
                 "    ldg.4 r1, [x + 128*gtid]\n%s    exit\n", of[i].second);
        struct kernel *k = kernel_with("grid = 4096; block = 256;",
                                       "x = { bytes = 134217728; };", program);
        g.l2.fetch_bytes = of[i].fetch;
        struct traffic t = traffic(k, &g, 4, "gto");
        assert_near(t.dram, 4096 * 256 * 32 * of[i].moved, 0.01);
        ck_assert_double_eq_tol(t.l2_miss, of[i].missing, 0.01);
    }
}
END_TEST

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

/* A block goes four times over 80 lines, of which an M2090's L1 has 128 in 32
 * sets of four: side by side no set gets more than three of them, hashed or
 * not; each apart from the next by the L1's size some get more where they are
 * hashed, and one set gets all where not. */
START_TEST(lines_side_by_side_do_not_meet_in_a_set)
{
    static const char *const program[] = {
        "    loop i, 4, p0\n"
        "    loop j, 80, p1\n"
        "    ldg.4 r1, [x + 10240*block + 128*j + 4*lane], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n",
        "    loop i, 4, p0\n"
        "    loop j, 80, p1\n"
        "    ldg.4 r1, [x + 16384*j + 128*block + 4*lane], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n"};
    const double once = 16 * 80 * 128;
    for (int apart = 0; apart < 2; apart++)
        for (int hashed = 0; hashed < 2; hashed++) {
            struct gpu g = machine("m2090");
            g.l1.hashed = hashed;
            struct kernel *k =
                kernel_with("grid = 16; block = 32;",
                            "x = { bytes = 2097152; };", program[apart]);
            double l2 = traffic(k, &g, 1, "gto").l2;
            if (apart && !hashed)
                assert_near(l2, 4 * once, 0.02);
            else if (apart)
                ck_assert_double_gt(l2, 1.2 * once);
            else
                assert_near(l2, once, 0.02);
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

/* 34 pieces of 1 KiB that a block reads twice: the texture cache of a T4 has
 * 64, each piece takes all of its 16 sets of 128 lines of 32 bytes alike. */
START_TEST(textures_take_all_sets_by_lines_of_their_own)
{
    static const char program[] =
        "    loop i, 2, p0\n"
        "    loop j, 34, p1\n"
        "    tex.4 r1, [x + 1024*block + 81920*j + 4*tid], r0\n"
        "    endloop\n"
        "    endloop\n"
        "    exit\n";
    struct gpu g = machine("t4");
    struct kernel *k = kernel_with("grid = 40; block = 256;",
                                   "x = { bytes = 2785280; };", program);
    assert_near(traffic(k, &g, 1, "gto").l2, 40 * 34 * 1024.0, 0.02);
}
END_TEST

/* ---- packets of the network ---------------------------------------------- */

/* Whole lines are loaded and stored: a packet for each of their four sectors is
 * four requests of a flit in place of one, and of 32 bytes and a header, which
 * are as many flits as they are in one packet. */
START_TEST(each_sector_may_be_a_packet)
{
    static const char *const program[] = {
        "    ldg.4 r1, [x + 4*gtid], r0\n    exit\n",
        "    stg.4 [x + 4*gtid], r1\n    exit\n"};
    static const double more[][2] = {{4, 1}, {1, 4}};
    for (int i = 0; i < 2; i++) {
        struct traffic t[2];
        struct gpu g = machine("titanx");
        for (int apart = 0; apart < 2; apart++) {
            g.icnt.sector_packets = apart;
            t[apart] =
                traffic(kernel_with("grid = 280; block = 256;",
                                    "x = { bytes = 286720; };", program[i]),
                        &g, 1, "gto");
        }
        ck_assert_double_eq_tol(t[1].requests / t[0].requests, more[i][0],
                                1e-6);
        ck_assert_double_eq_tol(t[1].answers / t[0].answers, more[i][1], 1e-6);
    }
}
END_TEST

/* ---- how long an MSHR is taken ------------------------------------------ */

/* 32 lanes ask for lines of their own, of 256 KiB that the L2 holds after its
 * first misses. Each MSHR is free again when its own line is there: of a load
 * some line comes from DRAM far more often than a line does. */
START_TEST(an_mshr_waits_for_its_own_line)
{
    struct gpu g = machine("t4");
    struct error e;
    struct kernel *k =
        kernel_with("grid = 240; block = 256;", "x = { bytes = 262144; };",
                    "    loop i, 10, p0\n"
                    "    ldg.4 r1, [x + 32*hash(gtid + 65536*i, 8192)]\n"
                    "    endloop\n    exit\n");
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    const double *load = p->timing.load;
    struct traffic t = traffic(k, &g, 4, "gto");
    double lines = t.l2 / (240 * 8) / g.l2.sector_bytes;
    ck_assert_double_gt(lines, 0.9 * 10 * 32 * t.l1_miss);
    ck_assert_double_lt(t.l2_miss, 0.05);
    ck_assert_double_eq_tol(
        t.mshr / lines,
        load[LEVEL_L2] + t.l2_miss * (load[LEVEL_DRAM] - load[LEVEL_L2]), 2);
    profile_free(p);
}
END_TEST

/* ---- what is sent at a time --------------------------------------------- */

static double sent_by(const char *program)
{
    struct gpu g = machine("v100");
    struct kernel *k = kernel_with("grid = 80; block = 128;",
                                   "x = { bytes = 1310720; };", program);
    return traffic(k, &g, 1, "gto").sent;
}

#define WORK      "    ffma r2, r2, r2, r2\n    ffma r2, r2, r2, r2\n"
#define WAIT      WORK WORK WORK WORK
#define STORE(at) "    stg.4 [x + 4*gtid + " #at "], r2\n"

/* Four stores of a block of code, in a row or each behind eight instructions
 * that wait for each other: those of other warps queue up behind all of them,
 * or behind one. */
START_TEST(what_a_phase_sends_here_and_there_is_no_burst)
{
    double in_a_row = sent_by(WAIT STORE(0) STORE(40960) STORE(81920)
                                  STORE(122880) "    exit\n");
    double apart = sent_by(WAIT STORE(0) WAIT STORE(40960) WAIT STORE(81920)
                               WAIT STORE(122880) "    exit\n");
    ck_assert_double_gt(apart, 0);
    ck_assert_double_eq_tol(in_a_row / apart, 4, 0.1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("model: traffic");
    TCase *c = tcase_create("traffic");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, what_is_written_in_place_is_read_and_written);
    tcase_add_test(c, what_is_overwritten_is_not_read);
    tcase_add_test(c, what_is_written_again_and_again_leaves_once);
    tcase_add_test(c, what_may_not_stay_dirty_leaves_twice);
    tcase_add_test(c, the_l2_keeps_the_last_stores);
    tcase_add_test(c, neighbouring_warps_load_lines_once);
    tcase_add_test(c, sectors_are_fetched_together);
    tcase_add_test(c, strides_that_meet_in_few_sets_miss);
    tcase_add_test(c, lines_side_by_side_do_not_meet_in_a_set);
    tcase_add_test(c, dram_serves_what_is_asked_of_the_l2);
    tcase_add_test(c, textures_that_fit_nowhere_are_read_again);
    tcase_add_test(c, textures_that_meet_in_one_set_are_read_again);
    tcase_add_test(c, textures_take_all_sets_by_lines_of_their_own);
    tcase_add_test(c, each_sector_may_be_a_packet);
    tcase_add_test(c, an_mshr_waits_for_its_own_line);
    tcase_add_test(c, what_a_phase_sends_here_and_there_is_no_burst);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
