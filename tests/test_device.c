/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches over memory of the caller's own: textures over it, and grids whose
 * blocks wait for each other. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <check.h>
#include <estimate.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE ((uint64_t)ESTIMATE_DEVICE_ALIGN)

/* Page `number` of the device's memory, given to it. */
static void *page_of(struct estimate_device *d, uint64_t number)
{
    struct estimate_error e;
    void *at = mmap(
        (void *)(uintptr_t)(ESTIMATE_DEVICE_FIRST + 2 * number * PAGE), PAGE,
        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    ck_assert(at != MAP_FAILED);
    ck_assert_msg(estimate_device_add(d, at, PAGE, &e), "%s", e.text);
    return at;
}

static struct estimate_function *kernel(struct estimate_device *d,
                                        const char *text)
{
    struct estimate_error e;
    struct estimate_module *m =
        estimate_module_load(d, text, strlen(text), "t.ptx", &e);
    ck_assert_msg(m != NULL, "%s", e.text);
    struct estimate_function *f = estimate_module_function(m, "k", &e);
    ck_assert_msg(f != NULL, "%s", e.text);
    return f;
}

/* ---- textures ------------------------------------------------------------ */

#define WIDTH  5
#define HEIGHT 3
#define PITCH  64 /* bytes */

static const char sample_text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 t, .param .u64 o, .param .f32 x,\n"
    ".param .f32 y)\n{\n.reg .f32 %f<8>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [o];\n"
    "ld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];\n"
    "st.global.f32 [%rd2], %f3;\nret;\n}\n";

/* Texel x, y is 10 y + x. */
static const struct {
    const char *mode;
    float x, y, expected;
} samples[] = {
    {"point clamp", 3.5F, 2.5F, 23},
    {"point clamp", 9, -1, 4},
    {"point border", 9, 1, 0},
    {"linear clamp", 2, 1, 6.5F}, /* the middle of 1, 2, 11 and 12 */
    {"linear clamp", 2.5F, 1.5F, 12},
    {"point clamp normalized", 0.5F, 0.5F, 12},
    {"point wrap normalized", 1.1F, 1.1F, 0},
    {"point mirror normalized", 1.1F, 0.1F, 4},
};

START_TEST(textures)
{
    struct estimate_error e;
    struct estimate_device *d = estimate_device_create(&e);
    uint8_t *texels = page_of(d, 0);
    float *out = page_of(d, 1);
    void *handle = page_of(d, 2);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++) {
            float value = 10 * (float)y + (float)x;
            memcpy(texels + y * PITCH + 4 * x, &value, 4);
        }
    const struct estimate_texture t = {.at = texels,
                                       .pitch = PITCH,
                                       .dimensions = 2,
                                       .side = {WIDTH, HEIGHT, 1},
                                       .texel = "f32",
                                       .mode = samples[_i].mode};
    ck_assert(estimate_device_texture(d, handle, &t, &e));
    struct estimate_function *f = kernel(d, sample_text);
    const void *const value[] = {&handle, &out, &samples[_i].x, &samples[_i].y};
    const struct estimate_call call = {
        .grid = {1, 1, 1}, .block = {1, 1, 1}, .value = value};
    ck_assert(estimate_function_set(f, &call, &e));
    ck_assert_msg(estimate_function_run(f, &e) != NULL, "%s", e.text);
    ck_assert_msg(*out == samples[_i].expected, "%s: %g", samples[_i].mode,
                  (double)*out);
    bool reads = strstr(samples[_i].mode, "border") == NULL;
    ck_assert_uint_eq(estimate_device_use(d, texels),
                      reads ? ESTIMATE_READ : 0);
    ck_assert_uint_eq(estimate_device_use(d, handle), ESTIMATE_READ);
    estimate_device_free(d);
}
END_TEST

START_TEST(no_texture)
{
    struct estimate_error e;
    struct estimate_device *d = estimate_device_create(&e);
    void *at = page_of(d, 0);
    const struct estimate_texture t = {.at = at,
                                       .pitch = PITCH,
                                       .dimensions = 2,
                                       .side = {WIDTH, HEIGHT, 1},
                                       .texel = "f32x3",
                                       .mode = "point"};
    ck_assert(!estimate_device_texture(d, at, &t, &e));
    ck_assert(strstr(e.text, "texels f32x3") != NULL);
    estimate_device_free(d);
}
END_TEST

/* ---- grids that wait for all their blocks -------------------------------- */

#define BLOCKS 40

/* Every thread adds 1 to a[block]; behind a barrier of the grid as cooperative
 * groups have it, b[block] = a[the next block]. */
static const char wait_text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry k(.param .u64 a, .param .u64 b)\n{\n"
    ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n"
    "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %nctaid.x;\nmov.u32 %r3, %tid.x;\n"
    "mov.u32 %r4, %envreg2;\nmov.u32 %r5, %envreg1;\n"
    "mov.b64 %rd3, {%r4, %r5};\nsetp.ne.s64 %p1, %rd3, 0;\n@%p1 bra go;\n"
    "trap;\n"
    "go:\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
    "red.global.add.u32 [%rd5], 1;\nbar.sync 0;\n"
    "setp.ne.u32 %p2, %r3, 0;\n@%p2 bra waited;\n"
    "add.s64 %rd6, %rd3, 4;\nsetp.eq.u32 %p3, %r1, 0;\n"
    "mov.u32 %r6, 0x80000001;\nsub.u32 %r6, %r6, %r2;\n"
    "selp.b32 %r6, %r6, 1, %p3;\natom.add.release.gpu.u32 %r7, [%rd6], %r6;\n"
    "again:\nld.acquire.gpu.u32 %r8, [%rd6];\nxor.b32 %r9, %r8, %r7;\n"
    "setp.gt.s32 %p4, %r9, -1;\n@%p4 bra again;\n"
    "waited:\nbar.sync 0;\nadd.u32 %r10, %r1, 1;\nrem.u32 %r10, %r10, %r2;\n"
    "mul.wide.u32 %rd7, %r10, 4;\nadd.s64 %rd8, %rd1, %rd7;\n"
    "ld.global.u32 %r11, [%rd8];\nadd.s64 %rd9, %rd2, %rd4;\n"
    "st.global.u32 [%rd9], %r11;\nret;\n}\n";

START_TEST(grids)
{
    struct estimate_error e;
    struct estimate_device *d = estimate_device_create(&e);
    ck_assert(estimate_device_threads(d, 2, &e));
    uint32_t *a = page_of(d, 0), *b = page_of(d, 1);
    struct estimate_function *f = kernel(d, wait_text);
    const void *const value[] = {&a, &b};
    struct estimate_call call = {.grid = {BLOCKS, 1, 1},
                                 .block = {48, 1, 1},
                                 .cooperative = true,
                                 .value = value};
    for (uint32_t turn = 1; turn <= 2; turn++) {
        ck_assert(estimate_function_set(f, &call, &e));
        ck_assert_msg(estimate_function_run(f, &e) != NULL, "%s", e.text);
        for (uint32_t i = 0; i < BLOCKS; i++)
            ck_assert_uint_eq(b[i], 48 * turn);
    }
    call.cooperative = false; /* the kernel sees that it may not wait */
    ck_assert(estimate_function_set(f, &call, &e));
    ck_assert(estimate_function_run(f, &e) == NULL);
    ck_assert_msg(strstr(e.text, "trap") != NULL, "%s", e.text);
    estimate_device_free(d);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("device");
    TCase *t = tcase_create("launches");
    tcase_add_loop_test(t, textures, 0,
                        (int)(sizeof(samples) / sizeof(samples[0])));
    tcase_add_test(t, no_texture);
    tcase_add_test(t, grids);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
