/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Addresses of device memory: allocations at addresses that are the same in
 * every run of a program, each with a page behind it that nothing may touch. */
#ifndef CUDA_ARENA_H
#define CUDA_ARENA_H

#include <estimate.h>

struct allocation {
    uint8_t *at;
    uint64_t bytes, room; /* asked for; taken, whole pages and the guard */
    bool is_free;
    int kind;         /* enum memory_kind */
    uint64_t changed; /* the arena's clock when it was last written */
};

enum memory_kind {
    MEMORY_DEVICE,
    MEMORY_MANAGED,
    MEMORY_HOST,
    MEMORY_GRAPH,  /* of a device: a graph's own, there from when it is made */
    MEMORY_TEXTURE /* addresses that stand for one */
};

struct arena {
    uint8_t *first, *end;          /* end: of what was ever taken */
    struct allocation *allocation; /* by address */
    size_t allocations;
    uint64_t clock; /* goes on with every change */
};

bool arena_open(struct arena *a, struct estimate_error *e);

/* `bytes` bytes of zeros, or NULL: no memory. */
void *arena_take(struct arena *a, uint64_t bytes, enum memory_kind kind);
/* False: it is not the first byte of an allocation. */
bool arena_give(struct arena *a, void *at);
/* The allocation that an address lies in, or NULL. */
const struct allocation *arena_find(const struct arena *a, const void *at);
/* The bytes at `at` are written, as far as the program's calls and its kernels
 * write them. */
void arena_change(struct arena *a, const void *at);
uint64_t arena_used(const struct arena *a);
uint64_t arena_used_of(const struct arena *a, enum memory_kind kind);

#endif
