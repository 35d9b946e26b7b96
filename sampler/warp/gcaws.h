/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of gcaws, which cawa shares. */
#ifndef SAMPLER_WARP_GCAWS_H
#define SAMPLER_WARP_GCAWS_H

#include "base/policy.h"

struct gcaws {
    int last; /* -1: none yet */
};

void gcaws_init(void *state, const struct warp_context *context);
int gcaws_pick(void *state, const struct warp_table *table, uint64_t ready,
               uint64_t cycle);

#endif
