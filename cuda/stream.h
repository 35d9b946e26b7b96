/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams and events as they are kept, and capturing: what is asked for on a
 * stream that is captured becomes nodes of a graph. */
#ifndef CUDA_STREAM_H
#define CUDA_STREAM_H

#include "cuda/graph.h"

/* Shared by the streams and events that take part; freed with the last. */
struct capture {
    struct graph *graph; /* NULL: it has ended */
    unsigned holders;
};

struct cuda_stream {
    unsigned flags;
    int priority;
    struct capture *capture; /* NULL: none */
};

struct cuda_event {
    bool is_recorded;
    size_t launches;         /* there were before it */
    struct capture *capture; /* that it was recorded in, NULL: none */
};

/* 1 and 2 stand for the default streams. */
static inline bool stream_is_default(cudaStream_t stream)
{
    return (uintptr_t)stream <= 2;
}

/* The graph that work on the stream is added to; NULL: it is done at once. */
struct graph *stream_graph(cudaStream_t stream);

/* Let *holder hold `c` (NULL: nothing) in place of what it held. */
void capture_hold(struct capture **holder, struct capture *c);

#endif
