/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/greedy.h"

void greedy_init(void *state, const struct warp_context *context)
{
    (void)context;
    ((struct greedy *)state)->last = -1;
}

void greedy_event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    (void)table;
    struct greedy *g = state;
    if (event->warp == g->last)
        g->last = -1;
}
