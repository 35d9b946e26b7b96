/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The network between SMs, L2 slices and memory controllers: a crossbar for
 * requests and one for answers, each with a port for every SM and every slice,
 * and links from L1 to L1. With icnt.mesh slices, SMs and controllers are at
 * nodes of a mesh (mesh.h): latencies grow with the hops between them, and what
 * has passed a port goes over the links of the way (links.h). Packets to and
 * from controllers, whose places are not published, wait for no link. Sizes of
 * packets and crossings of links are counted here. */
#ifndef SAMPLER_MEMORY_NETWORK_H
#define SAMPLER_MEMORY_NETWORK_H

#include "sampler/memory/core.h"
#include "sampler/memory/crossbar.h"
#include "sampler/memory/links.h"
#include "sampler/memory/router.h"

#include <stdbool.h>
#include <stdint.h>

/* A port, which was full, has room again. */
struct network_callbacks {
    void *user;
    void (*sm_room)(void *user, int sm);
    bool (*slice_room)(void *user, int slice, double now);
};

/* One direction: with icnt.router a router, else ports. */
struct way {
    bool routed;
    struct crossbar ports;
    struct router router;
};

/* Flits that wait at a port in. */
static inline int way_flits(const struct way *w, int in)
{
    return w->routed ? w->router.in[in].flits : w->ports.in[in].flits;
}

struct network {
    struct memory_core *core;
    struct way to_slices, to_sms;
    struct links links;
    int sm_flits, slice_flits; /* that may wait at an SM's, a slice's port */
    double flit_cycles;        /* core cycles that a flit takes a port */
    int *slice_port; /* [slices] a slice's: its number or, with icnt.by_channel,
                      * those of a channel next to each other */
    /* Core cycle at which the port of an L1 for answers to other L1s, and that
     * of a slice for requests to L1s, is free. */
    double *l1_free, *forward_free;
    struct network_callbacks up;
};

/* Each slice has space for packets of `slice_space` sectors. False when memory
 * is out; network_free() is due in either case. */
bool network_init(struct network *n, struct memory_core *core, int slice_space,
                  const struct network_callbacks *up);
void network_free(struct network *n);

/* Whether SM sm's port has room for a packet; if not, sm_room says when. */
static inline bool network_sm_has_room(const struct network *n, int sm)
{
    return way_flits(&n->to_slices, sm) < n->sm_flits;
}

/* Likewise a slice's for an answer. */
static inline bool network_slice_has_room(const struct network *n, int slice)
{
    return way_flits(&n->to_sms, n->slice_port[slice]) < n->slice_flits;
}

/* Send a packet of an SM, with that many bytes of data, to its slice: the event
 * L2_ARRIVAL or, with l2.unreserved, L2_DOOR. */
bool network_send(struct network *n, uint32_t id, int data_bytes, double now);
/* Space behind a slice's port is free: `space` sectors, with a router flits. */
static inline bool network_taken(struct network *n, int slice, int space,
                                 double now)
{
    struct way *w = &n->to_slices;
    int port = n->slice_port[slice];
    return w->routed ? router_release(&w->router, port, space, now)
                     : crossbar_release(&w->ports, port, space, now);
}
/* Send a packet, which is ready at its slice at `time`, back as the answer to
 * its request: the event SM_REPLY. */
bool network_answer(struct network *n, uint32_t id, double time);
/* Likewise, but the slice has the L1 of SM `owner` send the answer. */
bool network_answer_from(struct network *n, int owner, uint32_t id,
                         double time);

/* Count the packets of a DRAM read or write between slice and controller, which
 * on a mesh share the links. */
void network_count_dram(struct network *n, const struct packet *p, int channel);
/* Core cycles that distance adds to a DRAM read beyond what it adds to an L2
 * hit. */
double network_dram_cycles(const struct network *n, const struct packet *p,
                           int channel);

/* The events PORT_REQUEST, PORT_GRANT, ROUTER_STEP, LINK_HEAD and OWNER_ASKED.
 */
bool network_event(struct network *n, const struct event *e);

#endif
