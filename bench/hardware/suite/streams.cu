/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose addresses follow from the thread: streams, strides, transposes,
 * stencils, rows. */
#include "suite.cuh"

#define SIDE 32
#define ROWS 8

__global__ void add(int n, const float *a, const float *b, float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void add4(int n, const float4 *a, const float4 *b, float4 *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 x = a[i], y = b[i];
        c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
    }
}

/* Lanes read elements that lie Stride apart. */
template <int Stride>
__global__ void strided(int n, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[(size_t)i * Stride];
}

__global__ void transpose_naive(int n, const float *in, float *out)
{
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    for (int r = 0; r < SIDE; r += ROWS)
        out[(size_t)x * n + y + r] = in[(size_t)(y + r) * n + x];
}

__global__ void transpose_tiled(int n, const float *in, float *out)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    for (int r = 0; r < SIDE; r += ROWS)
        tile[threadIdx.y + r][threadIdx.x] = in[(size_t)(y + r) * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int r = 0; r < SIDE; r += ROWS)
        out[(size_t)(y + r) * n + x] = tile[threadIdx.x][threadIdx.y + r];
}

__global__ void stencil5(int nx, int ny, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int i = y * nx + x;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] -
                             4.0f * in[i]);
}

/* Planes along z are kept in registers; seven points. */
__global__ void stencil7(int n, const float *in, float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    int plane = n * n, i = plane + y * n + x;
    float below = in[i - plane], here = in[i];
    for (int z = 1; z < n - 1; z++, i += plane) {
        float above = in[i + plane];
        out[i] = 0.4f * here + 0.1f * (below + above + in[i - 1] + in[i + 1] +
                                       in[i - n] + in[i + n]);
        below = here;
        here = above;
    }
}

/* One thread a row of a row-major matrix: lanes a whole row apart. */
__global__ void row_sums(int rows, int columns, const float *in, float *out)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (r >= rows)
        return;
    for (int c = 0; c < columns; c++)
        sum += in[(size_t)r * columns + c];
    out[r] = sum;
}

/* One thread a column: lanes side by side. */
__global__ void column_sums(int rows, int columns, const float *in, float *out)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (c >= columns)
        return;
    for (int r = 0; r < rows; r++)
        sum += in[(size_t)r * columns + c];
    out[c] = sum;
}

void launch_streams()
{
    const int n = 1 << 22, side = 2048;
    buffer<float> a(reals((size_t)n)), b(reals((size_t)n)), c((size_t)n);
    buffer<float> wide(reals(32u * (n / 4)));
    points("add", 8, add, n / 256, 256, n, a.at, b.at, c.at);
    point("add-64", 0, add, n / 64, 64, n, a.at, b.at, c.at);
    point("add-1024", 0, add, n / 1024, 1024, n, a.at, b.at, c.at);
    point("add-small", 0, add, 512, 256, 131072, a.at, b.at, c.at);
    point("add4", 0, add4, n / 1024, 256, n / 4, (const float4 *)a.at,
          (const float4 *)b.at, (float4 *)c.at);
    point("strided-2", 0, strided<2>, n / 1024, 256, n / 4, wide.at, c.at);
    point("strided-8", 0, strided<8>, n / 1024, 256, n / 4, wide.at, c.at);
    point("strided-32", 0, strided<32>, n / 1024, 256, n / 4, wide.at, c.at);
    point("transpose_naive", 0, transpose_naive, dim3(side / SIDE, side / SIDE),
          dim3(SIDE, ROWS), side, a.at, c.at);
    points("transpose_tiled", 8, transpose_tiled,
           dim3(side / SIDE, side / SIDE), dim3(SIDE, ROWS), side, a.at, c.at);
    points("stencil5", 8, stencil5, dim3(side / 32, side / 8), dim3(32, 8),
           side, side, a.at, c.at);
    points("stencil7", 4, stencil7, dim3(160 / 32, 160 / 8), dim3(32, 8), 160,
           a.at, c.at);
    points("row_sums", 8, row_sums, 65536 / 128, 128, 65536, 64, a.at, c.at);
    point("column_sums", 0, column_sums, 16384 / 128, 128, 256, 16384, a.at,
          c.at);
}
