/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records of one type that come and go, by index: an array with a list of its
 * free records, which doubles when none is free. The first member of a record
 * is a uint32_t, the link of the free list and, while the record is in use, its
 * owner's. Indices stay valid as the array grows, pointers do not. */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NO_RECORD UINT32_MAX

/* All zero: empty, with a NULL array. The owner frees the array. */
struct pool {
    uint32_t capacity;
    uint32_t free; /* first free record; capacity when there is none */
};

static inline uint32_t *pool_link(void *records, uint32_t id, size_t size)
{
    return (uint32_t *)(void *)((char *)records + id * size);
}

/* Double the array *records, of which none is free; it begins at a line of the
 * processor's cache. False when memory is out. */
bool pool_grow(struct pool *p, void *records, size_t size);

/* Whether a record is free, if need be after growing. */
static inline bool pool_reserve_bytes(struct pool *p, void *records,
                                      size_t size)
{
    return p->free != p->capacity || pool_grow(p, records, size);
}

static inline uint32_t pool_take_bytes(struct pool *p, void *records,
                                       size_t size)
{
    if (!pool_reserve_bytes(p, records, size))
        return NO_RECORD;
    uint32_t id = p->free;
    void *array;
    memcpy(&array, records, sizeof(array));
    p->free = *pool_link(array, id, size);
    return id;
}

/* `records` is the owner's array. The first two take its address, as they may
 * move it. False, and NO_RECORD, with nothing changed: no memory. */
#define pool_reserve(pool, records)                                            \
    pool_reserve_bytes((pool), (records), sizeof(**(records)))
#define pool_take(pool, records)                                               \
    pool_take_bytes((pool), (records), sizeof(**(records)))
#define pool_give(pool, records, id)                                           \
    pool_give_bytes((pool), (records), (id), sizeof(*(records)))

static inline void pool_give_bytes(struct pool *p, void *records, uint32_t id,
                                   size_t size)
{
    *pool_link(records, id, size) = p->free;
    p->free = id;
}

#endif
