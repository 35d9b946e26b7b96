/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/timing.h"

#include <math.h>

enum exec_class timing_class(const struct timing *t, enum op_class op)
{
    enum exec_class c = t->exec.class_of[op];
    return c < EXEC_CONTROL ? c : EXEC_INT;
}

double timing_intervals(const struct timing *t, const struct inst *i)
{
    if (i->op != OP_TENSOR)
        return 1;
    return (double)exec_interval(&t->exec, i) /
           t->exec.class[EXEC_TENSOR].interval;
}

static void exec_timing(struct timing *t, const struct gpu *g)
{
    exec_table_init(&t->exec, g);
    for (int c = 0; c < EXEC_CONTROL; c++) {
        const struct exec_class_row *row = &t->exec.class[c];
        t->alu[c] = row->dependent;
        t->interval[c] =
            (double)row->interval / t->exec.unit[row->unit].per_warp;
    }
}

static double flit_cycles(const struct gpu *g)
{
    return g->clock.core_mhz / g->clock.icnt_mhz;
}

/* Of an answer with so many bytes. */
static double answer_cycles(const struct gpu *g, double bytes)
{
    double header = (double)g->icnt.header_bytes / g->icnt.flit_bytes;
    return flit_cycles(g) * ceil(header + bytes / g->icnt.flit_bytes);
}

/* The way of a request that finds every queue empty: both crossings of the
 * interconnect, the slice, and on a miss the controller and a closed row. */
static void load_cycles(double load[MEMORY_LEVELS], const struct gpu *g,
                        double bytes)
{
    double command = g->clock.core_mhz / g->clock.dram_mhz;
    double header = (double)g->icnt.header_bytes / g->icnt.flit_bytes;
    double crossings = 2 * g->icnt.latency + flit_cycles(g) * ceil(header) +
                       answer_cycles(g, bytes);
    double burst =
        bytes / (g->dram.gbps * 1000 / g->clock.core_mhz) * g->dram.channels;
    load[LEVEL_L1] = g->l1.latency;
    load[LEVEL_L2] = crossings + g->l2.latency;
    load[LEVEL_DRAM] = load[LEVEL_L2] + g->dram.latency +
                       (g->dram.rcd + g->dram.cl) * command + burst;
}

void timing_init(struct timing *t, const struct gpu *g)
{
    double bytes =
        g->l1.caches_global ? g->l1.sector_bytes : g->l2.sector_bytes;
    exec_timing(t, g);
    t->to_memory = g->stage.registers ? t->exec.overhead - 1 : 2;
    t->memory_step = (double)g->interval.mem / g->l1.accesses_per_cycle;
    load_cycles(t->load, g, bytes);
    load_cycles(t->past, g, g->l2.sector_bytes);
    t->step[LEVEL_L1] = t->memory_step;
    t->step[LEVEL_L2] = fmax(t->memory_step, answer_cycles(g, bytes));
    t->step[LEVEL_DRAM] = t->step[LEVEL_L2];
    t->store = t->load[LEVEL_L2];
    t->shared = g->shared.latency;
    t->shared_step = g->interval.mem;
    t->texture_step = g->texture.interval;
    t->constant = g->constant.latency;
    t->texture = g->texture.latency;
}
