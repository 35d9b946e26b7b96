/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accesses to the lines of an L2 slice. */
#ifndef SAMPLER_MEMORY_L2_SERVE_H
#define SAMPLER_MEMORY_L2_SERVE_H

#include "sampler/memory/l2_memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Serve a packet, and answer it or let it wait for its line. One that must wait
 * at the queue's head (l2.h) has got as far as it could. */
enum l2_service l2_serve(struct l2_slice *s, uint32_t id, double now);

/* The slice holds these sectors, written or not, as after an access of old: no
 * time passes, nothing is sent or counted. */
void l2_warm(struct l2_slice *s, uint64_t line, uint32_t sectors, bool writes);

/* Write sectors that an L1 gives back with their ownership. */
bool l2_write_back(struct l2_slice *s, uint64_t line, uint32_t sectors,
                   double now);

#endif
