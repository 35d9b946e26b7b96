/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks in their middle and the L2 with them, as underway_forward() leaves
 * both, kept for other runs that begin with the same blocks at the same
 * places. */
#ifndef SAMPLER_FORWARDED_H
#define SAMPLER_FORWARDED_H

#include "kernels/form/kernel.h"
#include "sampler/memory/memory.h"
#include "sampler/underway.h"

#include <stdbool.h>
#include <stdint.h>

struct forwarded {
    uint64_t count;  /* blocks */
    uint64_t *block; /* [count] of the grid */
    double *time;    /* [count] as in underway_block */
    bool even;       /* their pace: no course */
    double course[COURSE_PARTS + 1];
    size_t state_size;
    char *states;     /* [count * state_size] */
    struct cache *l2; /* [banks] */
    int banks;
};

/* What underway_forward() has just left. False where it cannot be kept, or
 * there is no memory; forwarded_free() is due in either case. */
bool forwarded_take(struct forwarded *out, const struct underway *u,
                    const struct kernel *k, const struct memory *m);
void forwarded_free(struct forwarded *f);

/* Whether it has the same blocks at the same places. */
bool forwarded_is_of(const struct forwarded *f, const struct underway *u);
/* Leave them and the L2 so, as underway_forward() would. */
void forwarded_give(const struct forwarded *f, const struct underway *u,
                    struct memory *m);

#endif
