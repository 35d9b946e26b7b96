/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of execution classes and units against the keys of a GPU, and both
 * engines against the rows. */
#include "configs/exec.h"
#include "configs/gpu_files.h"
#include "model/timing.h"
#include "tests/script_gate.h"

#include <math.h>
#include <stdio.h>

/* ---- rows and keys ------------------------------------------------------ */

static bool in_group(const struct gpu_key *k, const char *group)
{
    size_t length = strlen(group);
    return strncmp(k->key, group, length) == 0 && k->key[length] == '.';
}

/* Every key of the table another value than its neighbours'. */
static struct gpu distinct(void)
{
    static const char *const groups[] = {"unit",  "collector", "latency",
                                         "stage", "interval",  "energy"};
    struct gpu g = plain_gpu();
    for (size_t i = 0; i < gpu_key_count; i++)
        for (size_t n = 0; n < sizeof(groups) / sizeof(groups[0]); n++) {
            const struct gpu_key *k = &gpu_keys[i];
            int range = k->max - k->min < 10 ? (int)(k->max - k->min) : 9;
            if (in_group(k, groups[n]) && k->type != GPU_BOOL)
                ck_assert(gpu_key_set(
                    &g, k, k->max - (double)(i % (size_t)range), NULL));
        }
    return g;
}

static void check_key(const struct gpu *g, const char *group, const char *name,
                      const char *end, double row)
{
    char text[64];
    snprintf(text, sizeof(text), "%s.%s%s", group, name, end);
    const struct gpu_key *k = gpu_key_find(text);
    ck_assert_msg(k != NULL, "no key %s", text);
    ck_assert_msg(gpu_key_get(g, k) == row, "%s is %g, its row says %g", text,
                  gpu_key_get(g, k), row);
}

START_TEST(rows_say_what_keys_say)
{
    struct gpu g = distinct();
    struct exec_table t;
    exec_table_init(&t, &g);
    for (int u = 0; u < EXEC_UNITS; u++) {
        const struct exec_unit_row *r = &t.unit[u];
        bool integer = r->pool == UNIT_INT;
        const char *pool = integer ? "sp" : t.unit[r->pool].name;
        check_key(&g, "unit", r->name, "", r->count);
        check_key(&g, "stage", r->name, "", r->registers);
        check_key(&g, "stage", pool, "_moves", r->moves);
        check_key(&g, "collector", pool, "", r->collectors);
    }
    for (int c = 0; c < EXEC_CONTROL; c++) {
        const struct exec_class_row *r = &t.class[c];
        check_key(&g, "interval", r->name, "", r->interval);
        if (c != EXEC_MEM)
            check_key(&g, "latency", r->name, "", r->latency);
        if (c < EXEC_BRANCH)
            check_key(&g, "energy", r->name, "", r->energy);
    }
}
END_TEST

static bool has_row(const char *group, const char *name)
{
    struct gpu g = plain_gpu();
    struct exec_table t;
    exec_table_init(&t, &g);
    bool found = false;
    for (int u = 0; u < EXEC_UNITS && strcmp(group, "unit") == 0; u++)
        found |= strcmp(t.unit[u].name, name) == 0;
    for (int c = 0; c < EXEC_CLASSES && strcmp(group, "unit") != 0; c++)
        found |= strcmp(t.class[c].name, name) == 0;
    return found;
}

/* A key of a unit or class that no engine knows of. */
START_TEST(every_key_has_its_row)
{
    static const char *const groups[] = {"unit", "latency", "interval"};
    for (size_t i = 0; i < gpu_key_count; i++)
        for (size_t n = 0; n < sizeof(groups) / sizeof(groups[0]); n++) {
            const char *key = gpu_keys[i].key;
            if (in_group(&gpu_keys[i], groups[n]) &&
                strcmp(key, "unit.results") != 0 &&
                strcmp(key, "interval.wgmma") != 0)
                ck_assert_msg(has_row(groups[n], strchr(key, '.') + 1),
                              "no row for %s", key);
        }
}
END_TEST

/* ---- which unit --------------------------------------------------------- */

static enum exec_unit unit_for(const struct gpu *g, enum op_class op)
{
    struct exec_table t;
    exec_table_init(&t, g);
    return exec_unit_of(&t, op);
}

START_TEST(every_operation_has_its_unit)
{
    static const struct {
        enum op_class op;
        enum exec_unit unit, without; /* of its own kind */
    } row[] = {
        {OP_INT, UNIT_INT, UNIT_SP},
        {OP_IMUL, UNIT_INT, UNIT_SP},
        {OP_SP, UNIT_SP, UNIT_SP},
        {OP_SFU, UNIT_SFU, UNIT_SFU},
        {OP_DP, UNIT_DP, UNIT_SFU},
        {OP_TENSOR, UNIT_TENSOR, UNIT_SFU},
        {OP_BRANCH, UNIT_BRANCH, UNIT_SP},
        {OP_EXIT, EXEC_UNITS, EXEC_UNITS},
        {OP_LOAD, UNIT_MEM, UNIT_MEM},
        {OP_STORE, UNIT_MEM, UNIT_MEM},
        {OP_ATOMIC, UNIT_MEM, UNIT_MEM},
        {OP_BARRIER, EXEC_UNITS, EXEC_UNITS},
        {OP_FENCE, EXEC_UNITS, EXEC_UNITS},
        {OP_CONVERT, UNIT_SFU, UNIT_SFU},
        {OP_IMAD, UNIT_INT, UNIT_SP},
    };
    ck_assert_int_eq(sizeof(row) / sizeof(row[0]), OP_CLASSES);
    struct gpu all = plain_gpu();
    all.arch = 70;
    all.unit.integer = all.unit.dp = all.unit.tensor = all.unit.branch = 1;
    struct gpu few = all;
    few.unit.integer = few.unit.dp = few.unit.tensor = few.unit.branch = 0;
    for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++) {
        ck_assert_int_eq(unit_for(&all, row[i].op), row[i].unit);
        ck_assert_int_eq(unit_for(&few, row[i].op), row[i].without);
    }
}
END_TEST

START_TEST(what_the_machine_decides)
{
    struct gpu g = plain_gpu();
    g.unit.integer = 2;
    ck_assert_int_eq(unit_for(&g, OP_BRANCH), UNIT_INT);
    ck_assert_int_eq(unit_for(&g, OP_EXIT), EXEC_UNITS);
    g.stage.registers = 1;
    ck_assert_int_eq(unit_for(&g, OP_EXIT), UNIT_INT);
    ck_assert_int_eq(unit_for(&g, OP_BARRIER), UNIT_INT);
    ck_assert_int_eq(unit_for(&g, OP_FENCE), EXEC_UNITS);
    g.arch = 20;
    ck_assert_int_eq(unit_for(&g, OP_CONVERT), UNIT_INT);
    g.arch = 30;
    ck_assert_int_eq(unit_for(&g, OP_CONVERT), UNIT_SFU);
    g.sm.imul_on_sp = 1;
    ck_assert_int_eq(unit_for(&g, OP_IMUL), UNIT_SP);
    ck_assert_int_eq(unit_for(&g, OP_IMAD), UNIT_SP);
    ck_assert_int_eq(unit_for(&g, OP_INT), UNIT_INT);
}
END_TEST

/* Of the pipelines: all, or with sub-cores those of a scheduler, at least one.
 */
START_TEST(pipelines_of_a_warp)
{
    struct gpu g = plain_gpu();
    struct exec_table t;
    g.sm.schedulers = 4;
    g.unit.sp = 8;
    g.unit.sfu = 4;
    for (g.sm.sub_core = 0; g.sm.sub_core <= 1; g.sm.sub_core++) {
        exec_table_init(&t, &g);
        ck_assert_int_eq(t.unit[UNIT_SP].per_warp, g.sm.sub_core ? 2 : 8);
        ck_assert_int_eq(t.unit[UNIT_SFU].per_warp, g.sm.sub_core ? 1 : 4);
        ck_assert_int_eq(t.unit[UNIT_MEM].per_warp, 1);
    }
}
END_TEST

START_TEST(buffers_are_refilled)
{
    struct gpu g = plain_gpu();
    struct exec_table t;
    for (g.fetch.buffer = 1; g.fetch.buffer <= 8; g.fetch.buffer++) {
        g.fetch.when_empty = 0;
        exec_table_init(&t, &g);
        ck_assert_int_eq(t.refill_at, g.fetch.buffer / 2);
        g.fetch.when_empty = 1;
        exec_table_init(&t, &g);
        ck_assert_int_eq(t.refill_at, 0);
    }
}
END_TEST

/* ---- both engines ------------------------------------------------------- */

/* Latencies and intervals of all classes differ. */
static struct gpu machine(int i)
{
    struct gpu g = plain_gpu();
    double latency = 40, interval = 3;
    for (size_t k = 0; k < gpu_key_count; k++)
        if (in_group(&gpu_keys[k], "latency"))
            gpu_key_set(&g, &gpu_keys[k], latency++, NULL);
        else if (in_group(&gpu_keys[k], "interval"))
            gpu_key_set(&g, &gpu_keys[k], interval += 2, NULL);
    g.unit.sp = 2;
    g.collector.dp = g.collector.tensor = 4;
    g.unit.integer = i & 1 ? 3 : 0;
    g.unit.dp = i & 1 ? 2 : 0;
    g.unit.tensor = i & 1 ? 4 : 0;
    g.unit.branch = i & 1 ? 4 : 0;
    g.fetch.past_branches = 1;
    g.fetch.branch_latency = 0;
    g.stage.registers = i >= 2;
    g.collector.ports = i >= 4 ? 2 : 1;
    g.stage.sp = g.stage.integer = g.stage.sfu = g.stage.dp = g.stage.tensor =
        8;
    return g;
}

static const enum op_class computing[] = {OP_BRANCH, OP_INT,     OP_IMUL,
                                          OP_SP,     OP_SFU,     OP_DP,
                                          OP_TENSOR, OP_CONVERT, OP_IMAD};

START_TEST(engines_agree_on_dependent_instructions)
{
    struct gpu g = machine(_i);
    struct timing t;
    timing_init(&t, &g);
    for (size_t i = 0; i < sizeof(computing) / sizeof(computing[0]); i++) {
        struct script s = SCRIPT(ALU(computing[i], 1, 1, -1));
        double row = t.exec.class[t.exec.class_of[computing[i]]].dependent;
        ck_assert_double_eq(per_repeat(&s, 1, &g), row);
        ck_assert_double_eq(t.alu[timing_class(&t, computing[i])], row);
    }
}
END_TEST

START_TEST(engines_agree_on_independent_instructions)
{
    struct gpu g = machine(_i);
    struct timing t;
    timing_init(&t, &g);
    for (size_t i = 0; i < sizeof(computing) / sizeof(computing[0]); i++) {
        struct script s = SCRIPT(PLAIN(computing[i]));
        const struct exec_class_row *c =
            &t.exec.class[t.exec.class_of[computing[i]]];
        double row = (double)c->interval / t.exec.unit[c->unit].count;
        ck_assert_double_ge(row, 1);
        ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 1, &g), row);
        ck_assert_double_eq(t.interval[timing_class(&t, computing[i])], row);
    }
}
END_TEST

/* ---- matrix instructions ------------------------------------------------ */

/* One after the other of 48 warps, in both engines. */
START_TEST(engines_agree_on_matrix_instructions)
{
    static const uint32_t macs[] = {0, 64, 256, 300, 1024, 2048};
    struct gpu g = machine(1);
    g.interval.tensor = 16;
    for (g.arch = 70; g.arch <= 80; g.arch += 5)
        for (size_t i = 0; i < sizeof(macs) / sizeof(macs[0]); i++) {
            struct script s = SCRIPT({.op = OP_TENSOR,
                                      .dst = -1,
                                      .src0 = -1,
                                      .src1 = -1,
                                      .macs = macs[i]});
            struct timing t;
            timing_init(&t, &g);
            const struct inst inst = {.op = OP_TENSOR, .macs = macs[i]};
            double own = g.arch == 70 ? 256 : g.arch == 75 ? 1024 : 2048;
            double cycles = macs[i] == 0 ? 16 : ceil(16 * macs[i] / own);
            double row = fmax(1, cycles / g.unit.tensor);
            ck_assert_int_eq(exec_interval(&t.exec, &inst), (int)cycles);
            ck_assert_double_eq(cycles_a_repeat(&s, 48, 96, 1, &g), row);
            ck_assert_double_eq(timing_intervals(&t, &inst) * 16, cycles);
        }
}
END_TEST

/* Multiply-adds a cycle and SM by the white papers: Volta table 1 (8 tensor
 * cores of 64: 125 TFLOPS at 1530 MHz with 80 SMs), Ampere table 1 (312, 156,
 * 19.5 TFLOPS and 624 TOPS at 1410 MHz with 108), Hopper table 2 (989.4, 494.7
 * TFLOPS and 1978.9 TOPS at 1830 MHz with 132); with sums in single precision
 * 65 TFLOPS of a T4 at 1590 MHz, 54 of an RTX 2080 Ti at 1545, 71 of an RTX
 * 3090, 125 of an A10, 165 of an RTX 4090 and 121 of an L4. Hopper reaches that
 * by warpgroups alone. */
static const struct {
    const char *gpu;
    uint32_t macs; /* of an instruction */
    double as_half;
    double rate;
} rates[] = {
    {"v100", 16 * 16 * 16 / 16, 1, 512}, {"v100", 16 * 8 * 8, 1, 512},
    {"a100", 16 * 8 * 16, 1, 1024},      {"a100", 16 * 8 * 8, 1, 1024},
    {"a100", 16 * 8 * 4, 2, 512},        {"a100", 8 * 8 * 4, 16, 64},
    {"a100", 16 * 8 * 32, 0.5, 2048},    {"h100", 16 * 8 * 16, 1, 2048},
    {"h100", 16 * 8 * 8, 2, 1024},       {"h100", 16 * 8 * 32, 0.5, 4096},
    {"t4", 16 * 8 * 8, 1, 512},          {"rtx2080ti", 16 * 8 * 8, 1, 256},
    {"rtx3090", 16 * 8 * 16, 1, 256},    {"a10", 16 * 8 * 16, 1, 512},
    {"rtx4090", 16 * 8 * 16, 1, 256},    {"l4", 16 * 8 * 16, 1, 512},
    {"h200", 16 * 8 * 16, 1, 2048},
};

START_TEST(rates_of_data_sheets)
{
    struct gpu g;
    struct exec_table t;
    ck_assert(gpu_load(&g, rates[_i].gpu, NULL, 0, NULL));
    exec_table_init(&t, &g);
    const struct inst inst = {
        .op = OP_TENSOR,
        .warpgroup = g.arch >= 90,
        .macs = (uint32_t)(rates[_i].macs * rates[_i].as_half)};
    ck_assert_double_eq((double)rates[_i].macs * g.unit.tensor /
                            exec_interval(&t, &inst),
                        rates[_i].rate);
}
END_TEST

/* A warp's own matrix instruction takes Hopper's tensor core 6.1 cycles, as was
 * measured (bench/hardware/micro_h200.csv), a warpgroup's product as large 4.
 */
START_TEST(a_warps_own_product_takes_longer)
{
    struct gpu g;
    struct exec_table t;
    struct inst inst = {.op = OP_TENSOR, .macs = 16 * 8 * 16};
    ck_assert(gpu_load(&g, "h200", NULL, 0, NULL));
    exec_table_init(&t, &g);
    ck_assert_int_eq(exec_interval(&t, &inst), 6);
    inst.warpgroup = true;
    ck_assert_int_eq(exec_interval(&t, &inst), 4);
    ck_assert(gpu_load(&g, "a100", NULL, 0, NULL));
    exec_table_init(&t, &g);
    ck_assert_int_eq(exec_interval(&t, &inst), g.interval.tensor);
}
END_TEST

/* Only what writes predicates and nothing else is late, and never early. */
START_TEST(predicates_are_late)
{
    struct gpu g;
    struct exec_table t;
    struct inst compare = {.op = OP_INT,
                           .dst = {REG_PREDICATE, REG_PREDICATE + 1},
                           .dst_count = 2};
    struct inst add = {.op = OP_INT, .dst = {3, REG_PREDICATE}, .dst_count = 2};
    gpu_defaults(&g);
    for (int latency = 0; latency <= 20; latency++) {
        int more = latency - g.latency.integer;
        g.sm.predicate_latency = latency;
        exec_table_init(&t, &g);
        ck_assert_int_eq(exec_late(&t, &compare), more > 0 ? more : 0);
        ck_assert_int_eq(exec_late(&t, &add), 0);
        ck_assert_int_eq(exec_late(&t, &(struct inst){.op = OP_EXIT}), 0);
    }
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("rows");
    tcase_add_test(tc, rows_say_what_keys_say);
    tcase_add_test(tc, every_key_has_its_row);
    tcase_add_test(tc, every_operation_has_its_unit);
    tcase_add_test(tc, what_the_machine_decides);
    tcase_add_test(tc, pipelines_of_a_warp);
    tcase_add_test(tc, buffers_are_refilled);
    tcase_add_loop_test(tc, engines_agree_on_dependent_instructions, 0, 6);
    tcase_add_loop_test(tc, engines_agree_on_independent_instructions, 0, 6);
    tcase_add_test(tc, engines_agree_on_matrix_instructions);
    tcase_add_loop_test(tc, rates_of_data_sheets, 0,
                        sizeof(rates) / sizeof(rates[0]));
    tcase_add_test(tc, a_warps_own_product_takes_longer);
    tcase_add_test(tc, predicates_are_late);
    return run_suite("execution", tc);
}
