/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Graphs: work that is written down and done later, any number of times, each
 * node after those that it depends on and otherwise in the order in which nodes
 * were added. */
#ifndef CUDA_GRAPH_H
#define CUDA_GRAPH_H

#include "cuda/copy.h"

enum node_kind { /* values of cudaGraphNodeType */
                 NODE_LAUNCH,
                 NODE_COPY,
                 NODE_FILL,
                 NODE_HOST,
                 NODE_GRAPH,
                 NODE_EMPTY,
                 NODE_WAIT_EVENT,
                 NODE_RECORD_EVENT,
                 NODE_ALLOCATE = 10,
                 NODE_FREE
};

struct graph_launch {
    const void *host; /* stands for the kernel */
    struct estimate_call call;
    void *parameters; /* bytes of all, which call.value points into; owned, as
                       * call.value is */
};

struct graph_node {
    enum node_kind kind;
    bool is_disabled;
    const struct graph_node *original; /* of a copy of its graph */
    struct graph_node **after;         /* what it depends on */
    size_t afters;
    bool is_done; /* while its graph is run */
    union {
        struct graph_launch launch;
        struct copied copy;
        struct filled fill;
        struct {
            void (*function)(void *user);
            void *user;
        } host;
        struct graph *graph; /* owned */
        cudaEvent_t event;
        void *memory;
    } what;
};

struct graph {
    struct graph_node **node;
    size_t nodes;
};

struct graph *graph_create(void);
void graph_free(struct graph *g);
/* NULL: no memory. */
struct graph *graph_copy(const struct graph *g);
/* The copy of a node in a copy of its graph, or NULL. */
struct graph_node *graph_find(const struct graph *g,
                              const struct graph_node *original);

/* A node behind those of `after`. NULL: no memory. */
struct graph_node *graph_add(struct graph *g, enum node_kind kind,
                             struct graph_node *const *after, size_t afters);
/* One behind all others, as streams add them. */
struct graph_node *graph_append(struct graph *g, enum node_kind kind);
bool graph_depend(struct graph_node *n, struct graph_node *on);

/* Memory of a graph: what frees it leaves it as it is. */
cudaError_t graph_allocate(void **out, size_t bytes);

/* What a launch node is to launch, with the values that its arguments have now.
 * Not called under the runtime's lock. */
cudaError_t graph_set_launch(struct graph_node *n, const void *host,
                             const struct estimate_call *call);

/* Do all of it. The first failure ends it, as does a circle. */
cudaError_t graph_run(struct graph *g);

#endif
