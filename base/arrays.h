/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays that grow at the end. Of those that only grow the capacity follows
 * from the count: it is the next power of two. Those that are emptied and
 * filled again know theirs. */
#ifndef BASE_ARRAYS_H
#define BASE_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline size_t array_capacity(size_t count)
{
    size_t capacity = 8;
    while (capacity < count)
        capacity *= 2;
    return count == 0 ? 0 : capacity;
}

/* Room for `more` elements of `size` bytes behind `count` in *array (a pointer
 * to any object type). False, with *array as it was: no memory. */
static inline bool array_room_bytes(void *array, size_t count, size_t more,
                                    size_t size)
{
    void *old, *grown;
    size_t capacity = array_capacity(count + more);
    if (capacity == array_capacity(count))
        return true;
    memcpy(&old, array, sizeof(old));
    grown = realloc(old, capacity * size);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof(grown));
    return true;
}

/* Room for `count` elements in *array, which has room for *room. Likewise. */
static inline bool array_reserve_bytes(void *array, size_t *room, size_t count,
                                       size_t size)
{
    void *old, *grown;
    if (count <= *room)
        return true;
    memcpy(&old, array, sizeof(old));
    grown = realloc(old, array_capacity(count) * size);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof(grown));
    *room = array_capacity(count);
    return true;
}

#define array_room(array, count, more)                                         \
    array_room_bytes((array), (count), (more), sizeof(**(array)))
#define array_reserve(array, room, count)                                      \
    array_reserve_bytes((array), (room), (count), sizeof(**(array)))

#endif
