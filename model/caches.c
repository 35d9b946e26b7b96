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

/* Where more lines fall in some sets than in others, it is as though there were
 * fewer sets. */
static double l2_lines(const struct profile *p, const struct gpu *g)
{
    return g->l2.size_kb * 1024 / g->l1.line_bytes / p->placement.set;
}

/* Lines of a cache of the SM as though sets were used alike: several blocks do
 * that where one uses few of them. */
static double sm_lines(double size_kb, int line_bytes, double crowding,
                       double blocks)
{
    return size_kb * 1024 / line_bytes / (1 + (crowding - 1) / fmax(1, blocks));
}

/* The share of dirty lines that the L2 still holds at the end: what it does of
 * all that were brought there, up to the dirty lines it may hold. Blocks
 * together fill the lines that they store to. */
static double left_in_l2(const struct profile *p, const struct gpu *g,
                         double lines)
{
    const double *n = p->warp.metric;
    double all = fmax(1, p->private_lines * p->period), left = 0;
    double stored = (n[PHASE_STORE_SECTORS] + n[PHASE_ATOMIC_SECTORS]) *
                    (double)p->store_miss.cold * p->sector_bytes;
    double dirty =
        fmax(1, stored / g->l1.line_bytes * p->warps_per_block * p->period);
    for (int q = 0; q < CACHE_QUANTILES; q++) {
        double held = window_lines(q, lines, g->l2.ways);
        left += fmin(1, fmin(held / all, held * g->l2.dirty_share / dirty));
    }
    return left / CACHE_QUANTILES;
}

/* Of copies of a stream that run side by side, where each has a share of its
 * lines for itself. */
static double distinct_copies(double copies, double own)
{
    return copies > 1 ? 1 + (copies - 1) * own : copies;
}

void caches_view(struct cache_view *v, const struct profile *p,
                 const struct gpu *g, const struct sharing *s)
{
    double lines = sm_lines(g->l1.size_kb, g->l1.line_bytes,
                            p->placement.l1_set, s->blocks);
    double live = pow(s->live / p->warps_per_block, s->interference);
    double blocks = pow(s->blocks, s->interference);
    double all = fmin(s->active_sms * s->blocks, p->period),
           own = 1 - p->shared.share[SHARED_PARTNER];
    windows(v->l1[REUSE_SAME_WARP], &p->l1_lines, distinct_copies(live, own),
            lines, g->l1.ways);
    windows(v->l1[REUSE_OTHER_WARP], &p->l1_lines, distinct_copies(blocks, own),
            lines, g->l1.ways);
    windows(v->l1[REUSE_TEXTURE], &p->texture_lines, blocks,
            sm_lines(g->texture.size_kb, g->texture.line_bytes,
                     p->placement.texture_set, s->blocks),
            g->texture.ways);
    windows(v->l2, &p->l2_lines,
            distinct_copies(all, shared_lines_own(&p->shared, all)),
            l2_lines(p, g), g->l2.ways);
    v->others = (struct retentions){.brought.wide = 0};
    v->l2_left = left_in_l2(p, g, l2_lines(p, g));
}

void caches_see_others(struct cache_view *v, const struct profile *p,
                       const struct gpu *g, const struct sharing *s,
                       double together)
{
    retention_set(&v->others, p, g, s, l2_lines(p, g), together);
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

static double retained(const struct retention *r, double shared, double by_all)
{
    return r->few * (shared - by_all) + r->all * by_all;
}

/* Of lines new to the block, the share that is found. */
static double found_in_l1(const struct profile_phase *h, const struct found *f)
{
    const double *n = &h->metric[PHASE_SHARING];
    double next = retained(&f->l1, n[SHARED_PARTNER], n[SHARED_PARTNER_ALL]);
    double wide = f->l1_wide * n[SHARED_WIDE];
    double found = fmin(1, ratio(fmax(next, wide), n[SHARED_COLD]));
    return found + (1 - found) * f->l1_again;
}

static double found_in_l2(const struct profile_phase *h, const struct found *f)
{
    const double *n = &h->metric[PHASE_SHARING];
    double near = retained(&f->near, n[SHARED_NEAR], n[SHARED_NEAR_ALL]);
    double far = retained(&f->far, n[SHARED_FAR], n[SHARED_FAR_ALL]);
    double chance = f->wide * n[SHARED_WIDE] + f->middle * n[SHARED_MIDDLE];
    double found = fmin(1, ratio(near + far + chance, n[SHARED_COLD]));
    return found + (1 - found) * f->again;
}

static void l1_misses(struct misses *m, const struct profile_phase *h,
                      const struct cache_view *v)
{
    double cold = 0, worst = 0;
    for (int kind = 0; kind < REUSE_TEXTURE; kind++) {
        cold += (double)h->l1_miss[kind].cold;
        worst += (double)h->l1_worst[kind].cold;
    }
    m->sectors = caches_l1_beyond(h->l1_miss, v) -
                 found_in_l1(h, &v->others.brought) * cold;
    m->any_l1 = caches_l1_beyond(h->l1_worst, v) -
                found_in_l1(h, &v->others.ready) * worst;
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
    double ready = found_in_l2(h, &v->others.ready);
    out->found = found_in_l2(h, &v->others.brought);
    out->dram_bytes = (caches_l2_beyond(&h->l2_miss, v) -
                       out->found * (double)h->l2_miss.cold) *
                      p->sector_bytes;
    /* An access misses both caches at most as often as either: what the L1
     * holds is never asked of the L2, whatever that has lost. */
    out->l2_bytes = out->bytes + n[PHASE_ATOMIC_SECTORS] * p->sector_bytes;
    out->l2_miss_bytes = fmin(out->dram_bytes, out->l2_bytes);
    out->any_l2 = fmin(out->any_l1, caches_l2_beyond(&h->l2_worst, v) -
                                        ready * (double)h->l2_worst.cold);
}
