// SPDX-License-Identifier: GPL-3.0-or-later
//
// A product of matrices of 16-bit floats on tensor cores, a warp a tile,
// checked against plain C; then the microseconds between the events around it.
#include <cstdio>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

const int side = 64;

__global__ void multiply(const half *a, const half *b, float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    int row = 16 * blockIdx.y, column = 16 * blockIdx.x;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < side; k += 16) {
        wmma::load_matrix_sync(fa, a + row * side + k, side);
        wmma::load_matrix_sync(fb, b + k * side + column, side);
        wmma::mma_sync(sum, fa, fb, sum);
    }
    wmma::store_matrix_sync(c + row * side + column, sum, side,
                            wmma::mem_row_major);
}

int main()
{
    half *a, *b;
    float *c, ms;
    int wrong = 0;
    cudaEvent_t before, after;
    cudaMallocManaged(&a, side * side * sizeof(*a));
    cudaMallocManaged(&b, side * side * sizeof(*b));
    cudaMallocManaged(&c, side * side * sizeof(*c));
    for (int i = 0; i < side * side; i++) {
        a[i] = __float2half((float)(i * 7 % 13 - 6) / 4);
        b[i] = __float2half((float)(i * 5 % 11 - 5) / 8);
    }
    cudaEventCreate(&before);
    cudaEventCreate(&after);
    cudaEventRecord(before);
    multiply<<<dim3(side / 16, side / 16), 32>>>(a, b, c);
    cudaEventRecord(after);
    cudaEventSynchronize(after);
    cudaEventElapsedTime(&ms, before, after);
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            float sum = 0;
            for (int k = 0; k < side; k++)
                sum += __half2float(a[i * side + k]) *
                       __half2float(b[k * side + j]);
            wrong += sum != c[i * side + j];
        }
    printf("us %.3f\n", 1000 * (double)ms);
    puts(wrong == 0 ? "passed" : "failed");
    return wrong != 0;
}
