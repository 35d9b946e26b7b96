/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/events.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

static uint64_t turn_of(const struct event *e)
{
    return 2 * e->time + (e->kind == AT_OUT);
}

/* ---- later events: a heap ----------------------------------------------- */

static bool earlier(const struct event *a, const struct event *b)
{
    uint64_t first = turn_of(a), second = turn_of(b);
    return first < second || (first == second && a->sequence < b->sequence);
}

static bool push_far(struct event_queue *q, const struct event *e)
{
    if (q->far_count == q->far_capacity) {
        size_t capacity = q->far_capacity == 0 ? 64 : 2 * q->far_capacity;
        struct event *far = realloc(q->far, capacity * sizeof(*far));
        if (far == NULL)
            return false;
        q->far = far;
        q->far_capacity = capacity;
    }
    size_t i = q->far_count++;
    while (i > 0 && earlier(e, &q->far[(i - 1) / 2])) {
        q->far[i] = q->far[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    q->far[i] = *e;
    return true;
}

static struct event pop_far(struct event_queue *q)
{
    struct event top = q->far[0];
    struct event last = q->far[--q->far_count];
    size_t i = 0;
    for (size_t child = 1; child < q->far_count; child = 2 * i + 1) {
        if (child + 1 < q->far_count &&
            earlier(&q->far[child + 1], &q->far[child]))
            child++;
        if (!earlier(&q->far[child], &last))
            break;
        q->far[i] = q->far[child];
        i = child;
    }
    q->far[i] = last;
    return top;
}

/* ---- the next turns: a ring --------------------------------------------- */

static bool grow_ring(struct event_queue *q)
{
    uint32_t old = q->near_capacity, capacity = old == 0 ? 256 : 2 * old;
    struct near_event *near = realloc(q->near, capacity * sizeof(*near));
    if (near == NULL)
        return false;
    for (uint32_t i = old; i < capacity; i++)
        near[i].next = i + 1 < capacity ? i + 1 : NONE;
    q->near = near;
    q->near_capacity = capacity;
    q->free = old;
    return true;
}

static bool push_near(struct event_queue *q, const struct event *e)
{
    if (q->near_count == q->near_capacity && !grow_ring(q))
        return false;
    uint32_t id = q->free, slot = turn_of(e) % EVENT_TURNS;
    uint64_t bit = UINT64_C(1) << slot % 64;
    q->free = q->near[id].next;
    q->near[id] = (struct near_event){*e, NONE};
    if (q->used[slot / 64] & bit)
        q->near[q->last[slot]].next = id;
    else
        q->first[slot] = id;
    q->last[slot] = id;
    q->used[slot / 64] |= bit;
    q->near_count++;
    return true;
}

static struct event pop_near(struct event_queue *q, uint32_t slot)
{
    uint32_t id = q->first[slot];
    struct near_event *n = &q->near[id];
    if (n->next == NONE)
        q->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    q->first[slot] = n->next;
    n->next = q->free;
    q->free = id;
    q->near_count--;
    return n->event;
}

/* ---- the queue ---------------------------------------------------------- */

bool events_push(struct event_queue *q, uint64_t time, enum event_kind kind,
                 uint32_t subject)
{
    struct event e = {time, q->sequence++, kind, subject};
    uint64_t turn = turn_of(&e);
    bool near = turn >= q->now && turn - q->now < EVENT_TURNS;
    return near ? push_near(q, &e) : push_far(q, &e);
}

static uint64_t near_turn(const struct event_queue *q)
{
    if (q->near_count == 0)
        return NO_EVENT;
    uint32_t start = q->now % EVENT_TURNS, word = start / 64;
    uint64_t bits = q->used[word] & ~UINT64_C(0) << start % 64;
    while (bits == 0) {
        word = (word + 1) % (EVENT_TURNS / 64);
        bits = q->used[word];
    }
    uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return q->now + (slot + EVENT_TURNS - start) % EVENT_TURNS;
}

static uint64_t next_turn(const struct event_queue *q)
{
    uint64_t near = near_turn(q);
    uint64_t far = q->far_count > 0 ? turn_of(&q->far[0]) : NO_EVENT;
    return far < near ? far : near;
}

uint64_t events_next(const struct event_queue *q)
{
    uint64_t turn = next_turn(q);
    return turn == NO_EVENT ? NO_EVENT : turn / 2;
}

/* Time has moved on to q->now: what has come near goes into the ring, before
 * anything that is made from now on. */
static bool draw_near(struct event_queue *q)
{
    while (q->far_count > 0 && turn_of(&q->far[0]) - q->now < EVENT_TURNS) {
        struct event e = pop_far(q);
        if (!push_near(q, &e))
            return false;
    }
    return true;
}

bool events_pop(struct event_queue *q, struct event *out)
{
    uint64_t turn = next_turn(q);
    assert(turn != NO_EVENT);
    if (turn < q->now) {
        *out = pop_far(q);
        return true;
    }
    if (turn > q->now) {
        q->now = turn;
        if (!draw_near(q))
            return false;
    }
    *out = pop_near(q, (uint32_t)(turn % EVENT_TURNS));
    return true;
}

void events_free(struct event_queue *q)
{
    free(q->near);
    free(q->far);
    *q = (struct event_queue){0};
}
