/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix instructions as kernels use them: ldmatrix and mma over matrices in
 * shared memory, against the sums written out. */
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/launch/ptx_kernel.h"
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
    {"m16n8k32", "f32.e4m3.e4m3.f32", 4, 2, 4, 4, 32, 0x38, 0x3F800000},
    {"m16n8k16", "f32.e5m2.e5m2.f32", 2, 1, 4, 4, 16, 0x3C, 0x3F800000},
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

/* ---- m8n8k4 of .f16: four products -------------------------------------- */

/* Lanes load what they have of a, b and c in a row and store d likewise. */
static const char quads[] = PTX_HEAD
    ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc,\n"
    ".param .u64 pd)\n{\n.reg .b32 a<2>, b<2>, c<8>, d<8>, l;\n"
    ".reg .pred p; setp.eq.u32 p, 0, 0;\n"
    ".reg .b64 %%p<4>, o;\n"
    "ld.param.u64 %%p0, [pa]; ld.param.u64 %%p1, [pb];\n"
    "ld.param.u64 %%p2, [pc]; ld.param.u64 %%p3, [pd]; mov.u32 l, %%laneid;\n"
    "mul.wide.u32 o, l, 8; add.u64 %%p0, %%p0, o; add.u64 %%p1, %%p1, o;\n"
    "ld.global.v2.b32 {a0, a1}, [%%p0]; ld.global.v2.b32 {b0, b1}, [%%p1];\n"
    "mul.wide.u32 o, l, %u; add.u64 %%p2, %%p2, o;\n"
    "ld.global.v4.b32 {c0, c1, c2, c3}, [%%p2];\n"
    "@%s ld.global.v4.b32 {c4, c5, c6, c7}, [%%p2+16];\n"
    "mma.sync.aligned.m8n8k4.%s.%s.f16.f16.%s\n"
    "  {%s}, {a0, a1}, {b0, b1}, {%s};\n"
    "mul.wide.u32 o, l, %u; add.u64 %%p3, %%p3, o;\n"
    "st.global.v4.b32 [%%p3], {d0, d1, d2, d3};\n"
    "@%s st.global.v4.b32 [%%p3+16], {d4, d5, d6, d7};\nret;\n}\n";

/* The element of an 8 x 4 or 8 x 8 matrix, first side fastest, that thread t
 * (0 to 3, of the lower half of the warp or the upper) has as its value v. The
 * strides are those of CUTLASS, cute/atom/mma_traits_sm70.hpp. */
static unsigned element_by_rows(unsigned t, unsigned half, unsigned v)
{
    return t + 4 * half + 8 * v;
}

static unsigned element_by_columns(unsigned t, unsigned half, unsigned v)
{
    return 8 * t + 4 * half + v;
}

static unsigned element_of_singles(unsigned t, unsigned half, unsigned v)
{
    return t % 2 + 16 * (t / 2) + 4 * half + 8 * (v % 2) + 2 * (v / 2 % 2) +
           32 * (v / 4);
}

struct quad_case {
    const char *layouts, *d, *c;
};

static const struct quad_case quad_cases[] = {
    {"row.col", "f32", "f32"}, {"row.row", "f32", "f32"},
    {"col.col", "f32", "f32"}, {"col.row", "f32", "f32"},
    {"row.col", "f16", "f16"}, {"col.row", "f32", "f16"},
};

static double number_at(const void *from, bool is_half, unsigned i)
{
    return is_half ? half_to_double(((const uint16_t *)from)[i])
                   : (double)((const float *)from)[i];
}

/* The product of quad pair q in d, as the lanes have it. */
static void check_quad(const struct quad_case *k, const void *const *from,
                       unsigned q)
{
    double a[8][4], b[4][8], c[8][8];
    bool c_half = strcmp(k->c, "f16") == 0, d_half = strcmp(k->d, "f16") == 0;
    bool a_rows = k->layouts[0] == 'r', b_columns = k->layouts[4] == 'c';
    for (unsigned v = 0; v < 64; v++) {
        unsigned t = v % 4, half = v / 4 % 2, i = v / 8;
        unsigned lane = 4 * q + t + 16 * half;
        unsigned x =
            (a_rows ? element_by_rows : element_by_columns)(t, half, i);
        unsigned y =
            (b_columns ? element_by_rows : element_by_columns)(t, half, i);
        unsigned z =
            (c_half ? element_by_rows : element_of_singles)(t, half, i);
        if (i < 4) {
            a[x % 8][x / 8] = number_at(from[0], true, 4 * lane + i);
            b[y / 8][y % 8] = number_at(from[1], true, 4 * lane + i);
        }
        c[z % 8][z / 8] = number_at(from[2], c_half, 8 * lane + i);
    }
    for (unsigned v = 0; v < 64; v++) {
        unsigned t = v % 4, half = v / 4 % 2, i = v / 8;
        unsigned z =
            (d_half ? element_by_rows : element_of_singles)(t, half, i);
        double sum = c[z % 8][z / 8];
        for (unsigned n = 0; n < 4; n++)
            sum += a[z % 8][n] * b[n][z / 8];
        double got =
            number_at(from[3], d_half, 8 * (4 * q + t + 16 * half) + i);
        ck_assert_msg(fabs(got - sum) < (d_half ? 0.02 : 1e-5),
                      "%s.%s.%s: %u %u %u: got %g, expected %g", k->layouts,
                      k->d, k->c, q, t + 16 * half, i, got, sum);
    }
}

START_TEST(test_quads)
{
    const struct quad_case *k = &quad_cases[_i];
    bool c_half = strcmp(k->c, "f16") == 0, d_half = strcmp(k->d, "f16") == 0;
    const char *const arg[] = {
        "buf:128:f16:random:-2:2:a", "buf:128:f16:random:-2:2:b",
        c_half ? "buf:256:f16:random:-2:2:c" : "buf:256:f32:random:-2:2:c",
        "buf:256:u32:zero:d", NULL};
    static uint32_t a[64], b[64], c[256], d[256];
    const void *const from[] = {a, b, c, d};
    char text[2048];
    struct ptx_run r;
    snprintf(text, sizeof(text), quads, c_half ? 16u : 32u, c_half ? "!p" : "p",
             k->layouts, k->d, k->c,
             d_half ? "d0, d1, d2, d3" : "d0, d1, d2, d3, d4, d5, d6, d7",
             c_half ? "c0, c1, c2, c3" : "c0, c1, c2, c3, c4, c5, c6, c7",
             d_half ? 16u : 32u, d_half ? "!p" : "p");
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "a", a, sizeof(a));
    ptx_take(&r, "b", b, sizeof(b));
    ptx_take(&r, "c", c, c_half ? 512 : 1024);
    ptx_take(&r, "d", d, sizeof(d));
    for (unsigned q = 0; q < 4; q++)
        check_quad(k, from, q);
    ptx_done(&r);
}
END_TEST

/* Counted in what ptxas (CUDA 13.0) makes for sm_75 and sm_80; sm_70 as sm_75:
 * one set of Raihan et al., ISPASS 2019, figure 9. */
static const struct {
    unsigned target;
    const char *d, *c;
    unsigned products, singles, wholes, macs;
} sets[] = {
    {70, "f32", "f32", 4, 0, 0, 256}, {70, "f16", "f16", 2, 0, 0, 512},
    {75, "f32", "f16", 4, 0, 0, 256}, {75, "f16", "f16", 2, 0, 0, 512},
    {80, "f32", "f32", 0, 64, 20, 0}, {80, "f16", "f16", 0, 92, 28, 0},
};

START_TEST(test_sets)
{
    const struct ptx_request request = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
    const struct ptx_kernel_about about = {.name = "k", .summary = ""};
    bool c_half = strcmp(sets[_i].c, "f16") == 0;
    bool d_half = strcmp(sets[_i].d, "f16") == 0;
    struct kernel *room[1];
    struct kernel_list list = {.kernel = room};
    struct error e = {STATUS_OK, ""};
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    unsigned count[OP_CLASSES] = {0};
    char text[1024];
    snprintf(text, sizeof(text),
             ".version 8.0\n.target sm_%u\n.entry k()\n{\n"
             ".reg .b32 a<2>, b<2>, c<8>, d<8>;\n"
             "mma.sync.aligned.m8n8k4.row.col.%s.f16.f16.%s\n"
             "  {%s}, {a0, a1}, {b0, b1}, {%s};\nret;\n}\n",
             sets[_i].target, sets[_i].d, sets[_i].c,
             d_half ? "d0, d1, d2, d3" : "d0, d1, d2, d3, d4, d5, d6, d7",
             c_half ? "c0, c1, c2, c3" : "c0, c1, c2, c3, c4, c5, c6, c7");
    ck_assert_msg(ptx_parse(&t->module, text, strlen(text), "t.ptx", &e), "%s",
                  e.text);
    ck_assert(ptx_session_open(&t->session, &t->module, &request, &e));
    ck_assert(ptx_sequence_set(t, 0, &e));
    ck_assert(ptx_kernel_add(&list, t, 0, &about, &e));
    for (uint32_t i = 0; i < room[0]->inst_count; i++) {
        const struct inst *inst = &room[0]->inst[i];
        count[inst->op] += strcmp(inst->mnemonic, "mma") == 0;
        ck_assert_uint_eq(inst->macs,
                          inst->op == OP_TENSOR ? sets[_i].macs : 0);
    }
    ck_assert_uint_eq(count[OP_TENSOR], sets[_i].products);
    ck_assert_uint_eq(count[OP_SP], sets[_i].singles);
    ck_assert_uint_eq(count[OP_INT], sets[_i].wholes);
    kernel_free(room[0]);
    ptx_sequence_release(t);
}
END_TEST

/* ---- double precision --------------------------------------------------- */

static const struct {
    const char *name;
    unsigned m, k;
} doubles[] = {{"m8n8k4", 8, 4},
               {"m16n8k4", 16, 4},
               {"m16n8k8", 16, 8},
               {"m16n8k16", 16, 16}};

/* "x0, x1, .." */
static void list_registers(char *out, char name, unsigned count)
{
    *out = '\0';
    for (unsigned i = 0; i < count; i++)
        sprintf(out + strlen(out), "%s%c%u", i > 0 ? ", " : "", name, i);
}

/* A load of each from what p0 or p1 points to. */
static void list_loads(char *out, char name, unsigned pointer, unsigned count)
{
    *out = '\0';
    for (unsigned i = 0; i < count; i++)
        sprintf(out + strlen(out), "ld.global.f64 %c%u, [p%u+%u];\n", name, i,
                pointer, 8 * i);
}

/* Lanes load their values of a and b in a row, start from 1 and store d. */
START_TEST(test_doubles)
{
    static const char *const arg[] = {"buf:256:f64:random:-2:2:a",
                                      "buf:128:f64:random:-2:2:b",
                                      "buf:128:f64:zero:d", NULL};
    unsigned m = doubles[_i].m, k = doubles[_i].k;
    unsigned as = m * k / 32, bs = k * 8 / 32, cs = m * 8 / 32;
    double a[256], b[128], d[128], fa[16][16], fb[16][8];
    char text[4096], la[64], lb[64], ld[64], from_a[512], from_b[512], to[512];
    struct ptx_run r;
    list_registers(la, 'a', as);
    list_registers(lb, 'b', bs);
    list_registers(ld, 'd', cs);
    list_loads(from_a, 'a', 0, as);
    list_loads(from_b, 'b', 1, bs);
    for (unsigned i = 0, n = 0; i < cs; i++)
        n += (unsigned)sprintf(to + n, "st.global.f64 [p2+%u], d%u;\n", 8 * i,
                               i);
    snprintf(text, sizeof(text),
             PTX_HEAD
             ".visible .entry k(.param .u64 pa, .param .u64 pb,\n"
             ".param .u64 pd)\n{\n.reg .f64 a<8>, b<4>, d<4>;\n.reg .b32 l;\n"
             ".reg .b64 p<3>, o;\nld.param.u64 p0, [pa];\n"
             "ld.param.u64 p1, [pb]; ld.param.u64 p2, [pd];\n"
             "mov.u32 l, %%laneid; mul.wide.u32 o, l, %u;\n"
             "add.u64 p0, p0, o; mul.wide.u32 o, l, %u; add.u64 p1, p1, o;\n"
             "mul.wide.u32 o, l, %u; add.u64 p2, p2, o;\n%s%s"
             "mov.f64 d0, 1.0; mov.f64 d1, d0; mov.f64 d2, d0; mov.f64 d3, d0;"
             "\nmma.sync.aligned.%s.row.col.f64.f64.f64.f64 {%s}, {%s}, {%s},"
             " {%s};\n%sret;\n}\n",
             8 * as, 8 * bs, 8 * cs, from_a, from_b, doubles[_i].name, ld, la,
             lb, ld, to);
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "a", a, sizeof(a));
    ptx_take(&r, "b", b, sizeof(b));
    ptx_take(&r, "d", d, sizeof(d));
    unsigned tall = m / 8; /* strides of cute/atom/mma_traits_sm90.hpp */
    for (unsigned lane = 0; lane < 32; lane++) {
        unsigned g = lane / 4, t = lane % 4;
        for (unsigned i = 0; i < as; i++)
            fa[g + 8 * (i % tall)][t + 4 * (i / tall)] = a[lane * as + i];
        for (unsigned i = 0; i < bs; i++)
            fb[t + 4 * i][g] = b[lane * bs + i];
    }
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < cs; i++) {
            double sum = 1;
            for (unsigned n = 0; n < k; n++)
                sum += fa[lane / 4 + 8 * (i / 2)][n] *
                       fb[n][2 * (lane % 4) + i % 2];
            ck_assert_double_eq_tol(d[lane * cs + i], sum, 1e-12);
        }
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
        "mma.sync.aligned.m16n8k8.row.row.f32.f16.f16.f32 {%r0, %r0, %r0, "
        "%r0}, {%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
        "mma.sync.aligned.m8n8k4.row.f32.f16.f16.f16 {%r0, %r0, %r0, %r0, "
        "%r0, %r0, %r0, %r0}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, %r0, %r0};",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f32 {%r0, %r0, %r0, "
        "%r0}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, %r0, %r0, %r0, %r0, %r0, "
        "%r0};",
        "mma.sync.aligned.m8n8k4.row.col.f32.bf16.bf16.f32 {%r0, %r0, %r0, "
        "%r0, %r0, %r0, %r0, %r0}, {%r0, %r0}, {%r0, %r0}, {%r0, %r0, %r0, "
        "%r0, %r0, %r0, %r0, %r0};",
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
    tcase_add_loop_test(c, test_quads, 0,
                        sizeof(quad_cases) / sizeof(quad_cases[0]));
    tcase_add_loop_test(c, test_sets, 0, sizeof(sets) / sizeof(sets[0]));
    tcase_add_loop_test(c, test_doubles, 0, 4);
    tcase_add_loop_test(c, test_refused, 0, 9);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
