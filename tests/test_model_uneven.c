/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids in which one warp of a block, or one block of thousands, has most of
 * the work, and warps that load what they stored, under the interval model. */
#include "model/model.h"
#include "sampler/policy/registry.h"
#include "tests/gpu_named.h"
#include "tests/model_traffic.h"
#include "tests/script_kernel.h"

#include <check.h>

/* The kernel's, which is freed. */
static struct result estimate(struct kernel *k, const char *gpu)
{
    const struct policy_set any = policy_set_default();
    struct gpu g = gpu_named(gpu);
    struct model_params params;
    struct result r;
    struct error e = {STATUS_OK, ""};
    struct profile *p = profile_create(k, &g, 1, &e);
    ck_assert_msg(p != NULL, "%s", e.text);
    model_params_default(&params);
    model_estimate(&r, p, &g, &any, 1, &params);
    profile_free(p);
    kernel_free(k);
    return r;
}

/* Of eight warps one loads and waits, the others end at once: a block alone on
 * its SM takes as long as if they were not there. */
START_TEST(warps_without_loads_do_not_hasten_the_one_that_has_them)
{
    static const char program[] = "    if tid < 32, p0\n"
                                  "    ldg.4 r1, [a + 128*block + 4*tid], r0\n"
                                  "    ffma  r2, r1, r1, r1\n"
                                  "    endif\n"
                                  "    exit\n";
    static const char buffers[] = "a = { bytes = 1310720; };";
    static const char *const gpus[] = {"m2090", "v100", "h100"};
    for (int i = 0; i < 3; i++) {
        double of_eight = estimate(kernel_with("grid = 10240; block = 256;",
                                               buffers, program),
                                   gpus[i])
                              .cycles;
        double alone =
            estimate(kernel_with("grid = 10240; block = 32;", buffers, program),
                     gpus[i])
                .cycles;
        assert_near(of_eight, alone, 0.05);
    }
}
END_TEST

/* One block of 4,096 adds 20,000 times, each time to what it had before: the
 * grid takes as long as the adds do one after another. That the block is like
 * the others but for its length is not known, and the interval says so. */
START_TEST(a_grid_takes_as_long_as_its_longest_block)
{
    static const char *const programs[] = {
        "    loop i, 20, p0\n    ffma r1, r1, r1, r1\n    endloop\n    exit\n",
        "    loop i, 20 + 20000*(block == 2171), p0\n"
        "    ffma r1, r1, r1, r1\n    endloop\n    exit\n"};
    struct gpu g = gpu_named("v100");
    double latency = g.latency.sp;
    struct result r[2];
    for (int i = 0; i < 2; i++)
        r[i] = estimate(kernel_with("grid = 4096; block = 32;",
                                    "a = { bytes = 4; };", programs[i]),
                        "v100");
    ck_assert_double_gt(r[1].cycles, 20000 * latency);
    ck_assert_double_gt(r[1].cycles_hi / r[1].cycles,
                        1.5 * r[0].cycles_hi / r[0].cycles);
}
END_TEST

/* A warp that loads what it has just stored waits for the L2, not for DRAM. */
START_TEST(what_was_stored_is_there)
{
    static const char *const programs[] = {
        "    stg.4 [a + 128*block + 4*tid], r1, r0\n"
        "    ldg.4 r1, [a + 128*block + 4*tid], r0\n"
        "    ffma  r2, r1, r1, r1\n    exit\n",
        "    stg.4 [a + 128*block + 4*tid], r1, r0\n"
        "    ldg.4 r1, [b + 128*block + 4*tid], r0\n"
        "    ffma  r2, r1, r1, r1\n    exit\n"};
    struct gpu g = gpu_named("v100");
    double cycles[2], blocks_an_sm = 10240.0 / g.sms;
    for (int i = 0; i < 2; i++)
        cycles[i] = estimate(kernel_with("grid = 10240; block = 32;",
                                         "a = { bytes = 1310720; }; "
                                         "b = { bytes = 1310720; };",
                                         programs[i]),
                             "v100")
                        .cycles;
    ck_assert_double_gt(cycles[1] - cycles[0],
                        blocks_an_sm * 0.9 * g.dram.latency);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model: uneven");
    TCase *c = tcase_create("uneven");
    tcase_add_test(c, warps_without_loads_do_not_hasten_the_one_that_has_them);
    tcase_add_test(c, a_grid_takes_as_long_as_its_longest_block);
    tcase_add_test(c, what_was_stored_is_there);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_ENV);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed > 0;
}
