/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sampled row says beside its cycles, against full detail: occupancy,
 * stalls, misses and DRAM traffic. */
#include "calib/calib.h"
#include "kernels/load.h"
#include "sampler/policy/warp/table.h"
#include "tests/script_gate.h"

/* Windows in the middle of the grid, and starts beside a slice of the GPU.
 * What they are off is chosen: less than what cold caches, warps that run
 * still and SMs that are about to begin make them. */
static const struct shares_case {
    const char *kernel;
    uint32_t blocks;
    int tb;
    double budget;
} cases[] = {{"nn", 1024, 3, 40000},
             {"bp-k2", 1600, 4, 80000},
             {"gaussian", 3000, 6, 20000},
             {"fwt", 150, 3, 100000},
             {"dwt", 100, 2, 60000}};

#define SHARE_OFF 0.07
#define BYTES_OFF 0.12 /* ratio */

static struct result result_by(enum mode mode, const struct study *s,
                               double budget)
{
    struct study_result r;
    struct error e;
    const struct calib_options o = {
        .mode = mode, .budget_insts = budget, .seed = 1, .threads = 1};
    ck_assert_msg(calib_study(&r, s, &o, &e), "%s", e.text);
    struct result out = r.result[0];
    study_result_free(&r);
    return out;
}

static void assert_near(const char *kernel, const char *what, double hybrid,
                        double detail, double off)
{
    printf("%s: %s %.3f, in detail %.3f\n", kernel, what, hybrid, detail);
    ck_assert_msg(fabs(hybrid - detail) <= off, "%s: %s %g, in detail %g",
                  kernel, what, hybrid, detail);
}

START_TEST(shares_are_near_detail)
{
    const struct shares_case *c = &cases[_i];
    struct kernel_list l;
    struct error e;
    struct gpu g;
    const struct load_options of = {.launch.grid.x = c->blocks};
    ck_assert(gpu_load(&g, "m2090", NULL, 0, &e));
    ck_assert_msg(kernel_load(&l, c->kernel, &of, &e), "%s", e.text);
    struct policy_set p = policies_of(&warp_gto);
    const struct study s = {.kernel = l.kernel[0],
                            .gpu = &g,
                            .tb = &c->tb,
                            .tb_count = 1,
                            .policies = &p,
                            .policy_count = 1};
    const struct result d = result_by(MODE_DETAILED, &s, 0);
    const struct result h = result_by(MODE_HYBRID, &s, c->budget);
    ck_assert(h.sampled && h.cycles_hi > h.cycles_lo);
    assert_near(c->kernel, "occupancy", h.occupancy, d.occupancy, SHARE_OFF);
    assert_near(c->kernel, "L1 misses", h.l1_miss, d.l1_miss, SHARE_OFF);
    assert_near(c->kernel, "L2 misses", h.l2_miss, d.l2_miss, SHARE_OFF);
    double bytes = h.dram_gbps * h.cycles / (d.dram_gbps * d.cycles);
    assert_near(c->kernel, "DRAM bytes, times", bytes, 1, BYTES_OFF);
    /* As many slots issue, of as many as the cycles have. */
    double issued =
        h.stall[STALL_ISSUED] * h.cycles / (d.stall[STALL_ISSUED] * d.cycles);
    assert_near(c->kernel, "slots that issue, times", issued, 1, 0.02);
    double slots = 0;
    for (int i = 0; i < STALLS; i++)
        slots += h.stall[i];
    ck_assert_double_eq_tol(slots, 1, 1e-9);
    kernel_list_free(&l);
}
END_TEST

int main(void)
{
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, shares_are_near_detail, 0,
                        (int)(sizeof(cases) / sizeof(cases[0])));
    return run_suite("shares of sampled rows", t);
}
