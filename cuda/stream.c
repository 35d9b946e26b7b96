/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams and events. Work is done when it is asked for, one after another,
 * which is an order that every program must allow; the time between two events
 * is what the launches between them are estimated to take. */
#include "cuda/stream.h"

#include "cuda/now.h"

#include <stdlib.h>

/* ---- streams ------------------------------------------------------------- */

CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out,
                                                  unsigned flags, int priority)
{
    struct runtime *r = runtime_enter();
    *out = calloc(1, sizeof(**out));
    if (*out != NULL)
        **out = (struct cuda_stream){flags, priority, NULL};
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

CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    if (!stream_is_default(stream)) {
        capture_hold(&stream->capture, NULL);
        free(stream);
    }
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

/* A stream that waits for a capture takes part in it. */
CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                         unsigned flags)
{
    (void)flags;
    if (!stream_is_default(stream) && event != NULL && event->capture != NULL &&
        event->capture->graph != NULL)
        capture_hold(&stream->capture, event->capture);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *out)
{
    *out = stream_is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *out)
{
    *out = stream_is_default(stream) ? 0 : stream->priority;
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
    if (stream_graph(stream) != NULL)
        return runtime_leave(runtime_enter(),
                             cudaErrorStreamCaptureUnsupported);
    callback(stream, cudaSuccess, user);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream,
                                        void (*function)(void *), void *user)
{
    struct graph *g = stream_graph(stream);
    if (g == NULL) {
        function(user);
        return cudaSuccess;
    }
    struct graph_node *n = graph_append(g, NODE_HOST);
    if (n == NULL)
        return runtime_leave(runtime_enter(), cudaErrorMemoryAllocation);
    n->what.host.function = function;
    n->what.host.user = user;
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
    if (event != NULL)
        capture_hold(&event->capture, NULL);
    free(event);
    return cudaSuccess;
}

#define RECORD_EXTERNAL 1u

/* In a capture it says what other streams wait for; an external one is a node
 * of the graph besides. */
static cudaError_t record_captured(cudaEvent_t event, cudaStream_t stream,
                                   unsigned flags)
{
    struct graph *g = stream_graph(stream);
    capture_hold(&event->capture, stream->capture);
    if ((flags & RECORD_EXTERNAL) == 0)
        return cudaSuccess;
    struct graph_node *n = graph_append(g, NODE_RECORD_EVENT);
    if (n == NULL)
        return runtime_leave(runtime_enter(), cudaErrorMemoryAllocation);
    n->what.event = event;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event,
                                              cudaStream_t stream,
                                              unsigned flags)
{
    if (event == NULL)
        return runtime_leave(runtime_enter(), cudaErrorInvalidResourceHandle);
    if (stream_graph(stream) != NULL)
        return record_captured(event, stream, flags);
    capture_hold(&event->capture, NULL);
    return record_now(event);
}

CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, 0);
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
