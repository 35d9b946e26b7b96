/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the memory have in common: the machine, the packets under
 * way, the events to come and the counts.
 *
 * Memory that is out is found where an event or a packet is made. It travels
 * up as `false` through every function that returns bool and does not say
 * otherwise; the run must then end, for what was being done is left half done.
 */
#ifndef SAMPLER_MEMORY_CORE_H
#define SAMPLER_MEMORY_CORE_H

#include "base/bits.h"
#include "sampler/memory/counts.h"
#include "sampler/memory/events.h"
#include "sampler/memory/packet.h"

struct gpu;

struct memory_core {
    const struct gpu *gpu;
    struct pool packets;
    struct packet *packet;
    struct event_queue events;
    uint64_t writebacks; /* packets of REQUEST_WRITEBACK that no slice has */
    int *at_doors; /* [l2.banks] a slice's packets at controllers' doors */
    struct memory_counts counts;
};

/* False when memory is out; mem_free() is due in either case. */
bool mem_init(struct memory_core *c, const struct gpu *g);
void mem_free(struct memory_core *c);

/* An event at `time`, in core cycles, rounded up to a whole one. */
static inline bool mem_schedule(struct memory_core *c, double time,
                                enum event_kind kind, uint32_t subject)
{
    return events_push(&c->events, whole_cycle(time), kind, subject);
}

/* A packet whose fields are for the caller to set, or NO_PACKET. Pointers to
 * packets do not outlive this. */
static inline uint32_t mem_new_packet(struct memory_core *c)
{
    return pool_take(&c->packets, &c->packet);
}

static inline void mem_drop_packet(struct memory_core *c, uint32_t id)
{
    pool_give(&c->packets, c->packet, id);
}

/* A write-back has arrived, or is void. */
static inline void mem_drop_writeback(struct memory_core *c, uint32_t id)
{
    c->writebacks--;
    mem_drop_packet(c, id);
}

/* Count the packet's access as served by one of the counts, unless a part of it
 * is counted. */
static inline void mem_count_served(struct packet *p, uint64_t *where)
{
    *where += !p->request.counted;
    p->request.counted = true;
}

#endif
