/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interconnect that joins every port in with every port out. A port in is a
 * queue: only its first packet asks for a port out, so that those behind wait
 * with it. With icnt.virtual_queues it has a queue for every port out, whose
 * first packets all ask (virtual output queues: Tamir and Frazier, ISCA 1988).
 * A port takes one packet at a time; one out takes none while its receiver has
 * no space. The ports in that ask for it in a cycle are served round robin
 * (McKeown, "The iSLIP scheduling algorithm", IEEE/ACM ToN 7(2), 1999, with one
 * iteration). */
#ifndef SAMPLER_MEMORY_CROSSBAR_H
#define SAMPLER_MEMORY_CROSSBAR_H

#include "sampler/memory/core.h"

#include <stdbool.h>
#include <stdint.h>

struct port_in {
    struct packet_list *queue; /* one, or one for each port out */
    int flits;                 /* of all packets in the queues */
    double free;               /* core cycle at which the next may pass */
};

struct port_out {
    double free;      /* core cycle at which the last has passed */
    int space;        /* that its receiver has left */
    int waiting;      /* ports in that ask for it */
    int round_robin;  /* port in that is looked at first */
    bool scheduled;   /* has a PORT_GRANT to come */
    uint64_t *asking; /* mask of those ports */
};

/* Packet `id` starts to leave by its port at `time`. */
typedef bool crossbar_passed(void *user, uint32_t id, double time);

struct crossbar {
    struct memory_core *core;
    uint32_t id; /* which of the network's crossbars */
    int inputs, outputs;
    bool virtual_queues, ahead;
    double flit_cycles; /* core cycles that a flit takes a port */
    struct port_in *in;
    struct port_out *out;
    uint64_t *masks;
    struct packet_list *queues;
    crossbar_passed *passed;
    void *user;
};

/* What tells crossbars apart, and how they are wired. */
struct crossbar_wiring {
    uint32_t id; /* in the subjects of its events */
    int inputs, outputs;
    int drains; /* flits that a router's port out holds, which empties by
                 * itself; 0: by releases */
    int space;  /* at first, behind each port out */
    bool ahead; /* packets are pushed before they may go */
    crossbar_passed *passed;
    void *user; /* for `passed` */
};

/* False when memory is out; crossbar_free() is due in either case. */
bool crossbar_init(struct crossbar *x, struct memory_core *core,
                   const struct crossbar_wiring *wiring);
void crossbar_free(struct crossbar *x);

/* Queue packet `id`, whose port, flits and space are set, at port `in`. */
bool crossbar_push(struct crossbar *x, int in, uint32_t id, double now);
/* The receiver behind port `out` has `space` more. */
bool crossbar_release(struct crossbar *x, int out, int space, double now);

/* The crossbar that a port's event is about, and the port. */
static inline uint32_t crossbar_of(uint32_t subject)
{
    return subject >> 16;
}

static inline int crossbar_port(uint32_t subject)
{
    return (int)(subject & UINT16_MAX);
}

/* The events PORT_REQUEST and PORT_GRANT. */
bool crossbar_request(struct crossbar *x, int in);
bool crossbar_grant(struct crossbar *x, int out, uint64_t now);

#endif
