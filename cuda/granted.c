/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program may ask of a device and its streams that changes nothing here:
 * limits, preferences, hints; and what it is told of them. */
#include "cuda/runtime.h"

#include <stdio.h>
#include <string.h>

/* ---- limits -------------------------------------------------------------- */

/* As long as a program has set none: CUDA C++ Programming Guide, sections
 * "Formatted Output", "Dynamic Global Memory Allocation" and "Call Stack". */
static const size_t first_limit[LIMITS] = {1024, 1 << 20, HEAP_BYTES, 2,
                                           2048, 128,     0};
#define LIMIT_HEAP 2 /* cudaLimitMallocHeapSize */

CUDA_API cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    struct runtime *r = runtime_enter();
    if (limit < 0 || limit >= LIMITS)
        return runtime_leave(r, cudaErrorInvalidValue);
    r->limit[limit].is_set = true;
    r->limit[limit].value = value;
    if (limit == LIMIT_HEAP && value > r->machine.heap_bytes)
        r->machine.heap_bytes = value;
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaDeviceGetLimit(size_t *out, int limit)
{
    struct runtime *r = runtime_enter();
    if (limit < 0 || limit >= LIMITS)
        return runtime_leave(r, cudaErrorInvalidValue);
    *out = r->limit[limit].is_set ? r->limit[limit].value : first_limit[limit];
    return runtime_leave(r, cudaSuccess);
}

/* ---- devices ------------------------------------------------------------- */

static cudaError_t fail(cudaError_t status)
{
    return runtime_leave(runtime_enter(), status);
}

CUDA_API cudaError_t cudaDeviceSynchronize(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaThreadSynchronize(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceReset(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaThreadExit(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGetDeviceFlags(unsigned *out)
{
    *out = 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaInitDevice(int device, unsigned wanted, unsigned flags)
{
    (void)wanted, (void)flags;
    return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}

CUDA_API cudaError_t cudaSetValidDevices(const int *devices, int count)
{
    for (int i = 0; i < count; i++)
        if (devices[i] != 0)
            return fail(cudaErrorInvalidDevice);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceSetCacheConfig(int config)
{
    (void)config;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceGetCacheConfig(int *out)
{
    *out = 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    (void)config;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceGetSharedMemConfig(int *out)
{
    *out = 1; /* banks of four bytes */
    return cudaSuccess;
}

CUDA_API cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

CUDA_API cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- peers, of which there are none -------------------------------------- */

CUDA_API cudaError_t cudaDeviceCanAccessPeer(int *out, int device, int peer)
{
    (void)device, (void)peer;
    *out = 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    return fail(cudaErrorPeerAccessUnsupported);
}

CUDA_API cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    return fail(cudaErrorPeerAccessNotEnabled);
}

CUDA_API cudaError_t cudaDeviceGetP2PAttribute(int *out, int attribute,
                                               int device, int peer)
{
    (void)attribute, (void)device, (void)peer;
    *out = 0;
    return fail(cudaErrorInvalidDevice);
}

#define BUS_ID "0000:01:00.0"

CUDA_API cudaError_t cudaDeviceGetPCIBusId(char *out, int bytes, int device)
{
    if (device != 0)
        return fail(cudaErrorInvalidDevice);
    if (bytes <= (int)strlen(BUS_ID))
        return fail(cudaErrorInvalidValue);
    strcpy(out, BUS_ID);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceGetByPCIBusId(int *out, const char *id)
{
    *out = 0;
    return strcmp(id, BUS_ID) == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}

/* ---- streams ------------------------------------------------------------- */

CUDA_API cudaError_t cudaStreamGetId(cudaStream_t stream, uint64_t *out)
{
    *out = (uintptr_t)stream;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *out)
{
    (void)stream;
    *out = 0;
    return cudaSuccess;
}

/* Attributes say what the caches should keep, and in which order to begin. */
CUDA_API cudaError_t cudaStreamSetAttribute(cudaStream_t stream, int attribute,
                                            const void *value)
{
    (void)stream, (void)attribute, (void)value;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamCopyAttributes(cudaStream_t to,
                                              cudaStream_t from)
{
    (void)to, (void)from;
    return cudaSuccess;
}
