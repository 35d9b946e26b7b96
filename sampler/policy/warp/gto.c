/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Greedy then oldest: the warp issued last as long as it can issue, then the
 * oldest. */
#include "sampler/policy/warp/order.h"

struct gto {
    int last; /* -1: none yet */
};

static void init(void *state, const struct warp_context *context)
{
    (void)context;
    ((struct gto *)state)->last = -1;
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct gto *g = state;
    g->last = warp_greedy_oldest(table, ready, g->last);
    return g->last;
}

/* The slot has been given to a new warp. */
static void event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    (void)table;
    struct gto *g = state;
    if (event->warp == g->last)
        g->last = -1;
}

const struct warp_policy warp_gto = {
    .info = {.name = "gto",
             .summary = "greedy then oldest: same warp until it cannot issue",
             .paper = "Rogers et al., MICRO 2012; paws Sec. I"},
    .traits = {.family = FAMILY_GREEDY},
    .state_size = sizeof(struct gto),
    .events = EVENT_WARP_LAUNCH,
    .init = init,
    .pick = pick,
    .event = event,
};
