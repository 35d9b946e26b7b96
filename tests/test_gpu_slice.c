/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bundled.h"
#include "configs/gpu.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static void check_slice(const struct gpu *g, int sms)
{
    struct gpu s;
    struct error e = {0};
    double share = (double)sms / g->sms;
    gpu_slice(&s, g, sms);
    ck_assert_msg(gpu_validate(&s, &e), "%s x %d: %s", g->name, sms, e.text);
    ck_assert_int_eq(s.sms, sms);
    ck_assert_double_eq_tol(s.dram.gbps, g->dram.gbps * share, 1e-9);
    ck_assert_double_eq_tol(s.l2.banks * s.l2.port_bytes,
                            g->l2.banks * g->l2.port_bytes * share, 1e-6);
    ck_assert_double_eq_tol(s.launch.block_period * share,
                            g->launch.block_period, 1e-9);
    /* A channel or a slice is never asked for more than on the whole GPU. */
    ck_assert_double_le(s.dram.gbps / s.dram.channels,
                        g->dram.gbps / g->dram.channels * (1 + 1e-6));
    ck_assert_double_le(s.l2.port_bytes, g->l2.port_bytes * (1 + 1e-6));
    ck_assert_int_ge(s.l2.banks, 1);
    ck_assert_int_le(s.l2.banks, g->l2.banks);
    /* Bytes of a clock of the command bus, and addresses of an open row. */
    ck_assert_double_eq_tol(s.dram.gbps / s.dram.channels / s.clock.dram_mhz,
                            g->dram.gbps / g->dram.channels / g->clock.dram_mhz,
                            1e-9);
    ck_assert_int_le(s.dram.row_bytes * s.dram.channels,
                     g->dram.row_bytes * g->dram.channels);
    ck_assert_int_gt(s.dram.row_bytes * (s.dram.channels + 1),
                     g->dram.row_bytes * (g->dram.channels - s.dram.channels));
    /* What full queues pass in a second. */
    double flits = gpu_network_flits(g, s.l2.banks, s.sms) * s.clock.icnt_mhz;
    double whole =
        gpu_network_flits(g, g->l2.banks, g->sms) * g->clock.icnt_mhz;
    ck_assert_double_eq_tol(flits, sms < g->sms ? whole * share : whole, 1e-6);
    /* Half a set of each slice at most. */
    double set_kb = (double)g->l2.ways * g->l2.line_bytes / 1024;
    ck_assert_double_le(fabs(s.l2.size_kb - g->l2.size_kb * share),
                        set_kb * s.l2.banks / 2 + 1e-9);
    ck_assert_double_le(
        fabs(s.l2.mshr * (double)s.l2.banks - g->l2.mshr * g->l2.banks * share),
        s.l2.banks / 2.0 + 1e-6);
}

START_TEST(slices_have_their_share)
{
    struct gpu g = gpu_named(bundled_gpus[_i].name), whole;
    for (int sms = 1; sms <= g.sms; sms++)
        check_slice(&g, sms);
    gpu_slice(&whole, &g, g.sms);
    ck_assert_uint_eq(gpu_hash(&whole), gpu_hash(&g));
}
END_TEST

START_TEST(slice_by_hand)
{
    struct gpu g = gpu_named("m2090"), s, whole;
    gpu_slice(&s, &g, 4); /* a quarter: 3 slices, 1.5 channels */
    ck_assert_int_eq(s.dram.channels, 2);
    ck_assert_int_eq(s.l2.banks, 4);
    ck_assert_double_eq(s.l2.port_bytes, 24);
    ck_assert_double_eq(s.l2.size_kb, 192);
    ck_assert_int_eq(s.dram.queue, 48);
    ck_assert_double_eq(s.clock.dram_mhz, 693.75);
    ck_assert_int_eq(s.dram.row_bytes, 3 * 4096);
    /* 12 + 12 + 2 clocks that get longer by a third of 1300 / 924 cycles */
    ck_assert_int_eq(s.dram.latency, 200 - 12);
    gpu_slice_capacity(&s, &g, 0.5);
    ck_assert_double_eq(s.l2.size_kb, 384);
    gpu_slice_capacity(&s, &g, 2);
    ck_assert_double_eq(s.l2.size_kb, 768);
    whole = g;
    gpu_slice_capacity(&whole, &g, 0.5);
    ck_assert_double_eq(whole.l2.size_kb, 768);
}
END_TEST

/* Saturation throughput of input queues (Karol, Hluchyj and Morgan 1987, Table
 * I), which the closed form is near; and cases without a choice. */
START_TEST(crossbars_saturate)
{
    static const struct {
        double ports, share, tolerance;
    } row[] = {{1, 1, 1e-12},      {2, 0.7500, 0.015}, {3, 0.6825, 0.015},
               {4, 0.6553, 0.015}, {5, 0.6399, 0.015}, {6, 0.6302, 0.01},
               {7, 0.6234, 0.01},  {8, 0.6184, 0.01},  {1e6, 0.5858, 1e-4}};
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
        ck_assert_double_eq_tol(gpu_crossbar_flits(row[i].ports, row[i].ports) /
                                    row[i].ports,
                                row[i].share, row[i].tolerance);
    for (int n = 1; n <= 64; n *= 2) {
        ck_assert_double_eq_tol(gpu_crossbar_flits(1, n), 1, 1e-12);
        ck_assert_double_eq_tol(gpu_crossbar_flits(n, 1), 1, 1e-12);
        ck_assert_double_le(gpu_crossbar_flits(n, 16), n < 16 ? n : 16);
        ck_assert_double_eq_tol(gpu_crossbar_flits(n, 16),
                                gpu_crossbar_flits(16, n),
                                0.03 * gpu_crossbar_flits(n, 16));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slices of GPUs");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, slices_have_their_share, 0, (int)bundled_gpu_count);
    tcase_add_test(c, slice_by_hand);
    tcase_add_test(c, crossbars_saturate);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
