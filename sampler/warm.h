/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a window of a grid finds the machine: what blocks before it have left in
 * the L2 (functional warming: Wunderlich et al., SMARTS, ISCA 2003), and blocks
 * that are somewhere in their middle. */
#ifndef SAMPLER_WARM_H
#define SAMPLER_WARM_H

#include "kernels/form/kernel.h"
#include "sampler/memory/memory.h"
#include "sampler/sampler.h"

#include <stdint.h>

/* Give an empty L2 the lines that the blocks before `first` touch: as many of
 * them as fill it, `most` at most. False with e set when one cannot be read. */
bool warm_l2(struct memory *m, const struct kernel *k, uint64_t first,
             uint64_t most, struct error *e);

/* Take the stream of a block that was just opened forward to where it is
 * underway, at random; the L2 gets what it touches on the way. */
bool warm_block(struct memory *m, const struct kernel *k, uint64_t block,
                const struct sampler_underway *underway, void *stream,
                struct error *e);

#endif
