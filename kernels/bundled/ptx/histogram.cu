/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How often each byte value occurs: each block counts its share in shared
 * memory, then adds its counts to the result. */
#define BINS 256

extern "C" __global__ void histogram(int n, const unsigned char *in,
                                     unsigned *counts)
{
    __shared__ unsigned mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&counts[b], mine[b]);
}
