/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two-level round-robin: warps come back in the order in which their waits end,
 * or, by its second parameter, from one queue.
 */
#include "sampler/policy/warp/one_queue.h"
#include "sampler/policy/warp/two_level.h"
#include "sampler/policy/warp/warp_policy.h"

struct tlrr {
    bool one;
    struct one_queue queue;
    struct two_level levels;
};

static void init(void *state, const struct warp_context *context)
{
    struct tlrr *t = state;
    t->one = context->param[1] != 0;
    one_queue_init(&t->queue, context, (int)context->param[0]);
    two_level_init(&t->levels, context);
    t->levels.all = context->param[2] != 0;
}

static int pick(void *state, const struct warp_table *table, uint64_t ready,
                uint64_t cycle)
{
    struct tlrr *t = state;
    return t->one ? one_queue_pick(&t->queue, ready)
                  : two_level_pick(&t->levels, table, ready, cycle);
}

static uint64_t eligible(void *state, const struct warp_table *table,
                         uint64_t cycle)
{
    struct tlrr *t = state;
    return t->one ? one_queue_move(&t->queue, table, cycle)
                  : two_level_move(&t->levels, table, NULL);
}

static uint64_t next_change(const void *state)
{
    const struct tlrr *t = state;
    return t->one ? t->queue.next_change : UINT64_MAX;
}

static void event(void *state, const struct warp_table *table,
                  const struct sched_event *event)
{
    struct tlrr *t = state;
    if (!t->one && event->type == EVENT_WARP_EXIT)
        two_level_event(&t->levels, table, event);
    else if (t->one && event->type == EVENT_WARP_EXIT)
        one_queue_exit(&t->queue, table, event->warp, event->cycle);
    else if (t->one && event->type == EVENT_ISSUE)
        one_queue_issued(&t->queue, event->warp);
    else if (t->one)
        one_queue_launch(&t->queue, event->warp, event->cycle);
}

const struct warp_policy warp_tlrr = {
    .info = {.name = "tlrr",
             .summary = "two-level, active queue first in, first out",
             .paper = "paws Sec. IV-B2",
             .param = {TWO_LEVEL_READY,
                       {.name = "one_queue",
                        .fallback = 0,
                        .min = 0,
                        .max = 1,
                        .help = "1: waiting warps come back in turn, as "
                                "GPGPU-Sim's two_level_active"},
                       TWO_LEVEL_ALL}},
    .traits = {.family = FAMILY_ROUND_ROBIN},
    .needs_loaded = true,
    .needs_open = true,
    .state_size = sizeof(struct tlrr),
    .events = EVENT_WARP_EXIT | EVENT_WARP_LAUNCH | EVENT_ISSUE,
    .init = init,
    .pick = pick,
    .eligible = eligible,
    .next_change = next_change,
    .event = event,
};
