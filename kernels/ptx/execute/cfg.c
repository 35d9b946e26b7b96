/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/cfg.h"

#include "base/arrays.h"

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

static const struct ptx_targets *targets_of(const struct ptx_cfg *g,
                                            const struct ptx_op *op)
{
    return &g->p->module->targets[op->target];
}

static void mark_leaders(const struct ptx_cfg *g, uint32_t *leader)
{
    leader[0] = 1;
    for (uint32_t i = 0; i < g->code->count; i++) {
        const struct ptx_op *op = ptx_cfg_op(g, i);
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

static bool make_blocks(struct ptx_cfg *g)
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

static bool add_edge(struct ptx_cfg *g, uint32_t to)
{
    if (!array_room(&g->edge, g->edges, 1))
        return false;
    g->edge[g->edges++] = to;
    return true;
}

static bool add_edges(struct ptx_cfg *g, uint32_t b)
{
    struct ptx_basic_block *block = &g->block[b];
    const struct ptx_op *op = ptx_cfg_op(g, block->end - 1);
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

bool ptx_cfg_make(struct ptx_cfg *g, const struct ptx_program *p,
                  uint32_t function)
{
    *g = (struct ptx_cfg){.p = p, .code = &p->code[function]};
    bool ok = make_blocks(g);
    for (uint32_t b = 0; ok && b + 1 < g->blocks; b++)
        ok = add_edges(g, b);
    return ok;
}

void ptx_cfg_free(struct ptx_cfg *g)
{
    free(g->block);
    free(g->block_of);
    free(g->edge);
}
