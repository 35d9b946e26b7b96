/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/energy.h"

#include "configs/exec.h"
#include "configs/gpu.h"

#include <math.h>

#define PICOJOULES 1e-6 /* in microjoules */

/* Control and memory operations take an issue and registers alone. */
static double lanes(const struct profile *p, const struct gpu *g)
{
    struct exec_table t;
    exec_table_init(&t, g);
    t.class_of[OP_CONVERT] = EXEC_SFU; /* as in the sampler */
    double sum = 0;
    for (int i = 0; i < OP_CLASSES; i++)
        if (t.class_of[i] < EXEC_CLASSES)
            sum += t.class[t.class_of[i]].energy * p->events.lanes[i];
    return sum;
}

/* An instruction is fetched with the next one of the buffer. */
static double core(const struct profile *p, const struct gpu *g, double warps)
{
    double constant = p->warp.metric[PHASE_CONSTANT] / g->constant.interval;
    return g->energy.issue * p->warp_insts + lanes(p, g) +
           g->energy.register_read * p->events.register_reads +
           g->energy.register_write * p->events.register_writes +
           g->energy.icache * p->warp_insts / g->fetch.buffer +
           g->energy.constant * constant * warps;
}

static double l1(const struct profile *p, const struct gpu *g, double warps)
{
    const double *m = p->warp.metric;
    return g->energy.l1_read * (m[PHASE_LOAD_LINES] + m[PHASE_ATOMIC_LINES]) *
               warps +
           g->energy.l1_write * m[PHASE_STORE_LINES] * warps +
           g->energy.texture * p->events.texture_accesses;
}

static double flits(const struct gpu *g, double bytes)
{
    return ceil((g->icnt.header_bytes + bytes) / g->icnt.flit_bytes);
}

/* What is asked of the L2 in packets of a sector of the L1, each with a request
 * or an acknowledgement. */
static double network(const struct gpu *g, const struct demand *d, double warps)
{
    double bytes =
        g->l1.caches_global ? g->l1.sector_bytes : g->l2.sector_bytes;
    double packets = d->l2_bytes / bytes * warps;
    return g->energy.noc * packets * (flits(g, bytes) + flits(g, 0));
}

struct traffic {
    double read, written; /* bytes of the grid */
};

static double l2(const struct gpu *g, const struct traffic *t)
{
    return (g->energy.l2_read * t->read + g->energy.l2_write * t->written) /
           g->l2.sector_bytes;
}

static double memory(const struct profile *p, const struct gpu *g,
                     const struct traffic *t)
{
    double burst = g->dram.burst_bytes;
    return (g->energy.dram_read * t->read + g->energy.dram_write * t->written +
            g->energy.dram_row * p->placement.row_miss *
                (t->read + t->written)) /
           burst;
}

/* What is stored is written, of all that moves. */
static struct traffic split(double bytes, double stored, double warps)
{
    double written = fmin(bytes, stored) * warps;
    return (struct traffic){bytes * warps - written, written};
}

void model_energy(double part[ENERGY_PARTS], const struct profile *p,
                  const struct gpu *g, const struct demand *d)
{
    const double *m = p->warp.metric;
    double warps = p->blocks * p->warps_per_block;
    double stored = m[PHASE_STORE_SECTORS] * p->sector_bytes;
    struct traffic to_l2 = split(d->l2_bytes, stored, warps);
    struct traffic to_memory = split(d->dram.bytes, stored, warps);
    part[ENERGY_CORE] = core(p, g, warps);
    part[ENERGY_L1] = l1(p, g, warps);
    part[ENERGY_SHARED] =
        g->energy.shared * m[PHASE_SHARED] / p->timing.shared_step * warps;
    part[ENERGY_L2] = l2(g, &to_l2);
    part[ENERGY_NETWORK] = network(g, d, warps);
    part[ENERGY_MEMORY] = memory(p, g, &to_memory);
    for (int i = 0; i < ENERGY_PARTS; i++)
        part[i] *= PICOJOULES;
}
