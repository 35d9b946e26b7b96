/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory: every kind of it is the process's own, at one address for the program
 * and its kernels, and every copy is done when it is asked for. */
#include "cuda/array.h"
#include "cuda/queue.h"

static bool is_of_program(enum memory_kind kind)
{
    return kind == MEMORY_MANAGED || kind == MEMORY_HOST;
}

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
    if (is_of_program(kind)) /* what the program writes there is not seen */
        estimate_device_written(r->machine.device, at, bytes);
    *out = at;
    return cudaSuccess;
}

static cudaError_t allocate(void **out, size_t bytes, enum memory_kind kind)
{
    struct runtime *r = runtime_enter();
    return runtime_leave(r, take(r, out, bytes, kind));
}

/* A graph may run again, which allocates the same address again. */
static bool is_of_graph(const struct runtime *r, const void *at)
{
    const struct allocation *a = arena_find(&r->machine.arena, at);
    return a != NULL && a->at == at && a->kind == MEMORY_GRAPH;
}

static cudaError_t give(void *at)
{
    struct runtime *r = runtime_enter();
    if (at == NULL || is_of_graph(r, at))
        return runtime_leave(r, cudaSuccess);
    bool ok = estimate_device_remove(r->machine.device, at) &&
              arena_give(&r->machine.arena, at);
    return runtime_leave(r, ok ? cudaSuccess : cudaErrorInvalidValue);
}

CUDA_API cudaError_t cudaMalloc(void **out, size_t bytes)
{
    return allocate(out, bytes, MEMORY_DEVICE);
}

cudaError_t graph_allocate(void **out, size_t bytes)
{
    return allocate(out, bytes, MEMORY_GRAPH);
}

/* What a graph allocates is there from the start and stays. */
CUDA_API cudaError_t cudaMallocAsync(void **out, size_t bytes,
                                     cudaStream_t stream)
{
    struct graph *g = stream_graph(stream);
    cudaError_t status =
        g != NULL ? graph_allocate(out, bytes) : cudaMalloc(out, bytes);
    if (g != NULL && status == cudaSuccess &&
        graph_append(g, NODE_ALLOCATE) == NULL)
        status = cudaErrorMemoryAllocation;
    return status;
}

CUDA_API cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes,
                                             const void *pool,
                                             cudaStream_t stream)
{
    (void)pool;
    return cudaMallocAsync(out, bytes, stream);
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
    struct graph *g = stream_graph(stream);
    if (g == NULL)
        return give(at);
    return graph_append(g, NODE_FREE) != NULL ? cudaSuccess
                                              : cudaErrorMemoryAllocation;
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

CUDA_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                     int kind, cudaStream_t stream)
{
    const struct copied c = copied_row(to, from, bytes, kind);
    return copy_on(stream, &c);
}

CUDA_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                                int kind)
{
    return cudaMemcpyAsync(to, from, bytes, kind, NULL);
}

CUDA_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device,
                                         const void *from, int from_device,
                                         size_t bytes, cudaStream_t stream)
{
    (void)to_device, (void)from_device;
    return cudaMemcpyAsync(to, from, bytes, COPY_DEFAULT, stream);
}

CUDA_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from,
                                    int from_device, size_t bytes)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, NULL);
}

CUDA_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch,
                                       const void *from, size_t from_pitch,
                                       size_t width, size_t height, int kind,
                                       cudaStream_t stream)
{
    const struct copied c = {{to, to_pitch, width, height},
                             {(void *)from, from_pitch, width, height},
                             {width, height, 1},
                             kind};
    return copy_on(stream, &c);
}

CUDA_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from,
                                  size_t from_pitch, size_t width,
                                  size_t height, int kind)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height,
                             kind, NULL);
}

CUDA_API cudaError_t cudaMemcpy3DAsync(const struct copy_3d *p,
                                       cudaStream_t stream)
{
    const struct copied c = copied_3d(p);
    return copy_on(stream, &c);
}

CUDA_API cudaError_t cudaMemcpy3D(const struct copy_3d *p)
{
    return cudaMemcpy3DAsync(p, NULL);
}

CUDA_API cudaError_t cudaMemset3DAsync(struct pitched to, int value,
                                       struct extent size, cudaStream_t stream)
{
    const struct filled f = {to, (uint32_t)value, 1, size};
    return fill_on(stream, &f);
}

CUDA_API cudaError_t cudaMemset3D(struct pitched to, int value,
                                  struct extent size)
{
    return cudaMemset3DAsync(to, value, size, NULL);
}

CUDA_API cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes,
                                     cudaStream_t stream)
{
    return cudaMemset3DAsync((struct pitched){to, bytes, bytes, 1}, value,
                             (struct extent){bytes, 1, 1}, stream);
}

CUDA_API cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

CUDA_API cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value,
                                       size_t width, size_t height,
                                       cudaStream_t stream)
{
    return cudaMemset3DAsync((struct pitched){to, pitch, width, height}, value,
                             (struct extent){width, height, 1}, stream);
}

CUDA_API cudaError_t cudaMemset2D(void *to, size_t pitch, int value,
                                  size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
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
    static const int types[] = {[MEMORY_DEVICE] = 2,
                                [MEMORY_MANAGED] = 3,
                                [MEMORY_HOST] = 1,
                                [MEMORY_GRAPH] = 2,
                                [MEMORY_TEXTURE] = 2};
    struct runtime *r = runtime_enter();
    const struct allocation *b = arena_find(&r->machine.arena, at);
    void *same = (void *)at;
    *out = (struct pointer_attributes){
        .type = b != NULL ? types[b->kind] : 0,
        .device_address = b != NULL ? same : NULL,
        .host_address = b == NULL || types[b->kind] != 2 ? same : NULL};
    return runtime_leave(r, cudaSuccess);
}
