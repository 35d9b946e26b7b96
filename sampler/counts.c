/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/counts.h"

#include "configs/peaks.h"

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
    c->noc_flits_to_sms = m.noc_flits_to_sms;
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

/* Busy cycles of pipelines; configs/exec.h has them in the same order. */
static void use_units(double use[USES], const struct gpu *g,
                      const struct sampler_counts *c)
{
    struct exec_table exec;
    exec_table_init(&exec, g);
    for (int u = UNIT_SP; u <= UNIT_TENSOR; u++)
        use[USE_SP + u] =
            exec.unit[u].count > 0
                ? share((double)c->unit_cycles[u],
                        (double)c->cycles * g->sms * exec.unit[u].count)
                : 0;
}

/* Flits of the busier direction. */
static double network_flits(const struct sampler_counts *c)
{
    return fmax((double)c->noc_flits_to_sms,
                (double)(c->noc_flits - c->noc_flits_to_sms));
}

static void use_of(double use[USES], const struct gpu *g,
                   const struct sampler_counts *c)
{
    struct peaks peak;
    double cycles = (double)c->cycles;
    double l2_sectors = (double)(c->l2_read_sectors + c->l2_write_sectors);
    peaks_of(&peak, g);
    use[USE_ISSUE] = share((double)c->warp_insts, cycles * peak.issue);
    use_units(use, g, c);
    use[USE_L1] = share((double)c->l1_accesses, cycles * peak.l1);
    use[USE_SHARED] = share((double)c->shared_passes, cycles * peak.shared);
    use[USE_L2] = share(l2_sectors * g->l2.sector_bytes, cycles * peak.l2);
    use[USE_NETWORK] = share(network_flits(c), cycles * peak.network);
    use[USE_DRAM] = share((double)c->dram_bytes, cycles * peak.dram);
    for (int i = 0; i < USES; i++)
        use[i] = fmin(use[i], 1);
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
    use_of(r.use, g, c);
    r.limiter = limiter_of(r.use);
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

/* What was counted to the beginning of a cycle. */
static void sum_up(struct sampler_counts *out, struct machine *m, uint64_t now)
{
    *out = m->counts;
    add_memory(out, &m->memory);
    for (int i = 0; i < m->sms; i++) {
        struct sm *sm = &m->sm[i];
        sm_settle(sm, now);
        out->warp_cycles_resident += sm_resident_cycles(sm, now);
        for (int s = 0; s < STALLS; s++)
            sm->core.counts.stalls[s] = sm->schedulers.stalls[s];
        counters_add(out, &sm->core.counts);
    }
    out->cycles = now;
}

void counts_tell(struct machine *m, uint64_t now)
{
    const struct sampler_options *o = m->options;
    for (; m->next_interval <= now; m->next_interval += o->interval_period) {
        struct sampler_counts so_far;
        uint64_t warps = 0;
        sum_up(&so_far, m, m->next_interval);
        for (int i = 0; i < m->sms; i++)
            warps += (uint64_t)__builtin_popcountll(m->sm[i].core.table.live);
        o->interval(o->user, &so_far, warps);
    }
}

void counts_begin_measuring(struct machine *m)
{
    sum_up(&m->unmeasured, m, m->now);
}

/* What was counted since measuring began, if anything was issued. */
static struct sampler_counts measured(const struct machine *m,
                                      const struct sampler_counts *all)
{
    struct sampler_counts out = *all;
    if (all->warp_insts > m->unmeasured.warp_insts)
        counters_subtract(&out, &m->unmeasured);
    return out;
}

static double sm_spread(const struct machine *m)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < m->sms; i++) {
        double insts = (double)m->sm[i].core.counts.warp_insts;
        sum += insts;
        squares += insts * insts;
    }
    double mean = sum / m->sms;
    return sum > 0 ? sqrt(fmax(0, squares / m->sms - mean * mean)) / mean : 0;
}

void counts_collect(struct sampler_run *out, struct machine *m, bool partial)
{
    sum_up(&out->counts, m, m->now);
    const struct sampler_counts of = measured(m, &out->counts);
    out->result = result_of(m->gpu, &of, partial);
    energy_of(&out->energy, m->gpu, &of);
    out->result.energy_uj = energy_sum(&out->energy);
    account(&out->result.memory, &of, &out->energy);
    out->sm_spread = sm_spread(m);
    for (int i = 0; i < m->sms; i++)
        out->departed |= schedulers_departed(&m->sm[i].schedulers);
}
