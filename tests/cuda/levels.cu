// SPDX-License-Identifier: GPL-3.0-or-later
//
// Levels of a graph from one vertex on, a launch a level, over managed memory
// that the program reads between launches; threads say what they find first.
#include <cstdio>
#include <vector>

__global__ void visit(int count, const int *first, const int *to, int *level,
                      int depth, int *more)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v == 0)
        printf("level %d\n", depth);
    if (v >= count || level[v] != depth)
        return;
    for (int e = first[v]; e < first[v + 1]; e++)
        if (level[to[e]] < 0) {
            level[to[e]] = depth + 1;
            *more = 1;
        }
}

int main()
{
    const int count = 3000, edges = 3 * count;
    int *first, *to, *level, *more, depth = 0;
    cudaMallocManaged(&first, (count + 1) * sizeof(int));
    cudaMallocManaged(&to, edges * sizeof(int));
    cudaMallocManaged(&level, count * sizeof(int));
    cudaMallocManaged(&more, sizeof(int));
    for (int v = 0; v < count; v++) {
        first[v] = 3 * v;
        to[3 * v] = (v + 1) % count;
        to[3 * v + 1] = (5 * v + 2) % count;
        to[3 * v + 2] = (v * v) % count;
        level[v] = v == 0 ? 0 : -1;
    }
    first[count] = edges;
    do {
        *more = 0;
        visit<<<(count + 127) / 128, 128>>>(count, first, to, level, depth++,
                                            more);
        if (cudaDeviceSynchronize() != cudaSuccess)
            return 2;
    } while (*more);

    std::vector<int> expected(count, -1), queue(1, 0);
    expected[0] = 0;
    for (size_t next = 0; next < queue.size(); next++)
        for (int e = first[queue[next]]; e < first[queue[next] + 1]; e++)
            if (expected[to[e]] < 0) {
                expected[to[e]] = expected[queue[next]] + 1;
                queue.push_back(to[e]);
            }
    int wrong = 0;
    for (int v = 0; v < count; v++)
        wrong += level[v] != expected[v];
    printf("%d launches: %s\n", depth, wrong == 0 ? "passed" : "failed");
    return wrong != 0;
}
