/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/copy.h"

#include <string.h>

bool is_inside(const struct runtime *r, const void *at, size_t bytes)
{
    const struct allocation *b = arena_find(&r->machine.arena, at);
    uintptr_t address = (uintptr_t)at;
    if (b == NULL)
        return address - ESTIMATE_DEVICE_FIRST >= ESTIMATE_DEVICE_BYTES;
    return bytes <= b->bytes - (address - (uintptr_t)b->at);
}

cudaError_t copy_rows(struct pitched to, struct pitched from,
                      struct extent size, int kind)
{
    struct runtime *r = runtime_enter();
    size_t rows = size.height * size.depth;
    if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
        return runtime_leave(r, cudaErrorInvalidMemcpyDirection);
    if (size.width == 0 || rows == 0)
        return runtime_leave(r, cudaSuccess);
    if (size.width > to.pitch || size.width > from.pitch)
        return runtime_leave(r, cudaErrorInvalidPitchValue);
    for (size_t z = 0; z < size.depth; z++)
        for (size_t y = 0; y < size.height; y++) {
            uint8_t *t = (uint8_t *)to.at + (z * to.height + y) * to.pitch;
            const uint8_t *f =
                (const uint8_t *)from.at + (z * from.height + y) * from.pitch;
            if (!is_inside(r, t, size.width) || !is_inside(r, f, size.width))
                return runtime_leave(r, cudaErrorInvalidValue);
            memmove(t, f, size.width);
            estimate_device_written(r->machine.device, t, size.width);
            arena_change(&r->machine.arena, t);
        }
    return runtime_leave(r, cudaSuccess);
}

struct pitched moved(struct pitched p, struct extent by)
{
    p.at = (uint8_t *)p.at + (by.depth * p.height + by.height) * p.pitch +
           by.width;
    return p;
}
