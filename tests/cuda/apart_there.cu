// SPDX-License-Identifier: GPL-3.0-or-later
//
// The other object of apart.cu.
#include "apart.h"

#include <cstdio>

__constant__ int weight[4] = {10, 20, 30, 40};
static __device__ int own = 5;

static __device__ __noinline__ int change(int x)
{
    return x * own;
}

__device__ int there(int x)
{
    return 2 * x;
}

static __global__ void of_there(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = change(i) + neighbour(i);
    atomicAdd(&counted, 1);
    if (i == 0)
        printf("from %s\n", "there");
}

void launch_there(int *out, int n)
{
    of_there<<<8, 128>>>(out, n);
}
