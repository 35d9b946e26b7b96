/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One Jacobi step of the heat equation on a grid of nx x ny points: the 5-point
 * stencil inside, the border kept. Steps alternate between two buffers. */
extern "C" __global__ void stencil(int nx, int ny, float rate, const float *in,
                                   float *out)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= nx || y >= ny)
        return;
    int i = y * nx + x;
    float here = in[i];
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        here += rate *
                (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] - 4.0f * here);
    out[i] = here;
}
