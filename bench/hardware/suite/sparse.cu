/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose addresses are data: gathers, chases, sparse rows, histograms,
 * atomics, a level of a breadth-first search. */
#include "suite.cuh"

#define BINS 256

/* From a table of so many kilobytes. */
template <int Kilobytes>
__global__ void gather(int n, const int *index, const float *table, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = table[index[i]];
}

/* Four rounds of an index that the last one found. */
__global__ void chase(int n, const int *next, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    if (i >= n)
        return;
    for (int r = 0; r < 4; r++)
        at = next[at];
    out[i] = at;
}

/* A warp a row. */
__global__ void sparse_rows(int rows, const int *first, const int *column,
                            const float *value, const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float sum = 0;
    if (row >= rows)
        return;
    for (int e = first[row] + threadIdx.x % 32; e < first[row + 1]; e += 32)
        sum += value[e] * x[column[e]];
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (threadIdx.x % 32 == 0)
        y[row] = sum;
}

/* A thread a row. */
__global__ void sparse_threads(int rows, const int *first, const int *column,
                               const float *value, const float *x, float *y)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= rows)
        return;
    for (int e = first[row]; e < first[row + 1]; e++)
        sum += value[e] * x[column[e]];
    y[row] = sum;
}

__global__ void histogram(int n, const int *in, unsigned *counts)
{
    __shared__ unsigned mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] % BINS], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&counts[b], mine[b]);
}

__global__ void count_in_memory(int n, const int *in, unsigned *counts)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&counts[in[i]], 1u);
}

__global__ void level(int n, const int *first, const int *edges, int *of,
                      int depth)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || of[v] != depth)
        return;
    for (int e = first[v]; e < first[v + 1]; e++)
        if (of[edges[e]] < 0)
            of[edges[e]] = depth + 1;
}

/* Where rows of the lengths begin, and where the last ends. */
static std::vector<int> starts(const std::vector<int> &length)
{
    std::vector<int> first(1, 0);
    for (int l : length)
        first.push_back(first.back() + l);
    return first;
}

static void launch_rows()
{
    const int rows = 65536;
    std::vector<int> first = starts(integers(rows, 4, 60));
    const size_t elements = (size_t)first.back();
    buffer<int> from(first), column(integers(elements, 0, rows));
    buffer<float> value(reals(elements)), x(reals(rows)), y(rows);
    points("sparse_rows", 8, sparse_rows, rows / 8, 256, rows, from.at,
           column.at, value.at, x.at, y.at);
    points("sparse_threads", 8, sparse_threads, rows / 128, 128, rows, from.at,
           column.at, value.at, x.at, y.at);

    std::vector<int> depth(rows, -1), reached = integers(rows / 8, 0, rows);
    for (int v : reached)
        depth[(size_t)v] = 3;
    buffer<int> of(depth);
    point("level", 0, level, rows / 256, 256, rows, from.at, column.at, of.at,
          3);
}

template <int Kilobytes> static void launch_gather(const char *name)
{
    const int n = 1 << 20, entries = Kilobytes * 256;
    buffer<int> index(integers(n, 0, entries));
    buffer<float> table(entries), out(n);
    points(name, 4, gather<Kilobytes>, n / 256, 256, n, index.at, table.at,
           out.at);
}

static void launch_gathers()
{
    const int n = 1 << 20;
    launch_gather<64>("gather-64K");
    launch_gather<4096>("gather-4M");
    launch_gather<131072>("gather-128M");
    buffer<int> next(integers(n, 0, n)), reached(n);
    points("chase", 8, chase, n / 256, 256, n, next.at, reached.at);
}

static void launch_counts()
{
    const int n = 1 << 22;
    buffer<int> in(integers(n, 0, 1 << 20)), few(integers(n / 4, 0, 64)),
        same(n);
    buffer<unsigned> counts(1 << 20);
    points("histogram", 4, histogram, 528, 256, n, in.at, counts.at);
    point("histogram-same", 0, histogram, 264, 256, n / 4, same.at, counts.at);
    point("count-1M", 0, count_in_memory, n / 1024, 256, n / 4, in.at,
          counts.at);
    point("count-64", 0, count_in_memory, n / 512, 128, n / 4, few.at,
          counts.at);
}

void launch_sparse()
{
    launch_rows();
    launch_gathers();
    launch_counts();
}
