/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * y = A x for a sparse matrix in compressed rows: row r has length[r] elements
 * from first[r] on (rows need not touch). One warp a row: its lanes stride over
 * the elements and sum by shuffles. Blocks of whole warps. */
#define LANES 32

extern "C" __global__ void spmv(int rows, const int *first, const int *length,
                                const int *column, const float *value,
                                const float *x, float *y)
{
    int lane = threadIdx.x % LANES;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
    if (row >= rows)
        return;
    int start = first[row], end = start + length[row];
    float sum = 0.0f;
    for (int e = start + lane; e < end; e += LANES)
        sum += value[e] * x[column[e]];
    for (int offset = LANES / 2; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0)
        y[row] = sum;
}
