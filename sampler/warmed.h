/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How runs of a kernel that begin at one place find the GPU, made once for all
 * of them: its caches as the blocks before leave them (warm.h), and blocks in
 * their middle (underway.h). No policy changes it. */
#ifndef SAMPLER_WARMED_H
#define SAMPLER_WARMED_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct kernel;
struct memory;
struct underway;
struct warm_blocks;
struct warm_caches;
struct warmed;

/* Nothing is made yet. `kernel`, whose streams are read, outlives it. NULL
 * without memory. */
struct warmed *warmed_create(const struct kernel *kernel);
void warmed_free(struct warmed *w);

/* As warm_caches(). Any number of threads may ask. */
bool warmed_caches(struct warmed *w, const struct warm_caches *c,
                   const struct warm_blocks *blocks, struct error *e);

/* As underway_forward(), of a run of the kernel whose caches `before` has
 * warmed and in which nothing has run. Any number of threads may ask. */
bool warmed_forward(struct warmed *w, const struct warm_blocks *before,
                    const struct underway *u, const struct kernel *k,
                    struct memory *m, struct error *e);

#endif
