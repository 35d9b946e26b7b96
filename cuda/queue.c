/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/queue.h"

static cudaError_t no_node(void)
{
    return runtime_leave(runtime_enter(), cudaErrorMemoryAllocation);
}

cudaError_t copy_on(cudaStream_t stream, const struct copied *c)
{
    struct graph *g = stream_graph(stream);
    if (g == NULL)
        return copy_now(c);
    struct graph_node *n = graph_append(g, NODE_COPY);
    if (n == NULL)
        return no_node();
    n->what.copy = *c;
    return cudaSuccess;
}

cudaError_t fill_on(cudaStream_t stream, const struct filled *f)
{
    struct graph *g = stream_graph(stream);
    if (g == NULL)
        return fill_now(f);
    struct graph_node *n = graph_append(g, NODE_FILL);
    if (n == NULL)
        return no_node();
    n->what.fill = *f;
    return cudaSuccess;
}
