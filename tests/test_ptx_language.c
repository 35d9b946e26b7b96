/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX as its manual has it where it is easily taken for something else:
 * addresses that wrap, carries, constants, special registers, declarations. */
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

#define WORDS_MAX 8

#define ENTRY(regs, body)                                                      \
    ".visible .entry k(.param .u64 out)\n{\n.reg .u64 o;\n" regs               \
    "\nld.param.u64 o, [out];\n" body "\nret;\n}\n"

/* ---- programs and the words they leave ---------------------------------- */

/* s is at 0, 32 words long. */
#define WRAPS(space)                                                           \
    ENTRY("." space " .align 4 .b32 s[32];\n.reg .b32 a, b, t;",               \
          "mov.u32 a, s;\n"                                                    \
          "st." space ".u32 [s+4], 42;\n"                                      \
          "st." space ".u32 [s+8], 43;\n"                                      \
          "add.s32 b, a, -60;\n"                                               \
          "ld." space ".u32 t, [b+64];\n"                                      \
          "st.global.u32 [o], t;\n"                                            \
          "add.s32 b, a, 100;\n"                                               \
          "ld." space ".u32 t, [b+-92];\n"                                     \
          "st.global.u32 [o+4], t;")

/* A first sum or difference of 5 and 7 or so, then another by its carry. */
#define CARRY(at, first, a, b, second, x, y)                                   \
    "mov.u32 a, " a ";\nmov.u32 b, " b ";\n" first ".cc.u32 a, a, b;\n"        \
    "mov.u32 a, " x ";\nmov.u32 b, " y ";\n" second ".u32 c, a, b;\n"          \
    "st.global.u32 [o+" at "], c;\n"

static const struct {
    const char *name, *text;
    uint32_t count, word[WORDS_MAX];
} programs[] = {
    {"shared addresses wrap", WRAPS("shared"), 2, {42, 43}},
    {"local addresses wrap", WRAPS("local"), 2, {42, 43}},
    {"atomics wrap",
     ENTRY(".shared .align 4 .b32 s[32];\n.reg .b32 a, b, t;",
           "mov.u32 a, s;\nst.shared.u32 [s+4], 42;\nadd.s32 b, a, -60;\n"
           "atom.shared.add.u32 t, [b+64], 5;\nld.shared.u32 t, [s+4];\n"
           "st.global.u32 [o], t;"),
     1,
     {47}},
    {"cp.async to a variable by name",
     ".global .align 16 .b32 from[4] = {1, 2, 3, 4};\n" ENTRY(
         ".shared .align 16 .b32 to[4];\n.reg .u64 a;\n.reg .b32 t;",
         "mov.u64 a, from;\ncp.async.ca.shared.global [to], [a], 16;\n"
         "cp.async.wait_all;\nld.shared.b32 t, [to+12];\n"
         "st.global.b32 [o], t;\n"
         "cp.async.ca.shared.global [to], [from+4], 4;\n"
         "cp.async.wait_all;\nld.shared.b32 t, [to];\n"
         "st.global.b32 [o+4], t;"),
     2,
     {4, 2}},
    /* A difference carries where it does not borrow. */
    {"carries of sums and differences",
     ENTRY(".reg .b32 a, b, c;",
           CARRY("0", "sub", "5", "7", "addc", "100",
                 "200") CARRY("4", "sub", "7", "5", "addc", "100", "200")
               CARRY("8", "add", "1", "1", "subc", "300", "200") CARRY(
                   "12", "add", "0xffffffff", "1", "subc", "300", "200")
                   CARRY("16", "sub", "5", "7", "subc", "400", "200")
                       CARRY("20", "sub", "7", "5", "subc", "400", "200") CARRY(
                           "24", "add", "0xffffffff", "1", "addc", "100", "200")
                           CARRY("28", "add", "1", "1", "addc", "100", "200")),
     8,
     {300, 301, 99, 100, 199, 200, 301, 300}},
    {"special registers of 32 bits in narrower operands",
     ENTRY(".reg .b16 h;\n.reg .b32 c;",
           "mov.u16 h, %ctaid.x;\ncvt.u32.u16 c, h;\n"
           "st.global.u32 [o], c;\ncvt.u32.u16 c, %ntid.x;\n"
           "st.global.u32 [o+4], c;\nst.global.u32 [o+8], WARP_SZ;\n"
           "st.global.u8 [o+12], WARP_SZ;"),
     4,
     {0, 1, 32, 32}},
    {"special registers as operands of any instruction",
     ENTRY(".reg .b16 h;\n.reg .b32 a, b;\n.reg .b64 d;\n.reg .pred p;",
           "mov.u32 a, 7;\nadd.u32 a, a, %ntid.x;\n"
           "mov.u16 h, 40;\nadd.u16 h, h, %ntid.y;\ncvt.u32.u16 b, h;\n"
           "setp.eq.u32 p, %nctaid.x, 1;\n@p add.u32 b, b, 100;\n"
           "mov.u64 d, %ntid.z;\nadd.u64 d, d, %ntid.x;\n"
           "st.global.v2.u32 [o], {a, b};\nst.global.u64 [o+8], d;\n"
           "st.global.v2.u32 [o+16], {%laneid, %ntid.x};\n"
           "mov.u32 a, %envreg31;\nmov.u64 d, %pm7_64;\n"
           "cvt.u32.u64 b, d;\nst.global.v2.u32 [o+24], {a, b};"),
     8,
     {8, 141, 2, 0, 0, 1, 0, 0}},
    /* -7 / 2 cuts off, & binds before ^ and ^ before |; these are the numbers
     * that ptxas of CUDA 13.0 puts into the code. */
    {"constant expressions",
     ENTRY(".reg .b32 a;",
           "mov.u32 a, 2*(WARP_SZ-1);\nst.global.u32 [o], a;\n"
           "st.global.u32 [o+2*2], -7/2;\nst.global.u32 [o+8], 3 % -2;\n"
           "st.global.u32 [o+(3<<2)], 3 ^ 5 & 4 | 8;\n"
           "st.global.u32 [o+16], -1 < 1U ? 5 : (3 & 1) > -1 ? 6 : 7;\n"
           "st.global.u32 [o+20], ~0 >> 60;\n"
           "st.global.u32 [o+24], -16 >> 2;\n"
           "st.global.u32 [o+28], (.u64)-16 >> 60;"),
     8,
     {62, 0xFFFFFFFD, 3, 15, 6, 15, 0xFFFFFFFC, 15}},
    {"constant expressions of numbers with fractions and in initial values",
     ".global .u32 t[1+1] = {WARP_SZ/2, 3*5};\n"
     ".global .f32 f[1] = {1.0/4.0 + .25};\n" ENTRY(
         ".reg .b32 a, b;",
         "ld.global.v2.u32 {a, b}, [t];\nst.global.v2.u32 [o], {a, b};\n"
         "ld.global.u32 a, [f];\nst.global.u32 [o+8], a;\n"
         "mov.f32 a, -(1.5 - 2.0);\nst.global.u32 [o+12], a;\n"
         "st.global.u32 [o+16], !0 + !5 + (7 > 1 && 2 || 0);\n"
         "st.global.u32 [o+20], 0x8000000000000000 / 3 >> 60;\n"
         "st.global.u32 [o+24], (1 << 65) + (~(-2) > -1);\n"
         "st.global.u32 [o+28], ((7 % 4) > -1) + (-1 >> 70 < 0 ? 40 : 50);"),
     8,
     {16, 15, 0x3F000000, 0x3F000000, 2, 2, 2, 40}},
    {"bytes of addresses in initial values",
     ".global .u32 x[2] = {5, 77};\n.global .align 8 .u8 t[8] = {0xff(x+4), "
     "0xff00(x+4), 0xff0000(x+4), 0xff000000(x+4), 0xff00000000(x+4), "
     "0xff0000000000(x+4), 0xff000000000000(x+4), "
     "0xff00000000000000(x+4)};\n" ENTRY(".reg .u64 a;\n.reg .b32 b;",
                                         "ld.global.u64 a, [t];\n"
                                         "ld.global.u32 b, [a];\n"
                                         "st.global.u32 [o], b;"),
     1,
     {77}},
    {"vectors of registers",
     ENTRY(".reg .v4 .u32 v, w<2>;\n.reg .v2 .b16 h;\n.reg .b32 a;",
           "mov.v4.u32 v, {1, 2, 3, 4};\nmov.v4.u32 v, {v.w, v.r, v.g, v.b};\n"
           "mov.u32 v.y, 9;\nmov.v4.u32 w1, v;\n"
           "st.global.v4.u32 [o], w1;\nmov.b32 h, 0x50003;\n"
           "cvt.u32.u16 a, h.y;\nst.global.u32 [o+16], a;\n"
           "mov.b32 a, {h.y, h.x};\nst.global.u32 [o+20], a;\n"
           "ld.global.v2.u16 h, [o+20];\nmov.b32 a, h;\n"
           "st.global.u32 [o+24], a;"),
     7,
     {4, 9, 2, 3, 5, 0x30005, 0x30005}},
    {"vectors as arguments and results",
     ".func (.reg .v2 .u32 r) f(.reg .v2 .u32 a, .reg .u32 b)\n{\n"
     "add.u32 r.x, a.y, b;\nsub.u32 r.y, a.x, b;\nret;\n}\n" ENTRY(
         ".reg .v2 .u32 v;\n.reg .b32 x;",
         "mov.v2.u32 v, {50, 70};\nmov.u32 x, 6;\n"
         "call (v), f, (v, x + 1);\nst.global.v2.u32 [o], v;\n"
         "call (v), f, (v, WARP_SZ);\nst.global.v2.u32 [o+8], v;"),
     4,
     {77, 43, 75, 45}},
    {"a register and a number",
     ENTRY(".reg .b32 a;\n.reg .b64 d;",
           "mov.u32 a, 5;\nst.global.u32 [o], a + 1;\n"
           "mov.u32 a, a - 6;\nst.global.u32 [o+4], a;\n"
           "mul.lo.u32 a, a + 3, a + 4;\nst.global.u32 [o+8], a;"),
     3,
     {6, 0xFFFFFFFF, 6}},
    {"a declaration without its semicolon",
     ".func (.param .s32 r) f (.param .s32 a)\n" ENTRY(
         ".reg .b32 t;",
         "{\n.param .s32 pa;\n.param .s32 pr;\nst.param.s32 [pa], 21;\n"
         "call.uni (pr), f, (pa);\nld.param.s32 t, [pr];\n}\n"
         "st.global.u32 [o], t;") ".func (.param .s32 r) f (.param .s32 "
                                  "a)\n{\n.reg .s32 x;\n"
                                  "ld.param.s32 x, [a];\nadd.s32 x, x, "
                                  "x;\nst.param.s32 [r], x;\nret;\n}\n",
     1,
     {42}},
};
#define PROGRAMS ((int)(sizeof(programs) / sizeof(programs[0])))

START_TEST(leaves)
{
    const char *const arg[] = {"buf:8:u32:zero:o", NULL};
    char text[4096];
    uint32_t word[WORDS_MAX];
    struct ptx_run r;
    snprintf(text, sizeof(text), "%s%s", PTX_HEAD, programs[_i].text);
    ptx_must_run(&r, text, 1, 1, arg);
    ptx_take(&r, "o", word, sizeof(word));
    for (uint32_t i = 0; i < programs[_i].count; i++)
        ck_assert_msg(word[i] == programs[_i].word[i],
                      "%s: word %u is %u, expected %u", programs[_i].name, i,
                      word[i], programs[_i].word[i]);
    ptx_done(&r);
}
END_TEST

/* Lanes take 4, 8, .. bytes, aligned to 64; what a function called then has of
 * its own lies behind the longest; restored, the place is the same. */
static const char stack[] = PTX_HEAD
    ".func (.reg .u32 r) f(.reg .u32 a)\n{\n.local .b32 own[4];\n"
    "st.local.u32 [own], a;\nst.local.u32 [own+12], a;\n"
    "ld.local.u32 r, [own+12];\nret;\n}\n" ENTRY(
        ".local .b32 own;\n.reg .u64 p, q, n, s;\n.reg .u32 a, x;\n"
        ".reg .u32 s32, t32;\n.reg .pred z;",
        "mov.u32 x, %tid.x;\nmad.lo.u32 a, x, 4, 4;\ncvt.u64.u32 n, a;\n"
        "st.local.u32 [own], 77;\nstacksave.u64 s;\n"
        "alloca.u64 p, n, 64;\nst.local.u32 [p], a;\n"
        "add.u64 q, p, n;\nst.local.u32 [q+-4], 1000;\n"
        "call (a), f, (x);\nsetp.ne.u32 z, x, 3;\n@z exit;\n"
        "st.global.u32 [o], a;\nld.local.u32 a, [q+-4];\n"
        "st.global.u32 [o+4], a;\nld.local.u32 a, [p];\n"
        "st.global.u32 [o+8], a;\nld.local.u32 a, [own];\n"
        "st.global.u32 [o+12], a;\nand.b64 q, p, 63;\n"
        "st.global.u32 [o+16], q;\nstackrestore.u64 s;\n"
        "alloca.u64 q, 8, 64;\nsub.u64 q, q, p;\n"
        "st.global.u32 [o+20], q;\nstacksave.u32 s32;\n"
        "alloca.u32 t32, 5;\nst.local.u8 [t32+4], 6;\n"
        "sub.u32 s32, t32, s32;\nst.global.u32 [o+24], s32;");

START_TEST(memory_from_the_stack)
{
    static const uint32_t expected[] = {3, 1000, 16, 77, 0, 0, 8};
    const char *const arg[] = {"buf:8:u32:zero:o", NULL};
    uint32_t word[WORDS_MAX];
    struct ptx_run r;
    ptx_must_run(&r, stack, 1, 32, arg);
    ptx_take(&r, "o", word, sizeof(word));
    ck_assert_mem_eq(word, expected, sizeof(expected));
    ptx_done(&r);
}
END_TEST

/* What nvcc makes of assert(): the words are "bad", "f" and "a.cu". */
START_TEST(failed_assertion)
{
    const char *const arg[] = {"buf:8:u32:zero:o", NULL};
    struct error e = {STATUS_OK, ""};
    struct ptx_run r;
    ck_assert(!ptx_try(
        &r,
        PTX_HEAD
        ".extern .func __assertfail(.param .b64 a, .param .b64 b,\n"
        ".param .b32 c, .param .b64 d, .param .b64 e);\n"
        ".global .b8 m[4] = {98, 97, 100};\n.global .b8 f[2] = {102};\n"
        ".global .b8 n[5] = {97, 46, 99, 117};\n" ENTRY(
            ".reg .pred p;\n.reg .u32 x;",
            "mov.u32 x, %tid.x;\nsetp.lt.u32 p, x, 3;\n@p exit;\n{\n"
            ".param .b64 a;\n.param .b64 b;\n.param .b32 c;\n"
            ".param .b64 d;\n.param .b64 e;\n"
            "st.param.b64 [a], m;\nst.param.b64 [b], n;\n"
            "st.param.b32 [c], 12;\nst.param.b64 [d], f;\n"
            "st.param.b64 [e], 1;\n"
            "call.uni __assertfail, (a, b, c, d, e);\n}"),
        1, 32, arg, &e));
    ck_assert_msg(strstr(e.text, "lane 3: found that the assertion 'bad' of f "
                                 "does not hold, a.cu:12") != NULL,
                  "%s", e.text);
}
END_TEST

/* More than a thread may have. */
START_TEST(stack_overflow)
{
    const char *const arg[] = {"buf:8:u32:zero:o", NULL};
    struct error e = {STATUS_OK, ""};
    struct ptx_run r;
    ck_assert(!ptx_try(&r,
                       PTX_HEAD ENTRY(".reg .u64 p;", "alloca.u64 p, 600000;"),
                       1, 1, arg, &e));
    ck_assert_msg(strstr(e.text, "t.ptx:9:1: alloca: found no room") != NULL,
                  "%s", e.text);
}
END_TEST

/* 2D coordinates padded to four, as compilers of old write them. */
START_TEST(padded_coordinates)
{
    const char *const arg[] = {"buf:8:u32:zero:o", "tex:4x4:u32:iota:t", NULL};
    uint32_t word;
    struct ptx_run r;
    ptx_must_run(&r,
                 PTX_HEAD ".global .texref t;\n" ENTRY(
                     ".reg .f32 x, y;\n.reg .b32 a, b, c, e;",
                     "mov.f32 x, 0f40200000;\nmov.f32 y, 0f3FC00000;\n"
                     "tex.2d.v4.u32.f32 {a, b, c, e}, [t, {x, y, x, y}];\n"
                     "st.global.u32 [o], a;"),
                 1, 1, arg);
    ptx_take(&r, "o", &word, sizeof(word));
    ck_assert_uint_eq(word, 6); /* at 2.5, 1.5 */
    ptx_done(&r);
}
END_TEST

/* ---- what is refused ---------------------------------------------------- */

static const struct {
    const char *text, *error;
} refused[] = {
    {PTX_HEAD ENTRY(".reg .f32 f;", "add.f32 f, f, 1;"),
     ":9:1: found 'add', expected operand 3 of it to be a number like"},
    {PTX_HEAD ENTRY(".reg .f32 f;", "mov.f32 f, 1;"), ":9:1: found 'mov'"},
    {PTX_HEAD ENTRY(".reg .f64 f;", "fma.rn.f64 f, f, f, 2;"),
     ":9:1: found 'fma'"},
    {PTX_HEAD ENTRY("", "st.global.f32 [o], 1;"), ":9:1: found 'st'"},
    {PTX_HEAD ENTRY(".reg .f32 f;", "add.f32 f, f, %tid.x;"),
     ":9:1: found 'add', expected operand 3 of it to be no special register"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 1/0;"),
     ":9:13: found '/', expected no division by 0"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 4 % (2-2);"),
     ":9:14: found '%', expected no division by 0"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 1.5 & 1.5;"),
     ":9:16: found '&', expected whole numbers on both sides of it"},
    {PTX_HEAD ENTRY(".reg .f32 f;", "mov.f32 f, 0f3F800000 + 1.0;"),
     ":9:23: found '+', expected no operator with a 0f number"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, (1;"),
     ":9:14: found ';', expected ')'"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 1 + 1.5;"),
     ":9:14: found '+', expected numbers of one type around it"},
    {PTX_HEAD ENTRY(".reg .f32 a;", "mov.f32 a, -0f3F800000;"),
     ":9:12: found '-', expected no operator with a 0f number"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 1.5 ? 2 : 3;"),
     ":9:16: found '?', expected a whole number before it"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, 1.0 && 2.0;"),
     ":9:16: found '&', expected whole numbers on both sides of it"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, ~1.5;"),
     ":9:12: found '~', expected a whole number behind it"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "alloca.u32 a, 8, 12;"),
     ":9:1: found 'alloca', expected operand 3 of it to be a power of two"},
    {PTX_HEAD ENTRY(".reg .u4 a;", ""), ":7:6: found '.u4', expected a type"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "cvt.pack.sat.u8.s32 a, a, a;"),
     ":9:1: found 'cvt', expected"},
    {PTX_HEAD ENTRY(".reg .v4 .pred q;", ""),
     ":7:10: found '.pred', expected no vector of predicates"},
    {PTX_HEAD ".global .u8 x;\n.global .u8 t[1] = {0xff0(x)};\n",
     ":5:21: found '0xff0', expected a mask of the bits of one element"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "vadd.u32.u32.u32 a, a.b0, a;"),
     ":9:22: found '.b0', expected no part of a register: not supported"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "vadd.u32.u32 a, a, a;"),
     ":9:1: found 'vadd', expected"},
    {PTX_HEAD ENTRY(".reg .v4 .f64 q;", ""),
     ":7:10: found '.f64', expected at most 128 bits in a vector"},
    {PTX_HEAD ENTRY(".reg .v2 .b32 v;", "mov.u32 v.z, 1;"),
     ":9:10: found '.z', expected .x or .y"},
    {PTX_HEAD ENTRY(".reg .v2 .b32 v;", "mov.v4.u32 v, {1, 2, 3, 4};"),
     ":9:1: found 'mov', expected two vectors of as many parts with it"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a + 1, 2;"),
     ":9:1: found 'mov', expected operand 1 of it to be a register alone"},
    {PTX_HEAD ENTRY(".reg .f32 f;", "add.f32 f, f, f + 1;"),
     ":9:1: found 'add', expected operand 3 of it to be a register alone"},
    {PTX_HEAD ENTRY(".reg .pred q;", "not.pred q, q + 1;"),
     ":9:1: found 'not', expected operand 2 of it to be a register alone"},
    {PTX_HEAD ENTRY(".reg .b32 a;", "mov.u32 a, %envreg32;"),
     ":9:12: found '%envreg32', expected a declared register"},
    {".version 7.0\n.target sm_foo\n", ":2:9: found 'sm_foo', expected a"},
    {".version 7.0\n.target sm_75x2\n", ":2:9: found 'sm_75x2'"},
    {".version 7.0\n.target sm_7\n", ":2:9: found 'sm_7'"},
    {".version 7.0\n.target sm_\n", ":2:9: found 'sm_'"},
    {".version 7.0\n.target sm_1000\n", ":2:9: found 'sm_1000'"},
    {".version 7.0\n.address_size 64\n", "expected .target"},
    {PTX_HEAD ".visible .entry k()\n.visible .entry l() { ret; }\n", "'l'"},
};
#define REFUSED ((int)(sizeof(refused) / sizeof(refused[0])))

START_TEST(is_refused)
{
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    const char *text = refused[_i].text;
    ck_assert(!ptx_parse(&m, text, strlen(text), "t.ptx", &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, refused[_i].error) != NULL, "'%s' lacks '%s'",
                  e.text, refused[_i].error);
}
END_TEST

START_TEST(targets)
{
    static const struct {
        const char *text;
        uint32_t target;
    } cases[] = {{".version 7.0\n.target sm_20, texmode_independent\n", 20},
                 {".version 8.0\n.target sm_90a\n", 90},
                 {".version 8.8\n.target sm_100f\n", 100},
                 {".version 8.8\n.target sm_121\n", 121}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct ptx_module m;
        struct error e = {STATUS_OK, ""};
        ck_assert_msg(
            ptx_parse(&m, cases[i].text, strlen(cases[i].text), "t.ptx", &e),
            "%s", e.text);
        ck_assert_uint_eq(m.target, cases[i].target);
        ptx_module_free(&m);
    }
}
END_TEST

/* ---- what is not supported ---------------------------------------------- */

#define NAMED(name, body) ".visible .entry " name "()\n{\n" body "\nret;\n}\n"
#define OTHER             ".func other()\n{\ntcgen05.wait::ld.sync.aligned;\nret;\n}\n"

/* Refuses entries that reach it and no others; lines from 4 on. */
static const struct {
    const char *text, *error;
} missing[] = {
    {NAMED("bad", "tcgen05.wait::ld.sync.aligned;") NAMED("good", ""),
     "t.ptx:6:1: found 'tcgen05', expected no instructions of tensor"},
    {OTHER NAMED("bad", "call other;") NAMED("good", ""),
     "t.ptx:6:1: found 'tcgen05'"},
    {OTHER ".func between()\n{\ncall other;\nret;\n}\n" NAMED(
         "bad", "call between;") NAMED("good", ""),
     "t.ptx:6:1: found 'tcgen05'"},
    {OTHER NAMED("bad", ".reg .u64 a;\nmov.u64 a, other;") NAMED("good", ""),
     "t.ptx:6:1: found 'tcgen05'"},
    {NAMED("bad", "clusterlaunchcontrol.a;\n"
                  "tensormap.x;\ntcgen05.y;") NAMED("good", ""),
     "(and 2 more that are not)"},
    {NAMED("bad", "clusterlaunchcontrol.x;") NAMED("good", ""),
     "expected no clusters of blocks"},
};
#define MISSING ((int)(sizeof(missing) / sizeof(missing[0])))

START_TEST(refuses_who_reaches_it)
{
    char text[4096];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    uint32_t entry;
    snprintf(text, sizeof(text), "%s%s", PTX_HEAD, missing[_i].text);
    ck_assert_msg(ptx_parse(&m, text, strlen(text), "t.ptx", &e), "%s", e.text);
    ck_assert_msg(ptx_find_entry(&m, "good", &entry, &e), "%s", e.text);
    ck_assert(!ptx_find_entry(&m, "bad", &entry, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, missing[_i].error) != NULL, "'%s' lacks '%s'",
                  e.text, missing[_i].error);
    ptx_module_free(&m);
}
END_TEST

/* A call may go wherever a variable points. */
START_TEST(refuses_where_any_call_may_go)
{
    static const char text[] = PTX_HEAD
        ".func other();\n.global .u64 table[1] = {other};\n" OTHER NAMED(
            "first", "") NAMED("second", "");
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_parse(&m, text, strlen(text), "t.ptx", &e));
    ck_assert_msg(strstr(e.text, "found 'tcgen05'") != NULL, "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ptx: the language");
    TCase *tc = tcase_create("language");
    tcase_add_loop_test(tc, leaves, 0, PROGRAMS);
    tcase_add_test(tc, memory_from_the_stack);
    tcase_add_test(tc, failed_assertion);
    tcase_add_test(tc, stack_overflow);
    tcase_add_test(tc, padded_coordinates);
    tcase_add_loop_test(tc, is_refused, 0, REFUSED);
    tcase_add_test(tc, targets);
    tcase_add_loop_test(tc, refuses_who_reaches_it, 0, MISSING);
    tcase_add_test(tc, refuses_where_any_call_may_go);
    suite_add_tcase(suite, tc);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
