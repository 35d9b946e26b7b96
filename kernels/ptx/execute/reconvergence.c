/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/reconvergence.h"

#include "kernels/ptx/execute/dominators.h"
#include "kernels/ptx/execute/loops.h"

#include <stdlib.h>

struct meetings {
    struct ptx_program *p;
    struct ptx_cfg cfg;
    struct ptx_loops loops;
    struct ptx_edge *edge; /* [cfg.edges] of a region, reversed */
    size_t edges;
    uint32_t *ipdom; /* block -> block, in the region */
};

/* ---- regions: a loop, or PTX_NONE: the function ------------------------- */

/* Where an edge leads as the region has it: all trips of a loop end alike, and
 * lanes that leave it are gone. */
static uint32_t in_region(const struct meetings *m, uint32_t loop, uint32_t to)
{
    uint32_t end = m->cfg.blocks - 1;
    if (loop == PTX_NONE)
        return to;
    if (to == m->loops.loop[loop].header)
        return end;
    return ptx_loop_has(&m->loops, loop, to) ? to : PTX_NONE;
}

static void add_block(struct meetings *m, uint32_t loop, uint32_t b)
{
    const struct ptx_basic_block *block = &m->cfg.block[b];
    for (uint32_t i = 0; i < block->edges; i++) {
        uint32_t to = in_region(m, loop, m->cfg.edge[block->from + i]);
        if (to != PTX_NONE)
            m->edge[m->edges++] = (struct ptx_edge){to, b};
    }
}

static uint32_t members(const struct meetings *m, uint32_t loop)
{
    return loop == PTX_NONE ? m->cfg.blocks - 1 : m->loops.loop[loop].members;
}

static uint32_t member(const struct meetings *m, uint32_t loop, uint32_t i)
{
    return loop == PTX_NONE ? i : m->loops.member[m->loops.loop[loop].from + i];
}

/* ---- branches ----------------------------------------------------------- */

static struct ptx_op *last_op(const struct meetings *m, uint32_t b)
{
    return &m->p->op[m->cfg.code->first + m->cfg.block[b].end - 1];
}

static bool stays_in(const struct meetings *m, uint32_t loop, uint32_t b)
{
    const struct ptx_basic_block *block = &m->cfg.block[b];
    for (uint32_t i = 0; i < block->edges; i++)
        if (!ptx_loop_has(&m->loops, loop, m->cfg.edge[block->from + i]))
            return false;
    return true;
}

/* The smallest region that no lane of the block leaves at its end. */
static uint32_t region_of(const struct meetings *m, uint32_t b)
{
    uint32_t loop = m->loops.of[b];
    while (loop != PTX_NONE && !stays_in(m, loop, b))
        loop = m->loops.loop[loop].parent;
    return loop;
}

static enum ptx_leaving leaving(const struct meetings *m, uint32_t b,
                                const struct ptx_op *op)
{
    uint32_t loop = m->loops.of[b];
    if (stays_in(m, loop, b))
        return LEAVES_NONE;
    if (op->action == ACTION_BRANCH_INDEX)
        return LEAVES_TAKEN;
    uint32_t to = m->cfg.block_of[op->target - m->cfg.code->first];
    return ptx_loop_has(&m->loops, loop, to) ? LEAVES_REST : LEAVES_TAKEN;
}

/* The first op of the largest loop within `around` that has the block. */
static uint32_t left_of(const struct meetings *m, uint32_t around, uint32_t b)
{
    uint32_t loop = m->loops.of[b];
    while (m->loops.loop[loop].parent != around)
        loop = m->loops.loop[loop].parent;
    uint32_t header = m->loops.loop[loop].header;
    return m->cfg.code->first + m->cfg.block[header].first;
}

/* The op with which a block begins as the region has it; PTX_NONE: the
 * function's end. */
static uint32_t begin_of(const struct meetings *m, uint32_t loop, uint32_t b)
{
    bool is_end = b + 1 == m->cfg.blocks;
    if (b == PTX_NONE || (is_end && loop == PTX_NONE))
        return PTX_NONE;
    uint32_t at = is_end ? m->loops.loop[loop].header : b;
    return m->cfg.code->first + m->cfg.block[at].first;
}

static void set_branch(const struct meetings *m, uint32_t loop, uint32_t b)
{
    struct ptx_op *op = last_op(m, b);
    bool branches =
        op->action == ACTION_BRANCH || op->action == ACTION_BRANCH_INDEX;
    if (!branches || region_of(m, b) != loop)
        return;
    op->reconverge = begin_of(m, loop, m->ipdom[b]);
    op->depth = loop != PTX_NONE ? m->loops.loop[loop].depth : 0;
    op->leaves = leaving(m, b, op);
    if (op->leaves != LEAVES_NONE)
        op->left = left_of(m, loop, b);
}

static bool set_region(struct meetings *m, uint32_t loop)
{
    m->edges = 0;
    for (uint32_t i = 0; i < members(m, loop); i++)
        add_block(m, loop, member(m, loop, i));
    const struct ptx_graph backwards = {.nodes = m->cfg.blocks,
                                        .root = m->cfg.blocks - 1,
                                        .edge = m->edge,
                                        .edges = m->edges};
    if (!ptx_find_dominators(m->ipdom, NULL, &backwards))
        return false;
    for (uint32_t i = 0; i < members(m, loop); i++)
        set_branch(m, loop, member(m, loop, i));
    return true;
}

bool ptx_find_reconvergence(struct ptx_program *p, uint32_t function)
{
    struct meetings m = {.p = p};
    bool ok =
        ptx_cfg_make(&m.cfg, p, function) && ptx_loops_find(&m.loops, &m.cfg);
    if (ok) {
        m.edge = malloc((m.cfg.edges + 1) * sizeof(*m.edge));
        m.ipdom = malloc(m.cfg.blocks * sizeof(*m.ipdom));
        ok = m.edge != NULL && m.ipdom != NULL && set_region(&m, PTX_NONE);
    }
    for (uint32_t i = 0; ok && i < m.loops.count; i++)
        ok = set_region(&m, i);
    ptx_cfg_free(&m.cfg);
    ptx_loops_free(&m.loops);
    free(m.edge);
    free(m.ipdom);
    return ok;
}
