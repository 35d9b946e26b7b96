/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sum of n numbers: each block leaves the sum of its share, a second launch
 * of one block sums those. Threads stride over the grid, warps sum by shuffles,
 * the warps' sums meet in shared memory. Blocks of whole warps. */
#define LANES 32
#define ALL   0xffffffffu

static __device__ float warp_sum(float value)
{
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        value += __shfl_down_sync(ALL, value, offset);
    return value;
}

extern "C" __global__ void reduce(int n, const float *in, float *sums)
{
    __shared__ float of_warp[LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    float sum = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        sum += in[i];
    sum = warp_sum(sum);
    if (lane == 0)
        of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / LANES ? of_warp[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0)
            sums[blockIdx.x] = sum;
    }
}
