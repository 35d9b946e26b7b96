/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C = A B for square row-major matrices of side n, a multiple of TILE: straight
 * from memory, and by tiles staged in shared memory. One element of C a thread,
 * blocks of TILE x TILE. */
#define TILE 16

extern "C" __global__ void matmul_naive(int n, const float *a, const float *b,
                                        float *c)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

extern "C" __global__ void matmul_tiled(int n, const float *a, const float *b,
                                        float *c)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int col = blockIdx.x * TILE + x;
    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile_a[y][x] = a[row * n + start + x];
        tile_b[y][x] = b[(start + y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
