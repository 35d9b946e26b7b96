// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program of two objects (nvcc -rdc=true), with apart_there.cu: each uses
// device code and variables of the other, both have functions, variables and
// texts of the same names for themselves, and one template. Checks itself.
#include "apart.h"

#include <cstdio>

static __device__ int own = 3;

static __device__ __noinline__ int change(int x)
{
    return x + own;
}

__device__ int counted;

__global__ void here(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = there(i) + change(i) + neighbour(i) + weight[i % 4];
    atomicAdd(&counted, 1);
    if (i == 0)
        printf("from %s\n", "here");
}

static int check(const char *what, int got, int expected)
{
    if (got != expected)
        printf("%s: got %d, expected %d\n", what, got, expected);
    return got != expected;
}

int main()
{
    const int n = 1000, sum_of_weights[] = {10, 20, 30, 40};
    int *out, wrong = 0, times = 0;
    cudaMallocManaged(&out, n * sizeof(*out));
    here<<<8, 128>>>(out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += check("here", out[i],
                       2 * i + i + 3 + (i ^ 1) + sum_of_weights[i % 4]);
    launch_there(out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += check("there", out[i], 5 * i + (i ^ 1));
    cudaMemcpyFromSymbol(&times, counted, sizeof(times));
    wrong += check("count", times, 2 * n);
    puts(wrong == 0 ? "passed" : "failed");
    return wrong != 0;
}
