/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An L2 slice: sectored, write-back, stores allocate without a fetch. Packets
 * are served in order of arrival, l2.port_bytes a cycle; one that finds no
 * MSHR, merge slot, way, or room towards memory or SMs waits, and those behind
 * it with it. What misses is fetched in units of l2.fetch_bytes, each with an
 * MSHR entry of its own. Of each set l2.dirty_share of the lines may be dirty:
 * a further one has the least recently used of them written back. Where L1s own
 * words (coherence.h) their directory sees a packet first. A request that is to
 * be parted (request.parted) is one a sector from the queue on. Here are a
 * slice and its queue; lines and what is asked of them are in l2_serve.h, MSHRs
 * and what goes to memory in l2_memory.h. */
#ifndef SAMPLER_MEMORY_L2_H
#define SAMPLER_MEMORY_L2_H

#include "sampler/memory/cache.h"
#include "sampler/memory/controller.h"
#include "sampler/memory/core.h"
#include "sampler/memory/directory.h"
#include "sampler/memory/network.h"

#include <stdbool.h>
#include <stdint.h>

/* What a slice sends to. */
struct l2_links {
    struct network *network;
    struct controller *controllers; /* [dram.channels] */
    struct directory *directory;    /* NULL: L1s own nothing */
};

/* A line on its way. */
struct l2_mshr {
    uint32_t waiting; /* list of packets, newest first */
    int set, way;
};

/* (l2_door.h) */
struct l2_door {
    struct packet_list waiting; /* packets that may not come in yet */
    uint64_t came_in;           /* cycle of the last that came in */
    int behind; /* of the slice's `queued`, not in the queue at `behind_at` */
    uint64_t behind_at;
    bool lets_in; /* has an L2_LET_IN to come */
};

struct l2_slice {
    struct memory_core *core;
    struct l2_links to;
    int id;
    struct cache tags;
    double cycle; /* of the slice, in core cycles */
    double free;  /* core cycle of its next access */
    struct l2_door door;
    struct packet_list queue;
    struct packet_list woken; /* that waited for sectors which are there */
    int queued;               /* sectors of the packets in the queue */
    bool scheduled;           /* has an L2_ACCESS to come */
    /* What the first in the queue waits for. */
    enum { SLICE_GOES, SLICE_AWAITS_NETWORK, SLICE_AWAITS_MEMORY } blocked;
    int line_sectors;
    int unit_sectors, units; /* of a line: what is fetched at a time */
    int fetches;             /* outstanding: MSHR entries in use */
    struct l2_mshr *mshr;
    uint16_t *merged; /* [mshr * units] packets that wait for a unit */
    uint32_t *free_mshr;
    int free_count;
    int most_dirty; /* lines of a set */
    uint8_t *clean; /* [way] of the set looked at: it is not dirty */
};

/* False when memory is out; l2_free() is due in either case. */
bool l2_init(struct l2_slice *s, struct memory_core *core, int id,
             const struct l2_links *to);
void l2_free(struct l2_slice *s);
/* Sectors that packets behind a slice's port may touch. Each has a place in the
 * queue, so that as many are on the way there as come in its latency, one a
 * cycle; with l2.unreserved those at the door do. */
int l2_space(const struct gpu *g);

/* The event L2_ARRIVAL. */
bool l2_arrival(struct l2_slice *s, uint32_t id, uint64_t now);
/* The event L2_ACCESS. */
bool l2_access(struct l2_slice *s, uint64_t now);
/* What blocks the slice may have gone. */
bool l2_retry(struct l2_slice *s, double now);
/* A fetch is back. */
bool l2_fill(struct l2_slice *s, const struct packet *fetch, uint64_t now);

#endif
