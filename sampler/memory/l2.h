/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An L2 slice: sectored, write-back, stores allocate without a fetch. Requests
 * are served in order of arrival, l2.port_bytes a cycle; one that finds no
 * MSHR, merge slot, way, or room towards memory or SMs waits, and those behind
 * it with it. What misses is fetched in units of l2.fetch_bytes, each with an
 * MSHR entry of its own. */
#ifndef SAMPLER_MEMORY_L2_H
#define SAMPLER_MEMORY_L2_H

#include "sampler/memory/memory.h"

bool l2_init(struct slice *s, const struct gpu *g, int id);
void l2_free(struct slice *s);
/* Sectors that requests on the way to a slice and waiting in it may touch: so
 * many wait, and one comes each cycle of the time they are on the way. */
int l2_room_for(const struct gpu *g);

/* Request id has come through the slice's port and latency. */
void l2_arrival(struct memory *m, uint32_t id, uint64_t now);
/* The event AT_TURN. */
void l2_turn(struct memory *m, int slice, uint64_t now);
/* What blocks the slice may have gone. */
void l2_room(struct memory *m, struct slice *s, double now);
/* The DRAM read of request id is back; id is released. */
void l2_fill(struct memory *m, uint32_t id, uint64_t now);

/* Data that an L1 gives back with its ownership. */
void l2_take_in(struct memory *m, struct slice *s, uint64_t line,
                uint32_t sectors, double now);

#endif
