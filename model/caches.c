/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/caches.h"

#include "configs/gpu.h"
#include "model/model.h"

#include <math.h>

/* ---- what the caches hold at a design point ----------------------------- */

/* Lines of quantile q of the distance that still hits, in sets that are so
 * uneven (set_use): of lines that fall anywhere as many as a Poisson
 * distribution has below so many ways. */
static double window_lines(int q, double lines, int ways, double uneven)
{
    /* of the normal distribution at 1/6, 1/2, 5/6 */
    static const double deviation[CACHE_QUANTILES] = {-0.967, 0, 0.967};
    double wide = deviation[q] > 0 ? 1 : sqrt(uneven);
    return lines * (ways - uneven / 3 + deviation[q] * wide * sqrt(ways)) /
           ways;
}

static void windows(struct reuse_threshold out[CACHE_QUANTILES],
                    const struct footprint *f, double copies, double lines,
                    int ways, double uneven)
{
    for (int q = 0; q < CACHE_QUANTILES; q++)
        out[q] = footprint_threshold(f, copies,
                                     window_lines(q, lines, ways, uneven));
}

/* Of copies of a stream that run side by side, where each has a share of its
 * lines for itself. */
static double distinct_copies(double copies, double own)
{
    return copies > 1 ? 1 + (copies - 1) * own : copies;
}

/* Warps that reuse lines: as likely as not more than halfway between the oldest
 * alone and all that are live. Caches settle at what few of them miss or at
 * what many do, seldom between. */
static double live_warps(const struct sharing *s)
{
    return (s->oldest + s->live) / 2;
}

/* Of an L1 with so many blocks side by side: neighbours' lines are the same for
 * a share, and those of others by chance. */
static struct reuse_threshold l1_window(const struct profile *p, int q,
                                        double blocks, double lines, int ways)
{
    double own = 1 - p->shared.share[SHARED_PARTNER];
    return footprint_threshold(
        &p->l1_lines, 1,
        shared_lines_beside(
            &p->shared, blocks, distinct_copies(blocks, own), p->block_lines,
            window_lines(q, lines, ways, p->placement.l1.uneven)));
}

/* Where more lines fall in some sets than in others, it is as though there were
 * fewer sets. */
static double l2_lines(const struct profile *p, const struct gpu *g)
{
    return g->l2.size_kb * 1024 / g->l1.line_bytes / p->placement.set;
}

/* Lines of a cache of the SM as though sets were used alike: of any two lines
 * of so many blocks one in as many pairs is of one block. */
static double sm_lines(double size_kb, int line_bytes,
                       const struct set_use *use, double blocks)
{
    double of_one = 1 / fmax(1, blocks);
    double crowding = of_one * use->crowding + (1 - of_one) * use->across;
    return size_kb * 1024 / line_bytes / fmax(1, crowding);
}

/* Lines that a block adds to those of so many blocks; and of those that it
 * stores to, where others store to some, too: which count where the rows of the
 * grid were thought to say more of all lines. */
struct added {
    double lines, stored;
};

static struct added added_to(const struct profile *p, double blocks)
{
    double own = shared_lines_own(&p->shared, blocks);
    double alone = alike_distinct(&p->stored, blocks);
    bool by_rows = p->shared.share[SHARED_WIDE] <= 0;
    double stored = p->stored_lines * (by_rows ? fmin(own, alone) : own);
    double others = (p->block_lines - p->stored_lines) * own;
    return (struct added){.lines = fmax(1 / p->period, others + stored),
                          .stored =
                              alone < 1 ? p->stored_lines * alone : INFINITY};
}

/* The share of dirty lines that the L2 still holds at the end: what it does of
 * all that were brought there, up to the dirty lines it may hold. Neighbours
 * together fill the lines that they store to; some of them others store to as
 * well, which find them in as many blocks as the L2 holds. Where it does not
 * hold those of a period they are brought and lost again in each. */
double profile_stores_left(const struct profile *p, const struct gpu *g)
{
    const double *n = p->warp.metric;
    double lines = l2_lines(p, g), held = 1;
    double sectors = (n[PHASE_STORE_SECTORS] + n[PHASE_ATOMIC_SECTORS]) *
                     (double)p->store_miss.cold * p->warps_per_block;
    double filled = sectors * p->sector_bytes / g->l1.line_bytes;
    struct added by = added_to(p, held);
    for (int i = 0; i < HELD_STEPS; i++) {
        held = fmax(1, fmin(p->period, lines / by.lines));
        by = added_to(p, held);
    }
    double all = by.lines * p->period;
    double dirty = fmax(1, fmin(by.stored, filled) * p->period);
    double share = fmin(lines / all, lines * g->l2.dirty_share / dirty);
    return share < 1 ? share * p->period / p->blocks : 1;
}

/* Others are as many blocks as store to no more lines than may be dirty. */
static double stored_afresh(const struct profile *p, const struct gpu *g)
{
    double most = l2_lines(p, g) * g->l2.dirty_share, afresh = 1;
    if (p->stored_lines <= 0)
        return 1;
    for (int i = 0; i < HELD_STEPS; i++) {
        double blocks = fmin(p->period, most / (p->stored_lines * afresh));
        afresh = alike_distinct(&p->stored, fmax(1, blocks));
    }
    return afresh;
}

/* Lines of which those that are stored to are as many as may be dirty. */
static double dirty_lines(const struct profile *p, const struct gpu *g,
                          double lines)
{
    const double *n = p->warp.metric;
    double stored = (n[PHASE_STORE_LINES] + n[PHASE_ATOMIC_LINES]) *
                    (double)p->store_miss.cold * p->warps_per_block;
    double share = fmin(1, stored / fmax(1, p->block_lines));
    return share > g->l2.dirty_share ? lines * g->l2.dirty_share / share
                                     : lines;
}

/* How often a warp waits for loads, and the lines that its block loads each
 * time. */
struct rounds {
    double waits, accesses;
};

static struct rounds rounds_of(const struct profile *p)
{
    struct rounds r = {0, 0};
    for (int i = 0; i < p->phases; i++) {
        const double *n = p->phase[i].metric;
        r.waits += n[PHASE_LOAD_LINES] > 0 ? n[PHASE_COUNT] : 0;
        r.accesses += n[PHASE_COUNT] * n[PHASE_LOAD_LINES];
    }
    r.accesses *= r.waits > 0 ? p->warps_per_block / r.waits : 0;
    return r;
}

static struct reuse_threshold longer(struct reuse_threshold a,
                                     struct reuse_threshold b)
{
    return a.bin + a.fraction > b.bin + b.fraction ? a : b;
}

/* As many of the other blocks of an SM as come between the warps of one. */
static double between_warps(const struct rounds *r, double blocks, bool aligned)
{
    double apart = r->waits / APART_WAITS;
    return aligned || apart <= 0 ? 0
                                 : (blocks - 1) * (1 + expm1(-apart) / apart);
}

/* Warps of a block come to a load one after another: what one finds of another,
 * of the same load. */
static struct reuse_threshold round_window(const struct profile *p, int q,
                                           const struct rounds *r,
                                           double others, double lines,
                                           int ways)
{
    struct reuse_threshold room = l1_window(p, q, 1 + others, lines, ways);
    int bin = reuse_bin((uint64_t)fmax(1, r->accesses));
    return room.bin < bin ? room : (struct reuse_threshold){bin, 0};
}

void caches_view_l1(struct cache_view *v, const struct profile *p,
                    const struct gpu *g, const struct sharing *s)
{
    double lines =
        sm_lines(g->l1.size_kb, g->l1.line_bytes, &p->placement.l1, s->blocks);
    double blocks = pow(s->blocks, s->interference);
    double live = pow(live_warps(s) / p->warps_per_block, s->interference);
    struct rounds rounds = rounds_of(p);
    double others = between_warps(&rounds, blocks, s->aligned);
    for (int q = 0; q < CACHE_QUANTILES; q++) {
        v->l1[REUSE_SAME_WARP][q] = l1_window(p, q, live, lines, g->l1.ways);
        v->l1[REUSE_OTHER_WARP][q] =
            longer(l1_window(p, q, blocks, lines, g->l1.ways),
                   round_window(p, q, &rounds, others, lines, g->l1.ways));
    }
    windows(v->l1[REUSE_TEXTURE], &p->texture_lines, blocks,
            sm_lines(g->texture.size_kb, g->texture.line_bytes,
                     &p->placement.texture, s->blocks),
            g->texture.ways, p->placement.texture.uneven);
    v->others = (struct retentions){.brought.wide = 0};
}

void caches_view(struct cache_view *v, const struct profile *p,
                 const struct gpu *g, const struct sharing *s)
{
    double all = fmin(s->active_sms * s->live / p->warps_per_block, p->period);
    caches_view_l1(v, p, g, s);
    double copies = distinct_copies(all, shared_lines_own(&p->shared, all));
    windows(v->l2, &p->l2_lines, copies, l2_lines(p, g), g->l2.ways, 1);
    windows(v->dirty, &p->l2_lines, copies, dirty_lines(p, g, l2_lines(p, g)),
            g->l2.ways, 1);
    v->stored_afresh = stored_afresh(p, g);
    v->l2_left =
        isnan(s->stores_left) ? profile_stores_left(p, g) : s->stores_left;
}

void caches_see_others(struct cache_view *v, const struct profile *p,
                       const struct gpu *g, const struct sharing *s,
                       double together)
{
    retention_set(&v->others, p, g, s, l2_lines(p, g), together);
}

static double beyond(const struct reuse_histogram *h,
                     const struct reuse_threshold at[CACHE_QUANTILES])
{
    double sum = 0;
    for (int q = 0; q < CACHE_QUANTILES; q++)
        sum += reuse_beyond(h, at[q]);
    return sum / CACHE_QUANTILES;
}

static double kind_beyond(const struct reuse_histogram *h,
                          const struct cache_view *v, int kind)
{
    return h->bin[0] > 0 ? beyond(h, v->l1[kind]) : 0;
}

double caches_l1_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    double sum = 0;
    for (int kind = 0; kind < REUSE_KINDS; kind++)
        sum += kind_beyond(&h[kind], v, kind);
    return sum;
}

double caches_l2_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v)
{
    return beyond(h, v->l2);
}

double caches_dirty_beyond(const struct reuse_histogram *h,
                           const struct cache_view *v)
{
    return beyond(h, v->dirty);
}

/* Weight of the reuses that are too far apart for both caches: of l1 and `past`
 * which goes past it, and of l2. A line's set in the one says nothing of its
 * set in the other, so each quantile of one meets each of the other. */
static double beyond_both(const struct reuse_histogram *l1, double past,
                          const struct reuse_histogram *l2,
                          const struct cache_view *v)
{
    double sum = 0;
    for (int q = 0; q < CACHE_QUANTILES; q++) {
        double sent = past;
        for (int kind = 0; kind < REUSE_KINDS; kind++)
            if (l1[kind].bin[0] > 0)
                sent += reuse_beyond(&l1[kind], v->l1[kind][q]);
        for (int r = 0; r < CACHE_QUANTILES; r++)
            sum += fmin(sent, reuse_beyond(l2, v->l2[r]));
    }
    return sum / (CACHE_QUANTILES * CACHE_QUANTILES);
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

/* Of lines new to the block, the share that is found; or how often all of so
 * many are that an access goes to: by chance each is for itself, and otherwise
 * they are together. */
static double found_in_l1(const struct profile_phase *h, const struct found *f,
                          double lines)
{
    const double *n = &h->metric[PHASE_SHARING];
    double next = retained(&f->l1, n[SHARED_PARTNER], n[SHARED_PARTNER_ALL]);
    double wide = f->l1_wide * n[SHARED_WIDE] * pow(f->l1_wide, lines - 1);
    double found = fmin(1, ratio(fmax(next, wide), n[SHARED_COLD]));
    return found + (1 - found) * f->l1_again;
}

/* ... in the L2: by neighbours, in the order of the code; and by blocks that
 * touch it by chance, at any time, of what neighbours do not. */
struct found_shares {
    double ordered, by_chance;
};

static struct found_shares shares_found(const struct profile_phase *h,
                                        const struct found *f, double lines)
{
    const double *n = &h->metric[PHASE_SHARING];
    double near = retained(&f->near, n[SHARED_NEAR], n[SHARED_NEAR_ALL]);
    double far = retained(&f->far, n[SHARED_FAR], n[SHARED_FAR_ALL]);
    double wide = f->wide * n[SHARED_WIDE] * pow(f->wide, lines - 1);
    double middle = f->middle * n[SHARED_MIDDLE] * pow(f->middle, lines - 1);
    double crammed = f->crammed * n[SHARED_ROOM];
    double ordered = fmin(1, ratio(near + far, n[SHARED_COLD]));
    double left = (1 - ordered) * n[SHARED_COLD];
    double missed = (1 - fmin(1, ratio(wide + crammed, left))) *
                    (1 - fmin(1, ratio(middle, left)));
    return (struct found_shares){ordered, 1 - missed};
}

static double found_in_l2(const struct found_shares *s, const struct found *f)
{
    return 1 - (1 - s->ordered) * (1 - s->by_chance) * (1 - f->again);
}

/* Of sectors whose reuse is too far apart for the L2, `cold` ones that are new
 * to the block among them, those that are not there: others that touch a line
 * by chance may have since, neighbours did when the block itself did. */
static double missed_in_l2(double beyond, double cold,
                           const struct found_shares *s, const struct found *f)
{
    double again = fmax(0, beyond - cold);
    return beyond - found_in_l2(s, f) * cold -
           (1 - s->ordered) * s->by_chance * again;
}

/* New lines of an execution that has any. */
static double new_lines(const struct profile_phase *h, double sectors,
                        double any)
{
    const double *n = h->metric;
    return fmax(1, ratio(sectors, any) *
                       ratio(n[PHASE_LOAD_LINES], n[PHASE_LOAD_SECTORS]));
}

/* Of what the block itself has not left in the L1 long enough, what others may
 * have touched since: all but what goes past the L1 again and again, which
 * other than the L2 it has never held. */
static double left_to_others(const struct reuse_histogram *h,
                             const struct cache_view *v, double l2_cold)
{
    double left = 0, cold = 0;
    for (int kind = 0; kind < REUSE_TEXTURE; kind++) {
        left += kind_beyond(&h[kind], v, kind);
        cold += (double)h[kind].cold;
    }
    return left - fmax(0, cold - l2_cold);
}

/* Executions that load, as a share of all. */
static double loading(const struct profile_phase *h)
{
    return h->l2_worst.bin[0];
}

static void l1_misses(struct misses *m, const struct profile_phase *h,
                      const struct cache_view *v)
{
    double cold = h->l2_miss.cold, worst = h->l2_worst.cold;
    m->sectors = caches_l1_beyond(h->l1_miss, v) -
                 found_in_l1(h, &v->others.brought, 1) *
                     left_to_others(h->l1_miss, v, cold);
    double past = caches_l1_beyond(h->l1_worst, v) -
                  found_in_l1(h, &v->others.ready, new_lines(h, cold, worst)) *
                      left_to_others(h->l1_worst, v, worst);
    m->any_l1 = ratio(past, loading(h));
}

double caches_l1_wait(const struct profile *p, const struct cache_view *v)
{
    double cold =
        ratio((double)p->warp.l2_miss.cold, p->warp.metric[PHASE_LOAD_SECTORS]);
    return caches_l1_beyond(p->l1_wait, v) -
           found_in_l1(&p->warp, &v->others.ready, 1) *
               left_to_others(p->l1_wait, v, cold);
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
    double cold = (double)h->l2_miss.cold, worst = (double)h->l2_worst.cold;
    const struct found *brought = &v->others.brought, *ready = &v->others.ready;
    const struct found_shares any = shares_found(h, brought, 1);
    const struct found_shares all =
        shares_found(h, ready, new_lines(h, cold, worst));
    out->found = found_in_l2(&any, brought);
    out->dram_bytes =
        missed_in_l2(caches_l2_beyond(&h->l2_miss, v), cold, &any, brought) *
        p->sector_bytes;
    out->l2_bytes = out->bytes + n[PHASE_ATOMIC_SECTORS] * p->sector_bytes;
    /* What the L1 holds is never asked of the L2, whatever that has lost. */
    double both =
        beyond_both(h->l1_miss, n[PHASE_ATOMIC_SECTORS], &h->l2_miss, v);
    out->l2_miss_bytes =
        fmin(out->l2_bytes,
             p->sector_bytes * missed_in_l2(both, cold, &any, brought));
    out->first_bytes = p->sector_bytes * (1 - out->found) * cold;
    out->moved = 1 + ratio(n[PHASE_BESIDE], cold);
    double past = missed_in_l2(beyond_both(h->l1_worst, 0, &h->l2_worst, v),
                               worst, &all, ready);
    out->any_l2 = fmin(out->any_l1, ratio(past, loading(h)));
}
