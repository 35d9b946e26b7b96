/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/counts.h"

#include <math.h>

static void add_memory(struct sampler_counts *c, const struct memory *memory)
{
    const struct memory_counts m = memory_counts(memory);
    c->l2_accesses = m.l2_accesses;
    c->l2_hits = m.l2_hits;
    c->l2_misses = m.l2_misses;
    c->l2_merges = m.l2_merges;
    c->l2_read_sectors = m.l2_read_sectors;
    c->l2_write_sectors = m.l2_write_sectors;
    c->dram_reads = m.dram_reads;
    c->dram_writes = m.dram_writes;
    c->dram_bytes = m.dram_bytes;
    c->dram_row_hits = m.dram_row_hits;
    c->dram_row_misses = m.dram_row_misses;
    c->noc_flits = m.noc_flits;
    for (int i = 0; i < NOC_CLASSES; i++)
        c->noc_crossings[i] = m.noc_crossings[i];
    c->served_remote = m.served_remote;
    c->served_l2 = m.served_l2;
    c->served_memory = m.served_memory;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

static double peak_dram_bytes(const struct gpu *g, double cycles)
{
    return g->dram.gbps * 1000.0 / g->clock.core_mhz * cycles;
}

/* The resource nearest to its limit; latency when none is above 60 % (below
 * that, queueing theory's knee, waiting for room is short). */
static enum limiter limiter_of(const struct gpu *g,
                               const struct sampler_counts *c,
                               const struct result *r)
{
    const double knee = 0.6;
    double busy[LIMITERS] = {0};
    double cycles = (double)c->cycles;
    busy[LIMITER_ISSUE] = r->stall[STALL_ISSUED];
    busy[LIMITER_ALU] = r->stall[STALL_PIPE_ALU];
    busy[LIMITER_DRAM] =
        share((double)c->dram_bytes, peak_dram_bytes(g, cycles));
    busy[LIMITER_L2] = share((double)c->l2_accesses * g->l2.line_bytes,
                             cycles * g->clock.l2_mhz / g->clock.core_mhz *
                                 g->l2.banks * g->l2.port_bytes);
    busy[LIMITER_L1] = share((double)c->l1_accesses * g->interval.mem,
                             cycles * g->sms * g->l1.accesses_per_cycle);
    busy[LIMITER_SHARED] =
        share((double)c->shared_conflict_cycles, cycles * g->sms);
    enum limiter best = LIMITER_LATENCY;
    double most = knee;
    for (int i = 0; i < LIMITERS; i++)
        if (busy[i] > most) {
            most = busy[i];
            best = (enum limiter)i;
        }
    return best;
}

static struct result result_of(const struct gpu *g,
                               const struct sampler_counts *c, bool partial)
{
    double cycles = (double)c->cycles;
    struct result r = {
        .cycles = cycles,
        .cycles_lo = cycles,
        .cycles_hi = cycles,
        .warp_insts = (double)c->warp_insts,
        .thread_insts = (double)c->thread_insts,
        .ipc = share((double)c->warp_insts, cycles * g->sms),
        .time_us = cycles / g->clock.core_mhz,
        .occupancy = share((double)c->warp_cycles_resident,
                           cycles * g->sms * g->sm.max_warps),
        .l1_miss = share((double)(c->l1_accesses - c->l1_hits),
                         (double)c->l1_accesses),
        .l2_miss = share((double)(c->l2_misses + c->l2_merges),
                         (double)c->l2_accesses),
        .dram_gbps =
            share((double)c->dram_bytes * g->clock.core_mhz, cycles * 1000.0),
        .sampled = true,
        .partial = partial,
    };
    for (int s = 0; s < STALLS; s++)
        r.stall[s] =
            share((double)c->stalls[s], cycles * g->sms * g->sm.schedulers);
    r.limiter = limiter_of(g, c, &r);
    return r;
}

static void account(struct memory_account *a, const struct sampler_counts *c,
                    const struct energy *energy)
{
    const uint64_t served[SERVED_CLASSES] = {
        [SERVED_L1] = c->served_l1,
        [SERVED_REMOTE] = c->served_remote,
        [SERVED_L2] = c->served_l2,
        [SERVED_MEMORY] = c->served_memory,
    };
    uint64_t accesses = 0;
    for (int i = 0; i < SERVED_CLASSES; i++)
        accesses += served[i];
    for (int i = 0; i < SERVED_CLASSES; i++)
        a->served[i] = share((double)served[i], (double)accesses);
    for (int i = 0; i < NOC_CLASSES; i++)
        a->crossings[i] = (double)c->noc_crossings[i];
    for (int i = 0; i < ENERGY_PARTS; i++)
        a->energy_uj[i] = energy->part[i];
}

void counts_collect(struct sampler_run *out, struct machine *m, bool partial)
{
    out->counts = m->counts;
    add_memory(&out->counts, &m->memory);
    for (int i = 0; i < m->sms; i++) {
        struct sm *sm = &m->sm[i];
        sm_settle(sm, m->now);
        for (int s = 0; s < STALLS; s++)
            sm->core.counts.stalls[s] = sm->schedulers.stalls[s];
        counters_add(&out->counts, &sm->core.counts);
    }
    out->counts.cycles = m->now;
    out->result = result_of(m->gpu, &out->counts, partial);
    energy_of(&out->energy, m->gpu, &out->counts);
    out->result.energy_uj = energy_sum(&out->energy);
    account(&out->result.memory, &out->counts, &out->energy);
}
