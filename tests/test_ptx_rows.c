/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Registers share the rows of a frame when they are not live together, and
 * compute what they did. Rows and values are worked out by hand: the special
 * register %tid.x has one of its own, %d0 is free behind the address %d1. */
#include "tests/ptx_run.h"
#include "tests/run_suite.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define LANES    32

/* %r0: the thread; %r1 is stored. */
#define KERNEL(body)                                                           \
    ".visible .entry k(.param .u64 out)\n{\n"                                  \
    ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>;\n"                   \
    "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"                          \
    "mul.wide.u32 %d1, %r0, 4; add.s64 %d1, %d0, %d1;\n" body                  \
    "\nst.global.u32 [%d1], %r1; ret;\n}\n"

static const struct {
    const char *text;
    uint32_t rows;
    uint32_t at_0, each_lane; /* %r1 is at_0 + thread x each_lane */
} programs[] = {
    /* a chain goes back and forth between two rows */
    {KERNEL("add.u32 %r2, %r0, %r0; add.u32 %r3, %r2, %r2;\n"
            "add.u32 %r4, %r3, %r3; add.u32 %r5, %r4, %r4;\n"
            "add.u32 %r1, %r5, %r5;"),
     4, 0, 32},
    /* three values at the same time */
    {KERNEL("add.u32 %r2, %r0, 1; add.u32 %r3, %r0, 2; add.u32 %r4, %r0, 3;\n"
            "add.u32 %r2, %r2, %r3; add.u32 %r1, %r2, %r4;"),
     6, 6, 3},
    /* over a loop, and from one trip to the next */
    {KERNEL("mov.u32 %r2, 0; add.u32 %r3, %r0, 5;\n"
            "a: .pragma \"nounroll\"; add.u32 %r4, %r2, %r2;\n"
            "add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 4; @%p1 bra a;\n"
            "add.u32 %r1, %r3, %r4;"),
     6, 11, 1},
    /* what no lane has written is 0 from the beginning on */
    {KERNEL("setp.lt.u32 %p1, %r0, 99; @!%p1 mov.u32 %r2, 5;\n"
            "add.u32 %r3, %r0, %r0; add.u32 %r1, %r3, %r2;"),
     5, 0, 2},
    /* lanes that part */
    {KERNEL("setp.lt.u32 %p1, %r0, 16; @%p1 bra a;\n"
            "add.u32 %r2, %r0, 100; bra b;\n"
            "a: add.u32 %r3, %r0, 50; add.u32 %r2, %r3, 50;\n"
            "b: mov.u32 %r1, %r2;"),
     5, 100, 1},
    /* what calls pass has rows of its own */
    {".func (.reg .u32 o) twice(.reg .u32 i) { add.u32 o, i, i; }\n" KERNEL(
         "call (%r2), twice, (%r0);\n"
         "add.u32 %r3, %r2, %r2; add.u32 %r1, %r3, %r3;"),
     6, 0, 8},
    /* so has the carry: 2^32 - 1 + 1, then 0 + 0 and what that left */
    {KERNEL("mov.u32 %r2, 0xffffffff; add.cc.u32 %r3, %r2, 1;\n"
            "mov.u32 %r4, 0; mov.u32 %r5, %r0;\n"
            "addc.u32 %r1, %r4, %r5;"),
     6, 1, 1},
};

START_TEST(program)
{
    static const char *const arg[] = {"buf:32:u32:zero:o", NULL};
    char text[4096] = PTX_HEAD;
    uint32_t out[LANES];
    struct ptx_run r;
    strcat(text, programs[_i].text);
    ptx_must_run(&r, text, 1, LANES, arg);
    ptx_take(&r, "o", out, sizeof(out));
    ck_assert_uint_eq(r.session.program.code[r.session.launch.entry].rows,
                      programs[_i].rows);
    for (uint32_t lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(out[lane],
                          programs[_i].at_0 + lane * programs[_i].each_lane);
    ptx_done(&r);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("programs");
    tcase_add_loop_test(t, program, 0, (int)COUNT(programs));
    return run_suite("ptx: rows of frames", t);
}
