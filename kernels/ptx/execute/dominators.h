/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dominators of a directed graph by iteration in reverse post-order (Cooper,
 * Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001). */
#ifndef KERNELS_PTX_EXECUTE_DOMINATORS_H
#define KERNELS_PTX_EXECUTE_DOMINATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptx_edge {
    uint32_t from, to;
};

/* A graph of nodes 0..nodes-1. */
struct ptx_graph {
    uint32_t nodes, root;
    const struct ptx_edge *edge;
    size_t edges;
};

/* The other ends of a graph's edges by one of their ends: those of node n are
 * end[from[n]] to end[from[n + 1] - 1]. */
struct ptx_ends {
    uint32_t *from, *end;
};

/* Where edges lead to, or `back`: where they come from, as the edges have it in
 * order. False: no memory; free them in either case. */
bool ptx_find_ends(struct ptx_ends *out, const struct ptx_graph *g, bool back);
void ptx_ends_free(struct ptx_ends *e);

/* The immediate dominator of every node, [nodes]: of the root itself, of one
 * that no way from the root leads to PTX_NONE. order: NULL, or [nodes], the
 * number of a node in reverse post-order, from 1; 0: no way leads there. False:
 * no memory. */
bool ptx_find_dominators(uint32_t *idom, uint32_t *order,
                         const struct ptx_graph *g);

#endif
