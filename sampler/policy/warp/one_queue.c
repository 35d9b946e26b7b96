/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/policy/warp/one_queue.h"

#include "base/bits.h"

#include <string.h>

void one_queue_init(struct one_queue *q, const struct warp_context *context,
                    int size)
{
    uint64_t owned = context->owned;
    *q = (struct one_queue){.period = (uint64_t)context->issue_period,
                            .owned = owned,
                            .size = size,
                            .waiting = owned,
                            .idle = true,
                            .picked = -1,
                            .next_change = UINT64_MAX};
    for (uint64_t left = owned; left != 0; left &= left - 1) {
        int8_t warp = (int8_t)__builtin_ctzll(left);
        if (q->active_count < size)
            q->active[q->active_count++] = warp;
        else
            q->queue[q->queue_count++] = warp;
    }
}

static uint64_t members(const struct one_queue *q)
{
    uint64_t mask = 0;
    for (int i = 0; i < q->active_count; i++)
        mask |= BIT(q->active[i]);
    return mask;
}

/* One cycle's moves. */
static void turn(struct one_queue *q, uint64_t waiting)
{
    int kept = 0;
    for (int i = 0; i < q->active_count; i++)
        if (waiting & BIT(q->active[i]))
            q->queue[q->queue_count++] = q->active[i];
        else
            q->active[kept++] = q->active[i];
    int taken = q->active_count - kept;
    memcpy(&q->active[kept], q->queue, (size_t)taken);
    q->queue_count -= taken;
    memmove(q->queue, q->queue + taken, (size_t)q->queue_count);
}

/* Turns before this cycle. */
static uint64_t turns_before(const struct one_queue *q, uint64_t cycle)
{
    return (cycle + q->period - 1) / q->period;
}

/* The turns before this cycle, since the last of which nothing has changed.
 * Once all that do not wait have come into the set, the others go round in it:
 * after as many turns as they are it is the same again. */
static void catch_up(struct one_queue *q, uint64_t cycle)
{
    uint64_t turns = turns_before(q, cycle);
    if (turns <= q->turns)
        return;
    uint64_t left = turns - q->turns;
    uint64_t round = (uint64_t)__builtin_popcountll(q->waiting);
    if (round > 0 && left > MAX_WARP_SLOTS)
        left = MAX_WARP_SLOTS + (left - MAX_WARP_SLOTS) % round;
    for (; left > 0 && (members(q) & q->waiting) != 0; left--)
        turn(q, q->waiting);
    q->turns = turns;
}

void one_queue_launch(struct one_queue *q, int warp, uint64_t cycle)
{
    if (q->idle)
        q->turns = turns_before(q, cycle);
    q->idle = false;
    catch_up(q, cycle);
    q->waiting &= ~BIT(warp);
}

void one_queue_exit(struct one_queue *q, const struct warp_table *table,
                    int warp, uint64_t cycle)
{
    if ((table->live & ~table->finished & ~BIT(warp)) != 0)
        return;
    catch_up(q, cycle);
    q->waiting |= BIT(warp);
    q->idle = true;
}

uint64_t one_queue_move(struct one_queue *q, const struct warp_table *table,
                        uint64_t cycle)
{
    q->next_change = UINT64_MAX;
    if (q->idle)
        return members(q);
    catch_up(q, cycle);
    q->turns++;
    uint64_t there = table->live & ~table->finished;
    q->waiting =
        q->owned & (~there | table->at_barrier | table->head_reads_load);
    turn(q, q->waiting);
    uint64_t active = members(q);
    bool turns = (active & q->waiting) != 0;
    bool matters = (q->owned & table->hazard_free) != 0;
    q->next_change = turns && matters ? cycle + q->period : UINT64_MAX;
    return active;
}

int one_queue_pick(struct one_queue *q, uint64_t ready)
{
    for (int i = 0; i < q->active_count; i++)
        if (ready & BIT(q->active[i])) {
            q->picked = q->active[i];
            q->passed = i + 1;
            return q->picked;
        }
    return -1;
}

void one_queue_issued(struct one_queue *q, int warp)
{
    if (warp != q->picked)
        return;
    int8_t order[MAX_WARP_SLOTS];
    for (int k = 0; k < q->active_count; k++)
        order[k] = q->active[(q->passed + k) % q->active_count];
    memcpy(q->active, order, (size_t)q->active_count);
}
