/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pool.h"

bool pool_grow(struct pool *p, void *records, size_t size)
{
    enum { FIRST_CAPACITY = 256, CACHE_LINE = 64 };
    uint32_t old = p->capacity;
    if (old > UINT32_MAX / 2)
        return false;
    uint32_t capacity = old == 0 ? FIRST_CAPACITY : 2 * old;
    void *before, *array = aligned_alloc(CACHE_LINE, capacity * size);
    if (array == NULL)
        return false;
    memcpy(&before, records, sizeof(before));
    if (old > 0)
        memcpy(array, before, old * size);
    free(before);
    for (uint32_t i = old; i < capacity; i++)
        *pool_link(array, i, size) = i + 1;
    memcpy(records, &array, sizeof(array));
    p->capacity = capacity;
    return true;
}
