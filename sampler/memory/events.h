/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory's future: events in order of time, ties in the order in which they
 * were made, so that a run is the same every time. A cycle has three parts:
 * grants of ports are in the second, when all that ask for a port in that cycle
 * have asked, steps of routers in the last, when room has been made, most other
 * events in the first.
 *
 * The next EVENT_PARTS lie in a ring with a list for each. Later events wait
 * in a heap until their part comes that near. An event that is made for a part
 * before the present one also goes to the heap, and leaves it next. */
#ifndef SAMPLER_MEMORY_EVENTS_H
#define SAMPLER_MEMORY_EVENTS_H

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
    PORT_REQUEST, /* a packet is first at a port into an interconnect */
    LINK_HEAD,    /* the head of a trip has reached a link of the mesh */
    L2_ARRIVAL,   /* a packet has come through to its L2 slice */
    L2_WOKEN,    /* a slice may answer the next packet that waited for a fill */
    L2_ACCESS,   /* a slice may serve its next packet */
    OWNER_ASKED, /* a slice's request has reached the L1 that is to answer */
    CONTROLLER_STEP, /* a memory controller or its channel has work to do */
    DRAM_RETURN,     /* the data of a DRAM read reach the slice */
    SM_REPLY,        /* an answer reaches its SM */
    /* In the second part of a cycle: */
    SECOND_PART,
    PORT_GRANT = SECOND_PART, /* a port out of an interconnect may take a
                               * packet */
    L2_DOOR,                  /* a packet is at the door of its L2 slice */
    L2_LET_IN, /* a slice may let the next packet at its door in */
    /* With l2.staged, after data that come in the same cycle: */
    L2_LATE_ARRIVAL,
    L2_LATE_ACCESS,
    /* In the last: */
    LAST_PART,
    ROUTER_STEP = LAST_PART /* a router has a cycle of work */
};

#define CYCLE_PARTS 3

#define EVENT_PARTS 1024
#define EVENT_SPAN  (EVENT_PARTS / CYCLE_PARTS) /* cycles */

struct event {
    uint64_t time; /* core cycle */
    enum event_kind kind;
    uint32_t subject; /* packet, trip, port, slice or channel */
};

/* One in the heap. */
struct far_event {
    uint64_t part;
    uint64_t sequence; /* order of creation */
    enum event_kind kind;
    uint32_t subject;
};

/* One in the ring, whose place tells its part: a record of a pool. */
struct near_event {
    uint32_t next; /* of its part */
    uint32_t subject;
    uint8_t kind;
};

/* All zero: empty. */
struct event_queue {
    uint64_t now;  /* the latest part of those taken */
    uint64_t next; /* part of the earliest event, if there is one */
    uint64_t sequence;
    struct pool near_events;
    struct near_event *near;
    uint32_t near_count;
    uint32_t first[EVENT_PARTS], last[EVENT_PARTS]; /* of a part's list */
    uint64_t used[EVENT_PARTS / 64];                /* parts that have one */
    struct far_event *far; /* heap of those outside the ring */
    size_t far_count, far_capacity;
};

#define NO_EVENT UINT64_MAX

/* False when memory is out. */
bool events_push(struct event_queue *q, uint64_t time, enum event_kind kind,
                 uint32_t subject);
/* Time of the earliest, NO_EVENT when there is none. */
static inline uint64_t events_next(const struct event_queue *q)
{
    return q->near_count + q->far_count == 0 ? NO_EVENT : q->next / CYCLE_PARTS;
}

/* For events_pop: move on to the earliest part, which is not the present one,
 * and take its first event; the present part has no more events: find the
 * earliest that has. */
bool events_move_on(struct event_queue *q, struct event *out);
void events_end_part(struct event_queue *q);

/* Take the earliest; the queue must not be empty. False when memory is out. */
static inline bool events_pop(struct event_queue *q, struct event *out)
{
    if (q->next != q->now)
        return events_move_on(q, out);
    uint32_t slot = q->now % EVENT_PARTS, id = q->first[slot];
    const struct near_event n = q->near[id];
    *out = (struct event){q->now / CYCLE_PARTS, n.kind, n.subject};
    pool_give(&q->near_events, q->near, id);
    q->first[slot] = n.next;
    q->near_count--;
    if (n.next == NO_RECORD)
        events_end_part(q);
    return true;
}

void events_free(struct event_queue *q);

#endif
