/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/demand.h"

#include "configs/gpu.h"
#include "model/caches.h"
#include "model/rates.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* A design point, and what follows from it alone. */
struct setting {
    const struct profile *profile;
    const struct gpu *gpu;
    const struct sharing *sharing;
    struct cache_view caches;
    struct rates rates;
};

/* One execution of a phase. */
struct execution {
    const double *metric; /* the phase's */
    struct misses misses;
    struct dram_use dram;
    double use[RESOURCES];
};

/* ---- what one execution of a phase uses --------------------------------- */

/* Packets for `bytes` of so many lines: one for each, or for each sector. */
static double packets(const struct gpu *g, bool of_sectors, double lines,
                      double bytes)
{
    return of_sectors ? bytes / g->l2.sector_bytes : lines;
}

/* Of a slice that moves what is stored, or takes longer over what it changes
 * for it: of all sectors of a packet, or of each where it is one of its own. */
static double stores_in_l2(const double *n, const struct setting *at)
{
    const struct gpu *g = at->gpu;
    double sector = at->profile->sector_bytes * at->rates.l2_byte;
    double changed = g->l2.partial_cycles * at->rates.l2_cycle;
    double partial = n[PHASE_STORE_PARTIAL], whole = 0;
    if (g->icnt.sector_answers != 0)
        whole = n[PHASE_STORE_SECTORS] - partial;
    double together = n[PHASE_STORE_SECTORS] - whole;
    return whole * sector + fmax(together * sector, partial * changed);
}

static void network_use(struct execution *x, const struct setting *at)
{
    const double *n = x->metric;
    const struct misses *m = &x->misses;
    const struct rates *r = &at->rates;
    const struct gpu *g = at->gpu;
    bool sent = g->icnt.sector_packets != 0;
    bool answered = sent || g->icnt.sector_answers != 0;
    double store_lines = n[PHASE_STORE_LINES];
    double stored = n[PHASE_STORE_SECTORS] * at->profile->sector_bytes;
    double atomic = n[PHASE_ATOMIC_LINES] * g->l2.sector_bytes;
    double atomics = rates_flits(r, n[PHASE_ATOMIC_LINES], atomic);
    double in =
        rates_flits(r, packets(g, answered, m->lines, m->bytes), m->bytes) +
        rates_flits(r, packets(g, answered, store_lines, stored), 0) + atomics;
    double out = rates_flits(r, packets(g, sent, m->lines, m->bytes), 0) +
                 rates_flits(r, packets(g, sent, store_lines, stored), stored) +
                 atomics;
    x->use[RES_REQUESTS] = fmax(r->request_flit * out, r->link * (in + out));
    x->use[RES_ANSWERS] = fmax(r->answer_flit * in, r->link * (in + out));
    x->use[RES_L2] =
        m->bytes * r->l2_byte + stores_in_l2(n, at) +
        fmax(atomic * r->l2_byte, n[PHASE_ATOMIC_SERIAL] * r->l2_cycle);
}

/* Sectors that are written back, and in how many lines. Blocks store to what is
 * theirs; atomics may go to what others go to. */
static double dirty_sectors(const struct execution *x, const struct setting *at,
                            double *lines)
{
    const double *n = x->metric;
    const struct rates *r = &at->rates;
    double found = x->misses.found;
    double store = r->store_cold + r->store_again;
    double atomic = r->store_cold * (1 - found) + r->store_again;
    *lines =
        r->store_leaves * (n[PHASE_STORE_LINES] * r->stored_afresh * store +
                           n[PHASE_ATOMIC_LINES] * atomic);
    return r->store_leaves *
           (n[PHASE_STORE_SECTORS] * store + n[PHASE_ATOMIC_SECTORS] * atomic);
}

/* Rows that reads of so many lines open: those of lines that no block has
 * touched before, and of those that the L2 had and lost. */
static double rows_read(const struct execution *x, const struct setting *at,
                        double reads)
{
    const struct misses *m = &x->misses;
    const struct placement *p = &at->profile->placement;
    if (m->l2_miss_bytes <= 0)
        return 0;
    double first = fmin(1, m->first_bytes / m->l2_miss_bytes);
    return reads * (first * p->row_miss + (1 - first) * p->row_again);
}

static void dram_use(struct execution *x, const struct setting *at)
{
    const struct misses *m = &x->misses;
    const struct rates *r = &at->rates;
    double lines = m->lines + x->metric[PHASE_ATOMIC_LINES], written;
    double reads = m->l2_bytes > 0 ? lines * m->l2_miss_bytes / m->l2_bytes : 0;
    double dirty = dirty_sectors(x, at, &written);
    double moved = m->l2_miss_bytes * m->moved;
    double fetches = fmax(reads, moved / r->fetch_bytes);
    x->dram =
        (struct dram_use){.bytes = rates_read(r, reads, moved) +
                                   dirty * at->profile->sector_bytes,
                          .rows = rows_read(x, at, reads) +
                                  written * at->profile->placement.row_miss,
                          .fetches = fetches,
                          .written = written};
}

/* How long an MSHR is taken, from the L1's miss to the answer: a line's own
 * time, whatever the others of its instruction wait for. */
static double miss_latency(const struct timing *t, const struct misses *m)
{
    double far = m->l2_bytes > 0 ? m->l2_miss_bytes / m->l2_bytes : 0;
    return t->load[LEVEL_L2] + far * (t->load[LEVEL_DRAM] - t->load[LEVEL_L2]);
}

static void execution_of(struct execution *x, const struct setting *at,
                         const struct profile_phase *phase)
{
    const struct rates *r = &at->rates;
    const double *n = phase->metric;
    *x = (struct execution){.metric = n};
    caches_misses(&x->misses, at->profile, phase, &at->caches);
    x->use[RES_ISSUE] = n[PHASE_SLOTS] * r->issue;
    for (int c = 0; c < EXEC_CONTROL; c++)
        x->use[RES_UNIT + r->unit_of[c]] += n[PHASE_EXEC + c] * r->unit[c];
    x->use[RES_LDST] = n[PHASE_LDST];
    x->use[RES_CONSTANT] = n[PHASE_CONSTANT];
    x->use[RES_MSHR] = x->misses.lines *
                       miss_latency(&at->profile->timing, &x->misses) /
                       at->gpu->l1.mshr;
    network_use(x, at);
    dram_use(x, at);
}

/* Its time in a warp that nothing else holds up, with waits for memory as many
 * times as long. */
static double unloaded_time(const struct execution *x, double factor)
{
    const double *n = x->metric;
    const struct misses *m = &x->misses;
    double length = (1 - m->any_l1) * n[PHASE_LENGTH + LEVEL_L1] +
                    (m->any_l1 - m->any_l2) * n[PHASE_LENGTH + LEVEL_L2] +
                    m->any_l2 * n[PHASE_LENGTH + LEVEL_DRAM];
    return n[PHASE_COMPUTE] + factor * (length - n[PHASE_COMPUTE]);
}

/* ---- the sum over all executions ---------------------------------------- */

static double largest(const double use[RESOURCES], int first, int last)
{
    double most = 0;
    for (int u = first; u <= last; u++)
        most = fmax(most, use[u]);
    return most;
}

static void add_dram(struct dram_use *sum, const struct dram_use *use, double n)
{
    sum->bytes += n * use->bytes;
    sum->rows += n * use->rows;
    sum->fetches += n * use->fetches;
    sum->written += n * use->written;
}

static void add_bytes(struct demand *d, const struct execution *x,
                      double sector_bytes)
{
    const struct misses *m = &x->misses;
    double n = x->metric[PHASE_COUNT];
    double stored = x->metric[PHASE_STORE_SECTORS] * sector_bytes;
    d->l2_plain_bytes += n * (m->bytes + stored);
    d->l2_fill_bytes += n * m->dram_bytes;
    d->l2_bytes += n * (m->l2_bytes + stored);
    d->l2_miss_bytes += n * m->l2_miss_bytes;
    add_dram(&d->dram, &x->dram, n);
}

/* Flits that pass a port which no other SM's wait for, in cycles. */
static double sent_alone(double use, double flit, const struct gpu *g)
{
    return use * fmin(1, g->clock.core_mhz / g->clock.icnt_mhz / flit);
}

/* What a phase asks at a time of slow units and of memory. What leaves the SM
 * does so as the load/store unit gets it; other SMs' blocks are elsewhere. */
static void set_bursts(struct demand *d, const struct setting *at, int phase,
                       const struct execution *x)
{
    const double *n = x->metric;
    double out =
        sent_alone(x->use[RES_REQUESTS], at->rates.request_flit, at->gpu);
    double in = sent_alone(x->use[RES_ANSWERS], at->rates.answer_flit, at->gpu);
    double count = n[PHASE_COUNT];
    double inside = largest(x->use, RES_LDST + 1, RES_CONSTANT);
    double at_a_time =
        n[PHASE_LDST] > 0 ? fmin(1, n[PHASE_LDST_BURST] / n[PHASE_LDST]) : 1;
    d->phase_sent[phase] = count * at_a_time * fmax(inside, fmax(out, in));
    d->phase_ldst_burst[phase] =
        (struct burst){count * n[PHASE_LDST_BURST], count * n[PHASE_LDST_SPAN]};
    d->phase_unit_burst[phase] =
        (struct burst){count * n[PHASE_UNIT_BURST], count * n[PHASE_UNIT_SPAN]};
}

static void add_phase(struct demand *d, const struct setting *at, int phase)
{
    struct execution x;
    execution_of(&x, at, &at->profile->phase[phase]);
    double n = x.metric[PHASE_COUNT];
    for (int u = 0; u < RESOURCES; u++)
        d->use[u] += n * x.use[u];
    d->phase_unloaded[phase] = n * unloaded_time(&x, at->sharing->latency);
    d->unloaded += d->phase_unloaded[phase];
    d->compute += n * x.metric[PHASE_COMPUTE];
    d->phases += n;
    d->shared_use += n * x.metric[PHASE_SHARED];
    d->phase_runs[phase] = n;
    d->phase_compute[phase] = n * x.metric[PHASE_COMPUTE];
    d->phase_alu[phase] = n * largest(x.use, RES_ISSUE, RES_UNIT + UNIT_INT);
    d->phase_slow[phase] = n * largest(x.use, RES_LDST, RES_ANSWERS);
    d->phase_unit[phase] =
        n * largest(x.use, RES_UNIT + UNIT_SFU, RES_UNIT + UNIT_TENSOR);
    set_bursts(d, at, phase, &x);
    add_bytes(d, &x, at->profile->sector_bytes);
}

/* A block's longest path over an average warp's, between what it is when all
 * loads hit the L1 and when all come from DRAM. */
static double path_ratio(const struct profile *p, double unloaded)
{
    double near = p->critical[LEVEL_L1] / p->unloaded[LEVEL_L1];
    double far = p->critical[LEVEL_DRAM] / p->unloaded[LEVEL_DRAM];
    double range = p->unloaded[LEVEL_DRAM] - p->unloaded[LEVEL_L1];
    double at = range > 0 ? (unloaded - p->unloaded[LEVEL_L1]) / range : 0;
    return near + fmin(1, fmax(0, at)) * (far - near);
}

/* How far blocks that start together stay together: as long as the one that is
 * ahead takes alone, of the time they take with each other. */
static double stay_together(const struct setting *at)
{
    const struct profile *p = at->profile;
    struct execution x;
    if (at->sharing->aligned)
        return 1;
    execution_of(&x, at, &p->warp);
    double missing = caches_l1_beyond(p->l1_wait, &at->caches);
    double latency = p->unloaded[LEVEL_L1] +
                     missing * (p->unloaded[LEVEL_L2] - p->unloaded[LEVEL_L1]);
    double busy = largest(x.use, RES_ISSUE, RES_L2);
    double alone = fmax(latency, p->warps_per_block * busy);
    return fmin(1, alone / (at->sharing->warps * busy));
}

void demand_of(struct demand *d, const struct profile *p, const struct gpu *g,
               const struct sharing *s)
{
    struct setting at = {.profile = p, .gpu = g, .sharing = s};
    caches_view(&at.caches, p, g, s);
    rates_set(&at.rates, p, g, s, &at.caches);
    caches_see_others(&at.caches, p, g, s, stay_together(&at));
    memset(d, 0, offsetof(struct demand, phase_unloaded));
    for (int i = 0; i < p->phases; i++)
        add_phase(d, &at, i);
    d->use[RES_DRAM] = rates_dram(&at.rates, &d->dram);
    d->phase_count = p->phases;
    d->l1_wait = caches_l1_wait(p, &at.caches);
    /* A line of code is fetched by the first of the warps that come by. */
    if (!g->icache.perfect)
        d->unloaded += (p->code_misses + p->code_again) / s->warps *
                       g->icache.miss_latency;
    d->critical = d->unloaded * path_ratio(p, d->unloaded);
}
