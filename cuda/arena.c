/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#ifndef MAP_ANONYMOUS
#define MAP_ANONYMOUS 0x20
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0x4000
#endif

#define PAGE ((uint64_t)ESTIMATE_DEVICE_ALIGN)

bool arena_open(struct arena *a, struct estimate_error *e)
{
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address is a choice */
    void *wanted = (void *)(uintptr_t)ESTIMATE_DEVICE_FIRST;
    void *got =
        mmap(wanted, ESTIMATE_DEVICE_BYTES, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
             -1, 0);
    *a = (struct arena){.first = wanted, .end = wanted};
    if (got == wanted)
        return true;
    if (got != MAP_FAILED)
        munmap(got, ESTIMATE_DEVICE_BYTES);
    e->status = ESTIMATE_FAILED;
    snprintf(e->text, sizeof(e->text),
             "found no %llu GiB of free addresses from %p on, expected them "
             "for device memory (is there a limit on address space?)",
             (unsigned long long)(ESTIMATE_DEVICE_BYTES >> 30), wanted);
    return false;
}

static uint64_t room_of(uint64_t bytes)
{
    return (bytes / PAGE + (bytes % PAGE != 0) + 1) * PAGE;
}

/* The first free allocation that has the room, or a new one at the end; of
 * several allocations of a size one that is given back is taken again. */
static struct allocation *place(struct arena *a, uint64_t room)
{
    for (size_t i = 0; i < a->allocations; i++)
        if (a->allocation[i].is_free && a->allocation[i].room == room)
            return &a->allocation[i];
    if (room > ESTIMATE_DEVICE_BYTES - (uint64_t)(a->end - a->first))
        return NULL;
    struct allocation *grown =
        realloc(a->allocation, (a->allocations + 1) * sizeof(*grown));
    if (grown == NULL)
        return NULL;
    a->allocation = grown;
    struct allocation *new = &a->allocation[a->allocations++];
    *new = (struct allocation){.at = a->end, .room = room, .is_free = true};
    a->end += room;
    return new;
}

void *arena_take(struct arena *a, uint64_t bytes, enum memory_kind kind)
{
    if (bytes > ESTIMATE_DEVICE_BYTES - 2 * PAGE)
        return NULL;
    uint64_t room = room_of(bytes);
    struct allocation *b = place(a, room);
    if (b == NULL || (room > PAGE && mprotect(b->at, room - PAGE,
                                              PROT_READ | PROT_WRITE) != 0))
        return NULL;
    b->bytes = bytes;
    b->is_free = false;
    b->kind = (int)kind;
    b->changed = ++a->clock;
    return b->at;
}

static struct allocation *find(const struct arena *a, const void *at)
{
    size_t low = 0, high = a->allocations;
    const uint8_t *byte = at;
    while (low < high) {
        size_t middle = (low + high) / 2;
        struct allocation *b = &a->allocation[middle];
        if (byte < b->at)
            high = middle;
        else if ((uint64_t)(byte - b->at) >= b->room)
            low = middle + 1;
        else
            return b;
    }
    return NULL;
}

const struct allocation *arena_find(const struct arena *a, const void *at)
{
    const struct allocation *b = find(a, at);
    if (b == NULL || b->is_free)
        return NULL;
    uint64_t offset = (uint64_t)((const uint8_t *)at - b->at);
    return offset < b->bytes || (offset == 0 && b->bytes == 0) ? b : NULL;
}

void arena_change(struct arena *a, const void *at)
{
    struct allocation *b = find(a, at);
    if (b != NULL)
        b->changed = ++a->clock;
}

/* Its pages go back to the system, and come back as zeros. */
bool arena_give(struct arena *a, void *at)
{
    struct allocation *b = find(a, at);
    if (b == NULL || b->is_free || b->at != at)
        return false;
    b->is_free = true;
    (void)mmap(b->at, b->room, PROT_NONE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    return true;
}

uint64_t arena_used_of(const struct arena *a, enum memory_kind kind)
{
    uint64_t used = 0;
    for (size_t i = 0; i < a->allocations; i++)
        if (!a->allocation[i].is_free && a->allocation[i].kind == (int)kind)
            used += a->allocation[i].bytes;
    return used;
}

uint64_t arena_used(const struct arena *a)
{
    uint64_t used = 0;
    for (int kind = 0; kind <= MEMORY_TEXTURE; kind++)
        used += arena_used_of(a, (enum memory_kind)kind);
    return used;
}
