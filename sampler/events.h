/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory system's future: a heap of events in order of time, ties in the
 * order they were made, so that a run is the same every time. */
#ifndef SAMPLER_EVENTS_H
#define SAMPLER_EVENTS_H

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

struct event {
    uint64_t time;     /* core cycle */
    uint64_t sequence; /* order of creation */
    enum event_kind kind;
    uint32_t subject; /* request, port, slice or channel */
};

struct event_heap {
    struct event *item;
    size_t count, capacity;
    uint64_t sequence;
};

#define NO_EVENT UINT64_MAX

/* Grows the heap when needed; false when memory is out. */
bool events_push(struct event_heap *h, uint64_t time, enum event_kind kind,
                 uint32_t subject);
/* Remove and return the earliest; the heap must not be empty. */
struct event events_pop(struct event_heap *h);
/* Time of the earliest, NO_EVENT when there is none. */
uint64_t events_next(const struct event_heap *h);
void events_free(struct event_heap *h);

#endif
