/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/exec.h"

#include <string.h>

/* What a kind of unit is called, where its classes run in an SM without it,
 * whose collectors it takes, and the keys that count it. */
#define UNIT(name, otherwise, pool, count, collectors, registers, moves)       \
    {                                                                          \
        name, otherwise, pool, g->unit.count, g->collector.collectors,         \
            g->stage.registers, g->stage.moves, 1                              \
    }

static void set_units(struct exec_unit_row row[EXEC_UNITS], const struct gpu *g)
{
    const struct exec_unit_row rows[EXEC_UNITS] = {
        [UNIT_SP] = UNIT("sp", UNIT_SP, UNIT_SP, sp, sp, sp, sp_moves),
        [UNIT_INT] =
            UNIT("int", UNIT_SP, UNIT_INT, integer, sp, integer, sp_moves),
        [UNIT_SFU] = UNIT("sfu", UNIT_SFU, UNIT_SFU, sfu, sfu, sfu, sfu_moves),
        [UNIT_DP] = UNIT("dp", UNIT_SFU, UNIT_DP, dp, dp, dp, dp_moves),
        [UNIT_TENSOR] = UNIT("tensor", UNIT_SFU, UNIT_TENSOR, tensor, tensor,
                             tensor, tensor_moves),
        [UNIT_BRANCH] =
            UNIT("branch", UNIT_INT, UNIT_INT, branch, sp, branch, sp_moves),
        [UNIT_MEM] = UNIT("mem", UNIT_MEM, UNIT_MEM, mem, mem, mem, mem_moves),
    };
    memcpy(row, rows, sizeof(rows));
    int schedulers = g->sm.sub_core ? g->sm.schedulers : 1;
    for (int u = 0; u < EXEC_UNITS; u++)
        if (row[u].count > schedulers)
            row[u].per_warp = row[u].count / schedulers;
}

/* What a class is called, its unit in an SM that has all kinds, and its times
 * and energy. */
#define CLASS(name, unit, latency, interval, energy)                           \
    {                                                                          \
        name, unit, latency, interval, energy, 0, 0                            \
    }
#define KEYED(name, unit, field)                                               \
    CLASS(name, unit, g->latency.field, g->interval.field, g->energy.field)

static void set_classes(struct exec_class_row row[EXEC_CLASSES],
                        const struct gpu *g)
{
    const struct exec_class_row rows[EXEC_CLASSES] = {
        [EXEC_INT] = KEYED("int", UNIT_INT, integer),
        [EXEC_IMUL] =
            KEYED("imul", g->sm.imul_on_sp ? UNIT_SP : UNIT_INT, imul),
        [EXEC_SP] = KEYED("sp", UNIT_SP, sp),
        [EXEC_SFU] = KEYED("sfu", UNIT_SFU, sfu),
        [EXEC_DP] = KEYED("dp", UNIT_DP, dp),
        [EXEC_TENSOR] = KEYED("tensor", UNIT_TENSOR, tensor),
        [EXEC_BRANCH] = CLASS("branch", UNIT_BRANCH, g->latency.branch,
                              g->interval.branch, 0),
        [EXEC_MEM] = CLASS("mem", UNIT_MEM, 0, g->interval.mem, 0),
        [EXEC_CONTROL] = CLASS("control", UNIT_INT, 1, 1, 0),
    };
    memcpy(row, rows, sizeof(rows));
}

/* Conversions: 16 a cycle and SM on compute capability 2.x, like integer
 * multiplications, from 3.0 on as many as special functions (CUDA C Programming
 * Guide, throughput of native arithmetic instructions). What an assembler makes
 * a multiply-add of is plain integer work where that spares the integer unit
 * nothing. Fences have no unit. */
static void set_class_of(uint8_t class_of[OP_CLASSES], const struct gpu *g)
{
    const uint8_t classes[] = {
        [OP_INT] = EXEC_INT,
        [OP_IMUL] = EXEC_IMUL,
        [OP_SP] = EXEC_SP,
        [OP_SFU] = EXEC_SFU,
        [OP_DP] = EXEC_DP,
        [OP_TENSOR] = EXEC_TENSOR,
        [OP_BRANCH] = EXEC_BRANCH,
        [OP_EXIT] = EXEC_CONTROL,
        [OP_BARRIER] = EXEC_CONTROL,
        [OP_FENCE] = EXEC_CLASSES,
        [OP_LOAD] = EXEC_MEM,
        [OP_STORE] = EXEC_MEM,
        [OP_ATOMIC] = EXEC_MEM,
        [OP_CONVERT] = g->arch < 30 ? EXEC_IMUL : EXEC_SFU,
        [OP_IMAD] = g->sm.imul_on_sp ? EXEC_IMUL : EXEC_INT,
    };
    _Static_assert(sizeof(classes) == OP_CLASSES,
                   "every class of operations has its execution class");
    memcpy(class_of, classes, sizeof(classes));
}

/* From a class's own kind to the one that this SM has. Control instructions
 * take up a unit only where they go through pipeline registers. */
static enum exec_unit present_unit(const struct exec_table *t,
                                   const struct gpu *g, enum exec_class c)
{
    enum exec_unit u = t->class[c].unit;
    if (c == EXEC_CONTROL && !g->stage.registers)
        return EXEC_UNITS;
    while (t->unit[u].count == 0 && t->unit[u].otherwise != u)
        u = t->unit[u].otherwise;
    return u;
}

/* What stage (gpu.h) says of dependent instructions; without registers a cycle
 * is spent in the collector. */
static int issue_overhead(const struct gpu *g)
{
    if (!g->stage.registers)
        return 1;
    return g->collector.ports > 1 ? 5 : 6;
}

/* HMMA.884 of Volta is a step of four (Raihan et al., ISPASS 2019, figure 9),
 * Turing has HMMA.1688, Ampere HMMA.16816. */
static int own_macs(const struct gpu *g)
{
    return g->arch < 75 ? 256 : g->arch < 80 ? 16 * 8 * 8 : 16 * 8 * 16;
}

void exec_table_init(struct exec_table *t, const struct gpu *g)
{
    /* Into the pipeline, and out of it into the register for write-back. */
    int passed = g->stage.registers ? 2 : 0;
    set_units(t->unit, g);
    set_classes(t->class, g);
    set_class_of(t->class_of, g);
    t->overhead = issue_overhead(g);
    t->predicate = g->sm.predicate_latency;
    t->macs = own_macs(g);
    t->wgmma = g->interval.wgmma > 0 ? g->interval.wgmma : g->interval.tensor;
    t->refill_at = g->fetch.when_empty ? 0 : g->fetch.buffer / 2;
    for (int c = 0; c < EXEC_CLASSES; c++) {
        struct exec_class_row *row = &t->class[c];
        row->unit = present_unit(t, g, (enum exec_class)c);
        row->result = row->latency + passed;
        row->dependent = row->latency + t->overhead;
    }
}

int exec_interval(const struct exec_table *t, const struct inst *i)
{
    enum exec_class c = t->class_of[i->op];
    if (c == EXEC_CLASSES)
        return 0;
    int64_t interval = i->warpgroup ? t->wgmma : t->class[c].interval;
    if (c != EXEC_TENSOR || i->macs == 0)
        return (int)interval;
    return (int)((interval * i->macs + t->macs - 1) / t->macs);
}

static bool writes_predicates_alone(const struct inst *i)
{
    for (int r = 0; r < i->dst_count; r++)
        if (i->dst[r] < REG_PREDICATE)
            return false;
    return i->dst_count > 0;
}

int exec_late(const struct exec_table *t, const struct inst *i)
{
    enum exec_class c = t->class_of[i->op];
    if (c >= EXEC_MEM || !writes_predicates_alone(i))
        return 0;
    int late = t->predicate - t->class[c].latency;
    return late > 0 ? late : 0;
}

enum exec_unit exec_unit_of(const struct exec_table *t, enum op_class op)
{
    int class = t->class_of[op];
    return class == EXEC_CLASSES ? EXEC_UNITS : t->class[class].unit;
}
