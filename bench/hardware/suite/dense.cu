/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices: straight from memory, by tiles, by registers, in double
 * precision, by tensor cores. */
#include "suite.cuh"

#include <cuda_fp16.h>
#include <mma.h>

#define TILE 16
#define BLOCK                                                                  \
    64 /* side of what a block of 256 makes by registers, 4 x 4 each */
#define DEEP 16

__global__ void product_naive(int n, const float *a, const float *b, float *c)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

template <class T>
__device__ void product_by_tiles(int n, const T *a, const T *b, T *c)
{
    __shared__ T ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    T sum = 0;
    for (int at = 0; at < n; at += TILE) {
        ta[y][x] = a[row * n + at + x];
        tb[y][x] = b[(at + y) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void product_tiled(int n, const float *a, const float *b, float *c)
{
    product_by_tiles(n, a, b, c);
}

__global__ void product_double(int n, const double *a, const double *b,
                               double *c)
{
    product_by_tiles(n, a, b, c);
}

__global__ void product_registers(int n, const float *a, const float *b,
                                  float *c)
{
    __shared__ float ta[DEEP][BLOCK + 1], tb[DEEP][BLOCK];
    int t = threadIdx.x, x = t % 16, y = t / 16;
    int row = blockIdx.y * BLOCK, col = blockIdx.x * BLOCK;
    float sum[4][4] = {};
    for (int at = 0; at < n; at += DEEP) {
        for (int i = t; i < BLOCK * DEEP; i += 256) {
            ta[i % DEEP][i / DEEP] = a[(row + i / DEEP) * n + at + i % DEEP];
            tb[i / BLOCK][i % BLOCK] =
                b[(at + i / BLOCK) * n + col + i % BLOCK];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < DEEP; k++) {
            float u[4], v[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                u[i] = ta[k][y + 16 * i];
                v[i] = tb[k][x + 16 * i];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += u[i] * v[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + y + 16 * i) * n + col + x + 16 * j] = sum[i][j];
}

/* A warp makes 16 x 16, blocks of four warps side by side. */
__global__ void product_tensor(int n, const half *a, const half *b, float *c)
{
    using namespace nvcuda::wmma;
    int row = blockIdx.y * 16, col = (blockIdx.x * 4 + threadIdx.x / 32) * 16;
    fragment<matrix_a, 16, 16, 16, half, row_major> fa;
    fragment<matrix_b, 16, 16, 16, half, row_major> fb;
    fragment<accumulator, 16, 16, 16, float> sum;
    fill_fragment(sum, 0.0f);
    for (int k = 0; k < n; k += 16) {
        load_matrix_sync(fa, a + row * n + k, n);
        load_matrix_sync(fb, b + k * n + col, n);
        mma_sync(sum, fa, fb, sum);
    }
    store_matrix_sync(c + row * n + col, sum, n, mem_row_major);
}

/* y = A x, a warp a row. */
__global__ void matrix_vector(int rows, int columns, const float *a,
                              const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    float sum = 0;
    if (row >= rows)
        return;
    for (int c = threadIdx.x % 32; c < columns; c += 32)
        sum += a[(size_t)row * columns + c] * x[c];
    for (int half = 16; half > 0; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    if (threadIdx.x % 32 == 0)
        y[row] = sum;
}

static std::vector<half> halves(size_t n)
{
    std::vector<half> v(n);
    std::vector<float> from = reals(n);
    for (size_t i = 0; i < n; i++)
        v[i] = __float2half(from[i]);
    return v;
}

static std::vector<double> doubles(size_t n)
{
    std::vector<float> from = reals(n);
    return std::vector<double>(from.begin(), from.end());
}

void launch_dense()
{
    const int n = 512;
    const dim3 tiles(n / TILE, n / TILE), tile(TILE, TILE);
    buffer<float> a(reals(1024 * 4096)), b(reals(1024 * 1024)), c(1024 * 1024);
    buffer<double> da(doubles(n * n)), db(doubles(n * n)), dc(n * n);
    buffer<half> ha(halves(n * n)), hb(halves(n * n));
    points("product_naive", 8, product_naive, tiles, tile, n, a.at, b.at, c.at);
    points("product_tiled", 8, product_tiled, tiles, tile, n, a.at, b.at, c.at);
    points("product_double", 4, product_double, tiles, tile, n, da.at, db.at,
           dc.at);
    points("product_registers", 4, product_registers, dim3(12, 12), 256, 768,
           a.at, b.at, c.at);
    point("product_registers-1024", 0, product_registers, dim3(16, 16), 256,
          1024, a.at, b.at, c.at);
    points("product_tensor", 8, product_tensor, dim3(n / 64, n / 16), 128, n,
           ha.at, hb.at, c.at);
    points("matrix_vector", 8, matrix_vector, 4096 / 8, 256, 4096, 1024, a.at,
           b.at, c.at);
}
