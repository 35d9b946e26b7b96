/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An L2 slice: sectored, write-back, stores allocate without a fetch. Requests
 * are served in order of arrival; one that finds no MSHR, merge slot or way
 * waits, and those behind it with it. */
#ifndef SAMPLER_L2_H
#define SAMPLER_L2_H

#include "sampler/memory.h"

bool l2_init(struct slice *s, const struct gpu *g);
void l2_free(struct slice *s);

/* Request id has come through the slice's port. */
void l2_arrival(struct memory *m, uint32_t id, uint64_t now);
/* The DRAM read of request id is back; id is released. */
void l2_fill(struct memory *m, uint32_t id, uint64_t now);

/* Data that an L1 gives back with the line's ownership. */
void l2_take_in(struct memory *m, struct slice *s, uint64_t line, double now);

#endif
