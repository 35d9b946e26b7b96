/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Static wavefront limiting: of a scheduler's warps that are neither finished
 * nor at a barrier only the oldest few may issue, in the order of gto. A warp
 * at a barrier makes room for the next, so that all of a block arrive. */
#include "base/bits.h"
#include "sampler/policy/warp/order.h"
#include "sampler/policy/warp/table.h"

struct swl {
    uint64_t owned;
    uint64_t running, allowed; /* warps that run, and those of them that may
                                * issue, when last looked at */
    int limit;
    int last; /* -1: none yet */
};

static void init(void *state, const struct warp_context *context)
{
    *(struct swl *)state = (struct swl){
        .owned = context->owned, .limit = (int)context->param[0], .last = -1};
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    (void)cycle;
    struct swl *s = state;
    s->last = warp_greedy_oldest(table, ready, s->last);
    return s->last;
}

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    (void)cycle;
    struct swl *s = state;
    uint64_t running =
        s->owned & table->live & ~table->finished & ~table->at_barrier;
    if (running == s->running)
        return s->allowed;
    s->running = running;
    s->allowed = 0;
    for (int i = 0; i < s->limit && running != 0; i++) {
        uint64_t bit = BIT(warp_oldest(table, running));
        running &= ~bit;
        s->allowed |= bit;
    }
    return s->allowed;
}

/* A slot may have been given to a new warp. */
static void event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    (void)table;
    struct swl *s = state;
    s->running = s->allowed = 0;
    if (event->warp == s->last)
        s->last = -1;
}

static const struct warp_policy *acts_as(const double *param, int warps,
                                         bool lent)
{
    (void)lent;
    return warps <= param[0] ? &warp_gto : NULL;
}

const struct warp_policy warp_swl = {
    .info = {.name = "swl",
             .summary = "static limit: only the oldest warps may issue, as gto",
             .paper = "Rogers et al., MICRO 2012, Sec. 3.2",
             .param = {{.name = "warps",
                        .fallback = 8,
                        .min = 1,
                        .max = MAX_WARP_SLOTS,
                        .help = "warps of a scheduler that may issue",
                        .role = ROLE_WARP_LIMIT}}},
    .traits = {.family = FAMILY_LIMIT},
    .state_size = sizeof(struct swl),
    .events = EVENT_WARP_LAUNCH,
    .init = init,
    .pick = pick,
    .eligible = eligible,
    .event = event,
    .acts_as = acts_as,
};
