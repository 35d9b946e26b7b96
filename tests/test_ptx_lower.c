/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which instructions PTX becomes. */
#include "tests/ptx_lowered.h"

#include <stdlib.h>

/* The first is always the move from %tid.x. */
START_TEST(test_left_out)
{
    static const char *const body[][2] = {
        {"", "x"}, /* not even that, when nobody reads it */
        {"add.u32 %r1, %r0, 1; xor.b32 %r2, %r1, %r0;", "x"},
        {"ld.global.u32 %r1, [%d1];", "x"},
        {"ld.volatile.global.u32 %r1, [%d1];", "lx"},
        {"mov.u32 %r1, 7; st.global.u32 [%d1], %r1;", "wx"},
        {"mov.u32 %r1, %ntid.x; st.global.u32 [%d1], %r1;", "wx"},
        {"ld.param.u32 %r1, [n]; st.global.u32 [%d1], %r1;", "wx"},
        {"mov.u32 %r1, %ctaid.x; st.global.u32 [%d1], %r1;", "iwx"},
        {"mov.u32 %r1, %r0; mov.b32 %r2, %r1; st.global.u32 [%d1], %r2;",
         "iwx"},
        {"cvt.s32.u32 %r1, %r0; st.global.u32 [%d1], %r1;", "iwx"},
        {"mov.b64 %d2, {%r0, %r0}; cvt.u32.u64 %r1, %d2;\n"
         "st.global.u32 [%d1], %r1;",
         "iiwx"},
        /* two values of one register, both made */
        {"setp.eq.u32 %p1, %r0, 3; mov.u32 %r1, 7; @%p1 mov.u32 %r1, 8;\n"
         "st.global.u32 [%d1], %r1;",
         "iiiiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

/* The value that a turn leaves is made where the next one looks for it. */
START_TEST(test_loop)
{
    must_become("mov.u32 %r1, 0;\n"
                "again: add.u32 %r2, %r1, 7; mov.u32 %r1, %r2;\n"
                "setp.lt.u32 %p1, %r1, 500; @%p1 bra again;\n"
                "st.global.u32 [%d1], %r1;",
                "iiibwx");
    /* the old value is read behind the new: a move remains */
    must_become("mov.u32 %r1, 0;\n"
                "again: add.u32 %r2, %r1, 1; st.global.u32 [%d1], %r1;\n"
                "mov.u32 %r1, %r2; setp.lt.u32 %p1, %r1, 5; @%p1 bra again;\n",
                "iiwiibx");
}
END_TEST

START_TEST(test_addresses)
{
    static const char *const body[][2] = {
        /* a product or a shift, in the addition */
        {"mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d1, %d2;\n"
         "st.global.u32 [%d3], %r0;",
         "imwx"},
        /* ... the load as soon as it has its address */
        {"mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d1, %d2;\n"
         "add.s64 %d4, %d0, %d2; ld.global.u32 %r1, [%d4+64];\n"
         "st.global.u32 [%d3], %r1;",
         "imlmwx"},
        {"ld.param.u32 %r4, [n]; shl.b32 %r1, %r0, 2; add.u32 %r2, %r1, %r4;\n"
         "st.global.u32 [%d1], %r2;",
         "iiwx"},
        /* read for itself too: made for itself */
        {"ld.param.u32 %r4, [n]; shl.b32 %r1, %r0, 2; add.u32 %r2, %r1, %r4;\n"
         "st.global.v2.u32 [%d1], {%r1, %r2};",
         "iiiwx"},
        /* the factor is another by then */
        {"ld.param.u32 %r4, [n]; mov.u32 %r3, %r0; mul.lo.u32 %r1, %r3, %r0;\n"
         "add.u32 %r3, %r3, 1; add.u32 %r2, %r1, %r4;\n"
         "st.global.v2.u32 [%d1], {%r2, %r3};",
         "iimiiwx"},
        /* what is added to an address is an offset */
        {"shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r3, %r1, %r2;\n"
         "st.shared.u32 [%r3], %r0; ld.shared.u32 %r4, [%r3+4];\n"
         "st.global.u32 [%d1], %r4;",
         "iiwlwx"},
        /* ... a parameter is not */
        {"shl.b32 %r1, %r0, 2; ld.param.u32 %r2, [n];\n"
         "mul.lo.u32 %r2, %r2, 4; add.u32 %r3, %r1, %r2;\n"
         "st.shared.u32 [%r3], %r0;",
         "imiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

/* What the PTX ISA says of them: a / b is a * (1 / b) (div.approx), a
 * reciprocal of .ftz is the special function unit's own; a sum of 64 bits is
 * two of 32, a product of 64 bits three and a sum. */
START_TEST(test_several)
{
    static const char *const body[][2] = {
        {"ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4];\n"
         "div.approx.ftz.f32 %f3, %f1, %f2; st.global.f32 [%d1], %f3;",
         "llsfwx"},
        {"ld.global.f32 %f1, [%d1]; rcp.approx.ftz.f32 %f2, %f1;\n"
         "st.global.f32 [%d1], %f2;",
         "lswx"},
        {"ld.global.u64 %d2, [%d1]; ld.global.u64 %d3, [%d1+8];\n"
         "add.s64 %d4, %d2, %d3; st.global.u64 [%d1], %d4;",
         "lliiwx"},
        {"ld.global.u64 %d2, [%d1]; ld.global.u64 %d3, [%d1+8];\n"
         "mul.lo.s64 %d4, %d2, %d3; st.global.u64 [%d1], %d4;",
         "llmmmiwx"},
        /* a field at a known place: a shift and a mask */
        {"ld.global.u32 %r1, [%d1]; bfe.u32 %r2, %r1, 3, 7;\n"
         "st.global.u32 [%d1], %r2;",
         "liiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

/* The instructions that are multiply-adds in place of a move, a shift or an
 * addition, by their lines in the body, from 1. */
static void must_be_imad(const char *body, const char *expected)
{
    struct kernel_list list;
    char found[TEXT_MAX] = "";
    const struct kernel *k = load(&list, body);
    uint32_t first = UINT32_MAX; /* the move from %tid.x */
    for (uint32_t i = 0; i < k->inst_count; i++)
        first = k->inst[i].line < first ? k->inst[i].line : first;
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].op == OP_IMAD)
            snprintf(found + strlen(found), sizeof(found) - strlen(found),
                     "%u ", k->inst[i].line - first);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nfound %s, expected %s",
                  body, found, expected);
    kernel_list_free(&list);
}

#define LOGIC(n) "xor.b32 %r" #n ", %r0, %r9;\nst.global.u32 [%d1], %r" #n ";\n"
#define PRODUCT(n)                                                             \
    "mul.lo.u32 %r" #n ", %r0, %r9;\nst.global.u32 [%d1], %r" #n ";\n"

/* What either pipe does goes where less is. */
START_TEST(test_balance)
{
    /* two of three make it even: 2 and a shift against 0 */
    must_be_imad("ld.global.u32 %r9, [%d1];\n" LOGIC(1) LOGIC(
                     2) "shl.b32 %r3, %r0, 2;\nadd.u32 %r4, %r3, %r9;\n"
                        "st.global.v2.u32 [%d1], {%r3, %r4};\n"
                        "sub.u32 %r5, %r4, %r9;\nst.global.u32 [%d1], %r5;",
                 "6 7 ");
    /* the multiplier has as many */
    must_be_imad("ld.global.u32 %r9, [%d1];\n" LOGIC(1) PRODUCT(
                     2) "shl.b32 %r3, %r0, 2;\nst.global.u32 [%d1], %r3;",
                 "");
    /* not a constant's addition, nor what takes the sum of two shifts in */
    must_be_imad("ld.global.u32 %r9, [%d1];\n" LOGIC(1) LOGIC(2) LOGIC(
                     3) "add.u32 %r4, %r9, 7;\nst.global.u32 [%d1], %r4;\n"
                        "shl.b32 %r5, %r9, 3;\nadd.u32 %r6, %r5, %r0;\n"
                        "st.global.u32 [%d1], %r6;",
                 "");
    /* nor a shift by what is not known, or of 64 bits */
    must_be_imad("ld.global.u32 %r9, [%d1];\n" LOGIC(1) LOGIC(
                     2) "shl.b32 %r3, %r0, %r9;\nst.global.u32 [%d1], %r3;\n"
                        "shl.b64 %d5, %d1, 3;\nst.global.u64 [%d1], %d5;",
                 "");
}
END_TEST

#define KEEP(p) "selp.u32 %r90, 1, 2, " p "; st.global.u32 [%d1+64], %r90;\n"
#define TESTS   "ld.global.u32 %r1, [%d1]; ld.global.u32 %r2, [%d1+4];\n"
#define BIT(p, mask)                                                           \
    "and.b32 %r3" #p ", %r1, " #mask "; setp.ne.s32 %p" #p ", %r3" #p ", 0;\n"

static int compare_letters(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

/* The same letters in any order. */
static void must_hold_for(const char *head, const char *body,
                          const char *expected)
{
    struct kernel_list list;
    char found[TEXT_MAX], sorted[TEXT_MAX];
    classes_of(load_with(&list, head, body, 0), found);
    snprintf(sorted, sizeof(sorted), "%s", expected);
    qsort(found, strlen(found), 1, compare_letters);
    qsort(sorted, strlen(sorted), 1, compare_letters);
    ck_assert_msg(strcmp(found, sorted) == 0, "%s\nbecame   %s\nexpected %s",
                  body, found, sorted);
    kernel_list_free(&list);
}

static void must_hold(const char *body, const char *expected)
{
    must_hold_for(PTX_HEAD, body, expected);
}

/* What a launch leaves in constant memory is loaded on sm_90, once and where
 * something reads it; so is the stack pointer, and with accesses to global
 * memory their descriptor (all integer here). */
START_TEST(test_launch_constants)
{
    static const struct {
        const char *body, *before, *from_90;
    } rows[] = {
        {"", "x", "ix"},
        {"ld.param.u32 %r4, [n];", "x", "ix"},
        {"st.global.u32 [%d1], %r0;", "iwx", "ii i iwx"},
        {"st.shared.u32 [s], %r0;", "iwx", "i iwx"},
        {"ld.param.u32 %r4, [n]; shl.b32 %r1, %r0, 2; add.u32 %r2, %r1, %r4;\n"
         "st.global.u32 [%d1], %r2;",
         "iiwx", "ii ii iiwx"},
        {"ld.param.u32 %r4, [n]; add.u32 %r1, %r0, %r4;\n"
         "xor.b32 %r2, %r0, %r4; st.global.v2.u32 [%d1], {%r1, %r2};",
         "iiiwx", "ii ii iiiwx"},
        {"mov.u32 %r4, %ntid.x; add.u32 %r1, %r0, %r4;\n"
         "st.global.u32 [%d1], %r1;",
         "iiwx", "ii i i iiwx"},
        /* of variables two words that are eight bytes together at once */
        {"ld.const.u32 %r1, [c]; st.global.u32 [%d1], %r1;", "wx", "ii ii wx"},
        {"ld.const.u32 %r1, [c]; ld.const.u32 %r2, [c+4];\n"
         "st.global.v2.u32 [%d1], {%r1, %r2};",
         "wx", "ii ii wx"},
        {"ld.const.u32 %r1, [c+4]; ld.const.u32 %r2, [c+8];\n"
         "st.global.v2.u32 [%d1], {%r1, %r2};",
         "wx", "ii iii wx"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        char expected[TEXT_MAX] = "";
        for (const char *c = rows[i].from_90; *c != '\0'; c++)
            if (*c != ' ')
                strncat(expected, c, 1);
        must_hold(rows[i].body, rows[i].before);
        must_hold_for(".version 8.0\n.target sm_90\n.address_size 64\n",
                      rows[i].body, expected);
    }
}
END_TEST

/* Three operands of IADD3 and LOP3, and what comparisons take in. */
START_TEST(test_two_as_one)
{
    static const char *const body[][2] = {
        {TESTS "add.s32 %r3, %r1, %r2; sub.s32 %r4, %r3, %r0;\n"
               "st.global.u32 [%d1], %r4;",
         "illiwx"},
        {TESTS "add.s32 %r3, %r1, 7; add.s32 %r4, %r3, %r0;\n"
               "add.s32 %r5, %r4, %r2; st.global.u32 [%d1], %r5;",
         "illiiwx"},
        {TESTS "xor.b32 %r3, %r1, %r2; and.b32 %r4, %r3, %r0;\n"
               "st.global.u32 [%d1], %r4;",
         "illiwx"},
        /* read twice, or another one by then */
        {TESTS "xor.b32 %r3, %r1, %r2; and.b32 %r4, %r3, %r0;\n"
               "st.global.v2.u32 [%d1], {%r3, %r4};",
         "illiiwx"},
        {TESTS "xor.b32 %r3, %r1, %r2; mov.u32 %r1, 5;\n"
               "and.b32 %r4, %r3, %r0; st.global.v2.u32 [%d1], {%r1, %r4};",
         "illiiiwx"},
        {TESTS "setp.lt.s32 %p1, %r1, 9; setp.lt.s32 %p2, %r2, %r0;\n"
               "and.pred %p3, %p1, %p2;\n" KEEP("%p3"),
         "illiiiwx"},
        {TESTS "setp.lt.s32 %p1, %r1, 9; not.pred %p2, %p1;\n" KEEP("%p2"),
         "liiwx"},
        {TESTS "mov.pred %p1, -1;\n" KEEP("%p1"), "wx"},
        {TESTS BIT(1, 12) KEEP("%p1"), "liiwx"},
        {TESTS "and.b32 %r3, %r1, 4; setp.ne.s32 %p1, %r3, 4;\n" KEEP("%p1"),
         "liiiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

/* SHF of two words, LEA.HI of a shift to the right or SHF and an addition
 * (ptxas V13.0.88, sm_75 and sm_90). */
START_TEST(test_shifts)
{
#define LEFT  "shl.b32 %r3, %r1, 7; "
#define RIGHT "shr.u32 %r4, %r2, 25; "
#define STORE "\nst.global.u32 [%d1], %r6;"
    static const char *const body[][2] = {
        {TESTS LEFT RIGHT "or.b32 %r6, %r3, %r4;" STORE, "lliwx"},
        {TESTS LEFT RIGHT "xor.b32 %r6, %r4, %r3;" STORE, "lliwx"},
        {TESTS LEFT RIGHT "add.s32 %r6, %r3, %r4;" STORE, "lliwx"},
        {TESTS LEFT RIGHT "or.b32 %r5, %r3, %r4; add.s32 %r6, %r0, %r5;" STORE,
         "illiwx"},
        {TESTS LEFT RIGHT "or.b32 %r5, %r3, %r4; add.s32 %r6, %r5, %r0;\n"
                          "st.global.v2.u32 [%d1], {%r5, %r6};",
         "illiiwx"},
        {TESTS "shf.l.wrap.b32 %r3, %r1, %r1, 7; add.s32 %r6, %r3, %r2;" STORE,
         "lliwx"},
        {TESTS "shf.r.wrap.b32 %r3, %r1, %r1, 7; add.s32 %r6, %r2, %r3;" STORE,
         "lliwx"},
        {TESTS "shf.l.wrap.b32 %r3, %r1, %r1, 7; add.s32 %r4, %r3, %r2;\n"
               "add.s32 %r6, %r4, %r0;" STORE,
         "illiiwx"},
        {TESTS LEFT RIGHT "or.b32 %r5, %r3, %r4; add.s32 %r7, %r0, %r5;\n"
                          "add.s32 %r6, %r7, %r1;" STORE,
         "illiiwx"},
        {TESTS "shr.u32 %r3, %r1, 3; add.s32 %r6, %r3, %r2;" STORE, "lliwx"},
        {TESTS "shr.s32 %r3, %r1, 3; add.s32 %r6, %r3, %r2;" STORE, "lliwx"},
        {TESTS "shr.u32 %r3, %r1, 8; add.s32 %r6, %r3, 1;" STORE, "liwx"},
        /* other amounts, a sign, what is taken off */
        {TESTS LEFT "shr.u32 %r4, %r2, 24; or.b32 %r6, %r3, %r4;" STORE,
         "lliiiwx"},
        {TESTS LEFT "shr.s32 %r4, %r2, 25; or.b32 %r6, %r3, %r4;" STORE,
         "lliiiwx"},
        {TESTS "shr.u32 %r3, %r1, 3; sub.s32 %r6, %r2, %r3;" STORE, "lliiwx"},
    };
#undef LEFT
#undef RIGHT
#undef STORE
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

#define FLOATS  "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4];\n"
#define EIGHT   "cvt.rzi.u32.f32 %r5, 0f41000000;\n"
#define PUT(r)  "st.global.u32 [%d1], " r ";\n"
#define WIDE    "ld.global.u64 %d2, [%d1];\n"
#define PUTF(f) "st.global.f32 [%d1], " f ";\n"

/* Constants at a known address are operands (ptxas V11.8.89, sm_70, and
 * V13.0.88, sm_75), but for those of a register that something else writes too.
 */
START_TEST(test_constants)
{
    static const char *const body[][2] = {
        {FLOATS
         "ld.const.f32 %f3, [c+8]; fma.rn.f32 %f4, %f1, %f3, %f2;\n" PUTF(
             "%f4"),
         "llfwx"},
        {FLOATS "ld.const.v2.f32 {%f3, %f5}, [c]; mul.f32 %f4, %f1, %f3;\n"
                "fma.rn.f32 %f6, %f4, %f5, %f2;\n" PUTF("%f6"),
         "llffwx"},
        {FLOATS "mov.u64 %d5, c; ld.const.f32 %f3, [%d5+4];\n"
                "fma.rn.f32 %f4, %f1, %f3, %f2;\n" PUTF("%f4"),
         "llfwx"},
        {TESTS "ld.const.u32 %r3, [c]; setp.lt.s32 %p1, %r1, 9;\n"
               "@%p1 mov.u32 %r3, 5; add.s32 %r4, %r3, %r2;\n" PUT("%r4"),
         "lliilwix"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

/* POPC, FLO and BREV are of the unit of conversions, where two keep eight
 * cycles apart and are waited for by a barrier (ptxas V11.8.89 for sm_70 and
 * V13.0.88 for sm_75; their latencies: Jia et al., arXiv 1804.06826,
 * Table 4.1). */
START_TEST(test_counts_of_bits)
{
    static const char *const body[][2] = {
        {TESTS "popc.b32 %r3, %r1;\n" PUT("%r3"), "lcwx"},
        {TESTS "brev.b32 %r3, %r1;\n" PUT("%r3"), "lcwx"},
        {TESTS "bfind.u32 %r3, %r1;\n" PUT("%r3"), "lcwx"},
        {TESTS "clz.b32 %r3, %r1;\n" PUT("%r3"), "lciwx"},
        {WIDE "popc.b64 %r3, %d2;\n" PUT("%r3"), "lcciwx"},
        {WIDE "brev.b64 %d3, %d2; st.global.u64 [%d1], %d3;", "lccwx"},
        {WIDE "bfind.u64 %r3, %d2;\n" PUT("%r3"), "lciiicwx"},
        {WIDE "clz.b64 %r3, %d2;\n" PUT("%r3"), "liicimiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

/* What only constants make, what a division by one takes (ptxas V13.0.88,
 * sm_75), and signs that are read as they are wanted. */
START_TEST(test_known)
{
    static const char *const body[][2] = {
        {EIGHT "shl.b32 %r6, %r5, 2;\n" PUT("%r6"), "wx"},
        {EIGHT "shl.b32 %r4, %r0, 2; mad.lo.s32 %r6, %r5, 4, %r4; "
               "ld.shared.u32 %r7, [%r6];\n" PUT("%r7"),
         "iilwx"},
        {TESTS EIGHT "rem.u32 %r6, %r1, %r5;\n" PUT("%r6"), "lssisimmmmiiiiwx"},
        {TESTS EIGHT "rem.s32 %r6, %r1, %r5;\n" PUT("%r6"),
         "lssisimmiimmiiiiiwx"},
        {TESTS EIGHT "div.u32 %r6, %r1, %r5;\n" PUT("%r6"),
         "lssisimmmmiiiiiwx"},
        {TESTS EIGHT "div.s32 %r6, %r1, %r5;\n" PUT("%r6"),
         "lssisimmiimimiiiiiiwx"},
        {FLOATS
         "neg.f32 %f3, %f1; fma.rn.f32 %f4, %f3, %f2, %f2;\n" PUTF("%f4"),
         "llfwx"},
        {FLOATS "abs.f32 %f3, %f1; add.f32 %f4, %f3, %f2;\n" PUTF("%f4"),
         "llfwx"},
        {FLOATS
         "abs.f32 %f3, %f1; fma.rn.f32 %f4, %f3, %f2, %f2;\n" PUTF("%f4"),
         "llffwx"},
        {FLOATS "neg.f32 %f3, %f1;\n" PUTF("%f3"), "lfwx"},
        {TESTS "neg.s32 %r3, %r1; add.s32 %r4, %r3, %r2;\n" PUT("%r4"),
         "lliwx"},
        {TESTS "neg.s32 %r3, %r1; and.b32 %r4, %r3, %r2;\n" PUT("%r4"),
         "lliiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

/* Loads that an L1 may not serve, by their words. */
START_TEST(test_past_l1)
{
    static const struct {
        const char *load;
        bool past;
    } row[] = {{"ld.global.u32", false},
               {"ld.global.ca.u32", false},
               {"ld.global.nc.u32", false},
               {"ld.weak.global.u32", false},
               {"ld.relaxed.cta.global.u32", false},
               {"ld.volatile.shared.u32", false},
               {"ld.global.cg.u32", true},
               {"ld.global.cv.u32", true},
               {"ld.volatile.global.u32", true},
               {"ld.relaxed.gpu.global.u32", true},
               {"ld.acquire.sys.global.u32", true}};
    for (size_t n = 0; n < sizeof(row) / sizeof(*row); n++) {
        char body[256];
        struct kernel_list list;
        bool shared = strstr(row[n].load, "shared") != NULL;
        snprintf(body, sizeof(body),
                 "mov.u64 %%d3, s; %s %%r6, [%%d%d]; st.global.u32 [%%d1], "
                 "%%r6;",
                 row[n].load, shared ? 3 : 1);
        const struct kernel *k = load(&list, body);
        bool past = false, loads = false;
        for (uint32_t i = 0; i < k->inst_count; i++) {
            loads |= k->inst[i].op == OP_LOAD;
            past |= k->inst[i].past_l1;
        }
        ck_assert_msg(loads && past == row[n].past, "%s", row[n].load);
        kernel_list_free(&list);
    }
}
END_TEST

/* Of 64 bits (ptxas V13.0.88, sm_75): LEA and LEA.HI.X; IMAD, IMAD.WIDE, IADD3,
 * with another IMAD where no constant multiplies. */
START_TEST(test_long)
{
    static const char head[] =
        "ld.global.u64 %d2, [%d1]; ld.global.u64 %d3, [%d1+8];\n";
    static const char tail[] = "st.global.u64 [%d1+16], %d5;";
    static const char *const body[][2] = {
        {"shl.b64 %d4, %d2, 3; add.s64 %d5, %d4, %d3;", "lliiwx"},
        {"mul.lo.s64 %d4, %d2, 2068; add.s64 %d5, %d4, %d3;", "llmmiwx"},
        {"mul.lo.s64 %d4, %d2, %d3; add.s64 %d5, %d4, %d3;", "llmmmiwx"},
        {"mul.lo.s64 %d5, %d2, 2068;", "lmmiwx"},
        {"shl.b64 %d5, %d2, 3;", "liiwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++) {
        char text[400];
        snprintf(text, sizeof(text), "%s%s\n%s", head, body[i][0], tail);
        must_hold(text, body[i][1]);
    }
}
END_TEST

/* One R2P for bits 0 to 6 of a byte; the rest by themselves. */
START_TEST(test_bits)
{
    static const char *const body[][2] = {
        {TESTS BIT(1, 1) BIT(2, 2) BIT(3, 64) KEEP("%p1") KEEP("%p2")
             KEEP("%p3"),
         "liiiiwwwx"},
        {TESTS BIT(1, 1) BIT(2, 2) BIT(3, 128) KEEP("%p1") KEEP("%p2")
             KEEP("%p3"),
         "liiiiiwwwx"},
        {TESTS BIT(1, 1) BIT(2, 512) BIT(3, 1024) KEEP("%p1") KEEP("%p2")
             KEEP("%p3"),
         "liiiiiwwwx"},
        {TESTS BIT(1, 1) "add.u32 %r1, %r1, 1;\n" BIT(2, 2) KEEP("%p1")
             KEEP("%p2"),
         "liiiiiwwx"},
        {TESTS BIT(
             1, 1) "@%p1 bra over;\nst.global.u32 [%d1], %r0;\nover:\n" BIT(2,
                                                                            2)
             KEEP("%p1") KEEP("%p2"),
         "iliiiwwwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_hold(body[i][0], body[i][1]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx lower");
    TCase *t = tcase_create("all");
    tcase_add_test(t, test_left_out);
    tcase_add_test(t, test_loop);
    tcase_add_test(t, test_addresses);
    tcase_add_test(t, test_several);
    tcase_add_test(t, test_balance);
    tcase_add_test(t, test_launch_constants);
    tcase_add_test(t, test_two_as_one);
    tcase_add_test(t, test_shifts);
    tcase_add_test(t, test_known);
    tcase_add_test(t, test_past_l1);
    tcase_add_test(t, test_long);
    tcase_add_test(t, test_constants);
    tcase_add_test(t, test_counts_of_bits);
    tcase_add_test(t, test_bits);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
