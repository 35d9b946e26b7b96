/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Breadth-first search, one launch a level, one vertex a thread. A vertex's
 * neighbours are edges[first[v]], ... of which there are degree[v] (compressed
 * rows that need not touch). Flags mark the frontier; all that reach a vertex
 * in a launch write the same, so the order of threads does not matter. */
extern "C" __global__ void bfs_start(int n, int source, int *level,
                                     unsigned char *frontier,
                                     unsigned char *next)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n)
        return;
    level[v] = v == source ? 0 : -1;
    frontier[v] = v == source;
    next[v] = 0;
}

extern "C" __global__ void bfs_level(int n, const int *first, const int *degree,
                                     const int *edges, int *level,
                                     unsigned char *frontier,
                                     unsigned char *next)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || !frontier[v])
        return;
    frontier[v] = 0;
    int reached = level[v] + 1;
    int end = first[v] + degree[v];
    for (int e = first[v]; e < end; e++) {
        int u = edges[e];
        if (level[u] < 0) {
            level[u] = reached;
            next[u] = 1;
        }
    }
}
