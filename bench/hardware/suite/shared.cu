/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that live in shared memory and wait for each other: sums, sorts,
 * transforms, wave fronts, conflicts of banks. */
#include "suite.cuh"

#define CHUNK 512
#define FRONT 64

__global__ void reduce(int n, const float *in, float *out)
{
    __shared__ float part[256];
    float sum = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        sum += in[i];
    part[threadIdx.x] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

__global__ void softmax(int columns, const float *in, float *out)
{
    __shared__ float part[256];
    int t = threadIdx.x;
    const float *row = in + (size_t)blockIdx.x * columns;
    float sum = 0;
    for (int c = t; c < columns; c += 256)
        sum += __expf(row[c]);
    part[t] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    __syncthreads();
    for (int c = t; c < columns; c += 256)
        out[(size_t)blockIdx.x * columns + c] = __expf(row[c]) / part[0];
}

/* Each block sorts CHUNK numbers by a bitonic network. */
__global__ void sort(int *data)
{
    __shared__ int s[CHUNK];
    int *mine = data + (size_t)blockIdx.x * CHUNK;
    int t = threadIdx.x;
    s[t] = mine[t];
    s[t + CHUNK / 2] = mine[t + CHUNK / 2];
    for (int size = 2; size <= CHUNK; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            int low = 2 * t - (t & (stride - 1)), high = low + stride;
            bool up = (low & size) == 0;
            int a = s[low], b = s[high];
            if ((a > b) == up) {
                s[low] = b;
                s[high] = a;
            }
        }
    __syncthreads();
    mine[t] = s[t];
    mine[t + CHUNK / 2] = s[t + CHUNK / 2];
}

/* Walsh-Hadamard transforms of CHUNK numbers. */
__global__ void walsh(float *data)
{
    __shared__ float s[CHUNK];
    float *mine = data + (size_t)blockIdx.x * CHUNK;
    int t = threadIdx.x;
    s[t] = mine[t];
    s[t + CHUNK / 2] = mine[t + CHUNK / 2];
    for (int stride = CHUNK / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int low = 2 * t - (t & (stride - 1));
        float a = s[low], b = s[low + stride];
        s[low] = a + b;
        s[low + stride] = a - b;
    }
    __syncthreads();
    mine[t] = s[t];
    mine[t + CHUNK / 2] = s[t + CHUNK / 2];
}

/* Edit distances of two strings by anti-diagonals, a block a pair. */
__global__ void front(const int *a, const int *b, int *out)
{
    __shared__ int cost[FRONT + 1][FRONT + 1];
    int t = threadIdx.x, at = blockIdx.x * FRONT;
    cost[t + 1][0] = t + 1;
    cost[0][t + 1] = t + 1;
    if (t == 0)
        cost[0][0] = 0;
    __syncthreads();
    for (int d = 0; d < 2 * FRONT - 1; d++) {
        int x = d - t;
        if (x >= 0 && x < FRONT) {
            int same = cost[t][x] + (a[at + t] != b[at + x]);
            int one = min(cost[t][x + 1], cost[t + 1][x]) + 1;
            cost[t + 1][x + 1] = min(same, one);
        }
        __syncthreads();
    }
    out[at + t] = cost[t + 1][FRONT];
}

/* Lanes read words that lie Stride apart. */
template <int Stride> __global__ void conflicts(int rounds, float *out)
{
    __shared__ float s[2048];
    int t = threadIdx.x, at = t * Stride % 2048;
    for (int i = t; i < 2048; i += blockDim.x)
        s[i] = (float)i;
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        sum += s[at];
        at = (at + 1) % 2048;
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

void launch_shared()
{
    const int n = 1 << 22;
    buffer<float> in(reals(n)), out(n);
    buffer<int> words(integers(n, 0, 1 << 30)), few(integers(n, 0, 4)), more(n);
    points("reduce", 8, reduce, 1056, 256, n, in.at, out.at);
    points("softmax", 8, softmax, 2048, 256, 1024, in.at, out.at);
    points("sort", 8, sort, 2048, CHUNK / 2, words.at);
    points("walsh", 8, walsh, 4096, CHUNK / 2, out.at);
    points("front", 8, front, 4224, FRONT, few.at, words.at, more.at);
    point("conflicts-1", 0, conflicts<1>, 528, 256, 64, out.at);
    point("conflicts-2", 0, conflicts<2>, 528, 256, 64, out.at);
    point("conflicts-8", 0, conflicts<8>, 528, 256, 64, out.at);
    point("conflicts-32", 0, conflicts<32>, 528, 256, 64, out.at);
}
