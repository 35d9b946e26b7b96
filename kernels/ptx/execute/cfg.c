/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Immediate post-dominators by iteration over basic blocks in post-order
 * (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001) on
 * the reversed graph. */
#include "kernels/ptx/execute/cfg.h"

#include "base/arrays.h"

struct block {
    uint32_t first, end;  /* ops */
    uint32_t from, edges; /* successors: graph.edge[from..] */
    uint32_t order;       /* reverse post-order of the reversed graph, from 1 */
    uint32_t ipdom;       /* block, PTX_NONE: not yet or none */
};

struct graph {
    const struct ptx_program *p;
    const struct ptx_code *code;
    struct block *block; /* the last is the exit */
    uint32_t blocks;
    uint32_t *block_of;                /* op of the function -> block */
    uint32_t *edge, *back, *back_from; /* successors, predecessors by block */
    size_t edges;
    uint32_t *rank; /* blocks by order */
    uint32_t ranks;
};

static bool ends_block(const struct ptx_op *op)
{
    switch (op->action) {
    case ACTION_BRANCH:
    case ACTION_BRANCH_INDEX:
        return true;
    case ACTION_RETURN:
    case ACTION_EXIT:
    case ACTION_TRAP:
        return op->guard == PTX_SLOT_NONE;
    default:
        return false;
    }
}

static const struct ptx_op *op_at(const struct graph *g, uint32_t i)
{
    return &g->p->op[g->code->first + i];
}

static const struct ptx_targets *targets_of(const struct graph *g,
                                            const struct ptx_op *op)
{
    return &g->p->module->targets[op->target];
}

/* ---- blocks and edges --------------------------------------------------- */

static void mark_leaders(const struct graph *g, uint32_t *leader)
{
    leader[0] = 1;
    for (uint32_t i = 0; i < g->code->count; i++) {
        const struct ptx_op *op = op_at(g, i);
        if (!ends_block(op))
            continue;
        if (i + 1 < g->code->count)
            leader[i + 1] = 1;
        if (op->action == ACTION_BRANCH)
            leader[op->target - g->code->first] = 1;
        if (op->action == ACTION_BRANCH_INDEX)
            for (size_t k = 0; k < targets_of(g, op)->count; k++)
                leader[targets_of(g, op)->label[k]] = 1;
    }
}

static bool make_blocks(struct graph *g)
{
    uint32_t n = g->code->count;
    g->block_of = calloc((size_t)n + 1, sizeof(*g->block_of));
    if (g->block_of == NULL)
        return false;
    mark_leaders(g, g->block_of);
    for (uint32_t i = 0; i < n; i++)
        g->blocks += g->block_of[i];
    g->block = calloc((size_t)g->blocks + 1, sizeof(*g->block));
    if (g->block == NULL)
        return false;
    uint32_t b = PTX_NONE;
    for (uint32_t i = 0; i < n; i++) {
        if (g->block_of[i] != 0)
            g->block[++b].first = i;
        g->block_of[i] = b;
        g->block[b].end = i + 1;
    }
    g->blocks++; /* the exit */
    return true;
}

static bool add_edge(struct graph *g, uint32_t to)
{
    if (!array_room(&g->edge, g->edges, 1))
        return false;
    g->edge[g->edges++] = to;
    return true;
}

static bool add_edges(struct graph *g, uint32_t b)
{
    struct block *block = &g->block[b];
    const struct ptx_op *op = op_at(g, block->end - 1);
    bool ok = true, falls = !ends_block(op) || op->guard != PTX_SLOT_NONE;
    block->from = (uint32_t)g->edges;
    if (op->action == ACTION_BRANCH) {
        ok = add_edge(g, g->block_of[op->target - g->code->first]);
    } else if (op->action == ACTION_BRANCH_INDEX) {
        const struct ptx_targets *t = targets_of(g, op);
        for (size_t k = 0; ok && k < t->count; k++)
            ok = add_edge(g, g->block_of[t->label[k]]);
    } else if (!falls) {
        ok = add_edge(g, g->blocks - 1);
    }
    if (ok && falls)
        ok = add_edge(g, b + 1);
    block->edges = (uint32_t)g->edges - block->from;
    return ok;
}

static bool make_edges(struct graph *g)
{
    for (uint32_t b = 0; b + 1 < g->blocks; b++)
        if (!add_edges(g, b))
            return false;
    g->back = calloc(g->edges + 1, sizeof(*g->back));
    g->back_from = calloc((size_t)g->blocks + 2, sizeof(*g->back_from));
    if (g->back == NULL || g->back_from == NULL)
        return false;
    for (size_t i = 0; i < g->edges; i++)
        g->back_from[g->edge[i] + 2]++;
    for (uint32_t b = 2; b <= g->blocks; b++)
        g->back_from[b] += g->back_from[b - 1];
    for (uint32_t b = 0; b + 1 < g->blocks; b++)
        for (uint32_t i = 0; i < g->block[b].edges; i++)
            g->back[g->back_from[g->edge[g->block[b].from + i] + 1]++] = b;
    return true;
}

/* ---- order of the reversed graph, from the exit ------------------------- */

static bool order_blocks(struct graph *g)
{
    uint32_t *stack = malloc(g->blocks * sizeof(*stack));
    uint32_t *next = malloc(g->blocks * sizeof(*next));
    uint32_t depth = 0, last = g->blocks, exit = g->blocks - 1;
    g->rank = malloc(g->blocks * sizeof(*g->rank));
    bool ok = stack != NULL && next != NULL && g->rank != NULL;
    if (ok) {
        memcpy(next, g->back_from, g->blocks * sizeof(*next));
        g->block[exit].order = PTX_NONE; /* seen */
        stack[depth++] = exit;
    }
    while (depth > 0) {
        uint32_t b = stack[depth - 1];
        if (next[b] == g->back_from[b + 1]) {
            g->rank[--last] = b;
            g->block[b].order = last + 1;
            depth--;
            continue;
        }
        uint32_t before = g->back[next[b]++];
        if (g->block[before].order == 0) {
            g->block[before].order = PTX_NONE;
            stack[depth++] = before;
        }
    }
    g->ranks = last;
    free(stack);
    free(next);
    return ok;
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (g->block[a].order > g->block[b].order)
            a = g->block[a].ipdom;
        while (g->block[b].order > g->block[a].order)
            b = g->block[b].ipdom;
    }
    return a;
}

static bool improve(struct graph *g, uint32_t b)
{
    struct block *block = &g->block[b];
    uint32_t found = PTX_NONE;
    for (uint32_t i = 0; i < block->edges; i++) {
        uint32_t to = g->edge[block->from + i];
        if (g->block[to].ipdom == PTX_NONE)
            continue;
        found = found == PTX_NONE ? to : meet(g, found, to);
    }
    bool changed = found != block->ipdom;
    block->ipdom = found;
    return changed;
}

static void find_post_dominators(struct graph *g)
{
    uint32_t exit = g->blocks - 1;
    for (uint32_t b = 0; b < g->blocks; b++)
        g->block[b].ipdom = PTX_NONE;
    g->block[exit].ipdom = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = g->ranks + 1; r < g->blocks; r++)
            changed |= improve(g, g->rank[r]);
    }
}

bool ptx_find_reconvergence(struct ptx_program *p, uint32_t function)
{
    struct graph g = {.p = p, .code = &p->code[function]};
    bool ok = make_blocks(&g) && make_edges(&g) && order_blocks(&g);
    if (ok)
        find_post_dominators(&g);
    for (uint32_t b = 0; ok && b + 1 < g.blocks; b++) {
        struct ptx_op *op = &p->op[g.code->first + g.block[b].end - 1];
        uint32_t to = g.block[b].ipdom;
        if ((op->action == ACTION_BRANCH ||
             op->action == ACTION_BRANCH_INDEX) &&
            to != PTX_NONE && to + 1 < g.blocks)
            op->reconverge = g.code->first + g.block[to].first;
    }
    free(g.block);
    free(g.block_of);
    free(g.edge);
    free(g.back);
    free(g.back_from);
    free(g.rank);
    return ok;
}
