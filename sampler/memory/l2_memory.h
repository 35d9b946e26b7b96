/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An L2 slice towards memory: its MSHRs, what it fetches and writes back, and
 * the packets that wait for what has been asked for. */
#ifndef SAMPLER_MEMORY_L2_MEMORY_H
#define SAMPLER_MEMORY_L2_MEMORY_H

#include "sampler/memory/l2.h"

#include <stdbool.h>
#include <stdint.h>

/* What became of serving a packet. */
enum l2_service { L2_SERVED, L2_WAITS, L2_NO_MEMORY };

/* False when memory is out; l2_free_mshrs() is due in either case. */
bool l2_init_mshrs(struct l2_slice *s, int count);
void l2_free_mshrs(struct l2_slice *s);

/* Set where a packet's line lives; slices are all alike. */
void l2_place(const struct l2_slice *s, struct packet *p);

/* The queue to the memory has no room. */
bool l2_memory_full(const struct l2_slice *s);
/* False when memory is out, as of all below. */
bool l2_write_memory(struct l2_slice *s, uint64_t line, uint32_t sectors,
                     double now);

/* Deal with what a packet wants of its line, unit by unit, as far as that can
 * be done now: what is not there is fetched. */
enum l2_service l2_serve_units(struct l2_slice *s, int set, int way,
                               uint32_t id, double now);
/* The packet, which has been served, waits for sectors of the line. */
void l2_wait_for_fill(struct l2_slice *s, const struct cache_line *l,
                      uint32_t id);

/* The sectors of a fetch are there: those that waited for them are answered. */
bool l2_filled(struct l2_slice *s, const struct packet *fetch, uint64_t now);
/* The event L2_WOKEN, with l2.staged: the next packet whose sectors have come
 * is answered, one a cycle from the one behind the fill on (GPGPU-Sim
 * gpu-cache.h, mshr_table::next_access), while the first in the queue may find
 * them there in the cycle of the fill. */
bool l2_woken(struct l2_slice *s, uint64_t now);

/* The answer is ready at `now`; with l2.staged (GPGPU-Sim l2cache.cc,
 * memory_sub_partition::cache_cycle and gpgpu_sim::cycle) it passes a queue. */
bool l2_answer(struct l2_slice *s, uint32_t id, double now);

#endif
