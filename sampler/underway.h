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

/* One that was launched. */
struct underway_block {
    struct sm *sm;
    const struct block_slot *slot;
    double time; /* share of its time behind it */
};

struct underway {
    struct sampler_underway of;
    double *time; /* [of.blocks] share of its time that each has behind it: less
                   * and less of an SM's, for blocks are launched in order */
    struct underway_block *block; /* [of.blocks] launched, not taken forward */
    uint64_t count;               /* of them */
};

/* Blocks from `first` of the grid on, that so many SMs get in turn. False
 * without memory; underway_free() is due in either case. */
bool underway_init(struct underway *u, const struct sampler_underway *of,
                   uint64_t first, int sms);
void underway_free(struct underway *u);

/* `block` of them (from 0 on) was launched. */
void underway_add(struct underway *u, struct sm *sm,
                  const struct block_slot *slot, uint64_t block);

/* Take the streams of blocks that were added forward to where their course
 * (sampler_underway) has them after such a share of their time: side by side,
 * so that the L2 gets what they touch in order. Counts that they raise are
 * raised. False with e set. */
bool underway_forward(const struct underway *u, const struct kernel *k,
                      struct memory *m, struct error *e);
/* The blocks added so far are where they belong. */
void underway_done(struct underway *u);

#endif
