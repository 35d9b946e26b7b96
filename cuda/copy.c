/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/copy.h"

#include <string.h>

bool is_inside(const struct runtime *r, const void *at, size_t bytes)
{
    const struct allocation *b = arena_find(&r->machine.arena, at);
    uintptr_t address = (uintptr_t)at;
    if (b == NULL)
        return at != NULL &&
               address - ESTIMATE_DEVICE_FIRST >= ESTIMATE_DEVICE_BYTES;
    return bytes <= b->bytes - (address - (uintptr_t)b->at);
}

static uint8_t *row_of(const struct pitched *p, size_t y, size_t z)
{
    return (uint8_t *)p->at + (z * p->height + y) * p->pitch;
}

/* Bytes of memory have been written. */
static void note(struct runtime *r, void *at, size_t bytes)
{
    estimate_device_written(r->machine.device, at, bytes);
    arena_change(&r->machine.arena, at);
}

struct copied copied_row(void *to, const void *from, size_t bytes, int kind)
{
    return (struct copied){{to, bytes, bytes, 1},
                           {(void *)from, bytes, bytes, 1},
                           {bytes, 1, 1},
                           kind};
}

cudaError_t copy_now(const struct copied *c)
{
    struct runtime *r = runtime_enter();
    const struct extent size = c->size;
    if (c->kind < COPY_HOST_TO_HOST || c->kind > COPY_DEFAULT)
        return runtime_leave(r, cudaErrorInvalidMemcpyDirection);
    if (size.width == 0 || size.height * size.depth == 0)
        return runtime_leave(r, cudaSuccess);
    if (size.width > c->to.pitch || size.width > c->from.pitch)
        return runtime_leave(r, cudaErrorInvalidPitchValue);
    for (size_t z = 0; z < size.depth; z++)
        for (size_t y = 0; y < size.height; y++) {
            uint8_t *t = row_of(&c->to, y, z);
            const uint8_t *f = row_of(&c->from, y, z);
            if (!is_inside(r, t, size.width) || !is_inside(r, f, size.width))
                return runtime_leave(r, cudaErrorInvalidValue);
            memmove(t, f, size.width);
            note(r, t, size.width);
        }
    return runtime_leave(r, cudaSuccess);
}

static void fill_row(uint8_t *to, const struct filled *f)
{
    if (f->element == 1)
        memset(to, (int)f->value, f->size.width);
    else
        for (size_t i = 0; i < f->size.width; i += f->element)
            memcpy(to + i, &f->value, f->element);
}

cudaError_t fill_now(const struct filled *f)
{
    struct runtime *r = runtime_enter();
    const struct extent size = f->size;
    if (size.width == 0 || size.height * size.depth == 0)
        return runtime_leave(r, cudaSuccess);
    for (size_t z = 0; z < size.depth; z++)
        for (size_t y = 0; y < size.height; y++) {
            uint8_t *t = row_of(&f->to, y, z);
            if (arena_find(&r->machine.arena, t) == NULL ||
                !is_inside(r, t, size.width))
                return runtime_leave(r, cudaErrorInvalidValue);
            fill_row(t, f);
            note(r, t, size.width);
        }
    return runtime_leave(r, cudaSuccess);
}

struct pitched moved(struct pitched p, struct extent by)
{
    p.at = (uint8_t *)p.at + (by.depth * p.height + by.height) * p.pitch +
           by.width;
    return p;
}
