/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the addresses of a warp have in common, against a loop over its lanes;
 * and what loads and stores of every pattern leave. */
#include "kernels/ptx/execute/addresses.h"
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- patterns ------------------------------------------------------------ */

static enum ptx_pattern pattern_of(const uint64_t *address, uint32_t mask,
                                   uint64_t bytes)
{
    bool one = mask == UINT32_MAX, row = one;
    for (uint64_t i = 1; i < PTX_HALF; i++) {
        one = one && address[i] == address[0];
        row = row && address[i] == address[0] + i * bytes;
    }
    return one ? PATTERN_ONE : row ? PATTERN_ROW : PATTERN_NONE;
}

static void check(const uint64_t *address, uint32_t mask, uint64_t bytes)
{
    struct ptx_extent x;
    uint64_t low = UINT64_MAX, high = 0, bits = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
        bits |= address[i];
    }
    ptx_extent_of(&x, address, mask, bytes);
    ptx_extent_ends(&x, address, mask);
    ck_assert_uint_eq(x.bits, bits);
    ck_assert_uint_eq(x.low, low);
    ck_assert_uint_eq(x.high, high);
    for (int h = 0; h < 2; h++)
        ck_assert_int_eq(x.half[h],
                         pattern_of(address + h * PTX_HALF, mask, bytes));
}

/* Each half one address, a row, or a row with a gap; from several addresses,
 * one so high that a row begins anew at 0. */
START_TEST(test_patterns)
{
    static const uint64_t from[] = {0, 0x20000000007C, UINT64_MAX - 31};
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000, 0xFFFF,
                                     0x7FFFFFFF};
    uint64_t address[WARP_LANES];
    for (int kinds = 0; kinds < 9; kinds++) {
        const uint64_t step[] = {(uint64_t)kinds % 3 * 4,
                                 (uint64_t)kinds / 3 * 4};
        for (size_t k = 0; k < 9; k++) {
            for (uint64_t i = 0; i < WARP_LANES; i++)
                address[i] = from[i < PTX_HALF ? k % 3 : k / 3] +
                             i % PTX_HALF * step[i / PTX_HALF];
            for (size_t m = 0; m < sizeof(masks) / sizeof(masks[0]); m++)
                check(address, masks[m], 4);
        }
    }
}
END_TEST

/* One lane of a regular warp is elsewhere. */
START_TEST(test_one_lane_elsewhere)
{
    uint64_t address[WARP_LANES];
    for (uint64_t step = 0; step <= 8; step += 8) {
        for (int lane = 0; lane < WARP_LANES; lane++) {
            for (uint64_t i = 0; i < WARP_LANES; i++)
                address[i] = 4096 + i * step;
            address[lane] += 8;
            check(address, UINT32_MAX, 8);
        }
    }
}
END_TEST

/* ---- loads and stores ---------------------------------------------------- */

/* Lane i reads element lane_of(i) of one buffer and writes it to element
 * lane_of(i) of the other, in elements of so many bytes, `parts` of them at
 * once; `from` is its place in expressions of PTX over %r0, the lane. */
static void copies(const char *place, uint32_t (*place_of)(uint32_t lane),
                   const char *suffix, size_t bytes)
{
    char text[2048];
    uint8_t in[1024], out[1024];
    static const char *const arg[] = {"buf:256:u32:iota:i", "buf:256:u32:o",
                                      NULL};
    struct ptx_run r;
    snprintf(text, sizeof(text),
             ".version 8.0\n.target sm_80\n.address_size 64\n"
             ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
             ".reg .b16 %%h<4>; .reg .b32 %%r<16>; .reg .b64 %%d<16>;\n"
             "ld.param.u64 %%d0, [in]; ld.param.u64 %%d1, [out];\n"
             "mov.u32 %%r0, %%tid.x;\n%s\n"
             "mul.wide.u32 %%d2, %%r1, %zu;\n"
             "add.u64 %%d0, %%d0, %%d2; add.u64 %%d1, %%d1, %%d2;\n"
             "ld.global%s [%%d0];\nst.global%s;\nret;\n}\n",
             place, bytes, suffix, strchr(suffix, '\0') + 1);
    ptx_must_run(&r, text, 1, WARP_LANES, arg);
    ptx_take(&r, "i", in, sizeof(in));
    ptx_take(&r, "o", out, sizeof(out));
    ptx_done(&r);
    for (uint32_t i = 0; i < sizeof(out); i++) {
        bool copied = false;
        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            copied = copied || i / bytes == place_of(lane);
        ck_assert_uint_eq(out[i], copied ? in[i] : 0);
    }
}

static uint32_t same(uint32_t lane)
{
    (void)lane;
    return 7;
}

static uint32_t row(uint32_t lane)
{
    return lane;
}

static uint32_t halves(uint32_t lane)
{
    return lane % 16 + (lane < 16 ? 40 : 3);
}

static uint32_t backwards(uint32_t lane)
{
    return 31 - lane;
}

static const struct {
    const char *text;
    uint32_t (*of)(uint32_t lane);
} places[] = {
    {"mov.u32 %r1, 7;", same},
    {"mov.u32 %r1, %r0;", row},
    {".reg .pred %p; setp.lt.u32 %p, %r0, 16; selp.u32 %r1, 40, 3, %p;"
     "and.b32 %r2, %r0, 15; add.u32 %r1, %r1, %r2;",
     halves},
    {"sub.u32 %r1, 31, %r0;", backwards},
};

static const struct {
    const char *suffix; /* of the load and of the store */
    size_t bytes;
} sizes[] = {
    {".u8 %h0,\0.u8 [%d1], %h0", 1},
    {".u16 %h0,\0.u16 [%d1], %h0", 2},
    {".u32 %r3,\0.u32 [%d1], %r3", 4},
    {".u64 %d3,\0.u64 [%d1], %d3", 8},
    {".v2.u32 {%r3, %r4},\0.v2.u32 [%d1], {%r3, %r4}", 8},
    {".v4.u32 {%r3, %r4, %r5, %r6},\0.v4.u32 [%d1], {%r3, %r4, %r5, %r6}", 16},
};

START_TEST(test_copies)
{
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        copies(places[_i].text, places[_i].of, sizes[s].suffix, sizes[s].bytes);
}
END_TEST

/* Of lanes that write the same bytes the last one counts, as in a loop. */
START_TEST(test_last_lane_counts)
{
    static const char *const arg[] = {"buf:16:u32:o", NULL};
    uint32_t out[16];
    struct ptx_run r;
    ptx_must_run(&r,
                 ".version 8.0\n.target sm_80\n.address_size 64\n"
                 ".visible .entry k(.param .u64 out)\n{\n"
                 ".reg .b32 %r<4>; .reg .b64 %d<4>;\n"
                 "ld.param.u64 %d0, [out]; mov.u32 %r0, %tid.x;\n"
                 "st.global.u32 [%d0], %r0;\n"
                 "and.b32 %r1, %r0, 1; mul.wide.u32 %d1, %r1, 4;\n"
                 "add.u64 %d0, %d0, %d1; st.global.u32 [%d0+4], %r0;\n"
                 "ret;\n}\n",
                 1, WARP_LANES, arg);
    ptx_take(&r, "o", out, sizeof(out));
    ptx_done(&r);
    ck_assert_uint_eq(out[0], 31);
    ck_assert_uint_eq(out[1], 30);
    ck_assert_uint_eq(out[2], 31);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_addresses");
    TCase *t = tcase_create("all");
    suite_add_tcase(s, t);
    tcase_add_test(t, test_patterns);
    tcase_add_test(t, test_one_lane_elsewhere);
    tcase_add_loop_test(t, test_copies, 0, sizeof(places) / sizeof(places[0]));
    tcase_add_test(t, test_last_lane_counts);
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_NORMAL);
    int failures = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failures == 0 ? 0 : 1;
}
