/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of a kernel's accesses miss at a design point: how far apart a reuse
 * may be to hit, in the L1 and in an SM's share of the L2. */
#ifndef MODEL_CACHES_H
#define MODEL_CACHES_H

#include "model/profile.h"
#include "model/retention.h"
#include "model/sharing.h"

struct gpu;

#define CACHE_QUANTILES 3

/* The windows within which a reuse hits. A set of A ways with lines placed at
 * random holds a reuse whose distance is d lines with probability
 * P(Poisson(d / sets) < A); three points of equal weight stand for that fall
 * (its quantiles 1/6, 1/2, 5/6: mean A - 1/3 and deviation sqrt(A), as of a
 * gamma distribution of shape A). */
struct cache_view {
    struct reuse_threshold l1[REUSE_KINDS][CACHE_QUANTILES];
    struct reuse_threshold l2[CACHE_QUANTILES];
    struct reuse_threshold dirty[CACHE_QUANTILES]; /* while it may be dirty */
    struct retentions others;                      /* what other blocks leave */
    double l2_left;       /* share of dirty lines still in the L2 at the end */
    double stored_afresh; /* share of the lines a block stores to that others
                           * have not left dirty there by chance */
};

/* What a block finds by itself, in all or in the L1 alone; and what others
 * leave for it (retention.h). */
void caches_view_l1(struct cache_view *v, const struct profile *p,
                    const struct gpu *g, const struct sharing *s);
void caches_view(struct cache_view *v, const struct profile *p,
                 const struct gpu *g, const struct sharing *s);
void caches_see_others(struct cache_view *v, const struct profile *p,
                       const struct gpu *g, const struct sharing *s,
                       double together);

/* Weight of the reuses that are too far apart to hit: of survival histograms,
 * for the L1 of REUSE_KINDS of them. */
double caches_l1_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v);
double caches_l2_beyond(const struct reuse_histogram *h,
                        const struct cache_view *v);
/* ... of stores after which the line is written back before the next one. */
double caches_dirty_beyond(const struct reuse_histogram *h,
                           const struct cache_view *v);

/* Of the sectors loaded, the share that waits for more than the L1: not there,
 * or still on their way. */
double caches_l1_wait(const struct profile *p, const struct cache_view *v);

/* Reads that miss in one execution of a phase. */
struct misses {
    double sectors, lines; /* loads that leave the SM */
    double bytes;          /* in those sectors */
    double dram_bytes;     /* whose reuse is too far apart for the L2 */
    double l2_bytes;       /* asked of the L2, atomics included ... */
    double l2_miss_bytes;  /* ... and missing there */
    double first_bytes;    /* of those, what no block has touched before */
    double moved;          /* bytes that DRAM moves for one that misses */
    double any_l1, any_l2; /* of executions that load, those that miss */
    double found;          /* share of first touches that others brought to the
                            * L2 */
};

void caches_misses(struct misses *out, const struct profile *p,
                   const struct profile_phase *phase,
                   const struct cache_view *v);

#endif
