/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kernels leave of an L1 whose memory is the shared memory, too. */
#include "kernels/form/kernel.h"
#include "tests/gpu_named.h"
#include "tests/run_suite.h"

#include <stdlib.h>

#define TOGETHER_KB 256 /* of an SM of compute capability 9.0 */

static struct kernel kernel_of(uint32_t threads, uint32_t regs, uint32_t shared)
{
    return (struct kernel){.threads_per_block = threads,
                           .warps_per_block = (threads + 31) / 32,
                           .regs_per_thread = regs,
                           .shared_bytes = shared};
}

static struct gpu found_by(const struct gpu *g, const struct kernel *k)
{
    struct kernel *const one = (struct kernel *)k;
    struct gpu out;
    gpu_for_kernels(&out, g, &one, 1);
    return out;
}

/* Threads and shared bytes of a block, registers of a thread; what an H200's
 * driver set apart (bench/hardware/suite_h200.csv, column shared_kb). */
static const struct {
    const char *kernel;
    uint32_t threads, regs, shared;
    double set_apart_kb;
} measured[] = {
    {"add", 256, 16, 0, 32},
    {"reduce", 256, 16, 1024, 32},
    {"sort", 256, 32, 2048, 64},
    {"walsh", 256, 18, 2048, 64},
    {"product_tiled", 256, 32, 2048, 64},
    {"product_double", 256, 32, 4096, 100},
    {"bodies", 256, 32, 4096, 100},
    {"transpose_tiled", 256, 22, 4224, 100},
    {"product_registers", 256, 56, 9216, 100},
    {"front", 64, 20, 17408, 228},
    {"mandelbrot, 1 block", 256, 17, 232448, 228},
    {"mandelbrot, 2 blocks", 256, 17, 115712, 228},
    {"mandelbrot, 4 blocks", 256, 17, 57344, 228},
};

START_TEST(what_an_h200_leaves)
{
    struct gpu g = gpu_named("h200");
    struct kernel k =
        kernel_of(measured[_i].threads, measured[_i].regs, measured[_i].shared);
    struct gpu found = found_by(&g, &k);
    ck_assert_double_eq(found.l1.size_kb,
                        TOGETHER_KB - measured[_i].set_apart_kb);
    /* As many sets. */
    ck_assert_double_eq(found.l1.size_kb / found.l1.ways,
                        g.l1.size_kb / g.l1.ways);
    ck_assert_int_eq(found.sm.shared_bytes, g.sm.shared_bytes);
}
END_TEST

/* Of kernels that run one after another the one with the most decides; a size
 * that somebody sets is what is there without shared memory. */
START_TEST(the_largest_share_decides)
{
    struct gpu g = gpu_named("h200"), out;
    struct kernel none = kernel_of(256, 16, 0), some = kernel_of(256, 16, 2048);
    struct kernel *both[] = {&some, &none};
    gpu_for_kernels(&out, &g, both, 2);
    ck_assert_double_eq(out.l1.size_kb, TOGETHER_KB - 64);
    g.l1.size_kb = 448;
    g.l1.ways = 896;
    ck_assert_double_eq(found_by(&g, &some).l1.size_kb, 448 - (64 - 32));
    g.l1.size_kb = 16;
    g.l1.ways = 32;
    ck_assert_double_eq(found_by(&g, &some).l1.size_kb, 0.5); /* a way */
}
END_TEST

START_TEST(an_l1_with_its_own_memory_stays)
{
    struct gpu g = gpu_named("m2090");
    struct kernel k = kernel_of(256, 16, 8192);
    struct gpu out = found_by(&g, &k);
    ck_assert_uint_eq(gpu_hash(&out), gpu_hash(&g));
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("all");
    tcase_add_loop_test(tc, what_an_h200_leaves, 0,
                        sizeof(measured) / sizeof(measured[0]));
    tcase_add_test(tc, the_largest_share_decides);
    tcase_add_test(tc, an_l1_with_its_own_memory_stays);
    return run_suite("L1s beside shared memory", tc);
}
