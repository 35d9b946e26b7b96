/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/metrics.h"

#include <math.h>

double speed(const struct sampler_run *r)
{
    return 1 / (double)r->counts.cycles;
}

double duration(const struct sampler_run *r)
{
    return (double)r->counts.cycles;
}

double idle_share(const struct sampler_run *r)
{
    return 1 - r->result.stall[STALL_ISSUED];
}

double memory_load(const struct sampler_run *r)
{
    return (double)r->counts.mem_in_flight / (double)r->counts.cycles;
}

double alu_load(const struct sampler_run *r)
{
    return (double)r->counts.alu_in_flight / (double)r->counts.cycles;
}

double alu_time(const struct sampler_run *r)
{
    const struct sampler_counts *c = &r->counts;
    double busy = (double)(c->cycles_alu_only + c->cycles_both);
    return 100 * busy /
           (busy + (double)(c->cycles_mem_only + c->cycles_neither));
}

double scoreboard_stalls(const struct sampler_run *r)
{
    return (double)(r->counts.stalls[STALL_SB_MEM] +
                    r->counts.stalls[STALL_SB_ALU]);
}

double pipeline_stalls(const struct sampler_run *r)
{
    return (double)(r->counts.stalls[STALL_PIPE_MEM] +
                    r->counts.stalls[STALL_PIPE_ALU]);
}

double all_stalls(const struct sampler_run *r)
{
    uint64_t sum = 0;
    for (int s = 0; s < STALLS; s++)
        sum += s == STALL_ISSUED ? 0 : r->counts.stalls[s];
    return (double)sum;
}

double l1_mpki(const struct sampler_run *r)
{
    return 1000.0 * (double)r->counts.l1_misses / (double)r->counts.warp_insts;
}

double traffic(const struct sampler_run *r)
{
    uint64_t sum = 0;
    for (int c = 0; c < NOC_CLASSES; c++)
        sum += r->counts.noc_crossings[c];
    return (double)sum;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? 100 * (double)part / (double)whole : NAN;
}

double cu_energy(const struct sampler_run *r)
{
    return energy_sum(&r->energy) - r->energy.part[ENERGY_MEMORY];
}

static double energy_share(const struct sampler_run *r, double part)
{
    return 100 * part / cu_energy(r);
}

double core_energy_share(const struct sampler_run *r)
{
    return energy_share(r, r->energy.part[ENERGY_CORE]);
}

double memory_system_energy_share(const struct sampler_run *r)
{
    return 100 - core_energy_share(r);
}

double l2_and_network_energy_share(const struct sampler_run *r)
{
    return energy_share(r, r->energy.part[ENERGY_L2] +
                               r->energy.part[ENERGY_NETWORK]);
}

static uint64_t accesses(const struct sampler_run *r)
{
    const struct sampler_counts *c = &r->counts;
    return c->served_l1 + c->served_remote + c->served_l2 + c->served_memory;
}

double l1_served(const struct sampler_run *r)
{
    return percent(r->counts.served_l1, accesses(r));
}

double l2_served(const struct sampler_run *r)
{
    return percent(r->counts.served_l2, accesses(r));
}

double memory_trips(const struct sampler_run *r)
{
    return (double)r->counts.served_memory;
}

double critical_accuracy(const struct sampler_run *r)
{
    return percent(r->counts.cpl_looks_slow, r->counts.cpl_looks);
}

double critical_hits(const struct sampler_run *r)
{
    return percent(r->counts.l1_critical_hits, r->counts.l1_critical_accesses) /
           100;
}

double critical_unused(const struct sampler_run *r)
{
    return percent(r->counts.l1_critical_evictions_unused,
                   r->counts.l1_critical_evictions);
}

double critical_evicted(const struct sampler_run *r)
{
    uint64_t lost = r->counts.l1_critical_lost;
    return percent(lost, lost + r->counts.l1_critical_found);
}
