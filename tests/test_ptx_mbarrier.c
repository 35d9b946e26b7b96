/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Barrier objects (PTX ISA 9.0, section 9.7.13.15), on small kernels whose
 * results can be worked out by hand. */
#include "tests/ptx_run.h"

#define HEAD ".version 8.0\n.target sm_90a\n.address_size 64\n"
#define THREAD                                                                 \
    ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<16>;\n"                  \
    ".shared .align 8 .b64 bar[4]; .shared .align 4 .b32 data[64];\n"          \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"                          \
    "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;\n"
#define KERNEL(body)                                                           \
    HEAD ".visible .entry k(.param .u64 out)\n{\n" THREAD body "ret;\n}\n"
#define PUT(reg, at) "st.global.u32 [%d0+" #at "], " reg ";\n"
#define PUT_P(p, at)                                                           \
    "selp.u32 %r9, 1, 0, " p ";\nst.global.u32 [%d0+" #at "], %r9;\n"

static void run(const char *text, uint32_t threads, uint32_t *out, size_t count)
{
    static const char *const arg[] = {"buf:1024:u32:zero:o", NULL};
    struct ptx_run r;
    ptx_must_run(&r, text, 1, threads, arg);
    ptx_take(&r, "o", out, count * sizeof(*out));
    ptx_done(&r);
}

#define MUST_GIVE(text, ...)                                                   \
    must_give(text, (const uint32_t[]){__VA_ARGS__},                           \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* The results of one thread. */
static void must_give(const char *text, const uint32_t *expected, size_t count)
{
    uint32_t out[32];
    run(text, 1, out, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(out[i] == expected[i], "result %zu: %u, expected %u", i,
                      out[i], expected[i]);
}

static void must_fail(const char *text, const char *expected)
{
    static const char *const arg[] = {"buf:1024:u32:zero:o", NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, text, 1, 1, arg, &e));
    ck_assert_msg(strstr(e.text, expected) != NULL, "%s", e.text);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
}

/* Three arrivals end a phase; a state says how many were missing when it was
 * made, and what it waits for is over with the third. */
START_TEST(test_arrivals)
{
    MUST_GIVE(
        KERNEL(
            "mbarrier.init.shared.b64 [bar], 3;\n"
            "mbarrier.arrive.shared.b64 %d2, [bar];\n"
            "mbarrier.pending_count.b64 %r1, %d2;\n" PUT(
                "%r1",
                0) "mbarrier.arrive.noComplete.shared.b64 %d3, [bar], "
                   "1;\n"
                   "mbarrier.pending_count.b64 %r1, %d3;\n" PUT(
                       "%r1",
                       4) "mbarrier.test_wait.shared.b64 %p1, [bar], "
                          "%d2;\n" PUT_P(
                              "%p1",
                              8) "mbarrier.arrive.release.cta."
                                 "shared::cta.b64 %d4, [bar], "
                                 "1;\n"
                                 "mbarrier.pending_count.b64 "
                                 "%r1, %d4;\n" PUT(
                                     "%r1",
                                     12) "mbarrier.test_wait.shared.b64 %p1, "
                                         "[bar], %d2;\n" PUT_P(
                                             "%p1",
                                             16) "mbarrier."
                                                 "try_wait."
                                                 "acquire."
                                                 "cta.shared:"
                                                 ":"
                                                 "cta.b64 "
                                                 "%p1, "
                                                 "[bar], "
                                                 "%d4, "
                                                 "100;"
                                                 "\n" PUT_P("%p1",
                                                            20) "mba"
                                                                "rri"
                                                                "er."
                                                                "arr"
                                                                "ive"
                                                                "."
                                                                "sha"
                                                                "red"
                                                                ".b6"
                                                                "4 "
                                                                "%d2"
                                                                ", "
                                                                "[ba"
                                                                "r];"
                                                                "\n"
                                                                "mba"
                                                                "rri"
                                                                "er."
                                                                "pen"
                                                                "din"
                                                                "g_"
                                                                "cou"
                                                                "nt."
                                                                "b64"
                                                                " "
                                                                "%r1"
                                                                ", "
                                                                "%d2"
                                                                ";"
                                                                "\n" PUT(
                                                                    "%r1",
                                                                    24) "mbar"
                                                                        "rier"
                                                                        ".inv"
                                                                        "al."
                                                                        "shar"
                                                                        "ed."
                                                                        "b64 "
                                                                        "[bar"
                                                                        "];"
                                                                        "\n"),
        3, 2, 0, 1, 1, 1, 3);
}
END_TEST

/* By a generic address, by parity: that before the first phase is over. */
START_TEST(test_parity)
{
    MUST_GIVE(
        KERNEL("mov.u64 %d5, bar; cvta.shared.u64 %d5, %d5;\n"
               "mbarrier.init.b64 [%d5], 2;\n"
               "mbarrier.test_wait.parity.b64 %p1, [%d5], 1;\n" PUT_P(
                   "%p1", 0) "mbarrier.test_wait.parity.b64 %p1, [%d5], "
                             "0;\n" PUT_P(
                                 "%p1",
                                 4) "mbarrier.arrive.b64 _, [%d5], 2;\n"
                                    "mbarrier.test_wait.parity.b64 %p1, "
                                    "[%d5], 1;\n" PUT_P(
                                        "%p1",
                                        8) "mbarrier.try_wait.parity.b64 "
                                           "%p1, [%d5], 0;\n" PUT_P("%p1", 12)),
        1, 0, 0, 1);
}
END_TEST

/* A phase ends when all bytes have come, too; they may come first. */
START_TEST(test_bytes)
{
    MUST_GIVE(
        KERNEL(
            "mbarrier.init.shared.b64 [bar], 1;\n"
            "mbarrier.arrive.expect_tx.shared.b64 %d2, [bar], 48;\n"
            "mbarrier.test_wait.shared.b64 %p1, [bar], %d2;\n" PUT_P(
                "%p1",
                0) "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], "
                   "32;\n"
                   "mbarrier.test_wait.shared.b64 %p1, [bar], %d2;\n" PUT_P(
                       "%p1",
                       4) "mbarrier.complete_tx.shared.b64 [bar], 16;\n"
                          "mbarrier.test_wait.shared.b64 %p1, [bar], "
                          "%d2;\n" PUT_P(
                              "%p1",
                              8) "mbarrier.complete_tx.shared.b64 [bar], 16;\n"
                                 "mbarrier.expect_tx.shared.b64 [bar], 16;\n"
                                 "mbarrier.test_wait.parity.shared.b64 %p1, "
                                 "[bar], 1;\n" PUT_P(
                                     "%p1",
                                     12) "mbarrier.arrive.shared.b64 _, "
                                         "[bar];\n"
                                         "mbarrier.test_wait.parity.shared.b64 "
                                         "%p1, [bar], 1;\n" PUT_P("%p1", 16)),
        0, 0, 1, 0, 1);
}
END_TEST

/* Who drops out is not waited for in the phases behind. */
START_TEST(test_drop)
{
    MUST_GIVE(
        KERNEL("mbarrier.init.shared.b64 [bar], 2;\n"
               "mbarrier.arrive_drop.shared.b64 %d2, [bar];\n"
               "mbarrier.pending_count.b64 %r1, %d2;\n" PUT(
                   "%r1", 0) "mbarrier.arrive.shared.b64 %d2, [bar];\n"
                             "mbarrier.arrive.shared.b64 %d3, [bar];\n"
                             "mbarrier.pending_count.b64 %r1, %d3;\n" PUT(
                                 "%r1", 4) "mbarrier.test_wait.shared.b64 %p1, "
                                           "[bar], %d3;\n" PUT_P("%p1", 8)),
        2, 1, 1);
}
END_TEST

#define WAIT(name, at, parity)                                                 \
    name ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [" at "], " parity   \
         ";\n@!%p2 bra " name ";\n"

/* A warp hands ten rows to another, which sums them, through one place: lane l
 * of the second reads what lane 31 - l wrote, 31 - l + i in round i. */
#define HAND_OVER                                                              \
    KERNEL(                                                                    \
        "setp.ne.u32 %p0, %r0, 0; @%p0 bra made;\n"                            \
        "mbarrier.init.shared::cta.b64 [bar], 32;\n"                           \
        "mbarrier.init.shared::cta.b64 [bar+8], 32;\n"                         \
        "made: bar.sync 0;\n"                                                  \
        "mov.u32 %r2, 0; mov.u32 %r1, 0; setp.ge.u32 %p1, %r0, 32;\n"          \
        "and.b32 %r4, %r0, 31; @!%p1 bra place;\n"                             \
        "sub.u32 %r4, 31, %r4;\n"                                              \
        "place: shl.b32 %r3, %r4, 2; mov.u32 %r5, data;\n"                     \
        "add.u32 %r3, %r3, %r5; @%p1 bra takes;\n"                             \
        "gives: add.u32 %r5, %r0, %r2; and.b32 %r6, %r2, 1;\n"                 \
        "xor.b32 %r6, %r6, 1;\n" WAIT(                                         \
            "empty", "bar+8",                                                  \
            "%r6") "st.shared.u32 [%r3], %r5;\n"                               \
                   "mbarrier.arrive.shared::cta.b64 %d2, [bar];\n"             \
                   "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 10;\n"          \
                   "@%p3 bra gives; bra end;\n"                                \
                   "takes: and.b32 %r6, %r2, 1;\n" WAIT(                       \
                       "full", "bar",                                          \
                       "%r6") "ld.shared.u32 %r5, [%r3]; add.u32 %r1, %r1, "   \
                              "%r5;\n"                                         \
                              "mbarrier.arrive.shared::cta.b64 _, [bar+8];\n"  \
                              "add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, "    \
                              "10;\n"                                          \
                              "@%p3 bra takes;\n"                              \
                              "end: st.global.u32 [%d1], %r1;\n")

START_TEST(test_hand_over)
{
    uint32_t out[64];
    run(HAND_OVER, 64, out, 64);
    for (uint32_t l = 0; l < 32; l++) {
        ck_assert_uint_eq(out[l], 0);
        ck_assert_uint_eq(out[32 + l], 10 * (31 - l) + 45);
    }
}
END_TEST

static const struct {
    const char *text, *error;
} wrong[] = {
    {KERNEL("mbarrier.arrive.shared.b64 %d2, [bar];\n"),
     "t.ptx:10:1: mbarrier: lane 0: found no mbarrier object at address 0x0"},
    {KERNEL("mbarrier.init.shared.b64 [bar], 0;\n"),
     "mbarrier: lane 0: found a count of 0, expected 1 to 2^20 - 1"},
    {KERNEL("mbarrier.init.shared.b64 [bar], 2;\n"
            "mbarrier.arrive.shared.b64 %d2, [bar], 3;\n"),
     "mbarrier: lane 0: found 3 arrivals, expected 2 at most"},
    {KERNEL("mbarrier.init.shared.b64 [bar], 1;\n"
            "mbarrier.arrive.noComplete.shared.b64 %d2, [bar], 1;\n"),
     "found the end of the phase, which .noComplete rules out"},
    {KERNEL("mbarrier.init.shared.b64 [bar+4], 1;\n"),
     "found address 0x4, expected a multiple of 8"},
    {KERNEL("mbarrier.init.b64 [%d0], 1;\n"),
     "mbarrier: lane 0: found address 0x100000000, expected one of shared"},
    {KERNEL("mbarrier.init.shared.b64 [bar], 2;\n"
            "mbarrier.arrive.shared.b64 %d2, [bar];\n"
            "again: mbarrier.try_wait.shared.b64 %p1, [bar], %d2;\n"
            "@!%p1 bra again;\n"),
     "t.ptx:12:8: mbarrier: found that no warp of the block can go on"},
};

START_TEST(test_faults)
{
    must_fail(wrong[_i].text, wrong[_i].error);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_mbarrier");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_arrivals);
    tcase_add_test(c, test_parity);
    tcase_add_test(c, test_bytes);
    tcase_add_test(c, test_drop);
    tcase_add_test(c, test_hand_over);
    tcase_add_loop_test(c, test_faults, 0,
                        (int)(sizeof(wrong) / sizeof(wrong[0])));
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
