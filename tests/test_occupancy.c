/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <stdlib.h>

static struct kernel kernel_of(uint32_t threads, uint32_t regs, uint32_t shared)
{
    return (struct kernel){.threads_per_block = threads,
                           .warps_per_block = (threads + 31) / 32,
                           .regs_per_thread = regs,
                           .shared_bytes = shared};
}

static int fits(const struct gpu *g, uint32_t threads, uint32_t regs,
                uint32_t shared)
{
    struct kernel k = kernel_of(threads, regs, shared);
    return occupancy_blocks(g, &k, NULL);
}

/* perfsat Table II: register bytes of a block (BP-1's misprint corrected),
 * threads, most blocks on either GPU. */
static const struct {
    const char *kernel;
    uint32_t bytes, threads;
    int m2090, k20x;
} perfsat[] = {
    {"BP-1", 12288, 256, 6, 8},   {"BP-2", 24576, 256, 5, 8},
    {"B+-1", 24576, 256, 5, 8},   {"B+-2", 20480, 256, 6, 8},
    {"CFD", 39936, 192, 3, 6},    {"Gaus", 1536, 16, 8, 16},
    {"LUD", 16384, 256, 6, 8},    {"Hot", 36864, 256, 3, 6},
    {"Path", 16384, 256, 6, 8},   {"NN", 16384, 256, 6, 8},
    {"SRAD-1", 12288, 256, 6, 8}, {"SRAD-2", 12288, 256, 6, 8},
    {"SRAD-3", 16384, 256, 6, 8}, {"SRAD-4", 20480, 256, 6, 8},
    {"SRAD-5", 20480, 256, 6, 8}, {"SRAD-6", 12288, 256, 6, 8},
};

START_TEST(perfsat_maxima)
{
    struct gpu m2090 = gpu_named("m2090"), k20x = gpu_named("k20x");
    uint32_t threads = perfsat[_i].threads;
    uint32_t regs = perfsat[_i].bytes / 4 / threads;
    ck_assert_uint_eq(regs * 4 * threads, perfsat[_i].bytes);
    ck_assert_int_eq(fits(&m2090, threads, regs, 0), perfsat[_i].m2090);
    ck_assert_int_eq(fits(&k20x, threads, regs, 0), perfsat[_i].k20x);
}
END_TEST

/* paws Table II: threads and blocks a core; registers where perfsat has the
 * kernel too, otherwise 0. */
static const struct {
    const char *kernel;
    uint32_t threads, regs;
    int blocks;
} paws[] = {
    {"BP-K1", 256, 12, 6},  {"BP-K2", 256, 24, 5}, {"B+T-K1", 256, 24, 5},
    {"B+T-K2", 256, 20, 6}, {"Heart", 256, 0, 4},  {"KM", 256, 0, 6},
    {"LUD", 256, 16, 6},    {"SRAD", 256, 0, 6},   {"CFD", 192, 52, 3},
    {"DWT", 512, 0, 3},     {"DXTC", 256, 0, 4},   {"FWT", 512, 0, 3},
    {"HIST", 192, 0, 6},    {"MCO", 256, 0, 5},
};

/* Where the papers give no registers, some count a Fermi thread may have (up to
 * 63) must lead to the blocks in the table, and none to more than the slots
 * allow. */
START_TEST(paws_block_counts)
{
    struct gpu g = gpu_named("m2090");
    uint32_t threads = paws[_i].threads, regs = paws[_i].regs;
    if (regs != 0) {
        ck_assert_int_eq(fits(&g, threads, regs, 0), paws[_i].blocks);
        return;
    }
    for (regs = 63; regs > 1; regs--)
        if (fits(&g, threads, regs, 0) == paws[_i].blocks)
            break;
    ck_assert_msg(regs > 1, "%s: no register count gives %d blocks",
                  paws[_i].kernel, paws[_i].blocks);
    ck_assert_int_le(paws[_i].blocks, fits(&g, threads, 1, 0));
}
END_TEST

/* Worked by hand from the rules. */
static const struct {
    const char *gpu;
    uint32_t threads, regs, shared;
    int blocks;
    enum occupancy_limit limit;
} by_hand[] = {
    {"m2090", 32, 1, 0, 8, LIMIT_BLOCKS},
    {"m2090", 192, 1, 0, 8, LIMIT_BLOCKS},
    {"m2090", 256, 1, 0, 6, LIMIT_WARPS},
    {"m2090", 1024, 1, 0, 1, LIMIT_WARPS},
    /* 21 x 32 = 672, allocated 704: 46 warps, 5 blocks of 8 */
    {"m2090", 256, 21, 0, 5, LIMIT_REGISTERS},
    /* 22 x 32 = 704: 46.5; 23 x 32 = 736, allocated 768: 42 */
    {"m2090", 192, 23, 0, 7, LIMIT_REGISTERS},
    /* 43 x 32 = 1376, allocated 1408: 23, counted as 22; blocks of 23 not */
    {"m2090", 736, 43, 0, 0, LIMIT_REGISTERS},
    {"m2090", 704, 43, 0, 1, LIMIT_REGISTERS},
    /* 33 x 32 = 1056, allocated 1280: 51, counted as 48: 6 blocks of 8 */
    {"k20x", 256, 33, 0, 6, LIMIT_REGISTERS},
    {"k20x", 64, 32, 0, 16, LIMIT_BLOCKS},
    {"m2090", 64, 1, 12288, 4, LIMIT_SHARED},
    {"m2090", 64, 1, 12289, 3, LIMIT_SHARED}, /* allocated 12416 */
    {"m2090", 64, 1, 49152, 1, LIMIT_SHARED},
    {"m2090", 64, 1, 49153, 0, LIMIT_SHARED},
    /* 163 KiB and the KiB the system keeps are all the SM has */
    {"a100", 64, 1, 163 * 1024, 1, LIMIT_SHARED},
    {"a100", 64, 1, 163 * 1024 + 1, 0, LIMIT_SHARED},
    {"a100", 64, 1, 1024, 32, LIMIT_BLOCKS},
    {"h100", 64, 1, 8192, 25, LIMIT_SHARED}, /* 228 / 9 */
    /* 1024 threads an SM, 1536, and blocks by compute capability 7.5 to 8.9 */
    {"t4", 1024, 64, 0, 1, LIMIT_WARPS},
    {"rtx2080ti", 32, 1, 0, 16, LIMIT_BLOCKS},
    {"rtx2080ti", 64, 1, 65536, 1, LIMIT_SHARED},
    {"rtx3090", 1024, 1, 0, 1, LIMIT_WARPS},
    {"a10", 256, 1, 0, 6, LIMIT_WARPS},
    {"rtx3090", 64, 1, 99 * 1024, 1, LIMIT_SHARED},
    {"rtx3090", 64, 1, 99 * 1024 + 1, 0, LIMIT_SHARED},
    {"rtx4090", 32, 1, 0, 24, LIMIT_BLOCKS},
    {"h200", 64, 1, 8192, 25, LIMIT_SHARED}, /* as h100 */
    {"m2090", 2048, 1, 0, 0, LIMIT_WARPS},
    {"v100", 1024, 64, 0, 1, LIMIT_REGISTERS},
    {"v100", 1024, 65, 0, 0, LIMIT_REGISTERS},
};

START_TEST(worked_examples)
{
    struct gpu g = gpu_named(by_hand[_i].gpu);
    struct kernel k =
        kernel_of(by_hand[_i].threads, by_hand[_i].regs, by_hand[_i].shared);
    enum occupancy_limit limit;
    ck_assert_int_eq(occupancy_blocks(&g, &k, &limit), by_hand[_i].blocks);
    ck_assert_str_eq(occupancy_limit_name(limit),
                     occupancy_limit_name(by_hand[_i].limit));
}
END_TEST

START_TEST(threads_can_limit)
{
    struct gpu g = gpu_named("m2090");
    g.sm.max_threads = 512;
    struct kernel k = kernel_of(256, 1, 0);
    enum occupancy_limit limit;
    ck_assert_int_eq(occupancy_blocks(&g, &k, &limit), 2);
    ck_assert_int_eq(limit, LIMIT_THREADS);
}
END_TEST

/* Asking for more never lets more blocks fit, and what fits does fit. */
START_TEST(more_never_fits_better)
{
    struct gpu g = gpu_named(_i == 0 ? "m2090" : "h100");
    for (uint32_t threads = 32; threads <= 1024; threads += 32) {
        int before = g.sm.max_blocks;
        for (uint32_t regs = 1; regs <= 128; regs++) {
            int n = fits(&g, threads, regs, 0);
            ck_assert_int_le(n, before);
            ck_assert_int_le(n * (int)(threads * regs), g.sm.registers);
            ck_assert_int_le(n * (int)threads, g.sm.max_threads);
            before = n;
        }
        before = g.sm.max_blocks;
        for (uint32_t shared = 0; shared <= 65536; shared += 500) {
            int n = fits(&g, threads, 1, shared);
            ck_assert_int_le(n, before);
            ck_assert_int_le(n * (int)shared, g.sm.shared_bytes);
            before = n;
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("occupancy");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, perfsat_maxima, 0,
                        sizeof(perfsat) / sizeof(perfsat[0]));
    tcase_add_loop_test(c, paws_block_counts, 0,
                        sizeof(paws) / sizeof(paws[0]));
    tcase_add_loop_test(c, worked_examples, 0,
                        sizeof(by_hand) / sizeof(by_hand[0]));
    tcase_add_test(c, threads_can_limit);
    tcase_add_loop_test(c, more_never_fits_better, 0, 2);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
