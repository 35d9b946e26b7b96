// SPDX-License-Identifier: GPL-3.0-or-later
//
// What apart.cu and apart_there.cu know of each other.
#ifndef TESTS_CUDA_APART_H
#define TESTS_CUDA_APART_H

extern __device__ int there(int x);
extern __device__ int counted;
extern __constant__ int weight[4];
void launch_there(int *out, int n);

// What the other lane of a pair has, by way of shared memory.
template <class T> __device__ __noinline__ T neighbour(T x)
{
    __shared__ T of_block[128];
    of_block[threadIdx.x] = x;
    __syncwarp(__activemask());
    return of_block[threadIdx.x ^ 1];
}

#endif
