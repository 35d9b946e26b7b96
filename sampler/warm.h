/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks before a window of a grid have left in the caches when it begins
 * (functional warming: Wunderlich et al., SMARTS, ISCA 2003). */
#ifndef SAMPLER_WARM_H
#define SAMPLER_WARM_H

#include "kernels/form/kernel.h"
#include "sampler/memory/memory.h"

#include <stdint.h>

/* Turns in which a block is read: of blocks side by side each takes one before
 * any takes its next. Chosen. */
#define WARM_TURNS 16

struct sampler_launch;

/* Blocks before a window. */
struct warm_blocks {
    uint64_t first;   /* block of the window: those before it */
    uint64_t most;    /* of them; at most `first` */
    uint64_t at_once; /* of them ran side by side */
};

/* The caches, all empty at first. */
struct warm_caches {
    struct memory *memory; /* whose L2 */
    struct cache **l1;     /* [sms] tags (l1_to_warm); NULL: no L1s */
    int sms;
    double l1_lines; /* of all L1s, warmed or not: what warms the L2 is the same
                      * whatever policy the L1s have */
    const struct sampler_launch *before; /* of sampler_options */
    size_t befores;
    double before_share;
};

/* Give the L2 the lines that blocks touch: as many of them as fill the caches,
 * or as touch all lines that they share, in the order in which blocks touch
 * them that run side by side and began one after the other. The order in which
 * lines are written back is that in which they were written, so that it tells
 * how well DRAM rows are used for as long as the L2 holds them. The same
 * blocks, dealt out to SMs at random, give each L1 its lines. Where these are
 * all blocks of the grid before the window the L2 has seen the launches before
 * it, too; L1s are empty when a launch begins. False with e set when a block
 * cannot be read. */
bool warm_caches(const struct warm_caches *c, const struct kernel *k,
                 const struct warm_blocks *blocks, struct error *e);

/* Give the L2, and an L1 (NULL: none), what the step touches. */
void warm_step(struct memory *m, struct cache *l1, const struct kernel *k,
               const struct step *s);

#endif
