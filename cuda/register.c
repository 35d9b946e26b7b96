/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What nvcc's own code in a program calls: registration before it begins, and
 * the configuration of launches in brackets. */
#include "cuda/runtime.h"

#include <stdlib.h>

CUDA_API void **__cudaRegisterFatBinary(void *image)
{
    struct runtime *r = runtime_enter();
    struct fat_binary *b = modules_add(&r->modules, image);
    if (b == NULL)
        end_program(ESTIMATE_FAILED, "out of memory");
    runtime_leave(r, cudaSuccess);
    return (void **)b;
}

CUDA_API void __cudaRegisterFatBinaryEnd(void **handle)
{
    struct runtime *r = runtime_enter();
    modules_read_managed(&r->modules, &r->machine, (struct fat_binary *)handle);
    runtime_leave(r, cudaSuccess);
}

CUDA_API void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

CUDA_API char __cudaInitModule(void **handle)
{
    (void)handle;
    return 1;
}

CUDA_API void __cudaRegisterFunction(void **handle, const char *host,
                                     char *device, const char *name,
                                     int thread_limit, void *thread,
                                     void *block, void *block_size,
                                     void *grid_size, int *warp_size)
{
    (void)device, (void)thread_limit, (void)thread, (void)block;
    (void)block_size, (void)grid_size, (void)warp_size;
    struct runtime *r = runtime_enter();
    if (!modules_add_kernel(&r->modules, (struct fat_binary *)handle, host,
                            name))
        end_program(ESTIMATE_FAILED, "out of memory");
    runtime_leave(r, cudaSuccess);
}

static void register_variable(void **handle, const void *host, const char *name,
                              void **managed)
{
    struct runtime *r = runtime_enter();
    const struct registered_variable v = {host, name,
                                          (struct fat_binary *)handle, managed};
    if (!modules_add_variable(&r->modules, &v))
        end_program(ESTIMATE_FAILED, "out of memory");
    runtime_leave(r, cudaSuccess);
}

CUDA_API void __cudaRegisterVar(void **handle, char *host, char *address,
                                const char *name, int external, size_t bytes,
                                int constant, int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    register_variable(handle, host, name, NULL);
}

CUDA_API void __cudaRegisterManagedVar(void **handle, void **host,
                                       char *address, const char *name,
                                       int external, size_t bytes, int constant,
                                       int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    register_variable(handle, host, name, host);
}

CUDA_API unsigned __cudaPushCallConfiguration(struct cuda_dim3 grid,
                                              struct cuda_dim3 block,
                                              size_t shared_bytes,
                                              cudaStream_t stream)
{
    struct runtime *r = runtime_enter();
    bool room = r->configurations < CONFIGURATIONS_MAX;
    if (room)
        r->configuration[r->configurations++] =
            (struct call_configuration){grid, block, shared_bytes, stream};
    return (unsigned)runtime_leave(r, room ? cudaSuccess
                                           : cudaErrorInvalidConfiguration);
}

CUDA_API cudaError_t __cudaPopCallConfiguration(struct cuda_dim3 *grid,
                                                struct cuda_dim3 *block,
                                                size_t *shared_bytes,
                                                void *stream)
{
    struct runtime *r = runtime_enter();
    if (r->configurations == 0)
        return runtime_leave(r, cudaErrorInvalidConfiguration);
    const struct call_configuration *c = &r->configuration[--r->configurations];
    *grid = c->grid;
    *block = c->block;
    *shared_bytes = c->shared_bytes;
    *(cudaStream_t *)stream = c->stream;
    return runtime_leave(r, cudaSuccess);
}
