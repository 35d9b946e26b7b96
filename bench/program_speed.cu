// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps of a five-point stencil between two buffers and nothing else, each of
// which finds other contents than those before it.
// usage: program_speed SIDE STEPS
#include <cstdlib>
#include <utility>

__global__ void step(int side, const float *now, float *then)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int i = y * (side + 2) + x;
    if (x <= side && y <= side)
        then[i] = 0.6F * now[i] +
                  0.1F * (now[i - 1] + now[i + 1] + now[i - side - 2] +
                          now[i + side + 2]) +
                  1;
}

int main(int argc, char **argv)
{
    const int side = argc > 2 ? atoi(argv[1]) : 32,
              steps = argc > 2 ? atoi(argv[2]) : 1;
    const size_t bytes = sizeof(float) * (side + 2) * (side + 2);
    const dim3 block(32, 8), grid((side + 31) / 32, (side + 7) / 8);
    float *now, *then;
    cudaMalloc(&now, bytes);
    cudaMalloc(&then, bytes);
    cudaMemset(now, 0, bytes);
    cudaMemset(then, 0, bytes);
    for (int i = 0; i < steps; i++) {
        step<<<grid, block>>>(side, now, then);
        std::swap(now, then);
    }
    return cudaDeviceSynchronize() != cudaSuccess;
}
