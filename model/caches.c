/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/caches.h"

#include "configs/gpu.h"

#include <math.h>

/* ---- what the caches hold at a design point ----------------------------- */

/* Lines of quantile q of the distance that still hits. */
static double window_lines(int q, double lines, int ways)
{
    /* of the normal distribution at 1/6, 1/2, 5/6 */
    static const double deviation[CACHE_QUANTILES] = {-0.967, 0, 0.967};
    return lines * (ways - 1.0 / 3 + deviation[q] * sqrt(ways)) / ways;
}

static void windows(struct reuse_threshold out[CACHE_QUANTILES],
                    const struct footprint *f, double copies, double lines,
                    int ways)
{
    for (int q = 0; q < CACHE_QUANTILES; q++)
        out[q] = footprint_threshold(f, copies, window_lines(q, lines, ways));
}

/* Chance that a line the SM's block before this one touched is still in the L1.
 * Alone, that block has gone through all its lines since; one of several at a
 * time is anywhere on its way. */
static double retained_in_l1(const struct profile *p, const struct gpu *g,
                             double blocks)
{
    double lines = g->l1.size_kb * 1024 / g->l1.line_bytes, sum = 0;
    double between =
        blocks * p->private_lines + p->block_lines - p->private_lines;
    for (int q = 0; q < CACHE_QUANTILES; q++) {
        double fits = window_lines(q, lines, g->l1.ways) / fmax(1, between);
        sum += blocks > 1 ? fmin(1, fits) : fits >= 1;
    }
    return sum / CACHE_QUANTILES;
}

void caches_view(struct cache_view *v, const struct profile *p,
                 const struct gpu *g, const struct sharing *s)
{
    double line = g->l1.line_bytes, lines = g->l1.size_kb * 1024 / line;
    double l2_lines = g->l2.size_kb * 1024 / line;
    double live = pow(s->live / p->warps_per_block, s->interference);
    double blocks = pow(s->blocks, s->interference);
    double all = s->active_sms * s->blocks;
    double own = profile_private_share(p);
    windows(v->l1[REUSE_SAME_WARP], &p->l1_lines, live, lines, g->l1.ways);
    windows(v->l1[REUSE_OTHER_WARP], &p->l1_lines, blocks, lines, g->l1.ways);
    windows(v->l1[REUSE_TEXTURE], &p->texture_lines, blocks,
            g->texture.size_kb * 1024 / g->texture.line_bytes, g->texture.ways);
    windows(v->l2, &p->l2_lines, 1 + (all - 1) * own, l2_lines, g->l2.ways);
    v->l1_retained = g->l1.caches_global ? retained_in_l1(p, g, s->blocks) : 0;
    v->near_retained = fmin(1, l2_lines / (all * p->private_lines + 1));
    v->far_retained =
        fmin(1, l2_lines / (fmax(all, p->row_blocks) * p->private_lines + 1));
}

double caches_l1_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    double sum = 0;
    for (int kind = 0; kind < REUSE_KINDS; kind++)
        for (int q = 0; q < CACHE_QUANTILES && h[kind].bin[0] > 0; q++)
            sum += reuse_beyond(&h[kind], v->l1[kind][q]);
    return sum / CACHE_QUANTILES;
}

double caches_l2_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    double sum = 0;
    for (int q = 0; q < CACHE_QUANTILES; q++)
        sum += reuse_beyond(h, v->l2[q]);
    return sum / CACHE_QUANTILES;
}

/* ---- what a phase misses ------------------------------------------------- */

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 0;
}

/* Lines new to the block that the L1 holds nevertheless, as shares of those
 * lines: the SM's block before it brought them. */
static double found_in_l1(const struct profile_phase *h,
                          const struct cache_view *v)
{
    return v->l1_retained *
           ratio(h->metric[PHASE_PARTNER], h->metric[PHASE_COLD]);
}

/* The same of the L2 and any other block. */
static double found_in_l2(const struct profile_phase *h,
                          const struct cache_view *v)
{
    return ratio(v->near_retained * h->metric[PHASE_NEAR] +
                     v->far_retained * h->metric[PHASE_FAR],
                 h->metric[PHASE_COLD]);
}

static void l1_misses(struct misses *m, const struct profile_phase *h,
                      const struct cache_view *v)
{
    double found = found_in_l1(h, v), cold = 0, worst = 0;
    for (int kind = 0; kind < REUSE_TEXTURE; kind++) {
        cold += (double)h->l1_miss[kind].cold;
        worst += (double)h->l1_worst[kind].cold;
    }
    m->sectors = caches_l1_beyond(h->l1_miss, v) - found * cold;
    m->any_l1 = caches_l1_beyond(h->l1_worst, v) - found * worst;
}

void caches_misses(struct misses *out, const struct profile *p,
                   const struct profile_phase *h, const struct cache_view *v)
{
    const double *n = h->metric;
    *out = (struct misses){0};
    if (n[PHASE_LOAD_LINES] == 0 && n[PHASE_ATOMIC_LINES] == 0)
        return;
    l1_misses(out, h, v);
    out->lines =
        out->sectors * ratio(n[PHASE_LOAD_LINES], n[PHASE_LOAD_SECTORS]);
    out->bytes = out->sectors * p->sector_bytes;
    double found = found_in_l2(h, v);
    out->dram_bytes =
        (caches_l2_beyond(&h->l2_miss, v) - found * (double)h->l2_miss.cold) *
        p->sector_bytes;
    /* An access misses both caches at most as often as either: what the L1
     * holds is never asked of the L2, whatever that has lost. */
    out->l2_bytes = out->bytes + n[PHASE_ATOMIC_SECTORS] * p->sector_bytes;
    out->l2_miss_bytes = fmin(out->dram_bytes, out->l2_bytes);
    out->any_l2 = fmin(out->any_l1, caches_l2_beyond(&h->l2_worst, v) -
                                        found * (double)h->l2_worst.cold);
}
