// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texture reads for tests/test_ptx_examples.c: texels of one row by number, in
// reverse order; an image turned by floating-point coordinates, its texels mixed
// as the texture is set to.
#include <cuda_runtime.h>

extern "C" __global__ void gather(unsigned n, float4 *out,
                                  cudaTextureObject_t table)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = tex1Dfetch<float4>(table, (int)(n - 1 - i));
}

extern "C" __global__ void rotate(unsigned width, unsigned height, float c,
                                  float s, float *out,
                                  cudaTextureObject_t image)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float u = (float)x - (float)width / 2, v = (float)y - (float)height / 2;
    float tu = u * c - v * s + (float)width / 2 + 0.5f;
    float tv = v * c + u * s + (float)height / 2 + 0.5f;
    out[y * width + x] = tex2D<float>(image, tu, tv);
}
