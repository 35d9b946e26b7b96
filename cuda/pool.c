/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory pools: names for the one place that all memory comes from. */
#include "cuda/runtime.h"

#include <stdlib.h>

struct pool {
    uint64_t threshold; /* kept and told again; nothing is held back */
    int reuses[3];
};

enum { /* cudaMemPoolAttr */
       POOL_REUSE_FIRST = 1,
       POOL_REUSE_LAST = 3,
       POOL_THRESHOLD = 4,
       POOL_RESERVED = 5,
       POOL_USED_HIGH = 8
};

static struct pool *default_pool(struct runtime *r)
{
    if (r->pool == NULL && (r->pool = calloc(1, sizeof(*r->pool))) != NULL)
        *r->pool = (struct pool){0, {1, 1, 1}};
    return r->pool;
}

static cudaError_t give_default(struct pool **out, int device)
{
    struct runtime *r = runtime_enter();
    *out = default_pool(r);
    return runtime_leave(r, device != 0    ? cudaErrorInvalidDevice
                            : *out != NULL ? cudaSuccess
                                           : cudaErrorMemoryAllocation);
}

CUDA_API cudaError_t cudaDeviceGetDefaultMemPool(struct pool **out, int device)
{
    return give_default(out, device);
}

CUDA_API cudaError_t cudaDeviceGetMemPool(struct pool **out, int device)
{
    return give_default(out, device);
}

CUDA_API cudaError_t cudaDeviceSetMemPool(int device, struct pool *pool)
{
    (void)device, (void)pool;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaMemPoolCreate(struct pool **out, const void *wanted)
{
    (void)wanted;
    struct runtime *r = runtime_enter();
    *out = calloc(1, sizeof(**out));
    return runtime_leave(r, *out != NULL ? cudaSuccess
                                         : cudaErrorMemoryAllocation);
}

CUDA_API cudaError_t cudaMemPoolDestroy(struct pool *pool)
{
    struct runtime *r = runtime_enter();
    if (pool == r->pool)
        return runtime_leave(r, cudaErrorInvalidValue);
    free(pool);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaMemPoolSetAttribute(struct pool *pool, int attribute,
                                             void *value)
{
    struct runtime *r = runtime_enter();
    if (attribute >= POOL_REUSE_FIRST && attribute <= POOL_REUSE_LAST)
        pool->reuses[attribute - POOL_REUSE_FIRST] = *(const int *)value;
    else if (attribute == POOL_THRESHOLD)
        pool->threshold = *(const uint64_t *)value;
    else if (attribute < POOL_RESERVED || attribute > POOL_USED_HIGH)
        return runtime_leave(r, cudaErrorInvalidValue);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaMemPoolGetAttribute(const struct pool *pool,
                                             int attribute, void *value)
{
    struct runtime *r = runtime_enter();
    if (attribute >= POOL_REUSE_FIRST && attribute <= POOL_REUSE_LAST)
        *(int *)value = pool->reuses[attribute - POOL_REUSE_FIRST];
    else if (attribute == POOL_THRESHOLD)
        *(uint64_t *)value = pool->threshold;
    else if (attribute >= POOL_RESERVED && attribute <= POOL_USED_HIGH)
        *(uint64_t *)value = arena_used(&r->machine.arena);
    else
        return runtime_leave(r, cudaErrorInvalidValue);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaMemPoolTrimTo(struct pool *pool, size_t bytes)
{
    (void)pool, (void)bytes;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaMemPoolSetAccess(struct pool *pool, const void *what,
                                          size_t count)
{
    (void)pool, (void)what, (void)count;
    return cudaSuccess;
}

/* Read and write, whoever asks. */
CUDA_API cudaError_t cudaMemPoolGetAccess(int *out, const struct pool *pool,
                                          const void *where)
{
    (void)pool, (void)where;
    *out = 3;
    return cudaSuccess;
}
