/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The PTX of a fat binary. */
#include "cuda/fatbin.h"
#include "tests/fat_binary.h"

#include <check.h>
#include <stdlib.h>

static const char old_text[] =
    "// the text for sm_70, long enough to be packed "
    "packed packed packed packed packed packed";
static const char new_text[] =
    "// the text for sm_90, long enough to be packed "
    "packed packed packed packed packed packed";

START_TEST(text_for_the_gpu)
{
    static const struct {
        unsigned arch;
        const char *expected;
    } rows[] = {{70, old_text},
                {80, old_text},
                {90, new_text},
                {100, new_text},
                {20, old_text}};
    uint8_t image[2048];
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 2, 80, "machine code", PLAIN);
    at += put_entry(image + at, 1, 90, new_text, (enum packing)_i);
    at += put_entry(image + at, 1, 70, old_text, (enum packing)_i);
    close_binary(image, at);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char *text = fatbin_ptx(image, rows[i].arch, &size, &e);
        ck_assert_msg(text != NULL, "%s", e.text);
        ck_assert_str_eq(text, rows[i].expected);
        ck_assert_uint_eq(size, strlen(text));
        free(text);
    }
}
END_TEST

START_TEST(no_text)
{
    uint8_t image[256] = {0};
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 2, 80, "machine code", PLAIN);
    close_binary(image, at);
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(e.status == ESTIMATE_BAD_INPUT);
    ck_assert(strstr(e.text, "-arch=compute_75") != NULL);
    image[0] = 0;
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(e.status == ESTIMATE_BAD_INPUT);
}
END_TEST

/* What a linked program registers: crt/link.stub of nvcc. Its objects are one
 * module, without the runtime for launches by kernels. */
START_TEST(text_of_linked_objects)
{
    static const char first[] = ".version 7.0\n.target sm_70\n"
                                ".extern .func f\n;\n";
    static const char second[] = ".version 7.0\n.target sm_70\n"
                                 ".visible .func f\n{\nret;\n}\n";
    uint8_t whole[64] = {0}, binary[3][512];
    const void *const linked[] = {binary[0], binary[1], binary[2], NULL};
    const struct {
        uint32_t magic, version;
        const uint8_t *data;
        const void *const *linked;
    } wrapper = {0x466243b1, 2, whole, linked};
    const char *const text[] = {first, ".func cnpLaunchDevice {}", second};
    const unsigned arch[] = {70, 121, 70};
    struct estimate_error e;
    size_t size;
    close_binary(whole, 16);
    for (size_t i = 0; i < 3; i++)
        close_binary(binary[i], 16 + put_entry(binary[i] + 16, 1, arch[i],
                                               text[i], (enum packing)i));
    char *all = fatbin_ptx(&wrapper, 80, &size, &e);
    ck_assert_msg(all != NULL, "%s", e.text);
    ck_assert_str_eq(all, ".version 7.0\n.target sm_70\n.visible .func f\n;\n"
                          ".visible .func f\n{\nret;\n}\n");
    ck_assert_uint_eq(size, strlen(all));
    free(all);
}
END_TEST

START_TEST(text_that_is_not_whole)
{
    uint8_t image[1024];
    struct estimate_error e;
    size_t size, at = 16;
    at += put_entry(image + at, 1, 70, old_text, ZSTD);
    close_binary(image, at);
    memset(image + 16 + ENTRY_BYTES + 8, 0xff, 16);
    ck_assert(fatbin_ptx(image, 80, &size, &e) == NULL);
    ck_assert(strstr(e.text, "cannot be unpacked") != NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cuda_fatbin");
    TCase *c = tcase_create("cuda_fatbin");
    tcase_add_loop_test(c, text_for_the_gpu, PLAIN, ZSTD + 1);
    tcase_add_test(c, no_text);
    tcase_add_test(c, text_of_linked_objects);
    tcase_add_test(c, text_that_is_not_whole);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}
