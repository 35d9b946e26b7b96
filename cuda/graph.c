/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/graph.h"

#include "cuda/now.h"

#include <stdlib.h>
#include <string.h>

struct graph *graph_create(void)
{
    return calloc(1, sizeof(struct graph));
}

static void free_node(struct graph_node *n)
{
    if (n->kind == NODE_LAUNCH) {
        free(n->what.launch.parameters);
        free((void *)n->what.launch.call.value);
    } else if (n->kind == NODE_GRAPH) {
        graph_free(n->what.graph);
    }
    free(n->after);
    free(n);
}

void graph_free(struct graph *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < g->nodes; i++)
        free_node(g->node[i]);
    free(g->node);
    free(g);
}

bool graph_depend(struct graph_node *n, struct graph_node *on)
{
    struct graph_node **grown =
        realloc(n->after, (n->afters + 1) * sizeof(*grown));
    if (grown == NULL)
        return false;
    n->after = grown;
    n->after[n->afters++] = on;
    return true;
}

struct graph_node *graph_add(struct graph *g, enum node_kind kind,
                             struct graph_node *const *after, size_t afters)
{
    struct graph_node **grown =
        realloc(g->node, (g->nodes + 1) * sizeof(*grown));
    struct graph_node *n = calloc(1, sizeof(*n));
    if (grown != NULL)
        g->node = grown;
    bool ok = grown != NULL && n != NULL;
    for (size_t i = 0; ok && i < afters; i++)
        ok = graph_depend(n, after[i]);
    if (!ok) {
        if (n != NULL)
            free(n->after);
        free(n);
        return NULL;
    }
    n->kind = kind;
    return g->node[g->nodes++] = n;
}

struct graph_node *graph_append(struct graph *g, enum node_kind kind)
{
    struct graph_node *last = g->nodes > 0 ? g->node[g->nodes - 1] : NULL;
    return graph_add(g, kind, &last, last != NULL);
}

struct graph_node *graph_find(const struct graph *g,
                              const struct graph_node *original)
{
    for (size_t i = 0; i < g->nodes; i++)
        if (g->node[i]->original == original)
            return g->node[i];
    return NULL;
}

/* ---- launches ------------------------------------------------------------ */

/* Values that point into bytes of a launch's own. */
static bool keep_values(struct graph_launch *l,
                        const struct estimate_function *f, const void *bytes)
{
    const struct estimate_function_info *info = estimate_function_info(f);
    const void **value = calloc(info->parameters + 1, sizeof(*value));
    uint8_t *kept = malloc(info->parameter_bytes + 1);
    if (value == NULL || kept == NULL) {
        free(value);
        free(kept);
        return false;
    }
    memcpy(kept, bytes, info->parameter_bytes);
    for (size_t i = 0; i < info->parameters; i++)
        value[i] = kept + estimate_function_parameter(f, i);
    free(l->parameters);
    free((void *)l->call.value);
    l->parameters = kept;
    l->call.value = value;
    return true;
}

cudaError_t graph_set_launch(struct graph_node *n, const void *host,
                             const struct estimate_call *call)
{
    struct runtime *r = runtime_enter();
    struct graph_launch *l = &n->what.launch;
    struct estimate_error e;
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    if (!estimate_function_set(k->function, call, &e)) {
        say("%s: %s", k->name, e.text);
        return runtime_leave(r, cudaErrorInvalidConfiguration);
    }
    if (!keep_values(l, k->function, estimate_function_parameters(k->function)))
        return runtime_leave(r, cudaErrorMemoryAllocation);
    const void *const *value = l->call.value;
    l->host = host;
    l->call = *call;
    l->call.value = value;
    return runtime_leave(r, cudaSuccess);
}

/* ---- copies of graphs ---------------------------------------------------- */

static bool copy_what(struct graph_node *to, const struct graph_node *from)
{
    if (from->kind == NODE_LAUNCH)
        return graph_set_launch(to, from->what.launch.host,
                                &from->what.launch.call) == cudaSuccess;
    to->what = from->what;
    if (from->kind == NODE_GRAPH)
        to->what.graph = graph_copy(from->what.graph);
    return from->kind != NODE_GRAPH || to->what.graph != NULL;
}

static bool copy_nodes(struct graph *to, const struct graph *from)
{
    for (size_t i = 0; i < from->nodes; i++) {
        struct graph_node *n = graph_add(to, from->node[i]->kind, NULL, 0);
        if (n == NULL || !copy_what(n, from->node[i]))
            return false;
        n->original = from->node[i];
        n->is_disabled = from->node[i]->is_disabled;
    }
    for (size_t i = 0; i < from->nodes; i++)
        for (size_t k = 0; k < from->node[i]->afters; k++)
            if (!graph_depend(to->node[i],
                              graph_find(to, from->node[i]->after[k])))
                return false;
    return true;
}

struct graph *graph_copy(const struct graph *g)
{
    struct graph *copy = graph_create();
    if (copy == NULL || copy_nodes(copy, g))
        return copy;
    graph_free(copy);
    return NULL;
}

/* ---- running ------------------------------------------------------------- */

static cudaError_t run_node(struct graph_node *n)
{
    if (n->is_disabled)
        return cudaSuccess;
    switch (n->kind) {
    case NODE_LAUNCH:
        return launch_now(n->what.launch.host, &n->what.launch.call);
    case NODE_COPY:
        return copy_now(&n->what.copy);
    case NODE_FILL:
        return fill_now(&n->what.fill);
    case NODE_HOST:
        n->what.host.function(n->what.host.user);
        return cudaSuccess;
    case NODE_GRAPH:
        return graph_run(n->what.graph);
    case NODE_RECORD_EVENT:
        return record_now(n->what.event);
    default: /* work is done in order; memory is there from the start */
        return cudaSuccess;
    }
}

static bool is_due(const struct graph_node *n)
{
    for (size_t i = 0; i < n->afters; i++)
        if (!n->after[i]->is_done)
            return false;
    return !n->is_done;
}

cudaError_t graph_run(struct graph *g)
{
    size_t done = 0;
    for (size_t i = 0; i < g->nodes; i++)
        g->node[i]->is_done = false;
    for (bool moved = true; moved && done < g->nodes;) {
        moved = false;
        for (size_t i = 0; i < g->nodes; i++) {
            struct graph_node *n = g->node[i];
            if (!is_due(n))
                continue;
            cudaError_t status = run_node(n);
            if (status != cudaSuccess)
                return status;
            n->is_done = moved = true;
            done++;
        }
    }
    return done == g->nodes ? cudaSuccess : cudaErrorInvalidValue;
}
