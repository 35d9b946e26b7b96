/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The store buffer of a write-back L1 under gpu coherence (l1.store_buffer):
 * lines that stores have written to, in the order of their first store, until
 * they are written through. The L1 holds the words. */
#ifndef SAMPLER_SM_STORE_BUFFER_H
#define SAMPLER_SM_STORE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: one without room. */
struct store_buffer {
    uint64_t *line; /* a ring of `room` */
    int room, first, count;
};

/* False when memory is out; store_buffer_free in any case. */
bool store_buffer_init(struct store_buffer *b, int room);
void store_buffer_free(struct store_buffer *b);

static inline bool store_buffer_is_full(const struct store_buffer *b)
{
    return b->count == b->room;
}

/* Put a line in, for which there is room. */
void store_buffer_put(struct store_buffer *b, uint64_t line);
/* Take the oldest line, of which there is one. */
uint64_t store_buffer_take(struct store_buffer *b);

#endif
