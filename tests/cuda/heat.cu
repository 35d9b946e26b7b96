// SPDX-License-Identifier: GPL-3.0-or-later
//
// Heat on a plate: steps of a five-point stencil between two buffers, then the
// sum of all cells, block by block in shared memory. Checked against plain C.
// usage: heat [SIDE [STEPS]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ float weight[2];
__device__ unsigned blocks_done;

__global__ void step(int side, const float *now, float *then)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= side || y >= side)
        return;
    int i = y * side + x;
    bool rim = x == 0 || y == 0 || x == side - 1 || y == side - 1;
    then[i] = rim ? now[i]
                  : weight[0] * now[i] +
                        weight[1] * (now[i - 1] + now[i + 1] + now[i - side] +
                                     now[i + side]);
}

template <int THREADS>
__global__ void sum(int count, const float *cell, double *total)
{
    __shared__ double part[THREADS];
    double mine = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < count;
         i += gridDim.x * THREADS)
        mine += cell[i];
    part[threadIdx.x] = mine;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) {
        total[blockIdx.x] = part[0];
        atomicAdd(&blocks_done, 1);
    }
}

static void check(cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return;
    printf("%s: %s\n", what, cudaGetErrorString(status));
    exit(2);
}
#define CHECK(call) check(call, #call)

int main(int argc, char **argv)
{
    const int side = argc > 1 ? atoi(argv[1]) : 512,
              steps = argc > 2 ? atoi(argv[2]) : 10, count = side * side,
              blocks = 32;
    const float weights[2] = {0.6F, 0.1F};
    std::vector<float> cell(count), next(count), got(count);
    std::vector<double> part(blocks);
    for (int i = 0; i < count; i++)
        cell[i] = next[i] = float(i % 97);

    float *now, *then, ms = 0;
    double *total, sums = 0, expected = 0;
    unsigned done = 0;
    cudaEvent_t from, to;
    CHECK(cudaEventCreate(&from));
    CHECK(cudaEventCreate(&to));
    CHECK(cudaMalloc(&now, count * sizeof(float)));
    CHECK(cudaMalloc(&then, count * sizeof(float)));
    CHECK(cudaMalloc(&total, blocks * sizeof(double)));
    CHECK(cudaMemcpyToSymbol(weight, weights, sizeof(weights)));
    CHECK(cudaMemcpy(now, cell.data(), count * sizeof(float),
                     cudaMemcpyHostToDevice));
    CHECK(cudaEventRecord(from));
    const dim3 block(32, 8), grid((side + 31) / 32, (side + 7) / 8);
    for (int i = 0; i < steps; i++) {
        step<<<grid, block>>>(side, now, then);
        std::swap(now, then);
    }
    CHECK(cudaEventRecord(to));
    sum<256><<<blocks, 256>>>(count, now, total);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got.data(), now, count * sizeof(float),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(part.data(), total, blocks * sizeof(double),
                     cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&done, blocks_done, sizeof(done)));
    CHECK(cudaEventElapsedTime(&ms, from, to));

    for (int s = 0; s < steps; s++) {
        for (int y = 1; y < side - 1; y++)
            for (int x = 1; x < side - 1; x++) {
                int i = y * side + x;
                next[i] = weights[0] * cell[i] +
                          weights[1] * (cell[i - 1] + cell[i + 1] +
                                        cell[i - side] + cell[i + side]);
            }
        std::swap(cell, next);
    }
    int wrong = done != unsigned(blocks) || !(ms > 0);
    for (int i = 0; i < count; i++) {
        wrong += std::fabs(got[i] - cell[i]) > 1e-3F;
        expected += got[i];
    }
    for (double p : part)
        sums += p;
    wrong += std::fabs(sums - expected) > 1e-6 * expected;
    printf("%d steps of %d x %d cells: %s\n", steps, side, side,
           wrong == 0 ? "passed" : "failed");
    return wrong != 0;
}
