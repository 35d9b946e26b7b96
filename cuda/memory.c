/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory: every kind of it is the process's own, at one address for the program
 * and its kernels, and every copy is done when it is asked for. */
#include "cuda/array.h"
#include "cuda/runtime.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t take(struct runtime *r, void **out, size_t bytes,
                        enum memory_kind kind)
{
    struct estimate_error e;
    if (out == NULL)
        return cudaErrorInvalidValue;
    *out = NULL;
    if (bytes == 0)
        return cudaSuccess;
    void *at = arena_take(&r->machine.arena, bytes, kind);
    if (at == NULL || !estimate_device_add(r->machine.device, at, bytes, &e)) {
        if (at != NULL)
            arena_give(&r->machine.arena, at);
        return cudaErrorMemoryAllocation;
    }
    if (kind != MEMORY_DEVICE) /* what the program writes there is not seen */
        estimate_device_written(r->machine.device, at, bytes);
    *out = at;
    return cudaSuccess;
}

static cudaError_t allocate(void **out, size_t bytes, enum memory_kind kind)
{
    struct runtime *r = runtime_enter();
    return runtime_leave(r, take(r, out, bytes, kind));
}

static cudaError_t give(void *at)
{
    struct runtime *r = runtime_enter();
    if (at == NULL)
        return runtime_leave(r, cudaSuccess);
    bool ok = estimate_device_remove(r->machine.device, at) &&
              arena_give(&r->machine.arena, at);
    return runtime_leave(r, ok ? cudaSuccess : cudaErrorInvalidValue);
}

CUDA_API cudaError_t cudaMalloc(void **out, size_t bytes)
{
    return allocate(out, bytes, MEMORY_DEVICE);
}

CUDA_API cudaError_t cudaMallocAsync(void **out, size_t bytes,
                                     cudaStream_t stream)
{
    (void)stream;
    return allocate(out, bytes, MEMORY_DEVICE);
}

CUDA_API cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(out, bytes, MEMORY_MANAGED);
}

CUDA_API cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return allocate(out, bytes, MEMORY_HOST);
}

CUDA_API cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    (void)flags;
    return allocate(out, bytes, MEMORY_HOST);
}

CUDA_API cudaError_t cudaFree(void *at)
{
    return give(at);
}

CUDA_API cudaError_t cudaFreeAsync(void *at, cudaStream_t stream)
{
    (void)stream;
    return give(at);
}

CUDA_API cudaError_t cudaFreeHost(void *at)
{
    return give(at);
}

CUDA_API cudaError_t cudaHostGetDevicePointer(void **out, void *host,
                                              unsigned flags)
{
    (void)flags;
    struct runtime *r = runtime_enter();
    bool known = arena_find(&r->machine.arena, host) != NULL;
    *out = known ? host : NULL;
    return runtime_leave(r, known ? cudaSuccess : cudaErrorInvalidValue);
}

/* Memory of the program's own is copied from and to as it is; kernels cannot
 * use it. */
CUDA_API cudaError_t cudaHostRegister(void *at, size_t bytes, unsigned flags)
{
    (void)at, (void)bytes, (void)flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaHostUnregister(void *at)
{
    (void)at;
    return cudaSuccess;
}

#define PITCH_UNIT ((size_t)512) /* bytes */

static size_t pitch_of(size_t width)
{
    return (width + PITCH_UNIT - 1) / PITCH_UNIT * PITCH_UNIT;
}

CUDA_API cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width,
                                     size_t height)
{
    *pitch = pitch_of(width);
    return allocate(out, *pitch * height, MEMORY_DEVICE);
}

CUDA_API cudaError_t cudaMalloc3D(struct pitched *out, struct extent extent)
{
    *out = (struct pitched){NULL, pitch_of(extent.width), extent.width,
                            extent.height};
    return allocate(&out->at, out->pitch * extent.height * extent.depth,
                    MEMORY_DEVICE);
}

CUDA_API cudaError_t cudaMemGetInfo(size_t *unused, size_t *all)
{
    struct runtime *r = runtime_enter();
    *all = (size_t)ESTIMATE_DEVICE_BYTES >> 4;
    size_t used = (size_t)arena_used(&r->machine.arena);
    *unused = used < *all ? *all - used : 0;
    return runtime_leave(r, cudaSuccess);
}

/* ---- copies and fills ---------------------------------------------------- */

static cudaError_t copy(void *to, const void *from, size_t bytes, int kind)
{
    const struct pitched t = {to, bytes, bytes, 1},
                         f = {(void *)from, bytes, bytes, 1};
    return copy_rows(t, f, (struct extent){bytes, 1, 1}, kind);
}

CUDA_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                int kind)
{
    return copy(to, from, bytes, kind);
}

CUDA_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                     int kind, cudaStream_t stream)
{
    (void)stream;
    return copy(to, from, bytes, kind);
}

CUDA_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                                    int from_device, size_t bytes)
{
    (void)to_device, (void)from_device;
    return copy(to, from, bytes, COPY_DEFAULT);
}

CUDA_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                  size_t from_pitch, size_t width,
                                  size_t height, int kind)
{
    const struct pitched t = {to, to_pitch, width, height},
                         f = {(void *)from, from_pitch, width, height};
    return copy_rows(t, f, (struct extent){width, height, 1}, kind);
}

CUDA_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch,
                                       const void *from, size_t from_pitch,
                                       size_t width, size_t height, int kind,
                                       cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

struct copy_3d {
    struct cuda_array *from_array;
    struct extent from_position;
    struct pitched from;
    struct cuda_array *to_array;
    struct extent to_position;
    struct pitched to;
    struct extent extent;
    int kind;
};

/* Widths count texels where an array is copied, and in arrays. */
static struct pitched place_in(const struct cuda_array *a, struct pitched plain,
                               struct extent position)
{
    if (a == NULL)
        return moved(plain, position);
    position.width *= texel_bytes(&a->channels);
    return moved(array_place(a), position);
}

CUDA_API cudaError_t cudaMemcpy3D(const struct copy_3d *c)
{
    const struct cuda_array *a =
        c->from_array != NULL ? c->from_array : c->to_array;
    struct extent extent = c->extent;
    if (a != NULL)
        extent.width *= texel_bytes(&a->channels);
    return copy_rows(place_in(c->to_array, c->to, c->to_position),
                     place_in(c->from_array, c->from, c->from_position), extent,
                     c->kind);
}

CUDA_API cudaError_t cudaMemcpy3DAsync(const struct copy_3d *c,
                                       cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy3D(c);
}

static cudaError_t fill(struct pitched to, int value, struct extent size)
{
    struct runtime *r = runtime_enter();
    if (size.width == 0 || size.height * size.depth == 0)
        return runtime_leave(r, cudaSuccess);
    for (size_t z = 0; z < size.depth; z++)
        for (size_t y = 0; y < size.height; y++) {
            uint8_t *t = (uint8_t *)to.at + (z * to.height + y) * to.pitch;
            if (arena_find(&r->machine.arena, t) == NULL ||
                !is_inside(r, t, size.width))
                return runtime_leave(r, cudaErrorInvalidValue);
            memset(t, value, size.width);
            estimate_device_written(r->machine.device, t, size.width);
            arena_change(&r->machine.arena, t);
        }
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return fill((struct pitched){to, bytes, bytes, 1}, value,
                (struct extent){bytes, 1, 1});
}

CUDA_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                     cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(to, value, bytes);
}

CUDA_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value,
                                  size_t width, size_t height)
{
    return fill((struct pitched){to, pitch, width, height}, value,
                (struct extent){width, height, 1});
}

CUDA_API cudaError_t cudaMemset3D(struct pitched to, int value,
                                  struct extent size)
{
    return fill(to, value, size);
}

/* ---- advice, which changes nothing here ---------------------------------- */

CUDA_API cudaError_t cudaMemAdvise(const void *at, size_t bytes, int advice,
                                   int device)
{
    (void)at, (void)bytes, (void)advice, (void)device;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes,
                                          int device, cudaStream_t stream)
{
    (void)at, (void)bytes, (void)device, (void)stream;
    return cudaSuccess;
}

struct pointer_attributes {
    int type; /* 0: not known, 1: host, 2: device, 3: managed */
    int device;
    void *device_address, *host_address;
};

CUDA_API cudaError_t cudaPointerGetAttributes(struct pointer_attributes *out,
                                              const void *at)
{
    static const int types[] = {
        [MEMORY_DEVICE] = 2, [MEMORY_MANAGED] = 3, [MEMORY_HOST] = 1};
    struct runtime *r = runtime_enter();
    const struct allocation *b = arena_find(&r->machine.arena, at);
    void *same = (void *)at;
    *out = (struct pointer_attributes){
        .type = b != NULL ? types[b->kind] : 0,
        .device_address = b != NULL ? same : NULL,
        .host_address = b == NULL || b->kind != MEMORY_DEVICE ? same : NULL};
    return runtime_leave(r, cudaSuccess);
}
