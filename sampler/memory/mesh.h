/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances on the 4 x 4 mesh of ikra (Sec. 5.1): node n holds SM n and L2
 * slice n. Where memory controllers sit is not published: here in the corners.
 * Ways go along the row first, then along the column, as in the meshes of
 * Garnet's distribution (gem5, configs/topologies/Mesh_XY.py). */
#ifndef SAMPLER_MEMORY_MESH_H
#define SAMPLER_MEMORY_MESH_H

#include <stdlib.h>

#define MESH_NODES 16
/* Links of all nodes, four a node whether it has neighbours there or not. */
#define MESH_LINKS (4 * MESH_NODES)
/* Hops of the longest way out and back. */
#define MESH_LONGEST 12

static inline int mesh_node(int sm_or_slice)
{
    return sm_or_slice % MESH_NODES;
}

static inline int mesh_controller(int channel)
{
    static const int corner[] = {0, 3, 12, 15};
    return corner[channel % 4];
}

static inline int mesh_hops(int a, int b)
{
    return abs(a % 4 - b % 4) + abs(a / 4 - b / 4);
}

/* The link of node `at` that leads towards node `to`, another one; *at becomes
 * its other end. */
static inline int mesh_step(int *at, int to)
{
    enum { EAST, WEST, SOUTH, NORTH };
    int from = *at, along = to % 4 - from % 4, down = to / 4 - from / 4;
    int link = along > 0 ? EAST : along < 0 ? WEST : down > 0 ? SOUTH : NORTH;
    static const int next[] = {1, -1, 4, -4};
    *at = from + next[link];
    return 4 * from + link;
}

#endif
