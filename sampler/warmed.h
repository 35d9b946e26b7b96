/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Caches as the blocks before a window leave them (warm.h), made once for all
 * runs of a kernel that begin there on one GPU: no policy changes them. */
#ifndef SAMPLER_WARMED_H
#define SAMPLER_WARMED_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel;
struct warm_blocks;
struct warm_caches;
struct warmed;

/* Nothing is made yet. `kernel`, whose streams are read, outlives it, as do the
 * GPUs of the memories it is asked for. NULL without memory. */
struct warmed *warmed_create(const struct kernel *kernel);
void warmed_free(struct warmed *w);

/* As warm_caches(). Any number of threads may ask. */
bool warmed_caches(struct warmed *w, const struct warm_caches *c,
                   const struct warm_blocks *blocks, struct error *e);

#endif
