/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distances on the 4 x 4 mesh of ikra (Sec. 5.1): node n holds SM n and L2
 * slice n. Where memory controllers sit is not published: here in the corners.
 */
#ifndef SAMPLER_MEMORY_MESH_H
#define SAMPLER_MEMORY_MESH_H

#include <stdlib.h>

#define MESH_NODES 16
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

#endif
