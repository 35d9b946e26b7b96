/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lloyd's k-means in three launches an iteration: every point to its nearest
 * centre, the sum and number of each centre's points, their means as the new
 * centres. Coordinate d of point i is points[d * n + i], of centre c is
 * centres[c * DIMENSIONS + d]; k is at most CENTRES. */
#define DIMENSIONS 4
#define CENTRES    32

extern "C" __global__ void kmeans_assign(int n, int k, const float *points,
                                         const float *centres, int *nearest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = 0;
    float best_distance = 3.4e38f;
    for (int c = 0; c < k; c++) {
        float distance = 0.0f;
        for (int d = 0; d < DIMENSIONS; d++) {
            float gap = points[d * n + i] - centres[c * DIMENSIONS + d];
            distance += gap * gap;
        }
        if (distance < best_distance) {
            best_distance = distance;
            best = c;
        }
    }
    nearest[i] = best;
}

extern "C" __global__ void kmeans_sum(int n, int k, const float *points,
                                      const int *nearest, float *sums,
                                      unsigned *counts)
{
    __shared__ float my_sums[CENTRES * DIMENSIONS];
    __shared__ unsigned my_counts[CENTRES];
    for (int s = threadIdx.x; s < k * DIMENSIONS; s += blockDim.x)
        my_sums[s] = 0.0f;
    for (int c = threadIdx.x; c < k; c += blockDim.x)
        my_counts[c] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = nearest[i];
        atomicAdd(&my_counts[c], 1u);
        for (int d = 0; d < DIMENSIONS; d++)
            atomicAdd(&my_sums[c * DIMENSIONS + d], points[d * n + i]);
    }
    __syncthreads();
    for (int s = threadIdx.x; s < k * DIMENSIONS; s += blockDim.x)
        atomicAdd(&sums[s], my_sums[s]);
    for (int c = threadIdx.x; c < k; c += blockDim.x)
        atomicAdd(&counts[c], my_counts[c]);
}

/* One block of at least k threads; leaves sums and counts at zero. */
extern "C" __global__ void kmeans_move(int k, float *sums, unsigned *counts,
                                       float *centres)
{
    int c = threadIdx.x;
    if (c >= k)
        return;
    for (int d = 0; d < DIMENSIONS; d++) {
        int s = c * DIMENSIONS + d;
        if (counts[c] > 0)
            centres[s] = sums[s] / counts[c];
        sums[s] = 0.0f;
    }
    counts[c] = 0;
}
