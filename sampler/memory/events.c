/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/events.h"

#include "base/bits.h"

#include <assert.h>
#include <stdlib.h>

static uint64_t part_of(uint64_t time, enum event_kind kind)
{
    return CYCLE_PARTS * time + (kind >= SECOND_PART) + (kind >= LAST_PART);
}

/* ---- later events: a heap ----------------------------------------------- */

static bool earlier(const struct far_event *a, const struct far_event *b)
{
    return a->part < b->part ||
           (a->part == b->part && a->sequence < b->sequence);
}

/* Seldom needed: it stays out of what pushes to the ring. */
__attribute__((noinline)) static bool push_far(struct event_queue *q,
                                               uint64_t part,
                                               enum event_kind kind,
                                               uint32_t subject)
{
    const struct far_event e = {part, q->sequence++, kind, subject};
    if (q->far_count == q->far_capacity) {
        size_t capacity = q->far_capacity == 0 ? 64 : 2 * q->far_capacity;
        struct far_event *far = realloc(q->far, capacity * sizeof(*far));
        if (far == NULL)
            return false;
        q->far = far;
        q->far_capacity = capacity;
    }
    size_t i = q->far_count++;
    while (i > 0 && earlier(&e, &q->far[(i - 1) / 2])) {
        q->far[i] = q->far[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    q->far[i] = e;
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

/* ---- the next parts: a ring --------------------------------------------- */

static inline bool push_near(struct event_queue *q, uint64_t part,
                             enum event_kind kind, uint32_t subject)
{
    uint32_t id = pool_take(&q->near_events, &q->near);
    if (id == NO_RECORD)
        return false;
    uint32_t slot = part % EVENT_PARTS;
    uint64_t bit = UINT64_C(1) << slot % 64, *used = &q->used[slot / 64];
    q->near[id] = (struct near_event){NO_RECORD, subject, (uint8_t)kind};
    uint32_t *link =
        (*used & bit) != 0 ? &q->near[q->last[slot]].next : &q->first[slot];
    *link = id;
    q->last[slot] = id;
    *used |= bit;
    q->near_count++;
    return true;
}

/* ---- the queue ---------------------------------------------------------- */

bool events_push(struct event_queue *q, uint64_t time, enum event_kind kind,
                 uint32_t subject)
{
    uint64_t part = part_of(time, kind);
    if (part < q->next || q->near_count + q->far_count == 0)
        q->next = part;
    if (part - q->now < EVENT_PARTS) /* and not before now */
        return push_near(q, part, kind, subject);
    return push_far(q, part, kind, subject);
}

static uint64_t near_part(const struct event_queue *q)
{
    if (q->near_count == 0)
        return NO_EVENT;
    uint32_t start = q->now % EVENT_PARTS, word = start / 64;
    uint64_t bits = q->used[word] & ~UINT64_C(0) << start % 64;
    while (bits == 0) {
        word = (word + 1) % (EVENT_PARTS / 64);
        bits = q->used[word];
    }
    uint32_t slot = word * 64 + (uint32_t)__builtin_ctzll(bits);
    return q->now + (slot + EVENT_PARTS - start) % EVENT_PARTS;
}

static uint64_t next_part(const struct event_queue *q)
{
    uint64_t near = near_part(q);
    uint64_t far = q->far_count > 0 ? q->far[0].part : NO_EVENT;
    return far < near ? far : near;
}

/* Time has moved on to q->now: what has come near goes into the ring, before
 * anything that is made from now on. */
static bool draw_near(struct event_queue *q)
{
    while (q->far_count > 0 && q->far[0].part - q->now < EVENT_PARTS) {
        struct far_event e = pop_far(q);
        if (!push_near(q, e.part, e.kind, e.subject))
            return false;
    }
    return true;
}

void events_end_part(struct event_queue *q)
{
    uint32_t slot = q->now % EVENT_PARTS;
    mask_clear(q->used, slot);
    q->next = next_part(q);
}

bool events_move_on(struct event_queue *q, struct event *out)
{
    assert(events_next(q) != NO_EVENT);
    if (q->next > q->now) {
        q->now = q->next;
        return draw_near(q) && events_pop(q, out);
    }
    struct far_event e = pop_far(q);
    *out = (struct event){e.part / CYCLE_PARTS, e.kind, e.subject};
    q->next = next_part(q);
    return true;
}

void events_free(struct event_queue *q)
{
    free(q->near);
    free(q->far);
    *q = (struct event_queue){0};
}
