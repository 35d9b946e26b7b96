/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/two_level.h"

#include "base/bits.h"

#include <string.h>

void two_level_init(void *state, const struct warp_context *context)
{
    struct two_level *t = state;
    const struct policy_param *param = context->policy->info.param;
    *t = (struct two_level){
        .owned = context->owned,
        .all = context->param[1] != 0,
        .departed = context->param[0] != param[0].fallback ||
                    context->param[1] != param[1].fallback,
        .size = (int)context->param[0],
    };
    memset(t->ready, -1, sizeof(t->ready));
}

bool two_level_departed(const void *state)
{
    return ((const struct two_level *)state)->departed;
}

int two_level_pick(void *state, const struct warp_table *table, uint64_t ready,
                   uint64_t cycle)
{
    (void)table;
    (void)cycle;
    struct two_level *t = state;
    for (int i = 0; i < t->size; i++) {
        int place = (t->next + i) % t->size;
        int warp = t->ready[place];
        if (warp >= 0 && (ready & BIT(warp)) != 0) {
            t->next = (place + 1) % t->size;
            return warp;
        }
    }
    return -1;
}

static void leave_ready(struct two_level *t, uint64_t leaving)
{
    for (int i = 0; i < t->size; i++)
        if (t->ready[i] >= 0 && (leaving & BIT(t->ready[i])) != 0)
            t->ready[i] = -1;
    t->in_ready &= ~leaving;
}

static void leave_active(struct two_level *t, uint64_t leaving)
{
    int kept = 0;
    for (int i = 0; i < t->active_count; i++)
        if ((leaving & BIT(t->active[i])) == 0)
            t->active[kept++] = t->active[i];
    t->active_count = kept;
}

/* Append warps to the active queue, oldest first. */
static void join_active(struct two_level *t, const struct warp_table *table,
                        uint64_t joining)
{
    while (joining != 0) {
        int warp = warp_oldest(table, joining);
        joining &= ~BIT(warp);
        t->active[t->active_count++] = (uint8_t)warp;
    }
}

/* Insertion sort: stable, and the queue is nearly in order. */
static void order_active(struct two_level *t, const struct warp_table *table,
                         warp_before *before)
{
    for (int i = 1; i < t->active_count; i++) {
        uint8_t warp = t->active[i];
        int j = i;
        for (; j > 0 && before(table, warp, t->active[j - 1]); j--) {
            t->active[j] = t->active[j - 1];
            t->departed = true;
        }
        t->active[j] = warp;
    }
}

static void fill_ready(struct two_level *t)
{
    int taken = 0;
    for (int i = 0; i < t->size && taken < t->active_count; i++)
        if (t->ready[i] < 0) {
            t->ready[i] = t->active[taken++];
            t->in_ready |= BIT(t->ready[i]);
        }
    t->active_count -= taken;
    memmove(t->active, t->active + taken, (size_t)t->active_count);
}

void two_level_event(void *state, const struct warp_table *table,
                     const struct sched_event *event)
{
    (void)table;
    struct two_level *t = state;
    uint64_t bit = BIT(event->warp);
    leave_active(t, bit);
    leave_ready(t, bit);
    t->pending &= ~bit;
    t->known &= ~bit;
}

uint64_t two_level_move(struct two_level *t, const struct warp_table *table,
                        warp_before *before)
{
    uint64_t live = table->live & ~table->finished & t->owned;
    uint64_t waits = table->long_wait | table->at_barrier | table->branch_wait;
    uint64_t back = t->pending & ~waits & table->has_inst;
    if (t->all)
        back &= ~table->long_open;
    uint64_t fresh = live & ~t->known & table->has_inst;
    t->pending &= ~back;
    t->known |= fresh;
    join_active(t, table, back | fresh);
    if (before != NULL && (back | fresh) != 0)
        order_active(t, table, before);
    do { /* a warp may begin to wait in the active queue */
        uint64_t parked = t->in_ready & waits;
        if (parked != 0)
            leave_ready(t, parked);
        t->pending |= parked;
        if (t->active_count > 0)
            fill_ready(t);
    } while ((t->in_ready & waits) != 0);
    return t->in_ready;
}
