/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures and surfaces: values worked out by the formulas of the CUDA C++
 * Programming Guide, "Texture Fetching", in plain C; which addresses go to
 * memory; what is refused and where. */
#include "kernels/ptx/launch/ptx_kernel.h"
#include "kernels/ptx/launch/sequence.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

/* A lane takes four words from "in" and leaves four in "out". */
static const char before[] =
    PTX_HEAD ".global .texref named;\n"
             ".visible .entry k(.param .u64 t, .param .u64 in, .param .u64 "
             "out)\n{\n"
             ".reg .b16 %h<4>; .reg .b32 %r<8>; .reg .f32 %f<8>;\n"
             ".reg .b64 %d<8>;\n"
             "ld.param.u64 %d1, [t]; ld.param.u64 %d2, [in];\n"
             "ld.param.u64 %d3, [out]; mov.u32 %r7, %tid.x;\n"
             "mul.wide.u32 %d4, %r7, 16; add.s64 %d2, %d2, %d4;\n"
             "add.s64 %d3, %d3, %d4;\n"
             "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%d2];\n"
             "ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%d2];\n"
             "mov.b32 %r4, 0; mov.b32 %r5, 0; mov.b32 %r6, 0;\n";
static const char after[] =
    "\nst.global.v4.u32 [%d3], {%r4, %r5, %r6, %r7}; ret;\n}\n";
#define TEXEL4 "{%r4, %r5, %r6, %r7}"

struct lane_case {
    const char *code, *texture;
    uint32_t in[3]; /* a float's bits, or a number */
    uint32_t out[4];
};

enum {
    HALF = 0x3F000000,
    ONE = 0x3F800000,
    ONE_HALF = 0x3FC00000,
    TWO = 0x40000000,
    TWO_HALF = 0x40200000,
    THREE = 0x40400000,
    FOUR = 0x40800000,
    SIX = 0x40C00000,
    SEVEN = 0x40E00000,
    TEN = 0x41200000,
    ELEVEN = 0x41300000,
    HUNDRED = 0x42C80000,
    QUARTER = 0x3E800000
};
#define MINUS(x) ((x) | 0x80000000u)
#define NAN_BITS 0x7FC00000u
#define INF_BITS 0x7F800000u
#define TEX1D    "tex.1d.v4.u32.s32 " TEXEL4 ", [%d1, {%r0}];"
#define TEX2D    "tex.2d.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1}];"
#define TEX2DF   "tex.2d.v4.f32.f32 " TEXEL4 ", [%d1, {%f0, %f1}];"
#define CUBE     "tex.cube.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1, %f2, %f2}];"
#define TEX1DF   "tex.1d.v4.f32.f32 " TEXEL4 ", [%d1, {%f0}];"

/* Textures of iota: texel (x, y, z) holds (z * height + y) * width + x. */
static const struct lane_case cases[] = {
    /* one dimension, whole coordinates, clamped at both ends */
    {TEX1D, "tex:10:u32:iota", {0}, {0}},
    {TEX1D, "tex:10:u32:iota", {7}, {7}},
    {TEX1D, "tex:10:u32:iota", {10}, {9}},
    {TEX1D, "tex:10:u32:iota", {0xFFFFFFFF}, {0}},
    {TEX1D, "tex:10:u32:border:iota:5", {10}, {0}},
    {TEX1D, "tex:10:u32:border:iota:5", {9}, {14}},
    {"tex.1d.v4.u32.s32 " TEXEL4 ", [%d1, %r0];", "tex:10:u32:iota", {3}, {3}},
    {"tex.1d.v4.s32.s32 " TEXEL4 ", [%d1, {%r0}];",
     "tex:10:s16x2:iota:-3",
     {1},
     {0xFFFFFFFF, 0}},
    {TEX1D, "tex:3:u8x4:iota:250", {1}, {254, 255, 0, 1}},
    /* points: the texel that the coordinate lies in */
    {TEX2D, "tex:8x4:u32:iota", {TWO_HALF, ONE_HALF}, {10}},
    {TEX2D, "tex:8x4:u32:iota", {TWO, ONE}, {10}},
    {TEX2D, "tex:8x4:u32:iota", {HUNDRED, ONE}, {15}},
    {TEX2D, "tex:8x4:u32:iota", {MINUS(ONE), HUNDRED}, {24}},
    {TEX2D, "tex:8x4:u32:iota", {NAN_BITS, INF_BITS}, {24}},
    {TEX2D, "tex:8x4:u32:border:iota:1", {MINUS(HALF), 0}, {0}},
    /* normalized: 8 and 4 times as many texels */
    {TEX2D, "tex:8x4:u32:normalized:iota", {HALF, HALF}, {20}},
    {TEX2D, "tex:8x4:u32:normalized:iota", {ONE, 0}, {7}},
    {TEX2D,
     "tex:8x4:u32:normalized:wrap:iota",
     {ONE_HALF, MINUS(QUARTER)},
     {28}},
    {TEX2D, "tex:8x4:u32:normalized:mirror:iota", {TWO_HALF, 0}, {4}},
    {TEX2D, "tex:8x4:u32:normalized:mirror:iota", {0x3FA00000, 0}, {6}},
    {TEX2D, "tex:8x4:u32:normalized:wrap:iota", {NAN_BITS, INF_BITS}, {0}},
    /* linear: 2.5 and 1.5 are the middle of (2, 1); 3 lies between 2 and 3 */
    {TEX2DF, "tex:8x4:f32:linear:iota", {TWO_HALF, ONE_HALF}, {TEN}},
    {TEX2DF, "tex:8x4:f32:linear:iota", {THREE, ONE_HALF}, {0x41280000}},
    {TEX2DF, "tex:8x4:f32:linear:iota", {THREE, TWO}, {0x41680000}},
    {TEX2DF, "tex:8x4:f32:linear:iota", {0, 0}, {0}},
    {TEX1DF, "tex:2:f32:linear:border:iota:4", {TWO}, {TWO_HALF}},
    {TEX1DF, "tex:8:f32:linear:normalized:wrap:iota", {0}, {0x40600000}},
    /* a = 1/1024 has no place behind 8 bits */
    {TEX1DF, "tex:8:f32:linear:iota", {0x40200400}, {TWO}},
    /* whole numbers as floating point: 0 to 1, -1 to 1 */
    {TEX1DF, "tex:8:u8:iota:0:51", {ONE_HALF}, {0x3E4CCCCD}},
    {TEX1DF, "tex:8:s8:iota:-128:127", {0}, {MINUS(ONE)}},
    {TEX1DF, "tex:8:u16:iota:65535", {0}, {ONE}},
    {TEX1DF, "tex:8:f16:iota", {THREE}, {THREE}},
    {"tex.1d.v4.f16.f32 {%h0, %h1, %h2, %h3}, [%d1, {%f0}];\n"
     "mov.b32 %r4, {%h0, %h1}; mov.b32 %r7, 0;",
     "tex:8:f16x2:iota",
     {ONE},
     {0x42004000}},
    {"tex.1d.v2.f16x2.f32 {%r4, %r5}, [%d1, {%f0}]; mov.b32 %r7, 0;",
     "tex:8:f16x4:iota",
     {0},
     {0x3C000000, 0x42004000}},
    /* three dimensions, layers, levels, gradients, a sampler of its own */
    {"tex.3d.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1, %f2, %f2}];",
     "tex:4x3x2:u32:iota",
     {THREE, TWO, ONE},
     {23}},
    {"tex.3d.v4.u32.s32 " TEXEL4 ", [%d1, {%r0, %r1, %r2, %r2}];",
     "tex:4x3x2:u32:iota",
     {3, 0, 9},
     {15}},
    {"tex.a2d.v4.u32.f32 " TEXEL4 ", [%d1, {%r0, %f1, %f2, %f2}];",
     "tex:4x3x2:u32:iota",
     {1, THREE, TWO},
     {23}},
    /* the six faces of a cube, two cubes: face f holds 4 f + 2 y + x */
    {CUBE, "tex:2x2x6:u32:iota", {ONE, HALF, MINUS(HALF)}, {1}},
    {CUBE, "tex:2x2x6:u32:iota", {MINUS(ONE), HALF, MINUS(HALF)}, {4}},
    {CUBE, "tex:2x2x6:u32:iota", {HALF, ONE, HALF}, {11}},
    {CUBE, "tex:2x2x6:u32:iota", {HALF, MINUS(ONE), HALF}, {13}},
    {CUBE, "tex:2x2x6:u32:iota", {MINUS(HALF), MINUS(HALF), ONE}, {18}},
    {CUBE, "tex:2x2x6:u32:iota", {MINUS(HALF), MINUS(HALF), MINUS(ONE)}, {23}},
    {CUBE, "tex:2x2x6:u32:normalized:wrap:iota", {ONE, ONE, ONE}, {0}},
    {"tex.acube.v4.u32.f32 " TEXEL4 ", [%d1, {%r0, %f1, %f2, %f2}];",
     "tex:2x2x12:u32:iota",
     {1, ONE, HALF},
     {24}},
    {"tex.cube.v4.f32.f32 " TEXEL4 ", [%d1, {%f0, %f1, %f2, %f2}];",
     "tex:2x2x6:f32:linear:iota:4",
     {ONE, 0, 0},
     {0x40B00000}}, /* 5.5, the mean of 4 to 7 */
    {"tex.a1d.v4.u32.s32 " TEXEL4 ", [%d1, {%r0, %r1}];",
     "tex:4x3:u32:iota",
     {5, 1},
     {9}},
    {"tex.a1d.v4.f32.f32 " TEXEL4 ", [%d1, {%r0, %f1}];",
     "tex:4x3:f32:linear:iota",
     {1, TWO},
     {0x40B00000}},
    {"tex.level.2d.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1}], %f2;",
     "tex:8x4:u32:iota",
     {TWO, ONE, ONE},
     {10}},
    {"tex.grad.2d.v4.u32.f32 " TEXEL4
     ", [%d1, {%f0, %f1}], {%f2, %f2}, {%f2, %f2};",
     "tex:8x4:u32:iota",
     {TWO, ONE, ONE},
     {10}},
    {"tex.base.2d.v4.u32.f32 " TEXEL4 ", [%d1, %d1, {%f0, %f1}];",
     "tex:8x4:u32:iota",
     {TWO, ONE},
     {10}},
    /* the texels around 2, 1 against the clock from the lower left */
    {"tld4.r.2d.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1}];",
     "tex:8x4:u32:iota",
     {TWO, ONE},
     {9, 10, 2, 1}},
    {"tld4.g.2d.v4.u32.f32 " TEXEL4 ", [%d1, {%f0, %f1}];",
     "tex:8x4:u32x2:iota",
     {TWO, ONE},
     {19, 21, 5, 3}},
    {"tld4.a.2d.v4.f32.f32 " TEXEL4 ", [%d1, {%f0, %f1}];",
     "tex:2x2:f32x4:iota",
     {ONE, ONE},
     {ELEVEN, 0x41700000, SEVEN, THREE}},
    /* surfaces: the first coordinate counts bytes */
    {"suld.b.1d.b32.trap {%r4}, [%d1, {%r0}]; mov.b32 %r7, 0;",
     "tex:8:u32:iota",
     {12},
     {3}},
    {"suld.b.2d.v2.b32.clamp {%r4, %r5}, [%d1, {%r0, %r1}]; mov.b32 %r7, 0;",
     "tex:8x4:u32:iota",
     {999, 1},
     {14, 15}},
    {"suld.b.2d.b32.zero {%r4}, [%d1, {%r0, %r1}]; mov.b32 %r7, 0;",
     "tex:8x4:u32:iota:1",
     {32, 0},
     {0}},
    {"suld.b.a2d.b32.clamp {%r4}, [%d1, {%r0, %r1, %r2, %r2}]; mov.b32 %r7, 0;",
     "tex:4x3x2:u32:iota",
     {1, 4, 2},
     {21}},
    {"sust.b.3d.b32.trap [%d1, {%r0, %r1, %r2, %r2}], {%r0}; membar.gl;\n"
     "suld.b.3d.b32.trap {%r4}, [%d1, {%r0, %r1, %r2, %r2}]; mov.b32 %r7, 0;",
     "tex:4x3x2:u32:iota",
     {8, 2, 1},
     {8}},
    {"sust.b.1d.b32.zero [%d1, {%r0}], {%r1};\n"
     "suld.b.1d.b32.clamp {%r4}, [%d1, {%r0}]; mov.b32 %r7, 0;",
     "tex:4:u32:iota",
     {64, 9},
     {3}},
    {"suld.b.1d.v4.b8.trap {%h0, %h1, %h2, %h3}, [%d1, {%r0}];\n"
     "cvt.u32.u16 %r4, %h0; cvt.u32.u16 %r5, %h3; mov.b32 %r7, 0;",
     "tex:8:u8x4:iota",
     {8},
     {8, 11}},
    /* queries */
    {"txq.width.b32 %r4, [%d1]; txq.height.b32 %r5, [%d1];\n"
     "txq.depth.b32 %r6, [%d1]; txq.num_mipmap_levels.b32 %r7, [%d1];",
     "tex:7x5x3:u32",
     {0},
     {7, 5, 3, 1}},
    {"suq.width.b32 %r4, [%d1]; suq.height.b32 %r5, [%d1];\n"
     "txq.array_size.b32 %r6, [%d1]; txq.normalized_coords.b32 %r7, [%d1];",
     "tex:7x5:u32:normalized",
     {0},
     {7, 5, 5, 1}},
};

static void run_lane(struct ptx_run *r, const struct lane_case *c,
                     uint32_t *out)
{
    char text[2048];
    const char *arg[] = {c->texture, "buf:4:u32:zero:in", "buf:4:u32:zero:out",
                         NULL};
    struct error e = {STATUS_OK, ""};
    const struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .arg = arg, .args = 3};
    snprintf(text, sizeof(text), "%s%s%s", before, c->code, after);
    ck_assert_msg(ptx_parse(&r->module, text, strlen(text), "t.ptx", &e),
                  "%s: %s", c->code, e.text);
    ck_assert_msg(ptx_session_open(&r->session, &r->module, &request, &e),
                  "%s: %s", c->texture, e.text);
    struct ptx_stretch in;
    struct ptx_view view = {.memory = &r->session.memory};
    uint64_t at = ptx_memory_named(&r->session.memory, "in")->address;
    ck_assert(ptx_view_find(&view, at, true, &in));
    memcpy(in.bytes, c->in, sizeof(c->in));
    ck_assert_msg(ptx_session_run(&r->session, &r->totals, &e), "%s of %s: %s",
                  c->code, c->texture, e.text);
    ptx_take(r, "out", out, 4 * sizeof(*out));
    ptx_done(r);
}

START_TEST(test_values)
{
    const struct lane_case *c = &cases[_i];
    struct ptx_run r;
    uint32_t out[4];
    run_lane(&r, c, out);
    for (int i = 0; i < 4; i++)
        ck_assert_msg(out[i] == c->out[i],
                      "%s of %s: word %d: got 0x%x, expected 0x%x", c->code,
                      c->texture, i, out[i], c->out[i]);
}
END_TEST

/* ---- handles ------------------------------------------------------------ */

/* A texture of the module is the one that is given its name, wherever its
 * address goes; one that is a parameter, the argument. */
START_TEST(test_named)
{
    static const char text[] = PTX_HEAD
        ".global .texref image; .global .samplerref s = { filter_mode = "
        "nearest };\n"
        ".entry k(.param .texref other, .param .u64 out)\n{\n"
        ".reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n"
        "ld.param.u64 %d1, [out]; mov.u64 %d2, image; mov.b32 %r0, 3;\n"
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [image, {%r0}];\n"
        "st.global.f32 [%d1], %f0;\n"
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d2, s, {%r0}];\n"
        "st.global.f32 [%d1+4], %f0;\n"
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [other, s, {2}];\n"
        "st.global.f32 [%d1+8], %f0;\nret;\n}\n";
    static const char *const arg[] = {"tex:4:f32:iota:10:image",
                                      "tex:4:f32:iota:20", "buf:3:f32:zero:out",
                                      NULL};
    struct ptx_run r;
    float out[3];
    ptx_must_run(&r, text, 1, 1, arg);
    ptx_take(&r, "out", out, sizeof(out));
    ck_assert(out[0] == 13 && out[1] == 13 && out[2] == 22);
    ptx_done(&r);
}
END_TEST

/* ---- what memory sees --------------------------------------------------- */

/* Tegra X1 Technical Reference Manual, section 20.1.2, as it is written there:
 * a byte's place in a GOB of 64 bytes by 8 rows. */
static uint64_t in_gob(uint64_t x, uint64_t y)
{
    return x % 64 / 32 * 256 + y % 8 / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 +
           x % 16;
}

/* An array of 200 bytes by 300 rows by 2 layers: 4 columns of GOBs, in stacks
 * of 16, 128 rows high, 3 a column. Every byte has a place of its own. */
START_TEST(test_tiles)
{
    const struct ptx_texture t = {
        .dimensions = 3, .channels = 1, .side = {200, 300, 2}};
    const uint64_t span = 2 * 256 * 384;
    uint8_t *seen = calloc(span, 1);
    ck_assert_uint_eq(ptx_texture_span(&t, 200), span);
    for (uint64_t z = 0; z < 2; z++)
        for (uint64_t y = 0; y < 300; y++)
            for (uint64_t x = 0; x < 200; x++) {
                uint64_t gob = (y / 128 * 4 + x / 64) * 16 + y / 8 % 16;
                uint64_t at =
                    ptx_texture_offset(&t, 200, true, (uint64_t[]){x, y, z});
                ck_assert_uint_eq(at, z * 256 * 384 + gob * 512 + in_gob(x, y));
                ck_assert_uint_eq(seen[at]++, 0);
            }
    free(seen);
}
END_TEST

/* Low arrays have low stacks, and those without planes their rows in turn. */
START_TEST(test_other_arrays)
{
    static const uint64_t at[] = {70, 9, 1};
    const struct ptx_texture low = {.dimensions = 2,
                                    .channels = 1,
                                    .side = {128, 9, 1}},
                             line = {.dimensions = 1,
                                     .channels = 1,
                                     .side = {100, 1, 1}};
    ck_assert_uint_eq(ptx_texture_span(&low, 128), 128 * 16);
    ck_assert_uint_eq(
        ptx_texture_offset(&low, 128, true, (uint64_t[]){64, 8, 0}),
        (2 + 1) * 512);
    ck_assert_uint_eq(ptx_texture_offset(&low, 128, false, at),
                      (9 + 9) * 128 + 70);
    ck_assert_uint_eq(ptx_texture_span(&line, 100), 100);
    ck_assert_uint_eq(
        ptx_texture_offset(&line, 100, true, (uint64_t[]){70, 0, 0}), 70);
}
END_TEST

/* Lane l fetches texel (l, 1) of rows of 40 texels of 8 bytes: a texture load
 * of 8 bytes. The unread channel takes no register. */
START_TEST(test_stream)
{
    static const char text[] = PTX_HEAD
        ".entry k(.param .u64 t, .param .u64 out)\n{\n"
        ".reg .b32 %r<8>; .reg .f32 %f<8>; .reg .b64 %d<4>;\n"
        "ld.param.u64 %d0, [t]; ld.param.u64 %d1, [out];\n"
        "mov.u32 %r0, %tid.x; cvt.rn.f32.u32 %f4, %r0;\n"
        "tex.2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%d0, {%f4, 0f3F800000}];\n"
        "mul.wide.u32 %d2, %r0, 4; add.s64 %d1, %d1, %d2;\n"
        "st.global.f32 [%d1], %f0; ret;\n}\n";
    static const char *const arg[] = {"tex:40x2:f32x2", "buf:32:f32"};
    struct ptx_request request = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .arg = arg, .args = 2};
    struct kernel *room[1];
    struct kernel_list list = {.kernel = room};
    const struct ptx_kernel_about about = {.name = "k", .summary = ""};
    struct error e = {STATUS_OK, ""};
    struct ptx_sequence *t = ptx_sequence_create(1, 1);
    ck_assert(ptx_parse(&t->module, text, strlen(text), "t.ptx", &e));
    ck_assert(ptx_session_open(&t->session, &t->module, &request, &e));
    ck_assert(ptx_sequence_set(t, 0, &e));
    ck_assert(ptx_kernel_add(&list, t, 0, &about, &e));
    const struct kernel *k = room[0];
    void *state = malloc(k->ops->state_size(k));
    ck_assert(k->ops->open(k, state, 0, &e));
    struct step s;
    int fetches = 0;
    while (k->ops->next(k, state, 0, &s)) {
        const struct inst *i = &k->inst[s.inst];
        if (i->space != SPACE_TEXTURE)
            continue;
        fetches++;
        ck_assert_int_eq(i->op, OP_LOAD);
        ck_assert_int_eq(i->width, 8);
        ck_assert_int_eq(i->dst_count, 1);
        ck_assert_int_eq(s.form, ADDR_LIST);
        for (uint64_t l = 0; l < WARP_LANES; l++)
            ck_assert_uint_eq(s.lane_address[l],
                              PTX_GLOBAL_BASE + l / 8 * 512 + in_gob(8 * l, 1));
    }
    ck_assert_int_eq(fetches, 1);
    k->ops->close(k, state);
    free(state);
    kernel_free(room[0]);
    ptx_sequence_release(t);
}
END_TEST

/* ---- what is refused ---------------------------------------------------- */

static const struct {
    const char *code, *texture, *expected;
} faults[] = {
    {TEX1D, "buf:8:u32",
     "t.ptx:16:1: tex: lane 0: found handle 0x100002000, expected that of a"},
    {TEX1D, "7", "t.ptx:16:1: tex: lane 0: found handle 0x7, expected that of"},
    {TEX1D, "tex:8x2:u32",
     "t.ptx:16:1: tex: lane 0: found a texture of 2 dimensions, expected 1"},
    {TEX1D, "tex:8:f32",
     "t.ptx:16:1: tex: lane 0: found texels of type f32, expected some that "
     "can be read as u32"},
    {TEX1DF, "tex:8:u32",
     "t.ptx:16:1: tex: lane 0: found texels of type u32, expected some that "
     "can be read as f32"},
    {TEX1D, "tex:8:u8:linear",
     "t.ptx:16:1: tex: lane 0: found linear filtering of whole numbers"},
    {"suld.b.1d.b32.trap {%r4}, [%d1, {4}];", "tex:1:u32",
     "t.ptx:16:1: suld: lane 0: found coordinate 4, outside the surface"},
    {"suld.b.1d.b32.trap {%r4}, [%d1, {-4}];", "tex:8:u32",
     "t.ptx:16:1: suld: lane 0: found coordinate -4, outside the surface"},
    {"suld.b.1d.v4.b32.clamp {%r4, %r5, %r6, %r7}, [%d1, {0}];", "tex:2:u32",
     "t.ptx:16:1: suld: lane 0: found coordinate 0, outside the surface"},
    {"suld.b.1d.b32.trap {%r4}, [%d1, {2}];", "tex:8:u32",
     "t.ptx:16:1: suld: lane 0: found address 0x100002002, expected a "
     "multiple"},
    {"tex.1d.v4.u32.s32 " TEXEL4 ", [named, {0}];", "tex:8:u32",
     "t.ptx:16:1: tex: lane 0: found handle 0x100000000, expected that of a"},
};

START_TEST(test_faults)
{
    char text[2048];
    const char *arg[] = {faults[_i].texture, "buf:4:u32", "buf:4:u32", NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text), "%s%s%s", before, faults[_i].code, after);
    ck_assert(!ptx_try(&r, text, 1, 1, arg, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(
        strncmp(e.text, faults[_i].expected, strlen(faults[_i].expected)) == 0,
        "got: %s\nexpected: %s", e.text, faults[_i].expected);
}
END_TEST

/* Beside the parameters there is no handle. */
START_TEST(test_beside)
{
    static const char text[] = PTX_HEAD
        ".entry k(.param .texref t)\n{\n.reg .f32 %f<4>;\n"
        "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t-8, {2}]; ret;\n}\n";
    static const char *const arg[] = {"tex:4:f32", NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, text, 1, 1, arg, &e));
    ck_assert_msg(strstr(e.text, "outside the parameters") != NULL, "%s",
                  e.text);
}
END_TEST

static const struct {
    const char *code, *expected;
} refusals[] = {
    {"tex.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%d1, {%f1}];",
     "t.ptx:6:1: found 'tex', expected .1d, .2d, .3d, .a1d, .a2d, .cube or "
     ".acube with it"},
    {"tex.1d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%d1, {%f1, %f1}];",
     "t.ptx:6:1: found 'tex', expected operand 2 of it to be a texture or "
     "surface and 1 coordinates"},
    {"tex.2d.v4.f32.f32 {%f1, %f1}, [%d1, {%f1, %f1}];",
     "t.ptx:6:1: found 'tex', expected operand 1 of it to be 4 registers"},
    {"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%d1];",
     "t.ptx:6:1: found 'tex', expected operand 2 of it to be a texture"},
    {"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%r1, {%f1, %f1}];",
     "t.ptx:6:1: found 'tex', expected operand 2 of it to be a texture or "
     "surface in square"},
    {"tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%d1, {%d1, %f1}];",
     "t.ptx:6:1: found 'tex', expected operand 2 of it to be a register of 32"},
    {"tex.2d.v4.f64.f32 {%d1, %d1, %d1, %d1}, [%d1, {%f1, %f1}];",
     "t.ptx:6:1: found 'tex', expected a form of it that PTX has"},
    {"tex.level.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%d1, {%f1, %f1}];",
     "t.ptx:6:1: found 'tex', expected more operands with it"},
    {"suld.b.1d.v8.b32.trap {%r1}, [%d1, {%r1}];",
     "t.ptx:6:1: found 'suld', expected "},
    {"suld.1d.b32.trap {%r1}, [%d1, {%r1}];",
     "t.ptx:6:1: found 'suld', expected a form of it that PTX has"},
    {"sust.p.1d.b32.trap [%d1, {%r1}], {%r1};",
     "t.ptx:6:5: found '.p', expected no formatted surface stores: not"},
    {"txq.channel_data_type.b32 %r1, [%d1];",
     "t.ptx:6:4: found '.channel_data_type', expected no queries"},
    {"ld.global.u32 %r1, [%d1, {%r1}];",
     "t.ptx:6:1: found 'ld', expected operand 2 of it to be an address"},
    {"txq.width.b32 %r1, [%d1, {%r1}];",
     "t.ptx:6:1: found 'txq', expected operand 2 of it to be no coordinates"},
    {"add.s32 %r1, %r1, 1; tcgen05.alloc; zap;",
     "t.ptx:6:22: found 'tcgen05', expected no instructions of tensor memory: "
     "not supported (and 1 more that are not)"},
    {"cvt.rz.satfinite.ue8m0x2.f32 %r1, %f1, %f1;",
     "t.ptx:6:17: found '.ue8m0x2', expected no 8-bit floating point: not"},
    {"clusterlaunchcontrol.query_cancel;",
     "t.ptx:6:1: found 'clusterlaunchcontrol', expected no clusters of"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col [%r1];",
     "t.ptx:6:47: found '.im2col', expected no tensor copies that unfold"},
    {"vmad.s32.s32.s32 %r1, %r1, %r1, %r1;",
     "t.ptx:6:1: found 'vmad', expected no video multiplications: not"},
};

START_TEST(test_refused)
{
    char text[512];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             "%s.entry k() {\n.reg .b32 %%r<2>; .reg .f32 %%f<2>; "
             ".reg .b64 %%d<2>;\n%s ret; }",
             PTX_HEAD, refusals[_i].code);
    ck_assert(!ptx_parse(&m, text, strlen(text), "t.ptx", &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strncmp(e.text, refusals[_i].expected,
                          strlen(refusals[_i].expected)) == 0,
                  "got: %s\nexpected: %s", e.text, refusals[_i].expected);
}
END_TEST

static const struct {
    const char *texture, *expected;
} arguments[] = {
    {"tex:", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:8", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:0x8:f32", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:8x:f32", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:8x8x8x:f32", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:0:f32", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:8x8x8x8:f32", "expected tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL"},
    {"tex:8x8:f33", "expected a texel like f32 or u8x4 behind the sides"},
    {"tex:8x8:f64", "expected a texel like f32 or u8x4 behind the sides"},
    {"tex:8x8:f32x3", "expected a texel like f32 or u8x4 behind the sides"},
    {"tex:8x8:f32:wrap", "expected normalized with wrap and mirror"},
    {"tex:8x8:f32:blurred:iota:x", "as its fill"},
    {"tex:268435456x268435456:f32", "expected at most 1 TiB"},
};

START_TEST(test_arguments)
{
    char text[2048];
    const char *arg[] = {arguments[_i].texture, "buf:4:u32", "buf:4:u32", NULL};
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text), "%s%s", before, after);
    ck_assert(!ptx_try(&r, text, 1, 1, arg, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, arguments[_i].expected) != NULL, "%s", e.text);
}
END_TEST

#define COUNT(a) (int)(sizeof(a) / sizeof((a)[0]))

int main(void)
{
    Suite *s = suite_create("ptx_texture");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_values, 0, COUNT(cases));
    tcase_add_test(c, test_named);
    tcase_add_test(c, test_tiles);
    tcase_add_test(c, test_other_arrays);
    tcase_add_test(c, test_stream);
    tcase_add_test(c, test_beside);
    tcase_add_loop_test(c, test_faults, 0, COUNT(faults));
    tcase_add_loop_test(c, test_refused, 0, COUNT(refusals));
    tcase_add_loop_test(c, test_arguments, 0, COUNT(arguments));
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
