/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels whose lanes, warps or blocks have different amounts to do. */
#include "suite.cuh"

#define ITERATIONS 256

__global__ void mandelbrot(int width, int height, int *out)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float cx = -2.2f + 3.2f * px / width, cy = -1.2f + 2.4f * py / height;
    float x = 0, y = 0;
    int i = 0;
    for (; i < ITERATIONS && x * x + y * y < 4.0f; i++) {
        float t = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = t;
    }
    out[py * width + px] = i;
}

/* Lanes loop as often as their own number says. */
__global__ void ragged(int n, const int *trips, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = (float)i;
    for (int r = 0; r < trips[i]; r++)
        x = x * 0.5f + 1.0f;
    out[i] = x;
}

/* Lanes take one of four ways. */
__global__ void ways(int n, const int *way, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float x = (float)i;
    for (int r = 0; r < 32; r++) {
        switch ((way[i] + r) % 4) {
        case 0:
            x = __sinf(x);
            break;
        case 1:
            x = x * 1.5f + 2.0f;
            break;
        case 2:
            x = sqrtf(fabsf(x));
            break;
        default:
            x = 1.0f / (x + 3.0f);
        }
    }
    out[i] = x;
}

/* Warps of a block have from one to eight times as much to do, then meet. */
__global__ void uneven_warps(int rounds, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = (float)i;
    for (int r = 0; r < rounds * (1 + (int)threadIdx.x / 32); r++)
        x = x * 0.5f + 1.0f;
    __syncthreads();
    out[i] = x;
}

/* Every 61st block has sixteen times as much to do. */
__global__ void uneven_blocks(int rounds, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int mine = blockIdx.x % 61 == 0 ? 16 * rounds : rounds;
    float x = (float)i;
    for (int r = 0; r < mine; r++)
        x = x * 0.5f + 1.0f;
    out[i] = x;
}

/* A few blocks, each long. */
__global__ void long_blocks(int rounds, const float *in, float *out)
{
    int t = threadIdx.x;
    const float *mine = in + (size_t)blockIdx.x * rounds * blockDim.x;
    float x = 0;
    for (int r = 0; r < rounds; r++)
        x = x * 0.5f + mine[(size_t)r * blockDim.x + t];
    out[blockIdx.x * blockDim.x + t] = x;
}

void launch_divergent()
{
    const int n = 1 << 19;
    buffer<int> image(1024 * 768), trips(integers(n, 1, 64));
    buffer<float> in(reals(1 << 23)), out(1 << 20);
    points("mandelbrot", 8, mandelbrot, dim3(1024 / 32, 768 / 8), dim3(32, 8),
           1024, 768, image.at);
    points("ragged", 8, ragged, n / 256, 256, n, trips.at, out.at);
    point("ways", 0, ways, n / 4 / 256, 256, n / 4, trips.at, out.at);
    points("uneven_warps", 8, uneven_warps, 2112, 256, 32, out.at);
    point("uneven_blocks", 0, uneven_blocks, 4096, 128, 64, out.at);
    point("long_blocks", 0, long_blocks, 66, 256, 400, in.at, out.at);
}
