/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs as programs make them, node by node, and launch them. A graph that was
 * instantiated is a copy of its own. */
#include "cuda/array.h"
#include "cuda/graph.h"
#include "cuda/stream.h"

#include <stdlib.h>

typedef struct graph_node *const *nodes;

static cudaError_t give(cudaError_t status)
{
    return runtime_leave(runtime_enter(), status);
}

static cudaError_t made(const void *what)
{
    return give(what != NULL ? cudaSuccess : cudaErrorMemoryAllocation);
}

/* ---- whole graphs -------------------------------------------------------- */

CUDA_API cudaError_t cudaGraphCreate(struct graph **out, unsigned flags)
{
    (void)flags;
    return made(*out = graph_create());
}

CUDA_API cudaError_t cudaGraphClone(struct graph **out, const struct graph *g)
{
    return made(*out = graph_copy(g));
}

CUDA_API cudaError_t cudaGraphDestroy(struct graph *g)
{
    graph_free(g);
    return cudaSuccess;
}

/* Further arguments, which differ from version to version, ask for nothing that
 * is here. */
CUDA_API cudaError_t cudaGraphInstantiate(struct graph **out,
                                          const struct graph *g)
{
    return made(*out = graph_copy(g));
}

CUDA_API cudaError_t cudaGraphInstantiateWithFlags(struct graph **out,
                                                   const struct graph *g)
{
    return made(*out = graph_copy(g));
}

CUDA_API cudaError_t cudaGraphInstantiateWithParams(struct graph **out,
                                                    const struct graph *g)
{
    return made(*out = graph_copy(g));
}

CUDA_API cudaError_t cudaGraphExecDestroy(struct graph *g)
{
    graph_free(g);
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphUpload(struct graph *g, cudaStream_t stream)
{
    (void)g, (void)stream;
    return cudaSuccess;
}

/* On a stream that is captured it becomes a node of that graph. */
CUDA_API cudaError_t cudaGraphLaunch(struct graph *g, cudaStream_t stream)
{
    struct graph *into = stream_graph(stream);
    if (into == NULL)
        return give(graph_run(g));
    struct graph *copy = graph_copy(g);
    struct graph_node *n = copy != NULL ? graph_append(into, NODE_GRAPH) : NULL;
    if (n != NULL)
        n->what.graph = copy;
    else
        graph_free(copy);
    return made(n);
}

/* *result: 0, and no node at fault. What is there becomes what `from` says. */
CUDA_API cudaError_t cudaGraphExecUpdate(struct graph *g,
                                         const struct graph *from,
                                         uint64_t *result)
{
    struct graph *copy = graph_copy(from);
    if (copy == NULL)
        return give(cudaErrorMemoryAllocation);
    struct graph old = *g;
    *g = *copy;
    *copy = old;
    graph_free(copy);
    if (result != NULL)
        *result = 0;
    return cudaSuccess;
}

/* ---- what is in them ----------------------------------------------------- */

/* The nodes that depend on none, or all; with out = NULL their number. */
static cudaError_t list(const struct graph *g, struct graph_node **out,
                        size_t *count, bool roots)
{
    size_t found = 0;
    for (size_t i = 0; i < g->nodes; i++) {
        if (roots && g->node[i]->afters > 0)
            continue;
        if (out != NULL && found < *count)
            out[found] = g->node[i];
        found++;
    }
    if (out == NULL || found < *count)
        *count = found;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphGetNodes(const struct graph *g,
                                       struct graph_node **out, size_t *count)
{
    return list(g, out, count, false);
}

CUDA_API cudaError_t cudaGraphGetRootNodes(const struct graph *g,
                                           struct graph_node **out,
                                           size_t *count)
{
    return list(g, out, count, true);
}

CUDA_API cudaError_t cudaGraphNodeGetType(const struct graph_node *n, int *out)
{
    *out = (int)n->kind;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphNodeFindInClone(struct graph_node **out,
                                              const struct graph_node *original,
                                              const struct graph *clone)
{
    *out = graph_find(clone, original);
    return give(*out != NULL ? cudaSuccess : cudaErrorInvalidValue);
}

CUDA_API cudaError_t cudaGraphNodeSetEnabled(struct graph *g,
                                             const struct graph_node *n,
                                             unsigned is_enabled)
{
    struct graph_node *mine = graph_find(g, n);
    if (mine == NULL)
        return give(cudaErrorInvalidValue);
    mine->is_disabled = is_enabled == 0;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphNodeGetEnabled(const struct graph *g,
                                             const struct graph_node *n,
                                             unsigned *out)
{
    const struct graph_node *mine = graph_find(g, n);
    if (mine == NULL)
        return give(cudaErrorInvalidValue);
    *out = !mine->is_disabled;
    return cudaSuccess;
}

/* From 13 on the edges' kinds stand before their number. */
CUDA_API cudaError_t cudaGraphAddDependencies(struct graph *g, nodes from,
                                              nodes to, const void *third,
                                              size_t fourth)
{
    int version = 0;
    (void)g;
    cudaRuntimeGetVersion(&version);
    size_t count = version >= 13000 ? fourth : (size_t)(uintptr_t)third;
    for (size_t i = 0; i < count; i++)
        if (!graph_depend(to[i], from[i]))
            return give(cudaErrorMemoryAllocation);
    return cudaSuccess;
}

/* ---- kernels ------------------------------------------------------------- */

struct kernel_parameters { /* the interface's cudaKernelNodeParams */
    const void *host;
    struct cuda_dim3 grid, block;
    unsigned shared_bytes;
    const void **value, **extra;
};

static cudaError_t set_kernel(struct graph_node *n,
                              const struct kernel_parameters *p)
{
    const struct estimate_call call = {
        .grid = {p->grid.x, p->grid.y, p->grid.z},
        .block = {p->block.x, p->block.y, p->block.z},
        .shared_bytes = p->shared_bytes,
        .value = p->value};
    return graph_set_launch(n, p->host, &call);
}

CUDA_API cudaError_t cudaGraphAddKernelNode(struct graph_node **out,
                                            struct graph *g, nodes after,
                                            size_t afters,
                                            const struct kernel_parameters *p)
{
    *out = graph_add(g, NODE_LAUNCH, after, afters);
    return *out != NULL ? set_kernel(*out, p) : made(NULL);
}

CUDA_API cudaError_t cudaGraphKernelNodeSetParams(
    struct graph_node *n, const struct kernel_parameters *p)
{
    return set_kernel(n, p);
}

CUDA_API cudaError_t
cudaGraphExecKernelNodeSetParams(struct graph *g, const struct graph_node *n,
                                 const struct kernel_parameters *p)
{
    struct graph_node *mine = graph_find(g, n);
    return mine != NULL ? set_kernel(mine, p) : give(cudaErrorInvalidValue);
}

CUDA_API cudaError_t cudaGraphKernelNodeGetParams(const struct graph_node *n,
                                                  struct kernel_parameters *out)
{
    const struct graph_launch *l = &n->what.launch;
    const struct estimate_dim *g = &l->call.grid, *b = &l->call.block;
    *out = (struct kernel_parameters){l->host,
                                      {g->x, g->y, g->z},
                                      {b->x, b->y, b->z},
                                      (unsigned)l->call.shared_bytes,
                                      (const void **)l->call.value,
                                      NULL};
    return cudaSuccess;
}

/* ---- copies and fills ---------------------------------------------------- */

static cudaError_t add_copy(struct graph_node **out, struct graph *g,
                            nodes after, size_t afters, const struct copied *c)
{
    *out = graph_add(g, NODE_COPY, after, afters);
    if (*out != NULL)
        (*out)->what.copy = *c;
    return made(*out);
}

CUDA_API cudaError_t cudaGraphAddMemcpyNode(struct graph_node **out,
                                            struct graph *g, nodes after,
                                            size_t afters,
                                            const struct copy_3d *p)
{
    const struct copied c = copied_3d(p);
    return add_copy(out, g, after, afters, &c);
}

CUDA_API cudaError_t cudaGraphAddMemcpyNode1D(struct graph_node **out,
                                              struct graph *g, nodes after,
                                              size_t afters, void *to,
                                              const void *from, size_t bytes,
                                              int kind)
{
    const struct copied c = copied_row(to, from, bytes, kind);
    return add_copy(out, g, after, afters, &c);
}

static cudaError_t set_copy(struct graph_node *n, const struct copied *c)
{
    if (n == NULL)
        return give(cudaErrorInvalidValue);
    n->what.copy = *c;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphMemcpyNodeSetParams(struct graph_node *n,
                                                  const struct copy_3d *p)
{
    const struct copied c = copied_3d(p);
    return set_copy(n, &c);
}

CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams(
    struct graph *g, const struct graph_node *n, const struct copy_3d *p)
{
    const struct copied c = copied_3d(p);
    return set_copy(graph_find(g, n), &c);
}

CUDA_API cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
    struct graph *g, const struct graph_node *n, void *to, const void *from,
    size_t bytes, int kind)
{
    const struct copied c = copied_row(to, from, bytes, kind);
    return set_copy(graph_find(g, n), &c);
}

struct fill_parameters { /* the interface's cudaMemsetParams */
    void *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height; /* in elements */
};

static cudaError_t set_fill(struct graph_node *n,
                            const struct fill_parameters *p)
{
    if (n == NULL)
        return give(cudaErrorInvalidValue);
    const size_t bytes = p->width * p->element;
    n->what.fill = (struct filled){{p->to, p->pitch, bytes, p->height},
                                   p->value,
                                   p->element,
                                   {bytes, p->height, 1}};
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphAddMemsetNode(struct graph_node **out,
                                            struct graph *g, nodes after,
                                            size_t afters,
                                            const struct fill_parameters *p)
{
    *out = graph_add(g, NODE_FILL, after, afters);
    return *out != NULL ? set_fill(*out, p) : made(NULL);
}

CUDA_API cudaError_t cudaGraphMemsetNodeSetParams(
    struct graph_node *n, const struct fill_parameters *p)
{
    return set_fill(n, p);
}

CUDA_API cudaError_t
cudaGraphExecMemsetNodeSetParams(struct graph *g, const struct graph_node *n,
                                 const struct fill_parameters *p)
{
    return set_fill(graph_find(g, n), p);
}

/* ---- others -------------------------------------------------------------- */

struct host_parameters {
    void (*function)(void *user);
    void *user;
};

static cudaError_t set_host(struct graph_node *n,
                            const struct host_parameters *p)
{
    if (n == NULL)
        return give(cudaErrorInvalidValue);
    n->what.host.function = p->function;
    n->what.host.user = p->user;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaGraphAddHostNode(struct graph_node **out,
                                          struct graph *g, nodes after,
                                          size_t afters,
                                          const struct host_parameters *p)
{
    *out = graph_add(g, NODE_HOST, after, afters);
    return *out != NULL ? set_host(*out, p) : made(NULL);
}

CUDA_API cudaError_t
cudaGraphExecHostNodeSetParams(struct graph *g, const struct graph_node *n,
                               const struct host_parameters *p)
{
    return set_host(graph_find(g, n), p);
}

CUDA_API cudaError_t cudaGraphAddChildGraphNode(struct graph_node **out,
                                                struct graph *g, nodes after,
                                                size_t afters,
                                                const struct graph *child)
{
    struct graph *copy = graph_copy(child);
    *out = copy != NULL ? graph_add(g, NODE_GRAPH, after, afters) : NULL;
    if (*out != NULL)
        (*out)->what.graph = copy;
    else
        graph_free(copy);
    return made(*out);
}

CUDA_API cudaError_t cudaGraphAddEmptyNode(struct graph_node **out,
                                           struct graph *g, nodes after,
                                           size_t afters)
{
    return made(*out = graph_add(g, NODE_EMPTY, after, afters));
}

static cudaError_t add_event(struct graph_node **out, struct graph *g,
                             nodes after, size_t afters, enum node_kind kind,
                             cudaEvent_t event)
{
    *out = graph_add(g, kind, after, afters);
    if (*out != NULL)
        (*out)->what.event = event;
    return made(*out);
}

CUDA_API cudaError_t cudaGraphAddEventRecordNode(struct graph_node **out,
                                                 struct graph *g, nodes after,
                                                 size_t afters,
                                                 cudaEvent_t event)
{
    return add_event(out, g, after, afters, NODE_RECORD_EVENT, event);
}

CUDA_API cudaError_t cudaGraphAddEventWaitNode(struct graph_node **out,
                                               struct graph *g, nodes after,
                                               size_t afters, cudaEvent_t event)
{
    return add_event(out, g, after, afters, NODE_WAIT_EVENT, event);
}

struct allocation_parameters { /* the interface's cudaMemAllocNodeParams */
    char pool[88];
    const void *access;
    size_t accesses, bytes;
    void *at;
};

/* Its memory is there from now on. */
CUDA_API cudaError_t cudaGraphAddMemAllocNode(struct graph_node **out,
                                              struct graph *g, nodes after,
                                              size_t afters,
                                              struct allocation_parameters *p)
{
    cudaError_t status = graph_allocate(&p->at, p->bytes);
    if (status != cudaSuccess)
        return status;
    *out = graph_add(g, NODE_ALLOCATE, after, afters);
    if (*out != NULL)
        (*out)->what.memory = p->at;
    return made(*out);
}

CUDA_API cudaError_t cudaGraphAddMemFreeNode(struct graph_node **out,
                                             struct graph *g, nodes after,
                                             size_t afters, void *at)
{
    *out = graph_add(g, NODE_FREE, after, afters);
    if (*out != NULL)
        (*out)->what.memory = at;
    return made(*out);
}

CUDA_API cudaError_t cudaDeviceGraphMemTrim(int device)
{
    (void)device;
    return cudaSuccess;
}

#define GRAPH_MEMORY_LAST 3 /* in use and reserved, now and at most */

/* It is there from the start and stays: the same now and at most. */
CUDA_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, int attribute,
                                                    uint64_t *out)
{
    struct runtime *r = runtime_enter();
    if (device != 0 || attribute < 0 || attribute > GRAPH_MEMORY_LAST)
        return runtime_leave(r, cudaErrorInvalidValue);
    *out = arena_used_of(&r->machine.arena, MEMORY_GRAPH);
    return runtime_leave(r, cudaSuccess);
}

/* Only the most can be set, to 0, from which it is counted again. */
CUDA_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, int attribute,
                                                    const uint64_t *value)
{
    bool is_most =
        attribute > 0 && attribute <= GRAPH_MEMORY_LAST && attribute % 2 == 1;
    return device == 0 && is_most && *value == 0 ? cudaSuccess
                                                 : cudaErrorInvalidValue;
}
