/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/timing.h"

#include <math.h>

enum exec_class timing_class(const struct gpu *g, enum op_class op)
{
    switch (op) {
    case OP_IMUL:
        return EXEC_IMUL;
    case OP_SP:
        return EXEC_SP;
    case OP_SFU:
        return EXEC_SFU;
    case OP_DP:
        return EXEC_DP;
    case OP_TENSOR:
        return EXEC_TENSOR;
    case OP_BRANCH:
        return EXEC_BRANCH;
    case OP_CONVERT:
        return gpu_conversions(g);
    default:
        return EXEC_INT;
    }
}

int timing_unit_count(const struct gpu *g, enum exec_unit u)
{
    switch (u) {
    case UNIT_SP:
        return g->unit.sp;
    case UNIT_INT:
        return g->unit.integer;
    case UNIT_SFU:
        return g->unit.sfu;
    case UNIT_DP:
        return g->unit.dp;
    case UNIT_TENSOR:
        return g->unit.tensor;
    case UNIT_BRANCH:
        return g->unit.branch;
    default:
        return g->unit.mem;
    }
}

enum exec_unit timing_unit(const struct gpu *g, enum exec_class c)
{
    switch (c) {
    case EXEC_SP:
        return UNIT_SP;
    case EXEC_SFU:
        return UNIT_SFU;
    case EXEC_DP:
        return g->unit.dp > 0 ? UNIT_DP : UNIT_SFU;
    case EXEC_TENSOR:
        return g->unit.tensor > 0 ? UNIT_TENSOR : UNIT_SFU;
    case EXEC_BRANCH:
        if (g->unit.branch > 0)
            return UNIT_BRANCH;
        break;
    default:
        break;
    }
    return g->unit.integer > 0 ? UNIT_INT : UNIT_SP;
}

/* What dependent instructions issue apart beyond the latency (stage, gpu.h). */
static int pipeline_cycles(const struct gpu *g)
{
    if (!g->stage.registers)
        return 1;
    return g->collector.ports > 1 ? 5 : 6;
}

static void exec_timing(struct timing *t, const struct gpu *g)
{
    const int latency[EXEC_CLASSES] = {
        [EXEC_INT] = g->latency.integer,   [EXEC_IMUL] = g->latency.imul,
        [EXEC_SP] = g->latency.sp,         [EXEC_SFU] = g->latency.sfu,
        [EXEC_DP] = g->latency.dp,         [EXEC_TENSOR] = g->latency.tensor,
        [EXEC_BRANCH] = g->latency.branch,
    };
    const int interval[EXEC_CLASSES] = {
        [EXEC_INT] = g->interval.integer,   [EXEC_IMUL] = g->interval.imul,
        [EXEC_SP] = g->interval.sp,         [EXEC_SFU] = g->interval.sfu,
        [EXEC_DP] = g->interval.dp,         [EXEC_TENSOR] = g->interval.tensor,
        [EXEC_BRANCH] = g->interval.branch,
    };

    for (int c = 0; c < EXEC_CLASSES; c++) {
        int units = timing_unit_count(g, timing_unit(g, (enum exec_class)c));

        if (g->sm.sub_core && units > g->sm.schedulers)
            units /= g->sm.schedulers;
        else if (g->sm.sub_core)
            units = 1;
        t->alu[c] = pipeline_cycles(g) + latency[c];
        t->interval[c] = (double)interval[c] / units;
    }
}

/* The way of a request that finds every queue empty: both crossings of the
 * interconnect, the slice, and on a miss the controller and a closed row. */
void timing_init(struct timing *t, const struct gpu *g)
{
    double flit = g->clock.core_mhz / g->clock.icnt_mhz;
    double command = g->clock.core_mhz / g->clock.dram_mhz;
    double header = (double)g->icnt.header_bytes / g->icnt.flit_bytes;
    double bytes =
        g->l1.caches_global ? g->l1.sector_bytes : g->l2.sector_bytes;
    double data = flit * ceil(header + bytes / g->icnt.flit_bytes);
    double crossings = 2 * g->icnt.latency + flit * ceil(header) + data;
    double burst =
        bytes / (g->dram.gbps * 1000 / g->clock.core_mhz) * g->dram.channels;

    exec_timing(t, g);
    t->to_memory = g->stage.registers ? pipeline_cycles(g) - 1 : 2;
    t->memory_step = (double)g->interval.mem / g->l1.accesses_per_cycle;
    t->load[LEVEL_L1] = g->l1.latency;
    t->load[LEVEL_L2] = crossings + g->l2.latency;
    t->load[LEVEL_DRAM] = t->load[LEVEL_L2] + g->dram.latency +
                          (g->dram.rcd + g->dram.cl) * command + burst;
    t->step[LEVEL_L1] = t->memory_step;
    t->step[LEVEL_L2] = fmax(t->memory_step, data);
    t->step[LEVEL_DRAM] = t->step[LEVEL_L2];
    t->store = crossings + g->l2.latency;
    t->shared = g->shared.latency;
    t->shared_step = g->interval.mem;
    t->constant = g->constant.latency;
    t->texture = g->texture.latency;
}
