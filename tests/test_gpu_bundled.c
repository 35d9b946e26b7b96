/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/bundled.h"
#include "configs/gpu.h"
#include "configs/gpu_files.h"
#include "tests/gpu_named.h"

#include <check.h>
#include <libconfig.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Each states every key, or is based on one that does; a key that all may leave
 * out says where its value is from. */
START_TEST(bundled_gpus_leave_no_key_out)
{
    for (size_t i = 0; i < bundled_gpu_count; i++) {
        struct gpu g = gpu_named(bundled_gpus[i].name);
        ck_assert_str_eq(g.name, bundled_gpus[i].name);
        ck_assert_str_ne(g.summary, "");
        for (size_t k = 0; k < gpu_key_count; k++)
            ck_assert_msg(gpu_key_is_set(&g, &gpu_keys[k]), "%s: no %s", g.name,
                          gpu_keys[k].key);
    }
}
END_TEST

/* Each line that sets a key says where the number is from. */
static void check_sources(const struct bundled_file *f)
{
    const char *line = strstr(f->text, "base = ");
    while ((line = strchr(line, '\n')) != NULL) {
        size_t length = strcspn(++line, "\n");
        const char *set = strstr(line, " = "), *brace = strchr(line, '{');
        bool sets = set != NULL && set < line + length &&
                    !(brace != NULL && brace < line + length);
        ck_assert_msg(!sets || memchr(line, '#', length) != NULL,
                      "%s: no source in: %.*s", f->path, (int)length, line);
    }
}

/* What a file says that its base says too would hide the differences. */
START_TEST(bundled_gpus_differ_from_their_base)
{
    for (size_t i = 0; i < bundled_gpu_count; i++) {
        const char *base;
        config_t c;
        config_init(&c);
        ck_assert(config_read_string(&c, bundled_gpus[i].text));
        if (config_lookup_string(&c, "base", &base)) {
            struct gpu g = gpu_named(bundled_gpus[i].name), b = gpu_named(base);
            size_t stated = 0, differ = 0;
            for (size_t k = 0; k < gpu_key_count; k++) {
                stated += config_lookup(&c, gpu_keys[k].key) != NULL;
                differ += gpu_key_get(&g, &gpu_keys[k]) !=
                          gpu_key_get(&b, &gpu_keys[k]);
            }
            check_sources(&bundled_gpus[i]);
            ck_assert_uint_gt(differ, 0);
            ck_assert_uint_le(stated, differ + differ / 2);
        }
        config_destroy(&c);
    }
}
END_TEST

/* paws Table I, perfsat Table I; NVIDIA data sheets for the others: peak single
 * and double precision (GFLOPS) and memory (GB/s), 0 = not given there,
 * or not so in the simulators that titanx-gsim and gtx480-gsim follow. */
static const struct {
    const char *name;
    int sms;
    double sp, dp, gbps;
} sheet[] = {
    {"m2090", 16, 1330, 665, 177},
    {"k20x", 14, 3935, 1311, 250},
    {"gtx480", 15, 1345, 168, 177.4},
    {"titanx", 28, 10160, 317, 480},
    {"v100", 80, 15700, 7800, 900},
    {"a100", 108, 19500, 9700, 1555},
    {"h100", 114, 51200, 25600, 2039},
    {"ikra", 15, 0, 0, 0},
    {"ikra-micro", 3, 0, 0, 0},
    {"titanx-gsim", 28, 10160, 0, 480},
    {"m2090-gsim", 16, 1330, 650, 177},
    {"gtx480-gsim", 15, 1345, 0, 177.4},
    {"rtx2080ti", 68, 13450, 420, 616},
    {"t4", 40, 8100, 254, 320},
    {"rtx3090", 82, 35600, 556, 936},
    {"a10", 72, 31200, 0, 600},
    {"rtx4090", 128, 82600, 1290, 1008},
    {"l4", 58, 30300, 473, 300},
    {"h200", 132, 67000, 34000, 4800},
    {"k20x-gsim", 14, 3935, 1311, 250},
    {"h100-sxm", 132, 67000, 34000, 3350},
};

static void near(double ours, double published, const char *what)
{
    ck_assert_msg(published == 0 || fabs(ours / published - 1) <= 0.03,
                  "%s: %g, published %g", what, ours, published);
}

START_TEST(peaks_are_the_published_ones)
{
    struct gpu g = gpu_named(sheet[_i].name);
    double flops_a_warp = 2 * 32; /* multiply-add */
    double warps = g.clock.core_mhz * 1e6 * g.sms * flops_a_warp / 1e9;
    int dp_units = g.unit.dp > 0 ? g.unit.dp : g.unit.sfu;
    ck_assert_int_eq(g.sms, sheet[_i].sms);
    near(warps * g.unit.sp / g.interval.sp, sheet[_i].sp, "sp");
    near(warps * dp_units / g.interval.dp, sheet[_i].dp, "dp");
    near(g.dram.gbps, sheet[_i].gbps, "memory");
}
END_TEST

/* Column commands can carry what the pins can. */
START_TEST(memory_clock_matches_bandwidth)
{
    struct gpu g = gpu_named(sheet[_i].name);
    double gbps = g.dram.channels * g.dram.burst_bytes / (double)g.dram.ccd *
                  g.clock.dram_mhz / 1000;
    near(g.dram.gbps, gbps, g.name);
}
END_TEST

START_TEST(papers_tables)
{
    struct gpu m = gpu_named("m2090"), k = gpu_named("k20x"),
               g = gpu_named("gtx480"), t = gpu_named("titanx"),
               i = gpu_named("ikra"), n = gpu_named("ikra-micro"),
               s = gpu_named("titanx-gsim"), c = gpu_named("gtx480-gsim");
    /* paws Table I */
    ck_assert_double_eq(m.clock.core_mhz, 1300);
    ck_assert_int_eq(m.sm.max_blocks, 8);
    ck_assert_int_eq(m.sm.max_warps, 48);
    ck_assert_int_eq(m.sm.schedulers, 2);
    ck_assert_int_eq(m.sm.issue_period, 2);
    ck_assert_int_eq(32 * m.unit.sp / m.interval.sp, 32);
    ck_assert_int_eq(32 * m.unit.sfu / m.interval.sfu, 4);
    ck_assert_int_eq(32 * m.unit.mem / m.interval.mem, 16);
    /* perfsat Table I */
    ck_assert_int_eq(4 * m.sm.registers, 128 * 1024);
    ck_assert_int_eq(4 * k.sm.registers, 256 * 1024);
    ck_assert_int_eq(m.sm.max_threads, 1536);
    ck_assert_int_eq(k.sm.max_threads, 2048);
    ck_assert_int_eq(k.sm.max_blocks, 16);
    ck_assert_int_eq(32 * k.unit.sp / k.interval.sp, 192);
    ck_assert_int_eq(32 * k.unit.dp / k.interval.dp, 64);
    ck_assert_int_eq(m.dram.channels, 6);
    ck_assert_int_eq(k.dram.channels, 6);
    /* cawa Table 1: sets of the L1, of an L2 bank, of the instruction cache */
    ck_assert_double_eq(g.l1.size_kb * 1024 / g.l1.ways / 128, 8);
    ck_assert_double_eq(g.l2.size_kb * 1024 / g.l2.banks / g.l2.ways / 128, 64);
    ck_assert_double_eq(g.icache.size_kb * 1024 / g.icache.ways / 128, 4);
    ck_assert_int_eq(g.l2.latency, 120);
    ck_assert_int_eq(g.l2.latency + g.dram.latency, 220);
    ck_assert_double_eq(c.l1.size_kb * 1024 / c.l1.ways / 128, 8);
    ck_assert_double_eq(c.l2.size_kb * 1024 / c.l2.banks / c.l2.ways / 128, 64);
    ck_assert_double_eq(c.icache.size_kb * 1024 / c.icache.ways / 128, 4);
    ck_assert(c.l1.ways == 16 && c.l2.ways == 16 && c.icache.ways == 4);
    ck_assert_int_eq(c.l2.latency, 120);
    ck_assert_int_eq(c.l2.latency + c.dram.latency, 220);
    ck_assert(c.sm.registers == 32768 && c.sm.max_blocks == 8 &&
              c.sm.max_warps == 48 && c.sm.schedulers == 2);
    /* kaws Table 1 */
    ck_assert_double_eq(t.l1.size_kb, 24);
    ck_assert_int_eq(t.l1.ways, 48);
    ck_assert_int_eq(t.dram.channels, 12);
    ck_assert_int_eq(t.sm.issue_width, 2);
    ck_assert(t.unit.sp == 4 && t.unit.sfu == 4 && t.unit.mem == 4);
    ck_assert(s.stage.sp == 4 && s.stage.sfu == 4 && s.stage.mem == 4);
    ck_assert(s.l1.size_kb == 24 && s.l1.ways == 48 && s.sm.max_blocks == 32);
    ck_assert(s.icache.size_kb == 4 && s.l2.size_kb == 3072);
    ck_assert(s.dram.channels == 12 && s.sm.schedulers == 4 &&
              s.sm.issue_width == 2);
    /* ikra Table 2 */
    ck_assert(i.l1.size_kb == 128 && n.l1.size_kb == 32);
    ck_assert(i.l2.size_kb == 4096 && n.l2.size_kb == 256);
    ck_assert(i.l2.banks == 16 && i.icnt.mesh && i.l1.latency == 1);
    ck_assert(i.coherence == COHERENCE_DENOVO && i.l1.mshr == 64);
}
END_TEST

/* perfsat Table I again, and Sec. III-C: an L1 of the size that Fermi has. */
START_TEST(kepler_of_the_simulator)
{
    struct gpu k = gpu_named("k20x-gsim"), fermi = gpu_named("m2090");
    ck_assert_int_eq(4 * k.sm.registers, 256 * 1024);
    ck_assert_int_eq(k.sm.max_threads, 2048);
    ck_assert_int_eq(k.sm.max_blocks, 16);
    ck_assert_int_eq(32 * k.unit.sp / k.interval.sp, 192);
    ck_assert_int_eq(32 * k.unit.sfu / k.interval.dp, 64);
    ck_assert_int_eq(k.dram.channels, 6);
    ck_assert_double_eq(k.l1.size_kb, fermi.l1.size_kb);
}
END_TEST

int main(void)
{
    const int machines = sizeof(sheet) / sizeof(sheet[0]);
    Suite *suite = suite_create("bundled GPUs");
    TCase *c = tcase_create("all");
    tcase_add_test(c, bundled_gpus_leave_no_key_out);
    tcase_add_test(c, bundled_gpus_differ_from_their_base);
    tcase_add_loop_test(c, peaks_are_the_published_ones, 0, machines);
    tcase_add_loop_test(c, memory_clock_matches_bandwidth, 0, machines);
    tcase_add_test(c, papers_tables);
    tcase_add_test(c, kepler_of_the_simulator);
    suite_add_tcase(suite, c);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
