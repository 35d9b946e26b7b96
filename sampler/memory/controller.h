/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A memory controller. Requests of its slices go through a pipeline of
 * dram.latency into the queue that its channel chooses from. When that is full
 * the pipeline stands, and takes no more than it holds in flight. With
 * dram.in_flight no more than so many are under way from its door to a read's
 * data or a write's last command. */
#ifndef SAMPLER_MEMORY_CONTROLLER_H
#define SAMPLER_MEMORY_CONTROLLER_H

#include "sampler/memory/memory.h"

bool controller_init(struct controller *c, const struct gpu *g);

/* Request id, which is new, reads or writes memory of its slice and place. */
void controller_send(struct memory *m, uint32_t id, double now);

/* The data of a read are at its slice. */
void controller_returned(struct memory *m, const struct request *r, double now);

/* The event AT_CHANNEL. */
void controller_step(struct memory *m, int channel, uint64_t now);

#endif
