/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The door of an L2 slice, with l2.unreserved: packets wait while the queue has
 * no room for a line, then one comes in each cycle of the slice. What is in,
 * and l2.latency from the queue, is not held up (GPGPU-Sim,
 * memory_sub_partition::full and m_rop). */
#ifndef SAMPLER_MEMORY_L2_DOOR_H
#define SAMPLER_MEMORY_L2_DOOR_H

#include "sampler/memory/l2.h"

#include <stdbool.h>
#include <stdint.h>

/* The events L2_DOOR and L2_LET_IN. */
bool l2_at_door(struct l2_slice *s, uint32_t id, uint64_t now);
bool l2_let_in(struct l2_slice *s, uint64_t now);
/* The queue has room again: the next may come in at `time`. */
bool l2_door_room(struct l2_slice *s, double time);
/* A packet comes into the queue in so many parts, one a cycle. */
void l2_door_parted(struct l2_slice *s, int parts, uint64_t now);
/* What a packet takes up of the space behind the slice's port, which a router
 * counts in flits. */
int l2_door_space(const struct l2_slice *s, const struct packet *p);

#endif
