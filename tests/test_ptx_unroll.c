/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops are laid out trip after trip, or by groups of trips: which, and that
 * they compute what they did. Expected values are worked out by hand. */
#include "tests/ptx_run.h"

#include <stdlib.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LANES    32

/* %r0: the thread; %r1 is stored; %r2 counts. */
#define KERNEL(body)                                                           \
    PTX_HEAD ".visible .entry k(.param .u64 out)\n{\n"                         \
             ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n"          \
             "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"                 \
             "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;\n"              \
             "mov.u32 %r1, 0;\n" body "\nst.global.u32 [%d1], %r1; ret;\n}\n"

#define TIMES_9(text) text text text text text text text text text

#define GROUPED 4 /* branches of a loop by groups */

static const struct {
    const char *text;
    uint32_t branches;        /* that are left */
    uint32_t at_0, each_lane; /* %r1 is at_0 + thread x each_lane */
} loops[] = {
    /* comparisons behind and before the step, either way round */
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, %r0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra a;"),
     0, 0, 5},
    {KERNEL("mov.u32 %r2, 0;\na: setp.gt.u32 %p1, 5, %r2;\n"
            "add.u32 %r1, %r1, %r0; add.u32 %r2, %r2, 1; @%p1 bra a;"),
     0, 0, 6},
    {KERNEL("mov.u32 %r2, 64;\na: add.u32 %r1, %r1, %r2;\n"
            "add.s32 %r2, %r2, 128; setp.eq.s32 %p1, %r2, 576; @!%p1 bra a;"),
     0, 64 + 192 + 320 + 448, 0},
    {KERNEL("mov.u32 %r2, 3;\na: add.u32 %r1, %r1, 7;\n"
            "sub.s32 %r2, %r2, 1; setp.ge.s32 %p1, %r2, -1; @%p1 bra a;"),
     0, 35, 0},
    /* once */
    {KERNEL("mov.u32 %r2, 9;\na: add.u32 %r1, %r1, %r0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra a;"),
     0, 0, 1},
    /* 1 1 2 3 5 8 13 21 34 55 89: what trips hand on, and leave */
    {KERNEL("mov.u32 %r2, 0; mov.u32 %r3, 1;\na: mov.u32 %r4, %r1;\n"
            "add.u32 %r1, %r1, %r3; mov.u32 %r3, %r4; add.u32 %r2, %r2, 1;\n"
            "setp.ne.u32 %p1, %r2, 10; @%p1 bra a;\n"
            "add.u32 %r1, %r1, %r2; sub.u32 %r1, %r1, %r4;"),
     0, 55 + 10 - 34, 0},
    /* a definition that only some lanes make: 3 for each odd number */
    {KERNEL("mov.u32 %r2, 0; and.b32 %r5, %r0, 1; sub.u32 %r5, 0, %r5;\n"
            "a: setp.ne.u32 %p2, %r5, 0; @%p2 add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 3; @%p1 bra a;\n"
            "@%p2 sub.u32 %r1, %r1, 3;"),
     0, 0, 0},
    /* inside a loop that runs as often as the thread's number says */
    {KERNEL("mov.u32 %r6, 0;\no: mov.u32 %r2, 0;\na: add.u32 %r1, %r1, 2;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra a;\n"
            "add.u32 %r6, %r6, 1; setp.le.u32 %p2, %r6, %r0; @%p2 bra o;"),
     1, 8, 8},
    /* started outside the outer loop: the second time round it runs once */
    {KERNEL("mov.u32 %r6, 0; mov.u32 %r2, 0;\no: mov.u32 %r7, 0;\n"
            "a: add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra a;\n"
            "add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 2; @%p2 bra o;"),
     5, 5, 0},
    /* as the text asks */
    {KERNEL("mov.u32 %r2, 0;\na: .pragma \"nounroll\"; add.u32 %r1, %r1, %r0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra a;"),
     1, 0, 5},
    /* three instructions 682 times are 2046, 683 times too many */
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, %r0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 682; @%p1 bra a;"),
     0, 0, 682},
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, %r0;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 683; @%p1 bra a;"),
     GROUPED, 0, 683},
    /* bounds that only the run knows, other ones in every lane: from one trip,
     * which is done unasked, to ten times four */
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r0; @%p1 bra a;"),
     GROUPED, 1, 1},
    {KERNEL("mov.u32 %r2, 0; add.u32 %r3, %r0, 9;\na: add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.eq.u32 %p1, %r3, %r2; @!%p1 bra a;"),
     GROUPED, 9, 1},
    {KERNEL("mul.lo.u32 %r2, %r0, 3; add.u32 %r2, %r2, 3;\n"
            "a: add.u32 %r1, %r1, 1;\n"
            "sub.s32 %r2, %r2, 3; setp.lt.s32 %p1, 0, %r2; @%p1 bra a;"),
     GROUPED, 1, 1},
    /* over the end of 32 bits, from -20 up */
    {KERNEL("mov.u32 %r2, -20; sub.u32 %r3, %r0, 2;\n"
            "a: add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, %r3; @%p1 bra a;"),
     GROUPED, 18, 1},
    /* the counter is wanted, before its step and behind: 0 + 1 + 1 + 2 ... */
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, %r2;\n"
            "add.u32 %r2, %r2, 1; add.u32 %r1, %r1, %r2;\n"
            "setp.le.u32 %p1, %r2, %r0; @%p1 bra a;\n"
            "mul.lo.u32 %r5, %r2, %r2; sub.u32 %r1, %r1, %r5;\n"
            "add.u32 %r1, %r1, %r2;"),
     GROUPED, 1, 1},
    /* an address that steps is read before and behind its step: out is zero
     * until the end, so only the last store counts */
    {KERNEL("mov.u32 %r2, 0; mov.u64 %d2, %d0; add.u32 %r3, %r0, 1;\n"
            "a: ld.global.u32 %r4, [%d2]; add.u32 %r1, %r1, %r4;\n"
            "add.s64 %d2, %d2, 4; ld.global.u32 %r4, [%d2+-4];\n"
            "add.u32 %r1, %r1, %r4; add.u32 %r2, %r2, 1;\n"
            "setp.lt.u32 %p1, %r2, %r3; @%p1 bra a;\n"
            "sub.s64 %d2, %d2, %d0; cvt.u32.u64 %r5, %d2;\n"
            "add.u32 %r1, %r1, %r5;"),
     GROUPED, 4, 4},
    /* the end's comparison is wanted behind the loop: left as it is */
    {KERNEL("mov.u32 %r2, 0;\na: add.u32 %r1, %r1, 1; add.u32 %r2, %r2, 1;\n"
            "setp.le.u32 %p1, %r2, %r0; @%p1 bra a;\n"
            "selp.u32 %r3, 1, 2, %p1; add.u32 %r1, %r1, %r3;"),
     1, 3, 1},
    /* 22 instructions are too many for groups */
    {KERNEL("mov.u32 %r2, 0;\na: " TIMES_9("add.u32 %r1, %r1, 1;") TIMES_9(
         "add.u32 %r1, %r1, 1;") "add.u32 %r1, %r1, 1;\n"
                                 "add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, "
                                 "%r0; @%p1 bra a;"),
     1, 19, 19},
    {KERNEL("mov.u32 %r2, 0;\na: " TIMES_9("add.u32 %r1, %r1, 1;") TIMES_9(
         "add.u32 %r1, %r1, 1;") "\n"
                                 "add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, "
                                 "%r0; @%p1 bra a;"),
     GROUPED, 18, 18},
    /* two ways in, with two starts */
    {KERNEL("mov.u32 %r2, 0; setp.ge.u32 %p3, %r0, 0; @%p3 bra a;\n"
            "mov.u32 %r2, 3;\na: add.u32 %r1, %r1, 1;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra a;"),
     2, 5, 0},
};

START_TEST(loop)
{
    static const char *const arg[] = {"buf:32:u32:zero:o", NULL};
    uint32_t out[LANES], branches = 0;
    struct ptx_run r;
    ptx_must_run(&r, loops[_i].text, 1, LANES, arg);
    ptx_take(&r, "o", out, sizeof(out));
    for (size_t i = 0; i < r.session.program.ops; i++)
        branches += r.session.program.op[i].action == ACTION_BRANCH;
    ck_assert_uint_eq(branches, loops[_i].branches);
    for (uint32_t lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(out[lane],
                          loops[_i].at_0 + lane * loops[_i].each_lane);
    ptx_done(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx: unrolling");
    TCase *t = tcase_create("loops");
    tcase_add_loop_test(t, loop, 0, (int)COUNT(loops));
    suite_add_tcase(s, t);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
