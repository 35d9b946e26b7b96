/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Classic kernels as a whole: cycles of the SM that is busy the longest, by its
 * own counter, and nanoseconds by events. */
#include "micro.cuh"

#define TILE 16

__global__ void vector_add(stamp *s, float *c, const float *a, const float *b,
                           int n)
{
    stamp_start(&s[blockIdx.x]);
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
        c[i] = a[i] + b[i];
    stamp_end(&s[blockIdx.x]);
}

__global__ void matmul(stamp *s, float *c, const float *a, const float *b,
                       int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    stamp *mine = &s[blockIdx.y * gridDim.x + blockIdx.x];
    stamp_start(mine);
    int y = (int)(blockIdx.y * TILE + threadIdx.y);
    int x = (int)(blockIdx.x * TILE + threadIdx.x);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t + (int)threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + (int)threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
    stamp_end(mine);
}

/* Through a tile that is a word wider than a row, so that columns do not
 * conflict. */
__global__ void transpose(stamp *s, float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    stamp *mine = &s[blockIdx.y * gridDim.x + blockIdx.x];
    stamp_start(mine);
    unsigned x = blockIdx.x * TILE + threadIdx.x;
    unsigned y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * (unsigned)n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    out[y * (unsigned)n + x] = tile[threadIdx.x][threadIdx.y];
    stamp_end(mine);
}

/* The sum of each block's 2 x 256 elements, by halves. */
__global__ void reduce(stamp *s, float *out, const float *in)
{
    __shared__ float part[256];
    stamp_start(&s[blockIdx.x]);
    unsigned i = blockIdx.x * 512 + threadIdx.x;
    part[threadIdx.x] = in[i] + in[i + 256];
    __syncthreads();
    for (unsigned half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
    stamp_end(&s[blockIdx.x]);
}

/* The last of the runs gives the cycles, the fastest the time. */
template <class F>
static void measure(const struct machine *m, const char *name, int warps,
                    double size, const buffer<stamp> &s, F launch)
{
    double ms = fastest_ms(5, launch);
    row(m, "kernel", name, warps, size, busiest_sm_cycles(s.download()),
        "cycles");
    row(m, "kernel", name, warps, size, 1e6 * ms, "ns");
}

static void measure_rows(const struct machine *m)
{
    for (int n = 1 << 16; n <= 1 << 24; n *= 16) {
        const int blocks = n / 256;
        buffer<float> a((size_t)n), b((size_t)n), c((size_t)n);
        buffer<stamp> s((size_t)blocks), half((size_t)blocks / 2);
        measure(m, "vector_add", 8, n, s, [&] {
            vector_add<<<blocks, 256>>>(s.at, c.at, a.at, b.at, n);
        });
        measure(m, "reduce", 8, n, half,
                [&] { reduce<<<blocks / 2, 256>>>(half.at, c.at, a.at); });
    }
}

static void measure_squares(const struct machine *m)
{
    const dim3 block(TILE, TILE);
    for (int n = 256; n <= 1024; n *= 2) {
        const dim3 grid(n / TILE, n / TILE);
        const size_t cells = (size_t)n * n;
        buffer<float> a(cells), b(cells), c(cells);
        buffer<stamp> s((size_t)grid.x * grid.y);
        measure(m, "matmul", 8, n, s,
                [&] { matmul<<<grid, block>>>(s.at, c.at, a.at, b.at, n); });
        measure(m, "transpose", 8, n, s,
                [&] { transpose<<<grid, block>>>(s.at, c.at, a.at, n); });
    }
}

void measure_kernels(const struct machine *m)
{
    measure_rows(m);
    measure_squares(m);
}
