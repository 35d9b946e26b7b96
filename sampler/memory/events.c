/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/events.h"

#include <assert.h>
#include <stdlib.h>

#define NONE UINT32_MAX

static uint64_t turn_of(uint64_t time, enum event_kind kind)
{
    return 2 * time + (kind == AT_OUT);
}

/* ---- later events: a heap ----------------------------------------------- */

static bool earlier(const struct far_event *a, const struct far_event *b)
{
    return a->turn < b->turn ||
           (a->turn == b->turn && a->sequence < b->sequence);
}

static bool push_far(struct event_queue *q, const struct far_event *e)
{
    if (q->far_count == q->far_capacity) {
        size_t capacity = q->far_capacity == 0 ? 64 : 2 * q->far_capacity;
        struct far_event *far = realloc(q->far, capacity * sizeof(*far));
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

static struct far_event pop_far(struct event_queue *q)
{
    struct far_event top = q->far[0];
    struct far_event last = q->far[--q->far_count];
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

static bool push_near(struct event_queue *q, uint64_t turn,
                      enum event_kind kind, uint32_t subject)
{
    if (q->near_count == q->near_capacity && !grow_ring(q))
        return false;
    uint32_t id = q->free, slot = turn % EVENT_TURNS;
    uint64_t bit = UINT64_C(1) << slot % 64;
    struct near_event *n = &q->near[id];
    q->free = n->next;
    n->subject = subject;
    n->next = NONE;
    n->kind = (uint8_t)kind;
    if (q->used[slot / 64] & bit)
        q->near[q->last[slot]].next = id;
    else
        q->first[slot] = id;
    q->last[slot] = id;
    q->used[slot / 64] |= bit;
    q->near_count++;
    return true;
}

/* One of the present turn. */
static void pop_near(struct event_queue *q, struct event *out)
{
    uint32_t slot = q->now % EVENT_TURNS, id = q->first[slot];
    struct near_event *n = &q->near[id];
    out->time = q->now / 2;
    out->kind = n->kind;
    out->subject = n->subject;
    if (n->next == NONE)
        q->used[slot / 64] &= ~(UINT64_C(1) << slot % 64);
    q->first[slot] = n->next;
    n->next = q->free;
    q->free = id;
    q->near_count--;
}

/* ---- the queue ---------------------------------------------------------- */

bool events_push(struct event_queue *q, uint64_t time, enum event_kind kind,
                 uint32_t subject)
{
    uint64_t turn = turn_of(time, kind), sequence = q->sequence++;
    bool first = q->near_count + q->far_count == 0 || turn < q->next;
    bool near = turn >= q->now && turn - q->now < EVENT_TURNS;
    q->next = first ? turn : q->next;
    if (near)
        return push_near(q, turn, kind, subject);
    return push_far(q, &(struct far_event){turn, sequence, kind, subject});
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
    uint64_t far = q->far_count > 0 ? q->far[0].turn : NO_EVENT;
    return far < near ? far : near;
}

/* Time has moved on to q->now: what has come near goes into the ring, before
 * anything that is made from now on. */
static bool draw_near(struct event_queue *q)
{
    while (q->far_count > 0 && q->far[0].turn - q->now < EVENT_TURNS) {
        struct far_event e = pop_far(q);
        if (!push_near(q, e.turn, e.kind, e.subject))
            return false;
    }
    return true;
}

bool events_pop(struct event_queue *q, struct event *out)
{
    uint64_t turn = q->next;
    assert(events_next(q) != NO_EVENT);
    if (turn > q->now) {
        q->now = turn;
        if (!draw_near(q))
            return false;
    }
    if (turn < q->now) {
        struct far_event e = pop_far(q);
        *out = (struct event){e.turn / 2, e.kind, e.subject};
    } else
        pop_near(q, out);
    q->next = next_turn(q);
    return true;
}

void events_free(struct event_queue *q)
{
    free(q->near);
    free(q->far);
    *q = (struct event_queue){0};
}
