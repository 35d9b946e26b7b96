/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks before a window of a grid have left in the L2 when it begins
 * (functional warming: Wunderlich et al., SMARTS, ISCA 2003). */
#ifndef SAMPLER_WARM_H
#define SAMPLER_WARM_H

#include "kernels/form/kernel.h"
#include "sampler/memory/memory.h"

#include <stdint.h>

/* Give an empty L2 the lines that the blocks before `first` touch: as many of
 * them as fill it, `most` at most. False with e set when one cannot be read. */
bool warm_l2(struct memory *m, const struct kernel *k, uint64_t first,
             uint64_t most, struct error *e);

/* Give the L2 what the step touches. */
void warm_step(struct memory *m, const struct kernel *k, const struct step *s);

#endif
