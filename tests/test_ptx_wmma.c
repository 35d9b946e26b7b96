/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wmma: every shape, type and layout by value against plain C; that the loads
 * and stores that it becomes touch each element once; how many instructions
 * ptxas of CUDA 13.0 (V13.0.88) makes of it; stmatrix; what is refused. */
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/sequence.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

#define PAD  8 /* elements between rows or columns in memory */
#define SIDE (32 + PAD)

struct matrix_case {
    unsigned m, n, k;
    const char *factor, *c, *d; /* types */
    const char *types;          /* of the product */
    const char *layout[4];      /* of d, a, b, c */
    unsigned registers[4];      /* .. as section 9.7.14.4 has them */
};

#define ROW_COL                                                                \
    {                                                                          \
        "row", "row", "col", "row"                                             \
    }
#define COL_ROW                                                                \
    {                                                                          \
        "row", "col", "row", "col"                                             \
    }
#define ALL_COL                                                                \
    {                                                                          \
        "col", "col", "col", "col"                                             \
    }

static const struct matrix_case cases[] = {
    {16, 16, 16, "f16", "f32", "f32", "f32.f32", ROW_COL, {8, 8, 8, 8}},
    {16, 16, 16, "f16", "f32", "f32", "f32.f32", COL_ROW, {8, 8, 8, 8}},
    {16, 16, 16, "f16", "f16", "f16", "f16.f16", ROW_COL, {4, 8, 8, 4}},
    {16, 16, 16, "f16", "f16", "f16", "f16.f16", ALL_COL, {4, 8, 8, 4}},
    {16, 16, 16, "f16", "f16", "f32", "f32.f16", ROW_COL, {8, 8, 8, 4}},
    {32, 8, 16, "f16", "f32", "f32", "f32.f32", ROW_COL, {8, 8, 8, 8}},
    {32, 8, 16, "f16", "f16", "f16", "f16.f16", COL_ROW, {4, 8, 8, 4}},
    {8, 32, 16, "f16", "f32", "f16", "f16.f32", ROW_COL, {4, 8, 8, 8}},
    {8, 32, 16, "f16", "f32", "f32", "f32.f32", ALL_COL, {8, 8, 8, 8}},
    {16,
     16,
     16,
     "bf16",
     "f32",
     "f32",
     "f32.bf16.bf16.f32",
     ROW_COL,
     {8, 4, 4, 8}},
    {32,
     8,
     16,
     "bf16",
     "f32",
     "f32",
     "f32.bf16.bf16.f32",
     COL_ROW,
     {8, 8, 2, 8}},
    {8,
     32,
     16,
     "bf16",
     "f32",
     "f32",
     "f32.bf16.bf16.f32",
     ALL_COL,
     {8, 2, 8, 8}},
    {16,
     16,
     8,
     "tf32",
     "f32",
     "f32",
     "f32.tf32.tf32.f32",
     ROW_COL,
     {8, 4, 4, 8}},
    {16,
     16,
     8,
     "tf32",
     "f32",
     "f32",
     "f32.tf32.tf32.f32",
     COL_ROW,
     {8, 4, 4, 8}},
    {16, 16, 16, "s8", "s32", "s32", "s32.s8.s8.s32", ROW_COL, {8, 2, 2, 8}},
    {32, 8, 16, "u8", "s32", "s32", "s32.u8.u8.s32", COL_ROW, {8, 4, 1, 8}},
    {8, 32, 16, "s8", "s32", "s32", "s32.s8.s8.s32", ALL_COL, {8, 1, 4, 8}},
    {8, 8, 4, "f64", "f64", "f64", "f64.f64.f64.f64", ROW_COL, {2, 1, 1, 2}},
    {8, 8, 4, "f64", "f64", "f64", "f64.f64.f64.f64.rn", COL_ROW, {2, 1, 1, 2}},
};
#define CASES (int)(sizeof(cases) / sizeof(cases[0]))

/* ---- elements ----------------------------------------------------------- */

static unsigned size_of(const char *type)
{
    return strcmp(type, "f64") == 0                     ? 8
           : type[1] == '8'                             ? 1
           : strcmp(type, "f16") == 0 || type[0] == 'b' ? 2
                                                        : 4;
}

static void put_element(uint8_t *at, const char *type, int value)
{
    uint64_t bits = (uint64_t)(int64_t)value;
    if (strcmp(type, "f64") == 0)
        bits = double_bits(value);
    else if (strcmp(type, "f16") == 0)
        bits = half_from_double(value, MOD_RN);
    else if (type[0] == 'b')
        bits = float_bits((float)value) >> 16;
    else if (type[0] != 's' && type[0] != 'u')
        bits = float_bits((float)value);
    memcpy(at, &bits, size_of(type));
}

static double element(const uint8_t *at, const char *type)
{
    uint64_t bits = 0;
    memcpy(&bits, at, size_of(type));
    if (strcmp(type, "f64") == 0)
        return double_from_bits(bits);
    if (strcmp(type, "f16") == 0)
        return half_to_double(bits);
    if (type[0] == 's')
        return (int32_t)bits;
    return (double)float_from_bits(bits);
}

static size_t place(const char *layout, unsigned row, unsigned column)
{
    return layout[0] == 'r' ? row * SIDE + column : column * SIDE + row;
}

/* A small whole number, so that every sum of them is exact. */
static int value_of(const char *type, unsigned which, unsigned row,
                    unsigned column)
{
    int v = (int)((row * 7 + column * 5 + which * 3 + row * column) % 8);
    return type[0] == 'u' ? v : v - 4;
}

/* ---- the text ----------------------------------------------------------- */

static void append(char *text, const char *piece)
{
    ck_assert_uint_lt(strlen(text) + strlen(piece), 4096);
    strcat(text, piece);
}

static void append_list(char *text, char stem, unsigned count)
{
    char piece[32];
    for (unsigned i = 0; i < count; i++) {
        snprintf(piece, sizeof(piece), "%s%%%c%u", i == 0 ? "{" : ", ", stem,
                 i);
        append(text, piece);
    }
    append(text, "}");
}

/* wmma on pa, pb, pc to pd with the case's layouts. */
static void make_text(char *text, const struct matrix_case *c, unsigned target)
{
    static const char stem[] = "dabc";
    const char *type[] = {c->d, c->factor, c->factor, c->c};
    char piece[200];
    snprintf(text, 4096,
             ".version 8.0\n.target sm_%u\n.address_size 64\n"
             ".entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, "
             ".param .u64 pc)\n{\n",
             target);
    for (int i = 0; i < 4; i++) {
        snprintf(piece, sizeof(piece),
                 ".reg .b%s %%%c<8>; .reg .b64 %%p%c;\n"
                 "ld.param.u64 %%p%c, [p%c];\n",
                 size_of(type[i]) == 8 ? "64" : "32", stem[i], stem[i], stem[i],
                 stem[i]);
        append(text, piece);
    }
    for (int i = 1; i < 4; i++) {
        snprintf(piece, sizeof(piece),
                 "wmma.load.%c.sync.aligned.%s.m%un%uk%u.global.%s ", stem[i],
                 c->layout[i], c->m, c->n, c->k, type[i]);
        append(text, piece);
        append_list(text, stem[i], c->registers[i]);
        snprintf(piece, sizeof(piece), ", [%%p%c], %u;\n", stem[i], SIDE);
        append(text, piece);
    }
    snprintf(piece, sizeof(piece), "wmma.mma.sync.aligned.%s.%s.m%un%uk%u.%s ",
             c->layout[1], c->layout[2], c->m, c->n, c->k, c->types);
    append(text, piece);
    for (int i = 0; i < 4; i++) {
        append(text, i == 0 ? "" : ", ");
        append_list(text, stem[i], c->registers[i]);
    }
    snprintf(piece, sizeof(piece),
             ";\nwmma.store.d.sync.aligned.%s.m%un%uk%u.global.%s [%%pd], ",
             c->layout[0], c->m, c->n, c->k, c->d);
    append(text, piece);
    append_list(text, stem[0], c->registers[0]);
    snprintf(piece, sizeof(piece), ", %u;\nret;\n}\n", SIDE);
    append(text, piece);
}

/* ---- values ------------------------------------------------------------- */

static void fill(struct ptx_run *r, const char *name, const uint8_t *bytes,
                 size_t size)
{
    struct ptx_view view = {.memory = &r->session.memory};
    uint64_t at = ptx_memory_named(&r->session.memory, name)->address;
    while (size > 0) {
        struct ptx_stretch page;
        ck_assert(ptx_view_find(&view, at, true, &page));
        size_t n = size < PTX_PAGE ? size : PTX_PAGE;
        memcpy(page.bytes, bytes, n);
        bytes += n;
        at += n;
        size -= n;
    }
}

static const char *const names[] = {"d", "a", "b", "c"};

static void fill_matrices(struct ptx_run *r, const struct matrix_case *c)
{
    const char *type[] = {c->d, c->factor, c->factor, c->c};
    const unsigned rows[] = {c->m, c->m, c->k, c->m};
    const unsigned columns[] = {c->n, c->k, c->n, c->n};
    for (unsigned i = 1; i < 4; i++) {
        uint8_t bytes[SIDE * SIDE * 8] = {0};
        unsigned size = size_of(type[i]);
        for (unsigned row = 0; row < rows[i]; row++)
            for (unsigned column = 0; column < columns[i]; column++)
                put_element(bytes + place(c->layout[i], row, column) * size,
                            type[i], value_of(type[i], i, row, column));
        fill(r, names[i], bytes, sizeof(bytes));
    }
}

START_TEST(test_values)
{
    const struct matrix_case *c = &cases[_i];
    static const char *const arg[] = {
        "buf:12800:u8:zero:d", "buf:12800:u8:zero:a", "buf:12800:u8:zero:b",
        "buf:12800:u8:zero:c"};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .arg = arg, .args = 4};
    char text[4096];
    uint8_t d[SIDE * SIDE * 8];
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    make_text(text, c, 80);
    ck_assert_msg(ptx_parse(&r.module, text, strlen(text), "t.ptx", &e),
                  "%s\n%s", e.text, text);
    ck_assert(ptx_session_open(&r.session, &r.module, &request, &e));
    fill_matrices(&r, c);
    ck_assert_msg(ptx_session_run(&r.session, &r.totals, &e), "%s", e.text);
    ptx_take(&r, "d", d, sizeof(d));
    for (unsigned row = 0; row < c->m; row++)
        for (unsigned column = 0; column < c->n; column++) {
            int sum = value_of(c->c, 3, row, column);
            for (unsigned k = 0; k < c->k; k++)
                sum += value_of(c->factor, 1, row, k) *
                       value_of(c->factor, 2, k, column);
            double found = element(
                d + place(c->layout[0], row, column) * size_of(c->d), c->d);
            ck_assert_msg(found == sum, "%u,%u: got %g, expected %d", row,
                          column, found, sum);
        }
    ptx_done(&r);
}
END_TEST

/* ---- what it becomes ---------------------------------------------------- */

struct tally {
    unsigned loads, stores, moves, products;
    uint8_t touched[4][SIDE * SIDE * 8]; /* of d, a, b, c, by byte */
};

static void count_step(struct tally *t, const struct kernel *k,
                       const struct step *s, const struct ptx_memory *m)
{
    const struct inst *i = &k->inst[s->inst];
    if (strcmp(i->mnemonic, "wmma") != 0)
        return;
    t->loads += i->op == OP_LOAD;
    t->stores += i->op == OP_STORE;
    t->moves += i->op == OP_INT;
    t->products += i->op == OP_TENSOR;
    if (i->op != OP_LOAD && i->op != OP_STORE)
        return;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint64_t at = s->form == ADDR_LIST
                          ? s->lane_address[lane]
                          : s->base + (uint64_t)(s->stride * lane);
        const struct ptx_buffer *b = ptx_memory_at(m, at);
        ck_assert_ptr_nonnull(b);
        for (unsigned n = 0; n < i->width; n++)
            t->touched[b - m->buffer][at - b->address + n]++;
    }
}

static void tally_case(struct tally *out, const struct matrix_case *c,
                       unsigned target)
{
    static const char *const arg[] = {"buf:12800:u8", "buf:12800:u8",
                                      "buf:12800:u8", "buf:12800:u8"};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .arg = arg, .args = 4};
    struct kernel *room[1];
    struct kernel_list list = {.kernel = room};
    const struct ptx_kernel_about about = {.name = "k", .summary = ""};
    struct error e = {STATUS_OK, ""};
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    char text[4096];
    make_text(text, c, target);
    ck_assert(ptx_parse(&t->module, text, strlen(text), "t.ptx", &e));
    ck_assert(ptx_session_open(&t->session, &t->module, &request, &e));
    ck_assert(ptx_sequence_set(t, 0, &e));
    ck_assert(ptx_kernel_add(&list, t, 0, &about, &e));
    const struct kernel *k = room[0];
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    struct step s;
    *out = (struct tally){0};
    while (k->ops->next(k, state, 0, &s))
        count_step(out, k, &s, &t->session.memory);
    ck_assert(kernel_streams_check(k, &e));
    k->ops->close(k, state);
    free(state);
    kernel_free(room[0]);
    ptx_sequence_release(t);
}

/* Every byte of an element is loaded or stored by one lane of one instruction,
 * none of the padding. */
START_TEST(test_touched)
{
    const struct matrix_case *c = &cases[_i];
    const char *type[] = {c->d, c->factor, c->factor, c->c};
    const unsigned rows[] = {c->m, c->m, c->k, c->m};
    const unsigned columns[] = {c->n, c->k, c->n, c->n};
    static struct tally t;
    tally_case(&t, c, 80);
    for (unsigned i = 0; i < 4; i++) {
        unsigned size = size_of(type[i]);
        for (unsigned row = 0; row < SIDE; row++)
            for (unsigned column = 0; column < SIDE; column++)
                for (unsigned n = 0; n < size; n++)
                    ck_assert_msg(
                        t.touched[i][place(c->layout[i], row, column) * size +
                                     n] ==
                            (row < rows[i] && column < columns[i]),
                        "%s of %d: element %u,%u", names[i], _i, row, column);
    }
}
END_TEST

/* Instructions that ptxas makes of the same C++ (mma.h); for sm_70 the products
 * of Raihan et al., ISPASS 2019, figure 9. */
static const struct {
    struct matrix_case c;
    unsigned target, loads, moves, products, stores;
} compiled[] = {
    {{16, 16, 16, "f16", "f32", "f32", "f32.f32", ROW_COL, {8, 8, 8, 8}},
     70,
     4 + 4 + 4,
     0,
     16,
     4},
    {{32, 8, 16, "f16", "f16", "f16", "f16.f16", COL_ROW, {4, 8, 8, 4}},
     70,
     8 + 2 + 4,
     14,
     8,
     4},
    {{16, 16, 16, "f16", "f32", "f32", "f32.f32", ROW_COL, {8, 8, 8, 8}},
     75,
     4 + 4 + 4,
     0,
     4,
     4},
    {{16, 16, 16, "f16", "f32", "f32", "f32.f32", ROW_COL, {8, 8, 8, 8}},
     80,
     4 + 4 + 4,
     0,
     2,
     4},
    {{32, 8, 16, "f16", "f16", "f16", "f16.f16", COL_ROW, {4, 8, 8, 4}},
     75,
     8 + 2 + 4,
     14,
     4,
     4},
    {{32, 8, 16, "f16", "f16", "f16", "f16.f16", COL_ROW, {4, 8, 8, 4}},
     80,
     8 + 2 + 4,
     14,
     2,
     4},
    {{16,
      16,
      16,
      "bf16",
      "f32",
      "f32",
      "f32.bf16.bf16.f32",
      ROW_COL,
      {8, 4, 4, 8}},
     80,
     4 + 4 + 4,
     0,
     2,
     4},
    {{16,
      16,
      8,
      "tf32",
      "f32",
      "f32",
      "f32.tf32.tf32.f32",
      ROW_COL,
      {8, 4, 4, 8}},
     80,
     4 + 4 + 4,
     0,
     4,
     4},
    {{8, 8, 4, "f64", "f64", "f64", "f64.f64.f64.f64", ROW_COL, {2, 1, 1, 2}},
     80,
     1 + 1 + 1,
     0,
     1,
     1},
};
#define COMPILED (int)(sizeof(compiled) / sizeof(compiled[0]))

START_TEST(test_compiled)
{
    static struct tally t;
    tally_case(&t, &compiled[_i].c, compiled[_i].target);
    ck_assert_uint_eq(t.loads, compiled[_i].loads);
    ck_assert_uint_eq(t.moves, compiled[_i].moves);
    ck_assert_uint_eq(t.products, compiled[_i].products);
    ck_assert_uint_eq(t.stores, compiled[_i].stores);
}
END_TEST

/* ---- stmatrix ----------------------------------------------------------- */

/* Lane l holds 2 l and 2 l + 1 of a matrix by rows; transposed, element (i, j)
 * goes to row j. */
START_TEST(test_stmatrix)
{
    static const char *const arg[] = {"buf:128:u16:zero:d", NULL};
    char text[1024];
    uint16_t d[2][8][8];
    struct ptx_run r;
    snprintf(text, sizeof(text),
             "%s.entry k(.param .u64 pd)\n{\n"
             ".reg .b32 %%r<8>; .reg .b64 %%d<4>;\n"
             ".shared .align 16 .b8 s[256];\n"
             "ld.param.u64 %%d0, [pd]; mov.u32 %%r0, %%tid.x;\n"
             "shl.b32 %%r1, %%r0, 1; add.u32 %%r2, %%r1, 1;\n"
             "prmt.b32 %%r1, %%r1, %%r2, 0x5410; add.u32 %%r2, %%r1, "
             "0x00400040;\n"
             "mov.u32 %%r3, s; and.b32 %%r4, %%r0, 15;\n"
             "mad.lo.u32 %%r3, %%r4, 16, %%r3;\n"
             "stmatrix.sync.aligned.m8n8.x2%s.shared.b16 [%%r3], {%%r1, "
             "%%r2};\n"
             "bar.sync 0; mov.u32 %%r3, s; mad.lo.u32 %%r3, %%r0, 8, %%r3;\n"
             "ld.shared.v2.u32 {%%r5, %%r6}, [%%r3];\n"
             "mul.wide.u32 %%d1, %%r0, 8; add.s64 %%d0, %%d0, %%d1;\n"
             "st.global.v2.u32 [%%d0], {%%r5, %%r6};\nret;\n}\n",
             PTX_HEAD, _i == 1 ? ".trans" : "");
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "d", d, sizeof(d));
    for (int matrix = 0; matrix < 2; matrix++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 8; j++)
                ck_assert_uint_eq(_i == 1 ? d[matrix][j][i] : d[matrix][i][j],
                                  64 * matrix + 8 * i + j);
    ptx_done(&r);
}
END_TEST

/* Element (i, j) is 8 i + j before and 8 j + i behind. */
START_TEST(test_movmatrix)
{
    static const char *const arg[] = {"buf:64:u16:iota:0:1:in",
                                      "buf:64:u16:zero:out", NULL};
    static const char text[] = PTX_HEAD
        ".entry k(.param .u64 a, .param .u64 b)\n{\n"
        ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
        "ld.param.u64 %d0, [a]; ld.param.u64 %d1, [b]; mov.u32 %r0, %tid.x;\n"
        "mul.wide.u32 %d2, %r0, 4; add.s64 %d0, %d0, %d2;\n"
        "add.s64 %d1, %d1, %d2; ld.global.u32 %r1, [%d0];\n"
        "movmatrix.sync.aligned.m8n8.trans.b16 %r2, %r1;\n"
        "st.global.u32 [%d1], %r2; ret;\n}\n";
    uint16_t out[8][8];
    struct ptx_run r;
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "out", out, sizeof(out));
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            ck_assert_uint_eq(out[i][j], 8 * j + i);
    ptx_done(&r);
}
END_TEST

/* ---- what is refused ---------------------------------------------------- */

static const struct {
    const char *code, *expected;
} refusals[] = {
    {"wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r0, %r0}, [%d0];",
     "operand 1 of it to be 8 registers in braces"},
    {"wmma.load.a.sync.aligned.row.m16n8k16.global.f16 {%r0}, [%d0];",
     "a shape that is known for these types"},
    {"wmma.load.a.sync.aligned.m16n16k16.global.f16 {%r0}, [%d0];",
     "a shape that is known for these types"},
    {"wmma.load.d.sync.aligned.row.m16n16k16.global.f32 {%r0}, [%d0];",
     "a shape that is known for these types"},
    {"wmma.store.c.sync.aligned.row.m16n16k16.global.f32 [%d0], {%r0};",
     "a shape that is known for these types"},
    {"wmma.load.a.sync.aligned.row.m16n16k8.global.f16 {%r0}, [%d0];",
     "a shape that is known for these types"},
    {"wmma.load.a.sync.aligned.row.row.m16n16k16.global.f16 {%r0}, [%d0];",
     "no .row with it"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.f16.f32 {%r0}, {%r0}, "
     "{%r0}, {%r0};",
     "a shape that is known for these types"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32 {%r0}, {%r0}, {%r0}, {%r0};",
     "a form of it that PTX has"},
    {"mma.sync.aligned.m16n8k8.col.row.f32.f16.f16.f32 {%r0, %r0, %r0, %r0}, "
     "{%r0, %r0}, {%r0}, {%r0, %r0, %r0, %r0};",
     "a shape that is known for these types"},
    {"mma.sync.aligned.m16n16k16.row.col.f32.f16.f16.f32 {%r0}, {%r0}, {%r0}, "
     "{%r0};",
     "a shape that is known for these types"},
    {"stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r0], {%r0};",
     "operand 2 of it to be 2 registers in braces"},
};

START_TEST(test_refused)
{
    char text[512];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             "%s.entry k() {\n.reg .b32 %%r<2>; .reg .b64 %%d<2>;\n%s ret; }",
             PTX_HEAD, refusals[_i].code);
    ck_assert(!ptx_parse(&m, text, strlen(text), "t.ptx", &e));
    ck_assert_msg(strncmp(e.text, "t.ptx:6:1: found ", 17) == 0 &&
                      strstr(e.text, refusals[_i].expected) != NULL,
                  "got: %s\nexpected: %s", e.text, refusals[_i].expected);
}
END_TEST

/* A warp that is not whole cannot multiply. */
START_TEST(test_diverged)
{
    static const char *const arg[] = {"buf:12800:u8", "buf:12800:u8",
                                      "buf:12800:u8", "buf:12800:u8", NULL};
    char text[4096];
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    make_text(text, &cases[0], 75);
    ck_assert(!ptx_try(&r, text, 1, 31, arg, &e));
    ck_assert_msg(strstr(e.text, "wmma: found lanes missing") != NULL, "%s",
                  e.text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_wmma");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_values, 0, CASES);
    tcase_add_loop_test(c, test_touched, 0, CASES);
    tcase_add_loop_test(c, test_compiled, 0, COMPILED);
    tcase_add_loop_test(c, test_stmatrix, 0, 2);
    tcase_add_test(c, test_movmatrix);
    tcase_add_loop_test(c, test_refused, 0,
                        sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_test(c, test_diverged);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
