/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that are somewhere in their middle when a window of a grid begins
 * (sampler_underway). */
#ifndef SAMPLER_UNDERWAY_H
#define SAMPLER_UNDERWAY_H

#include "kernels/form/kernel.h"
#include "sampler/memory/memory.h"
#include "sampler/sampler.h"
#include "sampler/sm/sm.h"

#include <stdint.h>

/* The share of its time that each of them has behind it, [underway->blocks]: at
 * random, and less and less, for blocks are launched in order. `first`: which
 * block of the grid the first one is. NULL without memory. */
double *underway_times(const struct sampler_underway *underway, uint64_t first);

/* Take the stream of a block that was just launched forward to where its course
 * (sampler_underway) has it after such a share of its time. The L2 gets what it
 * touches on the way, and the counts that it raises are raised. False with e
 * set. */
bool underway_forward(struct sm *sm, const struct block_slot *slot,
                      const struct kernel *k, struct memory *m, double time,
                      const double *course, struct error *e);

#endif
