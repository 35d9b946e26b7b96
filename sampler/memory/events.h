/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory system's future: events in order of time, ties in the order they
 * were made, so that a run is the same every time; but AT_OUT comes last in its
 * cycle, when all that ask for the port have asked. A cycle has two turns for
 * that. Those of the next turns lie in a ring with a list for each; later ones
 * wait in a heap until their turn comes that near, and one that is made for a
 * turn before the last one taken leaves it next. */
#ifndef SAMPLER_MEMORY_EVENTS_H
#define SAMPLER_MEMORY_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
    AT_IN,      /* a packet is first at a port into an interconnect */
    AT_OUT,     /* a port out of an interconnect may take its next packet */
    AT_SLICE,   /* a request has come through to its L2 slice */
    AT_TURN,    /* a slice may serve its next request */
    AT_CHANNEL, /* a memory controller or its channel has a step to do */
    AT_FILL,    /* a DRAM read's data reaches the slice */
    AT_SM       /* a reply reaches its SM */
};

#define EVENT_SPAN  512 /* cycles */
#define EVENT_TURNS (2 * EVENT_SPAN)

struct event {
    uint64_t time; /* core cycle */
    enum event_kind kind;
    uint32_t subject; /* request, port, slice or channel */
};

/* One in the heap. */
struct far_event {
    uint64_t turn;
    uint64_t sequence; /* order of creation */
    enum event_kind kind;
    uint32_t subject;
};

/* One in the ring, whose place tells its turn. */
struct near_event {
    uint32_t subject;
    uint32_t next; /* of its turn, or of the free ones */
    uint8_t kind;
};

/* All zero: empty. */
struct event_queue {
    uint64_t now;  /* latest turn of those taken */
    uint64_t next; /* turn of the earliest, if there is one */
    uint64_t sequence;
    struct near_event *near;
    uint32_t near_count, near_capacity, free;
    uint32_t first[EVENT_TURNS], last[EVENT_TURNS]; /* of a turn's list */
    uint64_t used[EVENT_TURNS / 64];                /* turns that have one */
    struct far_event *far; /* heap of those outside the ring */
    size_t far_count, far_capacity;
};

#define NO_EVENT UINT64_MAX

/* False when memory is out. */
bool events_push(struct event_queue *q, uint64_t time, enum event_kind kind,
                 uint32_t subject);
/* Take the earliest; the queue must not be empty. False when memory is out. */
bool events_pop(struct event_queue *q, struct event *out);
/* Time of the earliest, NO_EVENT when there is none. */
static inline uint64_t events_next(const struct event_queue *q)
{
    return q->near_count + q->far_count == 0 ? NO_EVENT : q->next / 2;
}
void events_free(struct event_queue *q);

#endif
