/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the policy of the L1s learns while a kernel runs, apart from what it
 * knows of the lines there: one run's is what another one may begin with, as in
 * the middle of a grid. */
#ifndef SAMPLER_LEARNED_H
#define SAMPLER_LEARNED_H

#include "sampler/memory/cache.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: nothing yet. */
struct learned {
    uint8_t *bytes;
    size_t size;
};

/* Whether the L1s' policy is one that learns. */
bool policies_learn(const struct policy_set *p);

/* What a cache's policy has learned. False without memory; learned_free() is
 * due in either case. */
bool learned_take(struct learned *out, const struct cache *from);
void learned_free(struct learned *l);

/* A cache of the same policy begins with it, if it is anything yet. */
void learned_give(const struct learned *l, struct cache *to);

#endif
