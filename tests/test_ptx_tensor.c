/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of boxes of tensors (PTX ISA 9.0, section 9.7.9.27): what they leave
 * in shared memory, with what swizzle, and what of them is global. */
#include "kernels/ptx/execute/tensor.h"
#include "tests/ptx_run.h"

#include <stdio.h>

#define ROWS 8
#define ROW  32 /* words of a box's row */

/* The box at (x, y[, z]) as it lies in shared memory, to the other buffer. */
#define HEAD                                                                   \
    ".version 8.0\n.target sm_90a\n.address_size 64\n"                         \
    ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out, "       \
    ".param .u32 x, .param .u32 y) {\n"                                        \
    ".reg .pred p; .reg .b32 %r<8>; .reg .b64 %d<4>;\n"                        \
    ".shared .align 1024 .b8 s[1024]; .shared .align 8 .b64 bar;\n"            \
    "ld.param.u64 %d0, [out]; ld.param.u32 %r0, [x]; ld.param.u32 %r1, [y];\n" \
    "mov.u64 %d1, map; cvta.param.u64 %d2, %d1; mov.u32 %r2, s;\n"             \
    "mov.u32 %r3, bar; mbarrier.init.shared.b64 [%r3], 1;\n"                   \
    "mbarrier.arrive.expect_tx.shared.b64 _, [%r3], 1024;\n"
#define WAIT                                                                   \
    "wait: mbarrier.try_wait.parity.shared.b64 p, [%r3], 0;\n@!p bra wait;\n"
#define TAIL                                                                   \
    WAIT "cp.async.bulk.global.shared::cta.bulk_group [%d0], [%r2], 1024;\n"   \
         "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nret;\n}\n"
#define LOAD(sides, at)                                                        \
    "cp.async.bulk.tensor." sides ".shared::cluster.global.tile"               \
    ".mbarrier::complete_tx::bytes [%r2], [%d2, {" at "}], [%r3];\n"

static bool try(const char *text, const char *map, int x, int y,
                uint32_t out[2048], struct error *e)
{
    char xs[16], ys[16];
    const char *const arg[] = {map, "buf:2048:u32:iota:o", xs,
                               ys,  "buf:2048:u32:iota:i", NULL};
    struct ptx_run r;
    snprintf(xs, sizeof(xs), "%d", x);
    snprintf(ys, sizeof(ys), "%d", y);
    if (!ptx_try(&r, text, 1, 1, arg, e))
        return false;
    ptx_take(&r, "o", out, 8192);
    ptx_done(&r);
    return true;
}

static void run(const char *text, const char *map, int x, int y,
                uint32_t out[2048])
{
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(try(text, map, x, y, out, &e), "%s", e.text);
}

static const struct {
    const char *map;
    int pattern; /* 16 bytes that change places: up to so many */
    int row;     /* words of a box's row */
} swizzles[] = {
    {"tmap:i:u32:64x32:32x8", 1, 32},
    {"tmap:i:u32:64x32:32x8:128B", 8, 32},
    {"tmap:i:u32:64x32:16x16:64B", 4, 16},
    {"tmap:i:u32:64x32:8x32:32B", 2, 8},
};

/* In each row of 128 bytes r of shared memory, 16 bytes c lie where c exclusive
 * or (r modulo the pattern) is. */
START_TEST(test_swizzles)
{
    uint32_t out[2048];
    int row = swizzles[_i].row, x = 4, y = 0;
    run(HEAD LOAD("2d", "%r0, %r1") TAIL, swizzles[_i].map, x, y, out);
    for (int i = 0; i < 256; i++) {
        int line = i / 32, chunk = i / 4 % 8 ^ line % swizzles[_i].pattern;
        uint32_t element = (uint32_t)((y + i / row) * 64 + x + i % row);
        ck_assert_uint_eq(out[line * 32 + chunk * 4 + i % 4], element);
    }
}
END_TEST

/* What is outside reads as zeros. */
START_TEST(test_outside)
{
    uint32_t out[2048];
    run(HEAD LOAD("2d", "%r0, %r1") TAIL, "tmap:i:u32:64x32:32x8", 50, -3, out);
    for (int i = 0; i < 256; i++) {
        int x = 50 + i % 32, y = -3 + i / 32;
        bool inside = x < 64 && y >= 0;
        ck_assert_uint_eq(out[i], inside ? (uint32_t)(y * 64 + x) : 0);
    }
}
END_TEST

/* Three sides with strides, from an offset: (x, y, z) is at word 16 + x + 24 y
 * + 480 z. */
START_TEST(test_three_sides)
{
    uint32_t out[2048];
    run(HEAD LOAD("3d", "0, %r0, %r1") TAIL,
        "tmap:i+64:u32:16x20x3:16x8x2:stride=96x1920", 5, 1, out);
    for (int i = 0; i < 256; i++)
        ck_assert_uint_eq(out[i],
                          (uint32_t)(16 + i % 16 + 24 * (5 + i / 16 % 8) +
                                     480 * (1 + i / 128)));
}
END_TEST

/* Back to the tensor, which is the other buffer, and added to it. */
START_TEST(test_stores)
{
    uint32_t out[2048];
    run(HEAD LOAD("2d", "0, 0") WAIT
        "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
        "[map, {%r0, %r1}], [%r2];\n"
        "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
        "[%d2, {%r0, %r1}], [%r2];\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nret;\n}\n",
        "tmap:o:u32:64x32:32x8", 40, 10, out);
    for (int i = 0; i < 2048; i++) {
        int x = i % 64 - 40, y = i / 64 - 10;
        bool copied = x >= 0 && x < 32 && y >= 0 && y < 8;
        ck_assert_uint_eq(out[i], (uint32_t)(copied ? 2 * (64 * y + x) : i));
    }
}
END_TEST

static const struct {
    const char *map, *text, *error;
} wrong[] = {
    {"tmap:i:u32:64x32:32x8:96B", "", "expected none, 32B, 64B, 128B, or"},
    {"tmap:i:u32:64x32:32", "", "expected as many sides of the tensor as of"},
    {"tmap:i:u32:63x32:32x8", "", "expected rows of a multiple of 16 bytes"},
    {"tmap:i:u32:64x32:30x8", "", "expected a box whose rows are a multiple"},
    {"tmap:i:u32:64x32:32x8:64B", "", "expected a box whose rows are as long"},
    {"tmap:i:u33:64x32:32x8", "", "expected a type like f16 behind the buffer"},
    {"tmap:i", "", "expected tmap:BUFFER[+OFFSET]:TYPE:SIDES:BOX"},
    {"tmap:j:u32:64x32:32x8", "", "j"},
    {"tmap:i:u32:64x32:32x8", LOAD("3d", "0, 0, 0"),
     "cp: lane 0: found a tensor of 2 sides, expected 3"},
    {"tmap:i:u32:64x32:32x8", "add.u32 %r2, %r2, 64;\n" LOAD("2d", "0, 0"),
     "found address 0x40, expected a multiple of 128"},
    {"tmap:i:u32:64x32:32x8",
     "cp.async.bulk.tensor.2d.shared::cluster.global"
     ".mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%d2, {0, 0}], "
     "[%r3];\n",
     "found no mask of blocks"},
    {"tmap:i:u32:64x32:32x8", "mov.u64 %d2, %d0;\n" LOAD("2d", "0, 0"),
     "found no tensor map at address"},
};

START_TEST(test_wrong)
{
    char text[4096];
    uint32_t out[2048];
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text), "%s%sret;\n}\n", HEAD, wrong[_i].text);
    ck_assert(!try(text, wrong[_i].map, 0, 0, out, &e));
    ck_assert_msg(strstr(e.text, wrong[_i].error) != NULL, "%s", e.text);
}
END_TEST

/* A box of 4 x 4 of bytes 16 at (-16, 2) of 32 x 4: two rows of 48 bytes. */
START_TEST(test_clip)
{
    struct ptx_tensor t;
    const char *buffer;
    size_t length;
    struct box box;
    uint64_t base;
    uint32_t skip[PTX_TENSOR_SIDES];
    const int32_t at[] = {-16, 2};
    ck_assert_ptr_null(
        ptx_tensor_read(&t, "b:u8:128x4:64x4", &buffer, &length));
    t.address = 4096;
    ptx_tensor_clip(&t, at, &box, &base, skip);
    ck_assert_uint_eq(box.bytes, 48);
    ck_assert_uint_eq(box.count[0], 2);
    ck_assert_int_eq(box.stride[0], 128);
    ck_assert_uint_eq(base, 4096 + 2 * 128);
    ck_assert_uint_eq(skip[0], 16);
    ck_assert_uint_eq(skip[1], 0);
    ck_assert_uint_eq(ptx_tensor_box_bytes(&t), 256);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_tensor");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_swizzles, 0,
                        (int)(sizeof(swizzles) / sizeof(swizzles[0])));
    tcase_add_test(c, test_outside);
    tcase_add_test(c, test_three_sides);
    tcase_add_test(c, test_stores);
    tcase_add_loop_test(c, test_wrong, 0,
                        (int)(sizeof(wrong) / sizeof(wrong[0])));
    tcase_add_test(c, test_clip);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
