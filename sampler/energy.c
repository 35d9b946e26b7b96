/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/energy.h"

#include "configs/exec.h"
#include "sampler/sampler.h"

#define PICOJOULES 1e-6 /* in microjoules */

const char *const energy_part_names[ENERGY_PARTS] = {
    [ENERGY_CORE] = "core",     [ENERGY_L1] = "l1",
    [ENERGY_SHARED] = "shared", [ENERGY_L2] = "l2",
    [ENERGY_NETWORK] = "noc",   [ENERGY_MEMORY] = "dram",
};

/* Control and memory operations take an issue and registers alone. */
static double lanes(const struct gpu *g, const struct sampler_counts *c)
{
    struct exec_table t;
    exec_table_init(&t, g);
    t.class_of[OP_CONVERT] = EXEC_SFU; /* on every GPU (unchecked) */
    double sum = 0;
    for (int i = 0; i < OP_CLASSES; i++)
        if (t.class_of[i] < EXEC_CLASSES)
            sum += t.class[t.class_of[i]].energy * (double)c->lanes_by_class[i];
    return sum;
}

static double core(const struct gpu *g, const struct sampler_counts *c)
{
    return g->energy.issue * (double)c->warp_insts + lanes(g, c) +
           g->energy.register_read * (double)c->register_reads +
           g->energy.register_write * (double)c->register_writes +
           g->energy.icache * (double)c->icache_accesses +
           g->energy.constant * (double)c->constant_accesses;
}

/* A remote hit reads the owner's L1, an atomic its own. */
static double l1(const struct gpu *g, const struct sampler_counts *c)
{
    uint64_t reads = c->l1_accesses + c->served_remote + c->l1_atomics;
    return g->energy.l1_read * (double)reads +
           g->energy.l1_write * (double)c->l1_writes +
           g->energy.texture * (double)c->texture_accesses;
}

static double network(const struct gpu *g, const struct sampler_counts *c)
{
    uint64_t crossings = 0;
    for (int i = 0; i < NOC_CLASSES; i++)
        crossings += c->noc_crossings[i];
    return g->energy.noc * (double)crossings;
}

static double memory(const struct gpu *g, const struct sampler_counts *c)
{
    return g->energy.dram_read * (double)c->dram_reads +
           g->energy.dram_write * (double)c->dram_writes +
           g->energy.dram_row * (double)c->dram_row_misses;
}

void energy_of(struct energy *out, const struct gpu *g,
               const struct sampler_counts *c)
{
    *out = (struct energy){
        .part = {
            [ENERGY_CORE] = core(g, c),
            [ENERGY_L1] = l1(g, c),
            [ENERGY_SHARED] = g->energy.shared * (double)c->shared_passes,
            [ENERGY_L2] = g->energy.l2_read * (double)c->l2_read_sectors +
                          g->energy.l2_write * (double)c->l2_write_sectors,
            [ENERGY_NETWORK] = network(g, c),
            [ENERGY_MEMORY] = memory(g, c),
        }};
    for (int i = 0; i < ENERGY_PARTS; i++)
        out->part[i] *= PICOJOULES;
}

double energy_sum(const struct energy *e)
{
    double sum = 0;
    for (int i = 0; i < ENERGY_PARTS; i++)
        sum += e->part[i];
    return sum;
}
