/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interconnect of one router between all ports in and all ports out, in
 * place of the ports of a crossbar (crossbar.h): icnt.router says which.
 *
 * One moves packets, as GPGPU-Sim's local crossbar does: in each cycle one port
 * out after another takes the first packet of a port in, so that a port in may
 * send to several. A slice's answers come to its port one a cycle.
 *
 * The other moves flits, as BookSim does (Jiang et al., "A detailed and
 * flexible cycle-accurate network-on-chip simulator", ISPASS 2013) with one
 * virtual channel. A port in is a queue of flits, to which one comes a cycle, a
 * port out another, which one leaves. A packet first takes the channel of its
 * port out, and then crosses flit by flit, in steps of which there are
 * icnt.speedup a cycle, while there is room behind the port.
 *
 * In both, those that ask for a port out take turns. */
#ifndef SAMPLER_MEMORY_ROUTER_H
#define SAMPLER_MEMORY_ROUTER_H

#include "sampler/memory/core.h"
#include "sampler/memory/crossbar.h"

#include <stdbool.h>
#include <stdint.h>

struct router_in {
    struct packet_list later; /* whose cycle (`handled`) is to come */
    struct packet_list queue;
    uint64_t next; /* cycle in which the next answer may come */
    int flits;     /* of all packets in both */
    int coming;    /* of the queue, not yet in the router: one a cycle comes */
    int here;      /* in the router, not yet across */
    int left;      /* of the first packet, not yet across */
    int out;       /* its port */
    bool asks;     /* the first packet for its port, rather than to cross */
};

struct router_out {
    uint64_t *asking; /* mask of ports in whose first packet asks for it */
    int round_robin;  /* port in that is looked at first */
    int space;        /* flits that there is room for */
    int back;         /* ... from cycle `back_from` on */
    bool taken;       /* by a packet that crosses */
    uint64_t back_from;
    uint64_t free; /* cycle in which the next flit may leave */
};

struct router {
    struct memory_core *core;
    uint32_t id;
    int inputs, outputs, speedup;
    bool whole;    /* moves packets */
    int drains;    /* flits that a port out holds which is emptied by itself */
    uint64_t due;  /* cycle of its next step; NO_EVENT: none */
    double cycle;  /* of the router, in core cycles */
    uint64_t now;  /* its present cycle */
    uint64_t next; /* its first whose step is to come */
    struct router_in *in;
    struct router_out *out;
    uint64_t *masks;    /* the memory of all that follow */
    uint64_t *awaiting; /* mask of ports in to which packets or flits come */
    uint64_t *crossing; /* ... whose first packet has taken its port out */
    uint64_t *moving;   /* ... of which a flit crosses in a step */
    uint64_t *asked;    /* mask of ports out that some ask for */
    uint64_t *emptied;  /* ... that get room back */
    crossbar_passed *passed;
    void *user;
};

/* False when memory is out; router_free() is due in either case. */
bool router_init(struct router *x, struct memory_core *core,
                 const struct crossbar_wiring *wiring);
void router_free(struct router *x);

/* Queue packet `id`, whose port and flits are set, at port `in`: it takes part
 * from cycle `now` on. */
bool router_push(struct router *x, int in, uint32_t id, double now);
/* The receiver behind port `out` has room for so many flits more, which a
 * router of packets knows a cycle later. */
bool router_release(struct router *x, int out, int flits, double now);

/* The event ROUTER_STEP. */
bool router_step(struct router *x, uint64_t now);

#endif
