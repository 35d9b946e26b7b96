/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What windows run of bundled kernels: blocks an SM and waves by hand from the
 * papers' tables. */
#include "kernels/load.h"
#include "paper_repro/window.h"

#include <check.h>
#include <stdlib.h>

static struct part part_of(const char *kernel, const char *gpu,
                           enum window window)
{
    struct gpu g;
    struct part part;
    struct kernel_list list;
    struct load_options load = load_options_default();
    struct error e = {.text = ""};
    ck_assert_msg(gpu_load(&g, gpu, NULL, 0, &e), "%s", e.text);
    ck_assert_msg(kernel_load(&list, kernel, &load, &e), "%s", e.text);
    ck_assert_msg(window_choose(&part, &list, &g, window, &e), "%s", e.text);
    kernel_list_free(&list);
    return part;
}

/* paws Table II: 6 blocks an SM of bp-k1, 65535 of them: 683 waves on 16 SMs,
 * the last of 63 blocks. It takes more than 100 M instructions. */
START_TEST(quick_is_some_waves_and_the_last)
{
    struct part p = part_of("bp-k1", "m2090", WINDOW_QUICK);
    ck_assert_int_le(p.gpu.sms, 16);
    uint64_t wave = 6 * (uint64_t)p.gpu.sms;
    ck_assert_uint_gt(p.blocks, wave);
    ck_assert_uint_le(p.blocks, QUICK_WAVES * wave);
    uint64_t share = p.gpu.sms == 16 ? 65535 : (65535 + 3) / 4;
    ck_assert_uint_eq(p.blocks % wave, share % wave);
}
END_TEST

/* kaws Table 2: 128 blocks of MRI's launches, of 8 an SM: less than a wave of
 * 28 SMs. */
START_TEST(short_launch_is_whole)
{
    struct part p = part_of("mri-q", "titanx-gsim", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, 28);
    ck_assert_int_eq(p.launches, 1);
    ck_assert_uint_eq(p.blocks, 0);
}
END_TEST

/* lud takes 10 M instructions in its 168 waves. */
START_TEST(cheap_launch_is_whole)
{
    struct part p = part_of("lud", "m2090", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, 16);
    ck_assert_uint_eq(p.blocks, 0);
    ck_assert_uint_gt(part_of("lud", "m2090", WINDOW_HALF).blocks, 0);
}
END_TEST

/* tpacf is less than five waves, and 85 M instructions. */
START_TEST(dear_launch_is_cut)
{
    struct part p = part_of("tpacf", "gtx480-gsim", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, QUICK_SMS);
    ck_assert_uint_gt(p.blocks, 0);
    ck_assert_uint_lt(p.blocks, 201);
}
END_TEST

/* A block of montecarlo takes more than 100 k instructions. On four of sixteen
 * SMs its 2048 blocks are 512: 25 waves of 20, and 12. */
START_TEST(heavy_waves_are_two_at_least)
{
    struct part p = part_of("montecarlo", "m2090", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, QUICK_SMS);
    ck_assert_uint_eq(p.blocks, 2 * 20 + 12);
}
END_TEST

/* 256 blocks of histogram are 2.7 waves of 96. */
START_TEST(few_waves_are_whole)
{
    struct part p = part_of("histogram", "m2090", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, 16);
    ck_assert_uint_eq(p.blocks, 0);
    p = part_of("histogram", "m2090", WINDOW_HALF);
    ck_assert_int_eq(p.gpu.sms, QUICK_SMS);
    /* The heaviest of 38 launches: 64 blocks, of which 56 fit. */
    p = part_of("resnet", "titanx-gsim", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, 28);
    ck_assert_int_eq(p.launches, 1);
    ck_assert_uint_eq(p.blocks, 0);
}
END_TEST

/* Whole launches, of which each makes what the next one reads; all of those
 * that are cheap. */
START_TEST(launches_on_a_mesh_are_whole)
{
    struct part p = part_of("ikra-lud", "ikra", WINDOW_QUICK);
    ck_assert_uint_eq(p.blocks, 0);
    ck_assert_int_eq(p.first, 0);
    ck_assert_int_ge(p.launches, 2);
    ck_assert_int_lt(p.launches, 142);
    ck_assert_int_eq(p.gpu.sms, 15);
    ck_assert_int_eq(part_of("ikra-stencil", "ikra", WINDOW_QUICK).launches,
                     10);
    p = part_of("ikra-sgemm", "ikra", WINDOW_QUICK);
    ck_assert_int_eq(p.gpu.sms, 15);
    ck_assert_uint_gt(p.blocks, 0);
}
END_TEST

/* perfsat Table II: 6 of srad-1, 6400 of them: 400 an SM; of bp-k1 65535. */
START_TEST(long_is_many_waves_on_few_sms)
{
    struct part p = part_of("srad-1", "m2090", WINDOW_LONG);
    ck_assert_int_eq(p.gpu.sms, QUICK_SMS);
    ck_assert_uint_eq(p.blocks, 1600);
    p = part_of("bp-k1", "m2090", WINDOW_LONG);
    ck_assert_uint_gt(p.blocks, (LONG_WAVES - 1) * 6 * QUICK_SMS);
    ck_assert_uint_le(p.blocks, LONG_WAVES * 6 * QUICK_SMS);
}
END_TEST

START_TEST(full_is_all)
{
    struct part p = part_of("resnet", "titanx-gsim", WINDOW_FULL);
    ck_assert_int_eq(p.gpu.sms, 28);
    ck_assert_int_eq(p.launches, 38); /* kaws Table 2 */
    ck_assert_uint_eq(p.blocks, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paper windows");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 300); /* 38 launches are counted */
    tcase_add_test(t, quick_is_some_waves_and_the_last);
    tcase_add_test(t, short_launch_is_whole);
    tcase_add_test(t, cheap_launch_is_whole);
    tcase_add_test(t, dear_launch_is_cut);
    tcase_add_test(t, heavy_waves_are_two_at_least);
    tcase_add_test(t, few_waves_are_whole);
    tcase_add_test(t, launches_on_a_mesh_are_whole);
    tcase_add_test(t, long_is_many_waves_on_few_sms);
    tcase_add_test(t, full_is_all);
    suite_add_tcase(s, t);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
