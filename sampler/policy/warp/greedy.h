/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What greedy schedulers remember: the warp that issued last, with which they
 * go on as long as it can issue. A new warp in its slot is another warp. */
#ifndef SAMPLER_POLICY_WARP_GREEDY_H
#define SAMPLER_POLICY_WARP_GREEDY_H

#include "sampler/policy/warp/warp_policy.h"

struct greedy {
    int last; /* -1: none yet */
};

void greedy_init(void *state, const struct warp_context *context);
/* EVENT_WARP_LAUNCH */
void greedy_event(void *state, const struct warp_table *table,
                  const struct sched_event *event);

#endif
