/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A request on its way through the memory, from port to port and from queue to
 * queue: a record of a pool, known by its index. A packet is in one list at a
 * time. */
#ifndef SAMPLER_MEMORY_PACKET_H
#define SAMPLER_MEMORY_PACKET_H

#include "base/pool.h"
#include "configs/address.h"
#include "sampler/memory/request.h"

#define NO_PACKET NO_RECORD

/* As many bytes as a line of a processor's cache, in which most of a large
 * GPU's packets are not. */
struct packet {
    uint32_t next;    /* link of its list, or of the free packets */
    uint32_t handled; /* sectors that its L2 slice has, fetches or awaits; with
                       * dram.clocked, of one for the DRAM, the cycle (its lower
                       * bits) at which it has come to the controller's door;
                       * likewise in a router, at which it takes part */
    struct request request;
    uint64_t row; /* of its line in the DRAM bank (struct place) */
    uint32_t set; /* of its line in the slice's tags, where it goes to them */
    uint16_t slice, bank;
    uint16_t port; /* by which it leaves the interconnect */
    uint16_t flits;
    uint16_t space; /* that it takes up behind that port */
    uint16_t channel : 15;
    uint16_t fetched : 1; /* some sector was fetched from DRAM for it */
};

_Static_assert(sizeof(struct packet) == 64, "a packet fills a cache line");

/* Set where the packet's line lives, but for the set. */
static inline void packet_place(struct packet *p, const struct place *at)
{
    p->slice = (uint16_t)at->slice;
    p->channel = (uint16_t)at->channel & 0x7fff;
    p->bank = (uint16_t)at->bank;
    p->row = at->row;
}

/* Packets in order of arrival; both NO_PACKET when there is none. */
struct packet_list {
    uint32_t first, last;
};

#define NO_PACKETS ((struct packet_list){NO_PACKET, NO_PACKET})

static inline bool packet_list_empty(const struct packet_list *l)
{
    return l->first == NO_PACKET;
}

static inline void packet_list_add(struct packet_list *l, struct packet *packet,
                                   uint32_t id)
{
    packet[id].next = NO_PACKET;
    if (l->first == NO_PACKET)
        l->first = id;
    else
        packet[l->last].next = id;
    l->last = id;
}

/* Take the first, which must be there. */
static inline uint32_t packet_list_take(struct packet_list *l,
                                        const struct packet *packet)
{
    uint32_t id = l->first;
    l->first = packet[id].next;
    return id;
}

#endif
