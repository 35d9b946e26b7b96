/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Immediate post-dominators by iteration over basic blocks in post-order
 * (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001) on
 * the reversed graph. */
#include "kernels/ptx/execute/reconvergence.h"

#include "kernels/ptx/execute/cfg.h"

#include <stdlib.h>
#include <string.h>

struct graph {
    struct ptx_cfg cfg;
    uint32_t *back, *back_from; /* predecessors by block */
    uint32_t *order;            /* block -> its number in reverse post-order of
                                 * the reversed graph, from 1 */
    uint32_t *ipdom;            /* block -> block, PTX_NONE: not yet or none */
    uint32_t *rank;             /* blocks by order */
    uint32_t ranks;
};

static bool find_predecessors(struct graph *g)
{
    const struct ptx_cfg *c = &g->cfg;
    g->back = calloc(c->edges + 1, sizeof(*g->back));
    g->back_from = calloc((size_t)c->blocks + 2, sizeof(*g->back_from));
    if (g->back == NULL || g->back_from == NULL)
        return false;
    for (size_t i = 0; i < c->edges; i++)
        g->back_from[c->edge[i] + 2]++;
    for (uint32_t b = 2; b <= c->blocks; b++)
        g->back_from[b] += g->back_from[b - 1];
    for (uint32_t b = 0; b + 1 < c->blocks; b++)
        for (uint32_t i = 0; i < c->block[b].edges; i++)
            g->back[g->back_from[c->edge[c->block[b].from + i] + 1]++] = b;
    return true;
}

/* ---- order of the reversed graph, from the exit ------------------------- */

static bool order_blocks(struct graph *g)
{
    uint32_t blocks = g->cfg.blocks;
    uint32_t *stack = malloc(blocks * sizeof(*stack));
    uint32_t *next = malloc(blocks * sizeof(*next));
    uint32_t depth = 0, last = blocks, exit = blocks - 1;
    g->order = calloc(blocks, sizeof(*g->order));
    g->rank = malloc(blocks * sizeof(*g->rank));
    bool ok =
        stack != NULL && next != NULL && g->order != NULL && g->rank != NULL;
    if (ok) {
        memcpy(next, g->back_from, blocks * sizeof(*next));
        g->order[exit] = PTX_NONE; /* seen */
        stack[depth++] = exit;
    }
    while (depth > 0) {
        uint32_t b = stack[depth - 1];
        if (next[b] == g->back_from[b + 1]) {
            g->rank[--last] = b;
            g->order[b] = last + 1;
            depth--;
            continue;
        }
        uint32_t before = g->back[next[b]++];
        if (g->order[before] == 0) {
            g->order[before] = PTX_NONE;
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
        while (g->order[a] > g->order[b])
            a = g->ipdom[a];
        while (g->order[b] > g->order[a])
            b = g->ipdom[b];
    }
    return a;
}

static bool improve(struct graph *g, uint32_t b)
{
    const struct ptx_basic_block *block = &g->cfg.block[b];
    uint32_t found = PTX_NONE;
    for (uint32_t i = 0; i < block->edges; i++) {
        uint32_t to = g->cfg.edge[block->from + i];
        if (g->ipdom[to] == PTX_NONE)
            continue;
        found = found == PTX_NONE ? to : meet(g, found, to);
    }
    bool changed = found != g->ipdom[b];
    g->ipdom[b] = found;
    return changed;
}

static bool find_post_dominators(struct graph *g)
{
    uint32_t exit = g->cfg.blocks - 1;
    g->ipdom = malloc(g->cfg.blocks * sizeof(*g->ipdom));
    if (g->ipdom == NULL)
        return false;
    for (uint32_t b = 0; b < g->cfg.blocks; b++)
        g->ipdom[b] = PTX_NONE;
    g->ipdom[exit] = exit;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t r = g->ranks + 1; r < g->cfg.blocks; r++)
            changed |= improve(g, g->rank[r]);
    }
    return true;
}

bool ptx_find_reconvergence(struct ptx_program *p, uint32_t function)
{
    struct graph g = {0};
    const struct ptx_cfg *c = &g.cfg;
    bool ok = ptx_cfg_make(&g.cfg, p, function) && find_predecessors(&g) &&
              order_blocks(&g) && find_post_dominators(&g);
    for (uint32_t b = 0; ok && b + 1 < c->blocks; b++) {
        struct ptx_op *op = &p->op[c->code->first + c->block[b].end - 1];
        uint32_t to = g.ipdom[b];
        if ((op->action == ACTION_BRANCH ||
             op->action == ACTION_BRANCH_INDEX) &&
            to != PTX_NONE && to + 1 < c->blocks)
            op->reconverge = c->code->first + c->block[to].first;
    }
    ptx_cfg_free(&g.cfg);
    free(g.back);
    free(g.back_from);
    free(g.order);
    free(g.ipdom);
    free(g.rank);
    return ok;
}
