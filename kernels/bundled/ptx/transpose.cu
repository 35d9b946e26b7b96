/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * out = in transposed, for a row-major matrix of any width and height. A tile
 * goes through shared memory so that reads and writes are both by rows; its
 * rows are one word longer than the tile, so that a column lies in 32 different
 * banks. Blocks of TILE x ROWS, each thread moves TILE / ROWS elements. */
#define TILE 32
#define ROWS 8

extern "C" __global__ void transpose(int width, int height, const float *in,
                                     float *out)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < width && y + r < height)
            tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int r = 0; r < TILE; r += ROWS)
        if (x < height && y + r < width)
            out[(y + r) * height + x] = tile[threadIdx.x][threadIdx.y + r];
}
