/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/demand.h"

#include "configs/gpu.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- caches ------------------------------------------------------------- */

#define QUANTILES 3

/* The windows within which a reuse hits. A set of A ways with lines placed at
 * random holds a reuse whose distance is d lines with probability
 * P(Poisson(d / sets) < A); three points of equal weight stand for that fall
 * (its quantiles 1/6, 1/2, 5/6: mean A - 1/3 and deviation sqrt(A), as of a
 * gamma distribution of shape A). */
struct cache_view {
    struct reuse_threshold l1[REUSE_KINDS][QUANTILES];
    struct reuse_threshold l2[QUANTILES];
    /* Chance that a line another block touched is still there: in the L1, and
     * in the L2 when that block is in the same row of the grid, or another. */
    double l1_kept, near_kept, far_kept;
};

/* Lines of quantile q of the distance that still hits. */
static double window_lines(int q, double lines, int ways)
{
    static const double deviation[QUANTILES] = {-0.967, 0, 0.967};

    return lines * (ways - 1.0 / 3 + deviation[q] * sqrt(ways)) / ways;
}

static void windows(struct reuse_threshold out[QUANTILES],
                    const struct footprint *f, double copies, double lines,
                    int ways)
{
    for (int q = 0; q < QUANTILES; q++)
        out[q] = footprint_threshold(f, copies, window_lines(q, lines, ways));
}

/* Chance that a line the SM's block before this one touched is still in the L1.
 * Alone, that block has gone through all its lines since; one of several at a
 * time is anywhere on its way. */
static double kept_in_l1(const struct profile *p, const struct gpu *g,
                         double blocks)
{
    double lines = g->l1.size_kb * 1024 / g->l1.line_bytes, sum = 0;
    double between = blocks * p->own_lines + p->block_lines - p->own_lines;

    for (int q = 0; q < QUANTILES; q++) {
        double fits = window_lines(q, lines, g->l1.ways) / fmax(1, between);

        sum += blocks > 1 ? fmin(1, fits) : fits >= 1;
    }
    return sum / QUANTILES;
}

static void view_caches(struct cache_view *v, const struct profile *p,
                        const struct gpu *g, const struct sharing *s)
{
    double line = g->l1.line_bytes, lines = g->l1.size_kb * 1024 / line;
    double l2_lines = g->l2.size_kb * 1024 / line;
    double live = pow(s->live / p->warps_per_block, s->interference);
    double blocks = pow(s->blocks, s->interference);
    double all = s->active_sms * s->blocks;
    double own = profile_own_share(p);

    windows(v->l1[REUSE_SAME_WARP], &p->l1_lines, live, lines, g->l1.ways);
    windows(v->l1[REUSE_OTHER_WARP], &p->l1_lines, blocks, lines, g->l1.ways);
    windows(v->l1[REUSE_TEXTURE], &p->texture_lines, blocks,
            g->texture.size_kb * 1024 / g->texture.line_bytes, g->texture.ways);
    windows(v->l2, &p->l2_lines, 1 + (all - 1) * own, l2_lines, g->l2.ways);
    v->l1_kept = g->l1.caches_global ? kept_in_l1(p, g, s->blocks) : 0;
    v->near_kept = fmin(1, l2_lines / (all * p->own_lines + 1));
    v->far_kept =
        fmin(1, l2_lines / (fmax(all, p->row_blocks) * p->own_lines + 1));
}

static double l1_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    double sum = 0;

    for (int kind = 0; kind < REUSE_KINDS; kind++)
        for (int q = 0; q < QUANTILES && h[kind].bin[0] > 0; q++)
            sum += reuse_beyond(&h[kind], v->l1[kind][q]);
    return sum / QUANTILES;
}

static double l2_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    double sum = 0;

    for (int q = 0; q < QUANTILES; q++)
        sum += reuse_beyond(h, v->l2[q]);
    return sum / QUANTILES;
}

/* Of one execution of a phase. */
struct misses {
    double sectors, lines;          /* that leave the SM to be read */
    double bytes;                   /* of them */
    double dram_bytes;              /* read from DRAM */
    double l2_bytes, l2_miss_bytes; /* read at the L2, atomics included */
    double any_l1, any_l2;          /* chance that some access misses */
};

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

static struct misses phase_misses(const struct profile *p,
                                  const struct profile_phase *h,
                                  const struct cache_view *v)
{
    const double *f = h->figure;
    struct misses m = {0};
    double l1_met = v->l1_kept * ratio(f[PHASE_PARTNER], f[PHASE_COLD]);
    double l2_met =
        ratio(v->near_kept * f[PHASE_NEAR] + v->far_kept * f[PHASE_FAR],
              f[PHASE_COLD]);
    double cold = 0, worst = 0;

    if (f[PHASE_LOAD_LINES] == 0 && f[PHASE_ATOMIC_LINES] == 0)
        return m;
    for (int kind = 0; kind < REUSE_TEXTURE; kind++) {
        cold += (double)h->l1_miss[kind].cold;
        worst += (double)h->l1_worst[kind].cold;
    }
    m.sectors = l1_beyond(h->l1_miss, v) - l1_met * cold;
    m.any_l1 = l1_beyond(h->l1_worst, v) - l1_met * worst;
    m.lines = m.sectors * ratio(f[PHASE_LOAD_LINES], f[PHASE_LOAD_SECTORS]);
    m.bytes = m.sectors * p->sector_bytes;
    m.dram_bytes =
        (l2_beyond(&h->l2_miss, v) - l2_met * (double)h->l2_miss.cold) *
        p->sector_bytes;
    /* An access misses both caches at most as often as either: what the L1
     * holds is never asked of the L2, whatever that has lost. */
    m.l2_bytes = m.bytes + f[PHASE_ATOMIC_SECTORS] * p->sector_bytes;
    m.l2_miss_bytes = fmin(m.dram_bytes, m.l2_bytes);
    m.any_l2 = l2_beyond(&h->l2_worst, v) - l2_met * (double)h->l2_worst.cold;
    m.any_l2 = fmin(m.any_l2, m.any_l1);
    return m;
}

/* ---- rates -------------------------------------------------------------- */

/* Cycles of one SM's share of a resource for one unit of what it handles. */
struct rates {
    double issue, unit[EXEC_CLASSES];
    int unit_of[EXEC_CLASSES];
    double flit, flit_bytes, header; /* flit: cycles of an SM's port */
    double l2_byte, l2_serial, dram_byte, burst;
    double dram_request; /* of a request that opens rows as often as here */
    double store_dram;   /* share of stored bytes that reach DRAM: the last ones
                          * stay in the L2 */
};

/* Core cycles between two rows that a channel opens: activates of different
 * banks, or as many of the same one as there are banks. */
static double row_cycles(const struct gpu *g)
{
    return fmax(g->dram.rrd, (double)g->dram.rc / g->dram.banks) *
           g->clock.core_mhz / g->clock.dram_mhz;
}

/* Core cycles of an SM's flit when all SMs send or receive: first packets wait
 * for ports that others use, and busy slices have no more ports than others. */
static double flit_cycles(const struct gpu *g, double sms, double busiest)
{
    double passed = gpu_crossbar_flits(g->l2.banks, sms);
    double waits = fmax(sms / passed, busiest * sms / g->l2.banks);

    return waits * g->clock.core_mhz / g->clock.icnt_mhz;
}

static struct rates rates_of(const struct profile *p, const struct gpu *g,
                             const struct sharing *s,
                             const struct cache_view *v)
{
    double slices = s->active_sms / g->l2.banks * p->placement.slice;
    double written = p->own_lines * p->blocks * g->l1.line_bytes;
    double stays = g->l2.size_kb * 1024 / fmax(1, written);
    double l2_cycle = g->clock.core_mhz / g->clock.l2_mhz;
    struct rates r = {
        .issue = (double)g->sm.issue_period / g->sm.schedulers,
        .flit = flit_cycles(g, s->active_sms, p->placement.slice),
        .flit_bytes = g->icnt.flit_bytes,
        .header = g->icnt.header_bytes,
        .l2_byte = l2_cycle / g->l2.port_bytes * slices,
        .l2_serial = slices,
        .dram_byte = s->active_sms * p->placement.channel * g->clock.core_mhz /
                     (1000 * g->dram.gbps * s->bandwidth),
        .burst = g->dram.burst_bytes,
        .dram_request = p->placement.row_miss * row_cycles(g) * s->active_sms *
                        p->placement.channel / g->dram.channels,
        .store_dram = l2_beyond(&p->store_miss, v) * fmax(0, 1 - stays),
    };

    for (int c = 0; c < EXEC_CONTROL; c++) {
        enum exec_unit u = p->timing.exec.class[c].unit;
        int units = p->timing.exec.unit[u].count;

        if (g->sm.sub_core && units >= g->sm.schedulers)
            r.unit[c] = p->timing.interval[c] / g->sm.schedulers;
        else
            r.unit[c] = p->timing.interval[c];
        r.unit_of[c] = (int)u;
    }
    return r;
}

static double flits(const struct rates *r, double packets, double bytes)
{
    if (packets <= 0)
        return 0;
    return packets * ceil((r->header + bytes / packets) / r->flit_bytes);
}

/* Bytes moved in whole bursts. */
static double bursts(const struct rates *r, double requests, double bytes)
{
    if (requests <= 0 || bytes <= 0)
        return 0;
    return bytes * fmax(1, r->burst * requests / bytes);
}

/* ---- one phase ---------------------------------------------------------- */

static void network_use(const struct profile *p, const struct gpu *g,
                        const double *f, const struct misses *m,
                        const struct rates *r, double use[RESOURCES])
{
    double stored = f[PHASE_STORE_SECTORS] * p->sector_bytes;
    double atomic = f[PHASE_ATOMIC_LINES] * g->l2.sector_bytes;
    double atomics = flits(r, f[PHASE_ATOMIC_LINES], atomic);
    double in = flits(r, m->lines, m->bytes) +
                flits(r, f[PHASE_STORE_LINES], 0) + atomics;
    double out = flits(r, m->lines, 0) +
                 flits(r, f[PHASE_STORE_LINES], stored) + atomics;

    use[RES_ICNT] = r->flit * fmax(in, out);
    use[RES_L2] = (m->bytes + stored + atomic) * r->l2_byte +
                  f[PHASE_ATOMIC_SERIAL] * r->l2_serial;
}

static double dram_requests(const struct misses *m)
{
    return m->bytes > 0 ? m->lines * m->dram_bytes / m->bytes : 0;
}

static double dram_traffic(const struct profile *p, const double *f,
                           const struct misses *m, const struct rates *r)
{
    return bursts(r, dram_requests(m), m->dram_bytes) +
           f[PHASE_STORE_SECTORS] * p->sector_bytes * r->store_dram;
}

static void phase_use(const struct profile *p, const struct profile_phase *h,
                      const struct gpu *g, const struct misses *m,
                      const struct rates *r, double use[RESOURCES])
{
    const double *f = h->figure;
    double served = m->any_l1 > 0 ? m->any_l2 / m->any_l1 : 0;
    double latency =
        p->timing.load[LEVEL_L2] +
        served * (p->timing.load[LEVEL_DRAM] - p->timing.load[LEVEL_L2]);
    double requests = dram_requests(m) + f[PHASE_STORE_LINES] * r->store_dram;

    memset(use, 0, RESOURCES * sizeof(*use));
    use[RES_ISSUE] = f[PHASE_SLOTS] * r->issue;
    for (int c = 0; c < EXEC_CONTROL; c++)
        use[RES_UNIT + r->unit_of[c]] += f[PHASE_EXEC + c] * r->unit[c];
    use[RES_LDST] = f[PHASE_LDST];
    use[RES_MSHR] = m->lines * latency / g->l1.mshr;
    network_use(p, g, f, m, r, use);
    use[RES_DRAM] = fmax(dram_traffic(p, f, m, r) * r->dram_byte,
                         requests * r->dram_request);
}

static double phase_length(const struct profile_phase *h,
                           const struct misses *m, double factor)
{
    const double *f = h->figure;
    double length = (1 - m->any_l1) * f[PHASE_LENGTH + LEVEL_L1] +
                    (m->any_l1 - m->any_l2) * f[PHASE_LENGTH + LEVEL_L2] +
                    m->any_l2 * f[PHASE_LENGTH + LEVEL_DRAM];

    return f[PHASE_COMPUTE] + factor * (length - f[PHASE_COMPUTE]);
}

static double largest(const double use[RESOURCES], int first, int last)
{
    double most = 0;

    for (int u = first; u <= last; u++)
        most = fmax(most, use[u]);
    return most;
}

/* A block's longest path over an average warp's, between what it is when all
 * loads hit the L1 and when all come from DRAM. */
static double path_ratio(const struct profile *p, double alone)
{
    double near = p->critical[LEVEL_L1] / p->alone[LEVEL_L1];
    double far = p->critical[LEVEL_DRAM] / p->alone[LEVEL_DRAM];
    double range = p->alone[LEVEL_DRAM] - p->alone[LEVEL_L1];
    double at = range > 0 ? (alone - p->alone[LEVEL_L1]) / range : 0;

    return near + fmin(1, fmax(0, at)) * (far - near);
}

void demand_of(struct demand *d, const struct profile *p, const struct gpu *g,
               const struct sharing *s)
{
    struct cache_view v;
    struct rates r;

    view_caches(&v, p, g, s);
    r = rates_of(p, g, s, &v);
    memset(d, 0, offsetof(struct demand, span));
    for (int i = 0; i < p->phases; i++) {
        const struct profile_phase *h = &p->phase[i];
        const double *f = h->figure;
        struct misses m = phase_misses(p, h, &v);
        double use[RESOURCES], n = f[PHASE_COUNT];

        phase_use(p, h, g, &m, &r, use);
        for (int u = 0; u < RESOURCES; u++)
            d->use[u] += n * use[u];
        d->alone += n * phase_length(h, &m, s->latency);
        d->compute += n * f[PHASE_COMPUTE];
        d->span[i] = n * f[PHASE_COMPUTE];
        d->alu[i] = n * largest(use, RES_ISSUE, RES_UNIT + UNIT_INT);
        d->slow[i] = n * largest(use, RES_UNIT + UNIT_SFU, RES_DRAM);
        d->phases += n;
        d->shared_use += n * f[PHASE_SHARED];
        d->l2_fill_bytes += n * m.dram_bytes;
        d->l2_plain_bytes +=
            n * (m.bytes + f[PHASE_STORE_SECTORS] * p->sector_bytes);
        d->l2_bytes +=
            n * (m.l2_bytes + f[PHASE_STORE_SECTORS] * p->sector_bytes);
        d->l2_miss_bytes += n * m.l2_miss_bytes;
        d->dram_bytes += n * dram_traffic(p, f, &m, &r);
    }
    d->kinds = p->phases;
    d->l1_wait = l1_beyond(p->l1_wait, &v);
    /* A line of code is fetched by the first of the warps that come by. */
    if (!g->icache.perfect)
        d->alone += p->code_misses * g->icache.miss_latency / s->warps;
    d->critical = d->alone * path_ratio(p, d->alone);
}
