/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Grids that store more than the L2 keeps: it takes what is stored until it is
 * full, and from then on blocks wait for DRAM. By the sampler itself. */
#include "calib/calib.h"
#include "tests/model_traffic.h"
#include "tests/run_suite.h"

/* Of 24,576 blocks: what each thread loads, and three stores of 72 MB in all,
 * to be written back; of the 48 MB of an L4's L2 half may be dirty. */
#define STORES(load)                                                           \
    "    ldg.4 r1, " load "\n"                                                 \
    "    loop i, 40, p0\n"                                                     \
    "    ffma r2, r1, r1, r1\n"                                                \
    "    endloop\n"                                                            \
    "    stg.4 [y + 4*gtid], r2\n"                                             \
    "    stg.4 [y + 25165824 + 4*gtid], r2\n"                                  \
    "    stg.4 [y + 50331648 + 4*gtid], r2\n"                                  \
    "    exit\n"

static struct kernel *storing(const char *buffers, const char *program)
{
    return kernel_with("grid = 24576; block = 256;", buffers, program);
}

/* They bring 24 MB, too. A third of the grid is through in a tenth of the time.
 */
static struct kernel *stream(void)
{
    return storing("x = { bytes = 25165824; }; y = { bytes = 75497472; };",
                   STORES("[x + 4*gtid]"));
}

/* They look up a table of 16 MB, which the L2 has after a sixth of the blocks:
 * until then they wait for that. */
static struct kernel *lookups(void)
{
    return storing("t = { bytes = 16777216; }; y = { bytes = 75497472; };",
                   STORES("[t + 32*hash(gtid, 524288)]"));
}

static struct result run(enum mode mode, struct kernel *k, const struct gpu *g)
{
    static const int tb = 6;
    struct policy_set gto;
    struct error e;
    ck_assert(policy_set_parse(&gto, NULL, "gto", NULL, NULL, &e));
    const struct study study = {.kernel = k,
                                .gpu = g,
                                .policies = &gto,
                                .tb = &tb,
                                .tb_count = 1,
                                .policy_count = 1};
    const struct calib_options o = {.mode = mode};
    struct study_result r;
    ck_assert_msg(calib_study(&r, &study, &o, &e), "%s", e.text);
    struct result out = r.result[0];
    study_result_free(&r);
    return out;
}

/* In full detail, and by a sample. */
static void run_both(struct result *whole, struct result *sampled,
                     struct kernel *k)
{
    struct gpu g = machine("l4");
    *whole = run(MODE_DETAILED, k, &g);
    *sampled = run(MODE_HYBRID, k, &g);
    ck_assert(sampled->sampled);
    kernel_free(k);
}

START_TEST(both_rates_are_measured)
{
    struct result whole, sampled;
    run_both(&whole, &sampled, stream());
    ck_assert_double_lt(sampled.cycles_lo, sampled.cycles_hi);
    ck_assert_double_le(sampled.cycles_lo, whole.cycles);
    ck_assert_double_ge(sampled.cycles_hi, whole.cycles);
    ck_assert_double_eq_tol(sampled.cycles / whole.cycles, 1, 0.05);
}
END_TEST

/* Until the L2 is full of stores the grid is no slower than from then on: not
 * as slow as its start, which would make it twice as long. */
START_TEST(a_start_that_waits_for_new_lines_ends)
{
    struct result whole, sampled;
    run_both(&whole, &sampled, lookups());
    ck_assert_double_lt(sampled.cycles, 1.4 * whole.cycles);
}
END_TEST

int main(void)
{
    TCase *c = tcase_create("filled");
    tcase_set_timeout(c, 300);
    tcase_add_test(c, both_rates_are_measured);
    tcase_add_test(c, a_start_that_waits_for_new_lines_ends);
    return run_suite("calib: filled", c);
}
