/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The L1 data cache and its MSHRs, as the load/store unit uses them. A step
 * that is blocked has changed nothing and is tried again when what it waits for
 * (a fill, a credit, the port) has come. */
#ifndef SAMPLER_SM_L1_H
#define SAMPLER_SM_L1_H

#include "sampler/sm/sm.h"

/* What is valid, dirty and on its way in an L1 is told by its sectors; under
 * denovo by words, as it is owned. */
static inline int l1_sector_bytes(const struct gpu *g)
{
    return g->coherence == COHERENCE_DENOVO ? WORD_BYTES : g->l1.sector_bytes;
}

bool l1_init(struct sm *sm);
void l1_free(struct sm *sm);

/* A load's transaction (a line and sectors of the L1). */
enum progress l1_load(struct sm *sm, uint32_t op, const struct transaction *t);
/* A store's, into a write-back L1: the line is taken without being fetched. An
 * atomic's under denovo, which needs what is in it. */
enum progress l1_write(struct sm *sm, uint32_t op, const struct transaction *t);
/* A store's that goes through (a line of L2): the L1's copy is dropped or kept
 * up to date. */
void l1_written_through(struct sm *sm, const struct transaction *t);
/* Send a line's dirty sectors to L2. */
void l1_write_back(struct sm *sm, const struct cache_line *l);
/* A fill has come: wake those who waited for its sectors. */
void l1_filled(struct sm *sm, const struct request *r);

#endif
