/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/array.h"

#include "cuda/queue.h"

#include <stdlib.h>

size_t texel_bytes(const struct channels *c)
{
    int bits = 0;
    for (int i = 0; i < 4; i++)
        bits += c->bits[i];
    return bits >= 8 && bits <= 128 ? (size_t)bits / 8 : 0;
}

struct extent array_sides(const struct cuda_array *a)
{
    struct extent e = a->extent;
    return (struct extent){e.width, e.height != 0 ? e.height : 1,
                           e.depth != 0 ? e.depth : 1};
}

struct pitched array_place(const struct cuda_array *a)
{
    struct extent e = array_sides(a);
    size_t row = e.width * texel_bytes(&a->channels);
    return (struct pitched){a->at, row, row, e.height};
}

static cudaError_t allocate(struct cuda_array **out, const struct channels *c,
                            struct extent extent, unsigned flags)
{
    struct runtime *r = runtime_enter();
    struct estimate_error e;
    struct cuda_array *a = calloc(1, sizeof(*a));
    *out = NULL;
    if (a == NULL)
        return runtime_leave(r, cudaErrorMemoryAllocation);
    *a = (struct cuda_array){*c, extent, flags, NULL};
    struct extent sides = array_sides(a);
    size_t bytes = texel_bytes(c) * sides.width * sides.height * sides.depth;
    if (bytes != 0)
        a->at = arena_take(&r->machine.arena, bytes, MEMORY_DEVICE);
    if (a->at == NULL ||
        !estimate_device_add(r->machine.device, a->at, bytes, &e)) {
        if (a->at != NULL)
            arena_give(&r->machine.arena, a->at);
        free(a);
        return runtime_leave(r, bytes == 0 ? cudaErrorInvalidValue
                                           : cudaErrorMemoryAllocation);
    }
    *out = a;
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaMallocArray(struct cuda_array **out,
                                     const struct channels *c, size_t width,
                                     size_t height, unsigned flags)
{
    return allocate(out, c, (struct extent){width, height, 0}, flags);
}

CUDA_API cudaError_t cudaMalloc3DArray(struct cuda_array **out,
                                       const struct channels *c,
                                       struct extent extent, unsigned flags)
{
    return allocate(out, c, extent, flags);
}

CUDA_API cudaError_t cudaFreeArray(struct cuda_array *a)
{
    struct runtime *r = runtime_enter();
    if (a != NULL) {
        estimate_device_remove(r->machine.device, a->at);
        arena_give(&r->machine.arena, a->at);
        free(a);
    }
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaArrayGetInfo(struct channels *c, struct extent *extent,
                                      unsigned *flags,
                                      const struct cuda_array *a)
{
    if (c != NULL)
        *c = a->channels;
    if (extent != NULL)
        *extent = a->extent;
    if (flags != NULL)
        *flags = a->flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGetChannelDesc(struct channels *out,
                                        const struct cuda_array *a)
{
    *out = a->channels;
    return cudaSuccess;
}

CUDA_API struct channels cudaCreateChannelDesc(int x, int y, int z, int w,
                                               int kind)
{
    return (struct channels){{x, y, z, w}, kind};
}

/* ---- copies -------------------------------------------------------------- */

static cudaError_t copy(cudaStream_t stream, struct pitched to,
                        struct pitched from, size_t width, size_t height,
                        int kind)
{
    const struct copied c = {to, from, {width, height, 1}, kind};
    return copy_on(stream, &c);
}

/* From a texel on. */
static struct pitched part(const struct cuda_array *a, size_t x, size_t y)
{
    return moved(array_place(a), (struct extent){x, y, 0});
}

CUDA_API cudaError_t cudaMemcpy2DToArrayAsync(struct cuda_array *to, size_t x,
                                              size_t y, const void *from,
                                              size_t pitch, size_t width,
                                              size_t height, int kind,
                                              cudaStream_t stream)
{
    const struct pitched f = {(void *)from, pitch, width, height};
    return copy(stream, part(to, x, y), f, width, height, kind);
}

CUDA_API cudaError_t cudaMemcpy2DToArray(struct cuda_array *to, size_t x,
                                         size_t y, const void *from,
                                         size_t pitch, size_t width,
                                         size_t height, int kind)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind,
                                    NULL);
}

CUDA_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch,
                                                const struct cuda_array *from,
                                                size_t x, size_t y,
                                                size_t width, size_t height,
                                                int kind, cudaStream_t stream)
{
    const struct pitched t = {to, pitch, width, height};
    return copy(stream, t, part(from, x, y), width, height, kind);
}

CUDA_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch,
                                           const struct cuda_array *from,
                                           size_t x, size_t y, size_t width,
                                           size_t height, int kind)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height,
                                      kind, NULL);
}

CUDA_API cudaError_t cudaMemcpy2DArrayToArray(struct cuda_array *to,
                                              size_t to_x, size_t to_y,
                                              const struct cuda_array *from,
                                              size_t from_x, size_t from_y,
                                              size_t width, size_t height,
                                              int kind)
{
    return copy(NULL, part(to, to_x, to_y), part(from, from_x, from_y), width,
                height, kind);
}

/* So many bytes on end, from a place in a row on through the rows behind it:
 * rows follow each other. */
static struct pitched line(struct pitched p, size_t bytes)
{
    return (struct pitched){p.at, bytes, bytes, 1};
}

CUDA_API cudaError_t cudaMemcpyToArrayAsync(struct cuda_array *to, size_t x,
                                            size_t y, const void *from,
                                            size_t bytes, int kind,
                                            cudaStream_t stream)
{
    const struct pitched f = {(void *)from, bytes, bytes, 1};
    return copy(stream, line(part(to, x, y), bytes), f, bytes, 1, kind);
}

CUDA_API cudaError_t cudaMemcpyToArray(struct cuda_array *to, size_t x,
                                       size_t y, const void *from, size_t bytes,
                                       int kind)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, NULL);
}

CUDA_API cudaError_t cudaMemcpyFromArrayAsync(void *to,
                                              const struct cuda_array *from,
                                              size_t x, size_t y, size_t bytes,
                                              int kind, cudaStream_t stream)
{
    const struct pitched t = {to, bytes, bytes, 1};
    return copy(stream, t, line(part(from, x, y), bytes), bytes, 1, kind);
}

CUDA_API cudaError_t cudaMemcpyFromArray(void *to,
                                         const struct cuda_array *from,
                                         size_t x, size_t y, size_t bytes,
                                         int kind)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, NULL);
}

/* ---- copies in three dimensions ------------------------------------------ */

/* Widths count texels where an array is copied, and in arrays. */
static struct pitched place_in(const struct cuda_array *a, struct pitched plain,
                               struct extent position)
{
    if (a == NULL)
        return moved(plain, position);
    position.width *= texel_bytes(&a->channels);
    return moved(array_place(a), position);
}

struct copied copied_3d(const struct copy_3d *c)
{
    const struct cuda_array *a =
        c->from_array != NULL ? c->from_array : c->to_array;
    struct extent extent = c->extent;
    if (a != NULL)
        extent.width *= texel_bytes(&a->channels);
    return (struct copied){place_in(c->to_array, c->to, c->to_position),
                           place_in(c->from_array, c->from, c->from_position),
                           extent, c->kind};
}
