/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/dominators.h"

#include "kernels/ptx/execute/decode.h"

#include <stdlib.h>

struct search {
    const struct ptx_graph *graph;
    struct ptx_ends next, before;
    uint32_t *order; /* [nodes] */
    uint32_t *node;  /* [nodes] by order - 1 */
    uint32_t first;  /* the root's order - 1 */
};

bool ptx_find_ends(struct ptx_ends *out, const struct ptx_graph *g, bool back)
{
    out->from = calloc((size_t)g->nodes + 2, sizeof(*out->from));
    out->end = calloc(g->edges + 1, sizeof(*out->end));
    if (out->from == NULL || out->end == NULL)
        return false;
    for (size_t i = 0; i < g->edges; i++)
        out->from[(back ? g->edge[i].to : g->edge[i].from) + 2]++;
    for (uint32_t n = 2; n <= g->nodes; n++)
        out->from[n] += out->from[n - 1];
    for (size_t i = 0; i < g->edges; i++) {
        const struct ptx_edge *e = &g->edge[i];
        uint32_t at = back ? e->to : e->from;
        out->end[out->from[at + 1]++] = back ? e->from : e->to;
    }
    return true;
}

void ptx_ends_free(struct ptx_ends *e)
{
    free(e->from);
    free(e->end);
}

/* Numbers from the last one down: nodes that are not reached have none. */
static bool order_nodes(struct search *s)
{
    uint32_t nodes = s->graph->nodes, depth = 0;
    uint32_t *stack = malloc(nodes * sizeof(*stack));
    uint32_t *next = malloc(nodes * sizeof(*next));
    bool ok = stack != NULL && next != NULL;
    s->first = nodes;
    for (uint32_t n = 0; ok && n < nodes; n++) {
        s->order[n] = 0;
        next[n] = s->next.from[n];
    }
    if (ok) {
        s->order[s->graph->root] = PTX_NONE; /* seen */
        stack[depth++] = s->graph->root;
    }
    while (depth > 0) {
        uint32_t n = stack[depth - 1];
        if (next[n] == s->next.from[n + 1]) {
            s->node[--s->first] = n;
            s->order[n] = s->first + 1;
            depth--;
            continue;
        }
        uint32_t to = s->next.end[next[n]++];
        if (s->order[to] == 0) {
            s->order[to] = PTX_NONE;
            stack[depth++] = to;
        }
    }
    free(stack);
    free(next);
    return ok;
}

static uint32_t meet(const struct search *s, const uint32_t *idom, uint32_t a,
                     uint32_t b)
{
    while (a != b) {
        while (s->order[a] > s->order[b])
            a = idom[a];
        while (s->order[b] > s->order[a])
            b = idom[b];
    }
    return a;
}

static bool improve(const struct search *s, uint32_t *idom, uint32_t n)
{
    uint32_t found = PTX_NONE;
    for (uint32_t i = s->before.from[n]; i < s->before.from[n + 1]; i++) {
        uint32_t before = s->before.end[i];
        if (idom[before] != PTX_NONE)
            found = found == PTX_NONE ? before : meet(s, idom, found, before);
    }
    bool changed = found != idom[n];
    idom[n] = found;
    return changed;
}

static void iterate(const struct search *s, uint32_t *idom)
{
    const struct ptx_graph *g = s->graph;
    for (uint32_t n = 0; n < g->nodes; n++)
        idom[n] = PTX_NONE;
    idom[g->root] = g->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = s->first + 1; r < g->nodes; r++)
            changed |= improve(s, idom, s->node[r]);
    }
}

bool ptx_find_dominators(uint32_t *idom, uint32_t *order,
                         const struct ptx_graph *g)
{
    struct search s = {.graph = g};
    uint32_t *own = malloc(g->nodes * sizeof(*own));
    s.order = order != NULL ? order : own;
    s.node = malloc(g->nodes * sizeof(*s.node));
    bool ok = own != NULL && s.node != NULL &&
              ptx_find_ends(&s.next, g, false) &&
              ptx_find_ends(&s.before, g, true) && order_nodes(&s);
    if (ok)
        iterate(&s, idom);
    free(own);
    free(s.node);
    ptx_ends_free(&s.next);
    ptx_ends_free(&s.before);
    return ok;
}
