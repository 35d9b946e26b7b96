/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix instructions as kernels use them: ldmatrix and mma over matrices in
 * shared memory, against the sums written out. */
#include "kernels/ptx/forms/half.h"
#include "tests/ptx_run.h"

#include <math.h>
#include <stdio.h>

#define M 16
#define N 8
#define K 16

/* a: M x K by rows, b: N x K (its columns), both copied to shared memory; lane
 * l of ldmatrix names row l % 8 of matrix l / 8. d is stored by the fragment of
 * section 9.7.14.5. */
static const char product[] = PTX_HEAD
    ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pd)\n{\n"
    ".reg .b32 %r<16>; .reg .b32 a<4>; .reg .b32 b<2>; .reg .f32 d<4>;\n"
    ".reg .b64 %d<8>; .shared .align 16 .b8 sa[512];\n"
    ".shared .align 16 .b8 sb[256];\n"
    "ld.param.u64 %d0, [pa]; ld.param.u64 %d1, [pb]; ld.param.u64 %d2, [pd];\n"
    "mov.u32 %r0, %tid.x; mul.wide.u32 %d3, %r0, 16;\n"
    "add.s64 %d0, %d0, %d3; shl.b32 %r1, %r0, 4;\n"
    "mov.u32 %r2, sa; add.u32 %r3, %r2, %r1;\n"
    "cp.async.cg.shared.global [%r3], [%d0], 16;\n"
    "mul.wide.u32 %d3, %r0, 8; add.s64 %d1, %d1, %d3; shl.b32 %r1, %r0, 3;\n"
    "mov.u32 %r4, sb; add.u32 %r3, %r4, %r1;\n"
    "cp.async.ca.shared.global [%r3], [%d1], 8;\n"
    "cp.async.commit_group; cp.async.wait_group 0; bar.sync 0;\n"
    /* a: rows l % 16, columns from 8 * (l / 16) */
    "and.b32 %r5, %r0, 15; shr.u32 %r6, %r0, 4;\n"
    "shl.b32 %r5, %r5, 5; mad.lo.u32 %r5, %r6, 16, %r5;\n"
    "add.u32 %r5, %r5, %r2;\n"
    "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {a0, a1, a2, a3}, [%r5];\n"
    /* b: rows l % 8, columns from 8 * (l / 8 % 2) */
    "and.b32 %r5, %r0, 7; bfe.u32 %r6, %r0, 3, 1;\n"
    "shl.b32 %r5, %r5, 5; mad.lo.u32 %r5, %r6, 16, %r5;\n"
    "add.u32 %r5, %r5, %r4;\n"
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {b0, b1}, [%r5];\n"
    "mov.f32 d0, 0f3F800000; mov.f32 d1, d0; mov.f32 d2, d0; mov.f32 d3, d0;\n"
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32\n"
    "  {d0, d1, d2, d3}, {a0, a1, a2, a3}, {b0, b1}, {d0, d1, d2, d3};\n"
    "shr.u32 %r5, %r0, 2; and.b32 %r6, %r0, 3; shl.b32 %r6, %r6, 3;\n"
    "mad.lo.u32 %r5, %r5, 32, %r6; cvt.u64.u32 %d3, %r5;\n"
    "add.s64 %d2, %d2, %d3;\n"
    "st.global.v2.f32 [%d2], {d0, d1}; st.global.v2.f32 [%d2+256], {d2, d3};\n"
    "ret;\n}\n";

START_TEST(test_product)
{
    static const char *const arg[] = {"buf:256:f16:random:-2:2:a",
                                      "buf:128:f16:random:-2:2:b",
                                      "buf:128:f32:zero:d", NULL};
    uint16_t a[M][K], b[N][K];
    float d[M][N];
    struct ptx_run r;
    ptx_must_run(&r, product, 1, 32, arg);
    ptx_take(&r, "a", a, sizeof(a));
    ptx_take(&r, "b", b, sizeof(b));
    ptx_take(&r, "d", d, sizeof(d));
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++) {
            double sum = 1;
            for (int k = 0; k < K; k++)
                sum += half_to_double(a[m][k]) * half_to_double(b[n][k]);
            ck_assert_msg(fabs((double)d[m][n] - sum) < 1e-5,
                          "%d,%d: got %g, expected %g", m, n, (double)d[m][n],
                          sum);
        }
    ptx_done(&r);
}
END_TEST

/* ---- shapes: one element of A and of B, by the formulas of the section -- */

struct shape {
    const char *name, *types;
    int a, b, c, elements; /* registers, elements in one of a and b */
    int depth;             /* k */
    uint32_t one;          /* as an element */
    uint32_t sum;          /* one as an element of d */
};

static const struct shape shapes[] = {
    {"m16n8k8", "f32.f16.f16.f32", 2, 1, 4, 2, 8, 0x3C00, 0x3F800000},
    {"m16n8k16", "f32.bf16.bf16.f32", 4, 2, 4, 2, 16, 0x3F80, 0x3F800000},
    {"m16n8k8", "f32.tf32.tf32.f32", 4, 2, 4, 1, 8, 0x3F800000, 0x3F800000},
    {"m16n8k4", "f32.tf32.tf32.f32", 2, 1, 4, 1, 4, 0x3F800000, 0x3F800000},
    {"m8n8k16", "s32.u8.u8.s32", 1, 1, 2, 4, 16, 1, 1},
    {"m16n8k16", "s32.s8.s8.s32", 2, 1, 4, 4, 16, 1, 1},
    {"m16n8k32", "s32.u8.s8.s32", 4, 2, 4, 4, 32, 1, 1},
};

/* One in the first element that lane 5 has of a, ones in b: row 5 / 4 of d is
 * one everywhere, and nothing else is. */
START_TEST(test_shapes)
{
    static const char *const arg[] = {"buf:128:u32:zero:d", NULL};
    const struct shape *s = &shapes[_i];
    const char *list = s->c == 2 ? "{z0, z1}" : "{z0, z1, z2, z3}";
    char text[2048], a[64] = "{x", b[64] = "{y";
    uint32_t d[M][N], full = s->one;
    struct ptx_run r;
    for (int e = 1; e < s->elements; e++)
        full |= s->one << (32 / s->elements * e);
    for (int i = 1; i < s->a; i++)
        strcat(a, ", z4");
    for (int i = 1; i < s->b; i++)
        strcat(b, ", y");
    snprintf(text, sizeof(text),
             PTX_HEAD
             ".visible .entry k(.param .u64 pd)\n{\n.reg .pred p;\n"
             ".reg .b32 %%r<8>; .reg .b32 x, y, z<5>; .reg .b64 %%d<4>;\n"
             "ld.param.u64 %%d2, [pd]; mov.u32 %%r0, %%laneid;\n"
             "mov.b32 x, 0; mov.b32 z0, 0; mov.b32 z1, 0; mov.b32 z2, 0;\n"
             "mov.b32 z3, 0; mov.b32 z4, 0; mov.b32 y, %u;\n"
             "setp.eq.u32 p, %%r0, 5; @p mov.b32 x, %u;\n"
             "mma.sync.aligned.%s.row.col.%s %s, %s}, %s}, %s;\n"
             "shr.u32 %%r5, %%r0, 2; and.b32 %%r6, %%r0, 3;\n"
             "shl.b32 %%r6, %%r6, 3; mad.lo.u32 %%r5, %%r5, 32, %%r6;\n"
             "cvt.u64.u32 %%d3, %%r5; add.s64 %%d2, %%d2, %%d3;\n"
             "st.global.v2.u32 [%%d2], {z0, z1};\n"
             "st.global.v2.u32 [%%d2+256], {z2, z3};\nret;\n}\n",
             full, s->one, s->name, s->types, list, a, b, list);
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "d", d, sizeof(d));
    for (int m = 0; m < M; m++)
        for (int n = 0; n < N; n++)
            ck_assert_uint_eq(d[m][n], m == 1 ? s->sum : 0);
    ptx_done(&r);
}
END_TEST

START_TEST(test_refused)
{
    static const char *const wrong[] = {
        "mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r0, %r0, %r0, "
        "%r0}, {%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0, %r0, %r0}, "
        "{%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%r0, %r0, %r0, "
        "%r0}, {%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
        "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r0}, [%r0];",
        "ldmatrix.sync.aligned.m8n8.shared.b16 {%r0}, [%r0];",
    };
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    char text[512];
    snprintf(text, sizeof(text), "%s.entry k() {\n.reg .b32 %%r<2>;\n%s ret; }",
             PTX_HEAD, wrong[_i]);
    ck_assert(!ptx_parse(&m, text, strlen(text), "t.ptx", &e));
    ck_assert_msg(strncmp(e.text, "t.ptx:6:1: found ", 17) == 0, "%s", e.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_matrix");
    TCase *c = tcase_create("all");
    tcase_add_test(c, test_product);
    tcase_add_loop_test(c, test_shapes, 0, sizeof(shapes) / sizeof(shapes[0]));
    tcase_add_loop_test(c, test_refused, 0, 5);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
