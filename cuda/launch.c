/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches, and what a program asks of its kernels. */
#include "cuda/function.h"
#include "cuda/now.h"
#include "cuda/stream.h"

#include <string.h>

static struct estimate_dim dim_of(struct cuda_dim3 d)
{
    return (struct estimate_dim){d.x, d.y, d.z};
}

static bool is_empty(struct cuda_dim3 d)
{
    return d.x == 0 || d.y == 0 || d.z == 0;
}

static cudaError_t fail(cudaError_t status)
{
    return runtime_leave(runtime_enter(), status);
}

/* Now, or when the graph is run that the stream is captured in. */
static cudaError_t launch_on(cudaStream_t stream, const void *host,
                             const struct estimate_call *call)
{
    struct graph *g = stream_graph(stream);
    if (g == NULL)
        return launch_now(host, call);
    struct graph_node *n = graph_append(g, NODE_LAUNCH);
    return n != NULL ? graph_set_launch(n, host, call)
                     : fail(cudaErrorMemoryAllocation);
}

CUDA_API cudaError_t cudaLaunchKernel(const void *host, struct cuda_dim3 grid,
                                      struct cuda_dim3 block, void **args,
                                      size_t shared_bytes, cudaStream_t stream)
{
    if (is_empty(grid) || is_empty(block))
        return fail(cudaErrorInvalidConfiguration);
    const struct estimate_call call = {.grid = dim_of(grid),
                                       .block = dim_of(block),
                                       .shared_bytes = shared_bytes,
                                       .value = (const void *const *)args};
    return launch_on(stream, host, &call);
}

/* All blocks must be resident at the same time. */
static cudaError_t check_resident(const void *host,
                                  const struct estimate_call *call)
{
    struct runtime *r = runtime_enter();
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    uint64_t blocks = (uint64_t)call->grid.x * call->grid.y * call->grid.z;
    uint64_t threads = (uint64_t)call->block.x * call->block.y * call->block.z;
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    if (threads > THREADS_MAX)
        return runtime_leave(r, cudaErrorInvalidConfiguration);
    uint64_t resident = function_resident(&r->machine, k, (unsigned)threads,
                                          call->shared_bytes);
    return runtime_leave(r, blocks <= resident
                                ? cudaSuccess
                                : cudaErrorCooperativeLaunchTooLarge);
}

CUDA_API cudaError_t cudaLaunchCooperativeKernel(
    const void *host, struct cuda_dim3 grid, struct cuda_dim3 block,
    void **args, size_t shared_bytes, cudaStream_t stream)
{
    if (is_empty(grid) || is_empty(block))
        return fail(cudaErrorInvalidConfiguration);
    const struct estimate_call call = {.grid = dim_of(grid),
                                       .block = dim_of(block),
                                       .shared_bytes = shared_bytes,
                                       .cooperative = true,
                                       .value = (const void *const *)args};
    cudaError_t status = check_resident(host, &call);
    return status == cudaSuccess ? launch_on(stream, host, &call) : status;
}

/* From 13 on the stub of a kernel asks for a handle first: it is the address
 * that stands for the kernel. */
CUDA_API cudaError_t __cudaGetKernel(const void **kernel, const void *host)
{
    *kernel = host;
    return cudaSuccess;
}

CUDA_API cudaError_t __cudaLaunchKernel(const void *kernel,
                                        struct cuda_dim3 grid,
                                        struct cuda_dim3 block, void **args,
                                        size_t shared_bytes,
                                        cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared_bytes, stream);
}

/* ---- launches with attributes -------------------------------------------- */

#define ATTRIBUTE_COOPERATIVE 2
#define ATTRIBUTE_CLUSTER     4

struct launch_attribute {
    int id;
    char pad[4];
    union {
        struct cuda_dim3 cluster;
        int cooperative;
        char bytes[64];
    } value;
};

struct launch_config {
    struct cuda_dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    const struct launch_attribute *attribute;
    unsigned attributes;
};

CUDA_API cudaError_t cudaLaunchKernelExC(const struct launch_config *c,
                                         const void *host, void **args)
{
    if (is_empty(c->grid) || is_empty(c->block))
        return fail(cudaErrorInvalidConfiguration);
    struct estimate_call call = {.grid = dim_of(c->grid),
                                 .block = dim_of(c->block),
                                 .shared_bytes = c->shared_bytes,
                                 .value = (const void *const *)args};
    for (unsigned i = 0; i < c->attributes; i++)
        if (c->attribute[i].id == ATTRIBUTE_CLUSTER)
            call.cluster = dim_of(c->attribute[i].value.cluster);
        else if (c->attribute[i].id == ATTRIBUTE_COOPERATIVE)
            call.cooperative = c->attribute[i].value.cooperative != 0;
    if (call.cooperative) {
        cudaError_t status = check_resident(host, &call);
        if (status != cudaSuccess)
            return status;
    }
    return launch_on(c->stream, host, &call);
}
