/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The links of a mesh. A message goes over them one after the other; a link
 * passes mesh.link_flits flits of it in an interconnect cycle and, while it
 * does, no other message. Those that wait for a link pass in the order in which
 * their heads came. Room behind a link is not limited: what may be under way is
 * limited by ports and queues. With mesh.link_flits = 0 no message waits. */
#ifndef SAMPLER_MEMORY_LINKS_H
#define SAMPLER_MEMORY_LINKS_H

#include "base/pool.h"
#include "sampler/memory/core.h"
#include "sampler/memory/mesh.h"

#include <stdbool.h>
#include <stdint.h>

/* A message on its way: a record of a pool. */
struct trip {
    uint32_t next;    /* link of the free trips */
    uint32_t subject; /* of the event at its end */
    double since;     /* core cycle at which its head was last held up */
    double spread;    /* core cycles that MESH_LONGEST hops take it */
    double rest;      /* core cycles from the last link to that event */
    int hops;         /* since then */
    uint16_t flits;
    uint8_t at, to;  /* nodes */
    uint8_t arrival; /* enum event_kind, at its end */
};

struct links {
    struct memory_core *core;
    double flit_cycles; /* core cycles a flit takes a link, 0: none */
    struct pool trips;
    struct trip *trip;
    double free[MESH_LINKS]; /* core cycle at which its last flit has passed */
};

void links_init(struct links *l, struct memory_core *core);
void links_free(struct links *l);

/* A message whose head reaches the first link at `since`; its event is made
 * when it has passed the last. False when memory is out. */
bool links_send(struct links *l, const struct trip *message);
/* The event LINK_HEAD: the head of a trip has reached a link. */
bool links_head(struct links *l, uint32_t id);

#endif
