/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of the grid that a run leaves out, and what they leave in the L2:
 * functional warming (Wunderlich et al., SMARTS, ISCA 2003). */
#ifndef SAMPLER_GAPS_H
#define SAMPLER_GAPS_H

#include "sampler/memory/memory.h"
#include "sampler/sampler.h"

struct gaps {
    const struct sampler_gap *gap; /* [count] */
    int count, crossed;
    struct memory *memory;
    const struct kernel *kernel;
};

/* The block of the grid that is block `block` of the run. Before the first past
 * a gap the L2 gets the lines of those left out. False with e set when one of
 * them cannot be read. */
bool gaps_cross(struct gaps *g, uint64_t block, uint64_t *in_grid,
                struct error *e);

/* Take the stream of that block forward by a part of it, at random. */
bool gaps_forward(const struct gaps *g, uint64_t block, uint64_t in_grid,
                  void *stream, struct error *e);

#endif
