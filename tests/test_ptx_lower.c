/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What PTX becomes: instructions by class, a letter each. What is expected is
 * what machine code needs: operands in constant memory, offsets of addresses,
 * IMAD and LEA (CUDA Binary Utilities, "Instruction Set Reference"). */
#include "kernels/ptx/launch/ptx_kernel.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define TEXT_MAX 65536

/* A multiply-add in place of a move is as good as that but in test_balance. */
static const char letters[OP_CLASSES + 1] = "imfsdtbxzelwaci";

/* The entry k(u64 b, u32 n) with this body, for so many registers. */
static const struct kernel *load_for(struct kernel_list *list, const char *body,
                                     uint32_t registers)
{
    char path[] = "/tmp/test_ptx_XXXXXX", text[TEXT_MAX];
    static const char *const arg[] = {"buf:4096:u32:iota", "5"};
    const struct load_options o = {.launch.grid = {2, 1, 1},
                                   .launch.block = {64, 1, 1},
                                   .ptx.arg = arg,
                                   .ptx.args = 2,
                                   .launch.regs_per_thread = registers};
    struct error e = {STATUS_OK, ""};
    int length = snprintf(text, sizeof(text),
                          "%s.visible .entry k(.param .u64 b, .param .u32 n)\n"
                          "{ .reg .pred %%p<9>; .reg .b32 %%r<99>;\n"
                          ".reg .b64 %%d<99>; .reg .f32 %%f<99>;\n"
                          ".reg .f64 %%g<9>; .shared .align 4 .b8 s[4096];\n"
                          "ld.param.u64 %%d0, [b]; cvta.to.global.u64 %%d1, "
                          "%%d0;\nmov.u32 %%r0, %%tid.x;\n%s\nret; }\n",
                          PTX_HEAD, body);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, (size_t)length), length);
    close(fd);
    *list = (struct kernel_list){0};
    ck_assert_msg(ptx_kernel_load(list, path, &o, &e), "%s", e.text);
    remove(path);
    return list->kernel[0];
}

static const struct kernel *load(struct kernel_list *list, const char *body)
{
    return load_for(list, body, 0);
}

static void classes_of(const struct kernel *k, char *out)
{
    for (uint32_t i = 0; i < k->inst_count; i++)
        *out++ = letters[k->inst[i].op];
    *out = '\0';
}

static void must_become(const char *body, const char *expected)
{
    struct kernel_list list;
    char found[TEXT_MAX];
    classes_of(load(&list, body), found);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nbecame   %s\nexpected %s",
                  body, found, expected);
    kernel_list_free(&list);
}

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
        {"mul.wide.u32 %d2, %r0, 4; add.s64 %d3, %d1, %d2;\n"
         "add.s64 %d4, %d0, %d2; ld.global.u32 %r1, [%d4+64];\n"
         "st.global.u32 [%d3], %r1;",
         "immlwx"},
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

/* Widths of the loads of shared memory, a digit of hexadecimal each: g: 16. */
static void must_load_in(const char *body, const char *expected)
{
    struct kernel_list list;
    char text[TEXT_MAX], found[64];
    size_t n = 0;
    snprintf(text, sizeof(text),
             "%s\nst.global.v4.u32 [%%d1], {%%r10, %%r11, %%r12, %%r13};",
             body);
    const struct kernel *k = load(&list, text);
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].op == OP_LOAD) {
            ck_assert_uint_ge(8 * k->inst[i].dst_count, k->inst[i].width);
            found[n++] = "0123456789abcdefg"[k->inst[i].width];
        }
    found[n] = '\0';
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nin %s, expected %s", body,
                  found, expected);
    kernel_list_free(&list);
}

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

#define STORE4                                                                 \
    "st.global.u32 [%d1], %r0; st.global.u32 [%d1+4], %r0;\n"                  \
    "st.global.u32 [%d1+8], %r0; st.global.u32 [%d1+12], %r0;\n"
#define STORE1    "st.global.u32 [%d1+16], %r0;\n"
#define FEW_LANES "setp.gt.u32 %p1, %r0, 3;\n"
#define ALL_ALIKE "mov.u32 %r1, %ctaid.x; setp.gt.u32 %p1, %r1, 3;\n"
#define LOAD2     "ld.global.u32 %r2, [%d1+32]; st.global.u32 [%d1+20], %r2;\n"
#define OVER(arm) "@%p1 bra over;\n" arm "over: st.global.u32 [%d1+64], %r0;\n"
#define EITHER(one, other)                                                     \
    "@%p1 bra two;\n" one "bra.uni over; two:\n" other                         \
    "over: st.global.u32 [%d1+64], %r0;\n"

/* As ptxas has them (predicate.c): 8 instructions, 6 where no warp diverges, 20
 * with a load from global memory. What may part lanes has BMOV and BSSY before
 * it, and BSYNC where they meet. */
START_TEST(test_predicates)
{
    static const char *const body[][2] = {
        {FEW_LANES OVER(STORE4 STORE4), "iiwwwwwwwwwx"},
        {FEW_LANES OVER(STORE4 STORE4 STORE1), "iiiibwwwwwwwwwbwx"},
        {ALL_ALIKE OVER(STORE4 STORE1 STORE1), "iiiwwwwwwwx"},
        {ALL_ALIKE OVER(STORE4 STORE1 STORE1 STORE1), "iiibwwwwwwwwx"},
        {FEW_LANES OVER(LOAD2 STORE4 STORE4 STORE4 STORE4 STORE1 STORE1),
         "iilwwwwwwwwwwwwwwwwwwwwx"},
        {FEW_LANES OVER(LOAD2 STORE4 STORE4 STORE4 STORE4 STORE4),
         "iiiiblwwwwwwwwwwwwwwwwwwwwwbwx"},
        {FEW_LANES OVER("red.global.add.u32 [%d1], 1;\n"), "iiiibabwx"},
        {FEW_LANES OVER("bar.sync 0;\n"), "iiiibzbwx"},
        {FEW_LANES EITHER(STORE4 STORE1 STORE1 STORE1, STORE4 STORE4),
         "iiwwwwwwwwwwwwwwwwx"},
        {FEW_LANES EITHER(STORE4 STORE4, STORE1), "iiiibwwwwwwwwbwbwx"},
        /* what something else jumps to */
        {FEW_LANES
         "setp.gt.u32 %p2, %r0, 9; @%p2 bra in;\n" OVER(STORE1 "in: " STORE1),
         "iiiiibbwwbwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
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
static void must_hold(const char *body, const char *expected)
{
    struct kernel_list list;
    char found[TEXT_MAX], sorted[TEXT_MAX];
    classes_of(load(&list, body), found);
    snprintf(sorted, sizeof(sorted), "%s", expected);
    qsort(found, strlen(found), 1, compare_letters);
    qsort(sorted, strlen(sorted), 1, compare_letters);
    ck_assert_msg(strcmp(found, sorted) == 0, "%s\nbecame   %s\nexpected %s",
                  body, found, sorted);
    kernel_list_free(&list);
}

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

#define FLOATS  "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4];\n"
#define EIGHT   "cvt.rzi.u32.f32 %r5, 0f41000000;\n"
#define PUT(r)  "st.global.u32 [%d1], " r ";\n"
#define PUTF(f) "st.global.f32 [%d1], " f ";\n"

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

/* The steps of a warp: 'w' for a store with lanes, '-' for one without. */
static void must_store(const char *body, uint32_t warp, const char *expected)
{
    struct kernel_list list;
    const struct kernel *k = load(&list, body);
    struct error e;
    struct step step;
    char found[64];
    size_t n = 0;
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    while (k->ops->next(k, state, warp, &step))
        if (k->inst[step.inst].op == OP_STORE)
            found[n++] = step.mask != 0 ? 'w' : '-';
    found[n] = '\0';
    k->ops->close(k, state);
    free(state);
    ck_assert_msg(strcmp(found, expected) == 0, "%s\nstores %s, expected %s",
                  body, found, expected);
    kernel_list_free(&list);
}

/* Lanes 0 to 31 and 32 to 63: an arm that no lane takes issues as well. */
START_TEST(test_without_lanes)
{
    static const char *const set[] = {
        "setp.gt.u32 %p1, %r0, 31;\n", "setp.lt.u32 %p1, %r0, 32;\n",
        "setp.gt.u32 %p1, %r0, 63;\n", "setp.gt.u32 %p1, %r0, 9;\n"};
    static const char *const one[][2] = {
        {"www", "--w"}, {"--w", "www"}, {"www", "www"}, {"www", "--w"}};
    static const char *const two[][2] = {
        {"ww-w", "--ww"}, {"--ww", "ww-w"}, {"ww-w", "ww-w"}, {"wwww", "--ww"}};
    char body[2000];
    for (size_t i = 0; i < 4; i++)
        for (uint32_t warp = 0; warp < 2; warp++) {
            snprintf(body, sizeof(body), "%s%s", set[i], OVER(STORE1 STORE1));
            must_store(body, warp, one[i][warp]);
            snprintf(body, sizeof(body), "%s%s", set[i],
                     EITHER(STORE1 STORE1, STORE1));
            must_store(body, warp, two[i][warp]);
        }
}
END_TEST

#define AT(shift)                                                              \
    "shl.b32 %r5, %r0, " #shift "; mov.u32 %r6, s;\n"                          \
    "add.u32 %r7, %r6, %r5;\n"
#define WORD(n, at) "ld.shared.u32 %r1" #n ", [%r7+" #at "];\n"

/* Four words beside each other, at what is a multiple of 4, 8 or 16 or not. */
START_TEST(test_joined)
{
    static const char *const body[][2] = {
        {AT(4) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "g"},
        {AT(3) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "88"},
        {AT(2) WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12), "4444"},
        {AT(4) WORD(0, 4) WORD(1, 8) WORD(2, 12) WORD(3, 16), "484"},
        {AT(4) WORD(0, 32) WORD(1, 64) WORD(2, 36) WORD(3, 68), "88"},
        {"mul.lo.u32 %r5, %r0, 48; mov.u32 %r6, s; add.u32 %r7, %r6, "
         "%r5;\n" WORD(0, 0) WORD(1, 4) WORD(2, 8) WORD(3, 12),
         "g"},
        /* an order, or something between that may write there */
        {AT(4) "ld.volatile.shared.u32 %r10, [%r7];\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) "st.shared.u32 [%r7+4], %r0;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) WORD(1, 4) "bar.sync 0;\n" WORD(2, 8) WORD(3, 12),
         "88"},
        {AT(4) WORD(0, 0) WORD(1, 4) "st.global.u32 [%d1], %r10;\n" WORD(2, 8)
             WORD(3, 12),
         "g"},
        /* another base by then, or a result that something else is in still */
        {AT(4) WORD(0, 0) "add.u32 %r7, %r7, 16;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        {AT(4) WORD(0, 0) "add.u32 %r7, %r7, 4;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "4444"},
        /* a loop that goes on by a multiple of 16, from one, or by another */
        {"mov.u32 %r7, s; again:\n" WORD(0, 0) WORD(1, 4) WORD(2, 8)
             WORD(3, 12) "add.u32 %r7, %r7, 48;\n"
                         "setp.lt.u32 %p1, %r7, 960; @%p1 bra again;",
         "g"},
        {"mov.u32 %r7, s; again:\n" WORD(0, 0) WORD(1, 4) WORD(2, 8)
             WORD(3, 12) "add.u32 %r7, %r7, 40;\n"
                         "setp.lt.u32 %p1, %r7, 960; @%p1 bra again;",
         "88"},
        {AT(4) "mov.u32 %r11, %r0;\n" WORD(
             0, 0) "st.global.u32 [%d1+64], %r11;\n" WORD(1, 4) WORD(2, 8)
             WORD(3, 12),
         "448"},
        /* two words of 64 bits; memory that comes with the launch */
        {AT(4) "ld.shared.u64 %d5, [%r7]; ld.shared.u64 %d6, [%r7+8];\n"
               "mov.b64 {%r10, %r11}, %d5; mov.b64 {%r12, %r13}, %d6;",
         "g"},
        {"ld.global.u32 %r10, [%d1]; ld.global.u32 %r11, [%d1+4];\n"
         "ld.global.u32 %r12, [%d1+8]; ld.global.u32 %r13, [%d1+12];",
         "4444"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_load_in(body[i][0], body[i][1]);
}
END_TEST

static bool is_in(const uint16_t *reg, unsigned count, uint16_t wanted)
{
    while (count > 0 && reg[count - 1] != wanted)
        count--;
    return count > 0;
}

/* What stands for one operation waits, one for the other, from the operands to
 * the result; all of it is in the stream. */
START_TEST(test_chain)
{
    struct kernel_list list;
    struct step step;
    const struct kernel *k =
        load(&list, "ld.global.f64 %g1, [%d1]; ld.global.f64 %g2, [%d1+8];\n"
                    "div.rn.f64 %g3, %g1, %g2; st.global.f64 [%d1+8], %g3;");
    const struct inst *i = k->inst, *last = &k->inst[k->inst_count - 3];
    ck_assert_uint_ge(k->inst_count, 4 + 10); /* far more than one */
    ck_assert(is_in(i[2].src, i[2].src_count, i[0].dst[0]));
    ck_assert(is_in(i[2].src, i[2].src_count, i[1].dst[0]));
    for (const struct inst *n = &i[3]; n <= last; n++)
        ck_assert(is_in(n->src, n->src_count, n[-1].dst[0]));
    ck_assert_int_eq(last[1].op, OP_STORE);
    ck_assert(is_in(last[1].src, last[1].src_count, last->dst[0]));
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 1, NULL));
    for (uint32_t n = 0; n < k->inst_count; n++) {
        ck_assert(k->ops->next(k, state, 0, &step));
        ck_assert_uint_eq(step.inst, n);
        ck_assert_uint_eq(step.mask, UINT32_MAX);
    }
    ck_assert(!k->ops->next(k, state, 0, &step));
    k->ops->close(k, state);
    free(state);
    kernel_list_free(&list);
}
END_TEST

/* ---- order -------------------------------------------------------------- */

#define FIRST  "ld.global.u32 %r1, [%d1]; add.u32 %r2, %r1, 1;\n"
#define SECOND " %r3, [%d1+4]; st.global.v2.u32 [%d1+16], {%r2, %r3};\n"

/* A load goes up past what it does not need, not past what may change what it
 * reads. */
START_TEST(test_hoisting)
{
    static const char *const body[][2] = {
        {FIRST "ld.global.u32" SECOND, "lliwx"},
        {FIRST "st.global.u32 [%d1+8], %r2; ld.global.u32" SECOND, "liwlwx"},
        {FIRST "st.shared.u32 [s], %r2; ld.global.u32" SECOND, "lliwwx"},
        {FIRST "st.u32 [%d0+8], %r2; ld.global.u32" SECOND, "liwlwx"},
        {FIRST "st.global.u32 [%d1+8], %r2; ld.global.nc.u32" SECOND, "lliwwx"},
        {FIRST "red.global.add.u32 [%d1+8], %r2; ld.global.u32" SECOND,
         "lialwx"},
        {FIRST "bar.sync 0; ld.global.u32" SECOND, "lizlwx"},
        {FIRST "membar.gl; ld.global.u32" SECOND, "lielwx"},
        {FIRST
         "mov.u32 %r4, %clock; st.shared.u32 [s], %r4; ld.global.u32" SECOND,
         "liilwwx"},
        {FIRST "setp.eq.u32 %p1, %r2, 0; @%p1 bra on; on: ld.global.u32" SECOND,
         "liiblwx"},
    };
    for (size_t i = 0; i < sizeof(body) / sizeof(*body); i++)
        must_become(body[i][0], body[i][1]);
}
END_TEST

#define SUMMANDS 60

/* A sum of many loads: one accumulator in source order. */
static void write_sum(char *body, size_t size)
{
    size_t at = (size_t)snprintf(body, size, "mov.u32 %%r1, %%tid.x;\n");
    for (int i = 0; i < SUMMANDS; i++)
        at += (size_t)snprintf(body + at, size - at,
                               "ld.global.u32 %%r%d, [%%d1+%d];\n"
                               "add.u32 %%r1, %%r1, %%r%d;\n",
                               2 + i, 4 * i, 2 + i);
    snprintf(body + at, size - at, "st.global.u32 [%%d1], %%r1;");
}

/* Instructions up to the first sum, and registers. */
static void measure(const struct kernel *k, uint32_t *ahead,
                    uint32_t *registers)
{
    *ahead = *registers = 0;
    while (k->inst[*ahead].line == 10 || k->inst[*ahead].op == OP_LOAD)
        ++*ahead;
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].dst_count > 0 && k->inst[i].dst[0] >= *registers)
            *registers = k->inst[i].dst[0] + 1U;
}

/* Loads run ahead as far as there are registers for what they bring. */
START_TEST(test_budget)
{
    static const uint32_t given[] = {0, 16, 8, 3};
    static const uint32_t most[] = {32, 16, 8, 3};
    static const uint32_t least_ahead[] = {16, 8, 4, 1};
    char body[TEXT_MAX / 4];
    write_sum(body, sizeof(body));
    for (int i = 0; i < 4; i++) {
        struct kernel_list list;
        uint32_t ahead, registers;
        const struct kernel *k = load_for(&list, body, given[i]);
        measure(k, &ahead, &registers);
        ck_assert_uint_eq(k->inst_count, 1 + 2 * SUMMANDS + 2);
        ck_assert_uint_le(registers, most[i]);
        ck_assert_uint_ge(ahead, least_ahead[i]);
        ck_assert_uint_eq(k->regs_per_thread, most[i]);
        kernel_list_free(&list);
    }
}
END_TEST

/* Steps go by as instructions stand, each with its own op's addresses. */
START_TEST(test_stream)
{
    struct kernel_list list;
    struct step step;
    char body[TEXT_MAX / 4];
    write_sum(body, sizeof(body));
    const struct kernel *k = load(&list, body);
    const uint32_t first_load = 11; /* line */
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 1, NULL));
    for (uint32_t n = 0; n < k->inst_count; n++) {
        ck_assert(k->ops->next(k, state, 1, &step));
        ck_assert_uint_eq(step.inst, n);
        if (k->inst[n].op != OP_LOAD)
            continue;
        uint32_t offset = (k->inst[n].line - first_load) / 2 * 4;
        ck_assert_uint_eq(step.base, k->buffer[0].address + offset);
        ck_assert_int_eq(step.stride, 0);
    }
    k->ops->close(k, state);
    free(state);
    kernel_list_free(&list);
}
END_TEST

/* Who made what an instruction reads, by line. */
START_TEST(test_values)
{
    static const struct {
        uint32_t line, made[2];
    } expected[] = {{11, {10, 0}},
                    {12, {11, 10}},
                    {14, {13, 0}},
                    {15, {14, 12}},
                    {16, {15, 0}}};
    struct kernel_list list;
    const struct kernel *k = load(&list, "ld.global.u32 %r1, [%d1];\n"
                                         "add.u32 %r2, %r1, 5;\n"
                                         "sub.u32 %r2, %r2, %r1;\n"
                                         "ld.global.u32 %r1, [%d1+4];\n"
                                         "add.u32 %r1, %r1, 5;\n"
                                         "xor.b32 %r2, %r1, %r2;\n"
                                         "st.global.u32 [%d1], %r2;");
    uint32_t made[REG_COUNT] = {0}, seen = 0;
    for (uint32_t n = 0; n < k->inst_count; n++) {
        const struct inst *i = &k->inst[n];
        for (size_t x = 0; x < sizeof(expected) / sizeof(*expected); x++) {
            if (expected[x].line != i->line)
                continue;
            seen++;
            for (unsigned r = 0; r < i->src_count; r++)
                ck_assert_uint_eq(made[i->src[r]], expected[x].made[r]);
        }
        for (unsigned r = 0; r < i->dst_count; r++)
            made[i->dst[r]] = i->line;
    }
    ck_assert_uint_eq(seen, 5);
    kernel_list_free(&list);
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
    tcase_add_test(t, test_two_as_one);
    tcase_add_test(t, test_known);
    tcase_add_test(t, test_past_l1);
    tcase_add_test(t, test_long);
    tcase_add_test(t, test_bits);
    tcase_add_test(t, test_predicates);
    tcase_add_test(t, test_without_lanes);
    tcase_add_test(t, test_joined);
    tcase_add_test(t, test_chain);
    tcase_add_test(t, test_hoisting);
    tcase_add_test(t, test_budget);
    tcase_add_test(t, test_stream);
    tcase_add_test(t, test_values);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
