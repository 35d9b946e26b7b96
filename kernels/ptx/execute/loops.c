/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/loops.h"

#include "base/arrays.h"
#include "kernels/ptx/execute/dominators.h"

#include <stdlib.h>

struct finder {
    const struct ptx_cfg *cfg;
    struct ptx_edge *edge; /* [cfg.edges] */
    uint32_t *idom, *order;
    struct ptx_ends back; /* predecessors by block */
    uint32_t *seen;       /* block -> the last header it was seen from */
};

/* ---- edges -------------------------------------------------------------- */

static bool find_edges(struct finder *f)
{
    const struct ptx_cfg *c = f->cfg;
    f->edge = malloc((c->edges + 1) * sizeof(*f->edge));
    for (uint32_t b = 0; f->edge != NULL && b + 1 < c->blocks; b++)
        for (uint32_t i = 0; i < c->block[b].edges; i++) {
            uint32_t at = c->block[b].from + i;
            f->edge[at] = (struct ptx_edge){b, c->edge[at]};
        }
    return f->edge != NULL;
}

static bool dominates(const struct finder *f, uint32_t a, uint32_t b)
{
    while (f->order[b] > f->order[a])
        b = f->idom[b];
    return a == b;
}

/* From where an edge goes back to a header. */
static bool goes_back(const struct finder *f, uint32_t from, uint32_t header)
{
    return f->order[from] >= f->order[header] && f->order[header] > 0 &&
           dominates(f, header, from);
}

/* ---- one loop ----------------------------------------------------------- */

static bool add_member(struct ptx_loops *l, struct finder *f, uint32_t header,
                       uint32_t block)
{
    if (f->seen[block] == header || f->order[block] == 0)
        return true;
    if (!array_room(&l->member, l->members, 1))
        return false;
    f->seen[block] = header;
    l->member[l->members++] = block;
    return true;
}

/* The header, and what leads back to it without it. */
static bool add_loop(struct ptx_loops *l, struct finder *f, uint32_t header)
{
    size_t from = l->members;
    if (!add_member(l, f, header, header))
        return false;
    for (uint32_t i = f->back.from[header]; i < f->back.from[header + 1]; i++)
        if (goes_back(f, f->back.end[i], header) &&
            !add_member(l, f, header, f->back.end[i]))
            return false;
    for (size_t m = from + 1; m < l->members; m++)
        for (uint32_t i = f->back.from[l->member[m]];
             i < f->back.from[l->member[m] + 1]; i++)
            if (!add_member(l, f, header, f->back.end[i]))
                return false;
    if (!array_room(&l->loop, l->count, 1))
        return false;
    l->loop[l->count++] =
        (struct ptx_loop){.header = header,
                          .parent = PTX_NONE,
                          .from = (uint32_t)from,
                          .members = (uint32_t)(l->members - from)};
    return true;
}

static bool is_header(const struct finder *f, uint32_t block)
{
    for (uint32_t i = f->back.from[block]; i < f->back.from[block + 1]; i++)
        if (goes_back(f, f->back.end[i], block))
            return true;
    return false;
}

/* ---- which is in which -------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    const struct ptx_loop *x = a, *y = b;
    if (x->members != y->members)
        return x->members > y->members ? -1 : 1;
    return (x->header > y->header) - (x->header < y->header);
}

/* A loop is smaller than those around it. */
static void nest(struct ptx_loops *l)
{
    if (l->count > 0)
        qsort(l->loop, l->count, sizeof(*l->loop), by_size);
    for (uint32_t i = 0; i < l->count; i++) {
        struct ptx_loop *loop = &l->loop[i];
        loop->parent = l->of[loop->header];
        loop->depth =
            loop->parent != PTX_NONE ? l->loop[loop->parent].depth + 1 : 1;
        for (uint32_t m = 0; m < loop->members; m++)
            l->of[l->member[loop->from + m]] = i;
    }
}

static bool prepare(struct ptx_loops *out, struct finder *f)
{
    uint32_t blocks = f->cfg->blocks;
    f->idom = malloc(blocks * sizeof(*f->idom));
    f->order = malloc(blocks * sizeof(*f->order));
    f->seen = malloc(blocks * sizeof(*f->seen));
    out->of = malloc(blocks * sizeof(*out->of));
    if (f->idom == NULL || f->order == NULL || f->seen == NULL ||
        out->of == NULL || !find_edges(f))
        return false;
    for (uint32_t b = 0; b < blocks; b++)
        f->seen[b] = out->of[b] = PTX_NONE;
    const struct ptx_graph forwards = {
        .nodes = blocks, .edge = f->edge, .edges = f->cfg->edges};
    return ptx_find_ends(&f->back, &forwards, true) &&
           ptx_find_dominators(f->idom, f->order, &forwards);
}

bool ptx_loops_find(struct ptx_loops *out, const struct ptx_cfg *g)
{
    struct finder f = {.cfg = g};
    *out = (struct ptx_loops){.count = 0};
    bool ok = prepare(out, &f);
    for (uint32_t b = 0; ok && b < g->blocks; b++)
        if (is_header(&f, b))
            ok = add_loop(out, &f, b);
    if (ok)
        nest(out);
    free(f.edge);
    free(f.idom);
    free(f.order);
    ptx_ends_free(&f.back);
    free(f.seen);
    return ok;
}

void ptx_loops_free(struct ptx_loops *l)
{
    free(l->loop);
    free(l->member);
    free(l->of);
}

bool ptx_loop_has(const struct ptx_loops *l, uint32_t loop, uint32_t block)
{
    uint32_t in = l->of[block];
    while (in != loop && in != PTX_NONE)
        in = l->loop[in].parent;
    return in == loop;
}
