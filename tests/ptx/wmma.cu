// SPDX-License-Identifier: GPL-3.0-or-later
//
// A matrix product by tiles of 16 x 16 for tests/test_ptx_examples.c, a warp a
// tile: C = A B, A by rows, B by columns or by rows.
#include <mma.h>

using namespace nvcuda;

template <typename Layout, bool by_columns>
static __device__ void product(unsigned n, const half *a, const half *b,
                               float *c)
{
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, Layout> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    unsigned row = 16 * blockIdx.y, column = 16 * blockIdx.x;
    wmma::fill_fragment(fc, 0.0f);
    for (unsigned k = 0; k < n; k += 16) {
        wmma::load_matrix_sync(fa, a + row * n + k, n);
        wmma::load_matrix_sync(
            fb, by_columns ? b + column * n + k : b + k * n + column, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + row * n + column, fc, n, wmma::mem_row_major);
}

extern "C" __global__ void by_columns(unsigned n, const half *a, const half *b,
                                      float *c)
{
    product<wmma::col_major, true>(n, a, b, c);
}

extern "C" __global__ void by_rows(unsigned n, const half *a, const half *b,
                                   float *c)
{
    product<wmma::row_major, false>(n, a, b, c);
}
