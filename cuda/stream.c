/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams and events. Work is done when it is asked for, one after another,
 * which is an order that every program must allow; the time between two events
 * is what the launches between them are estimated to take. */
#include "cuda/runtime.h"

#include <stdlib.h>

struct cuda_stream {
    unsigned flags;
    int priority;
};

struct cuda_event {
    bool is_recorded;
    size_t launches; /* there were before it */
};

/* ---- streams ------------------------------------------------------------- */

CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out,
                                                  unsigned flags, int priority)
{
    struct runtime *r = runtime_enter();
    *out = calloc(1, sizeof(**out));
    if (*out != NULL)
        **out = (struct cuda_stream){flags, priority};
    return runtime_leave(r, *out != NULL ? cudaSuccess
                                         : cudaErrorMemoryAllocation);
}

CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out,
                                               unsigned flags)
{
    return cudaStreamCreateWithPriority(out, flags, 0);
}

CUDA_API cudaError_t cudaStreamCreate(cudaStream_t *out)
{
    return cudaStreamCreateWithPriority(out, 0, 0);
}

/* 1 and 2 stand for the default streams. */
static bool is_default(cudaStream_t stream)
{
    return (uintptr_t)stream <= 2;
}

CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!is_default(stream))
        free(stream);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                         unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *out)
{
    *out = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *out)
{
    *out = is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at,
                                              size_t bytes, unsigned flags)
{
    (void)stream, (void)at, (void)bytes, (void)flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamAddCallback(
    cudaStream_t stream, void (*callback)(cudaStream_t, cudaError_t, void *),
    void *user, unsigned flags)
{
    (void)flags;
    callback(stream, cudaSuccess, user);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream,
                                        void (*function)(void *), void *user)
{
    (void)stream;
    function(user);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least != NULL)
        *least = 0;
    if (greatest != NULL)
        *greatest = 0;
    return cudaSuccess;
}

/* ---- events -------------------------------------------------------------- */

CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
    (void)flags;
    struct runtime *r = runtime_enter();
    *out = calloc(1, sizeof(**out));
    launches_will_be_timed(r->launches);
    return runtime_leave(r, *out != NULL ? cudaSuccess
                                         : cudaErrorMemoryAllocation);
}

CUDA_API cudaError_t cudaEventCreate(cudaEvent_t *out)
{
    return cudaEventCreateWithFlags(out, 0);
}

CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    struct runtime *r = runtime_enter();
    if (event == NULL)
        return runtime_leave(r, cudaErrorInvalidResourceHandle);
    event->is_recorded = true;
    event->launches = launches_count(r->launches);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                              cudaStream_t stream,
                                              unsigned flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return event != NULL ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return event != NULL ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

CUDA_API cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from,
                                          cudaEvent_t to)
{
    struct runtime *r = runtime_enter();
    if (from == NULL || to == NULL || !from->is_recorded || !to->is_recorded)
        return runtime_leave(r, cudaErrorInvalidResourceHandle);
    bool forward = from->launches <= to->launches;
    size_t first = forward ? from->launches : to->launches,
           end = forward ? to->launches : from->launches;
    double time_us = launches_time(r->launches, first, end);
    *ms = (float)(forward ? time_us / 1000 : -time_us / 1000);
    return runtime_leave(r, cudaSuccess);
}
