/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Capturing of streams. What the streams of one capture are asked for is kept
 * in that order, which is one that their events allow. */
#include "cuda/stream.h"

#include <stdlib.h>

enum { CAPTURE_NONE, CAPTURE_ACTIVE };

void capture_hold(struct capture **holder, struct capture *c)
{
    if (c != NULL)
        c->holders++;
    if (*holder != NULL && --(*holder)->holders == 0) {
        graph_free((*holder)->graph);
        free(*holder);
    }
    *holder = c;
}

struct graph *stream_graph(cudaStream_t stream)
{
    return stream_is_default(stream) || stream->capture == NULL
               ? NULL
               : stream->capture->graph;
}

static cudaError_t failed(cudaError_t status)
{
    return runtime_leave(runtime_enter(), status);
}

CUDA_API cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode)
{
    (void)mode;
    if (stream_is_default(stream))
        return failed(cudaErrorStreamCaptureUnsupported);
    if (stream_graph(stream) != NULL)
        return failed(cudaErrorIllegalState);
    struct capture *c = calloc(1, sizeof(*c));
    if (c == NULL || (c->graph = graph_create()) == NULL) {
        free(c);
        return failed(cudaErrorMemoryAllocation);
    }
    capture_hold(&stream->capture, c);
    return cudaSuccess;
}

/* The graph is the program's from here on. */
CUDA_API cudaError_t cudaStreamEndCapture(cudaStream_t stream,
                                          struct graph **out)
{
    *out = stream_graph(stream);
    if (*out == NULL)
        return failed(cudaErrorIllegalState);
    stream->capture->graph = NULL;
    capture_hold(&stream->capture, NULL);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t stream, int *out)
{
    *out = stream_graph(stream) != NULL ? CAPTURE_ACTIVE : CAPTURE_NONE;
    return cudaSuccess;
}

static cudaError_t tell(cudaStream_t stream, int *status, uint64_t *id)
{
    const struct graph *g = stream_graph(stream);
    *status = g != NULL ? CAPTURE_ACTIVE : CAPTURE_NONE;
    if (g != NULL && id != NULL)
        *id = (uintptr_t)stream->capture;
    return cudaSuccess;
}

/* Up to version 12; 13's and _v2 give the graph as well. */
CUDA_API cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                                 int *status, uint64_t *id,
                                                 struct graph **graph)
{
    if (graph != NULL)
        *graph = stream_graph(stream);
    return tell(stream, status, id);
}

CUDA_API cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, int *status,
                                              uint64_t *id,
                                              struct graph **graph)
{
    int version = 0;
    cudaRuntimeGetVersion(&version);
    return version >= 13000
               ? cudaStreamGetCaptureInfo_v2(stream, status, id, graph)
               : tell(stream, status, id);
}

/* No call is unsafe while a stream is captured here. */
CUDA_API cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode)
{
    *mode = 0;
    return cudaSuccess;
}
