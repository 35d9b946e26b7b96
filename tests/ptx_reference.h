/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the launches under tests/ptx/ have to compute, in plain C: each function
 * is handed the buffers before and after and fails where they do not agree.
 * Sizes are those of the launch files, which leave blocks, tiles and warps
 * partly empty where the kernel allows it.
 * Integers agree exactly. Floats of n rounded operations may be off by n units
 * of 2^-24 of the sum of the magnitudes that went in (Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2nd ed., Sec. 3.1 and 4.2, to first
 * order and for any order of summation). */
#ifndef TESTS_PTX_REFERENCE_H
#define TESTS_PTX_REFERENCE_H

#include "kernels/ptx/forms/half.h"

#include <check.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define UNIT        0x1p-24
#define BUFFERS_MAX 8

struct image {
    const char *name;
    size_t bytes;
    void *before, *after;
};

struct images {
    struct image of[BUFFERS_MAX];
    size_t count;
};

/* The one of that name and size. */
static const struct image *image(const struct images *all, const char *name,
                                 size_t bytes)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->of[i].name, name) == 0 && all->of[i].bytes == bytes)
            return &all->of[i];
    ck_abort_msg("no buffer %s of %zu bytes", name, bytes);
    return NULL;
}

static const void *before(const struct images *all, const char *name,
                          size_t bytes)
{
    return image(all, name, bytes)->before;
}

static const void *after(const struct images *all, const char *name,
                         size_t bytes)
{
    return image(all, name, bytes)->after;
}

static void close_to(double found, double expected, double tolerance, int at)
{
    ck_assert_msg(fabs(found - expected) <= tolerance,
                  "at %d found %.9g, expected %.9g +- %.2g", at, found,
                  expected, tolerance);
}

/* ---- dense -------------------------------------------------------------- */

#define ADD_N 1000

static void check_vectoradd(const struct images *all)
{
    const float *a = before(all, "a", 4 * ADD_N);
    const float *b = before(all, "b", 4 * ADD_N);
    const float *c = after(all, "c", 4 * ADD_N);
    for (int i = 0; i < ADD_N; i++)
        ck_assert(c[i] == a[i] + b[i]);
}

#define MATMUL_N 48

static void check_matmul(const struct images *all)
{
    const float *a = before(all, "a", 4 * MATMUL_N * MATMUL_N);
    const float *b = before(all, "b", 4 * MATMUL_N * MATMUL_N);
    const float *c = after(all, "c", 4 * MATMUL_N * MATMUL_N);
    for (int i = 0; i < MATMUL_N * MATMUL_N; i++) {
        double sum = 0, magnitude = 0;
        for (int k = 0; k < MATMUL_N; k++) {
            double term = (double)a[i / MATMUL_N * MATMUL_N + k] *
                          b[k * MATMUL_N + i % MATMUL_N];
            sum += term;
            magnitude += fabs(term);
        }
        close_to(c[i], sum, 2 * MATMUL_N * UNIT * magnitude, i);
    }
}

#define TRANSPOSE_W 70
#define TRANSPOSE_H 45

static void check_transpose(const struct images *all)
{
    const float *in = before(all, "in", 4 * TRANSPOSE_W * TRANSPOSE_H);
    const float *out = after(all, "out", 4 * TRANSPOSE_W * TRANSPOSE_H);
    for (int y = 0; y < TRANSPOSE_H; y++)
        for (int x = 0; x < TRANSPOSE_W; x++)
            ck_assert(out[x * TRANSPOSE_H + y] == in[y * TRANSPOSE_W + x]);
}

#define STENCIL_W     50
#define STENCIL_H     37
#define STENCIL_STEPS 4
#define STENCIL_RATE  0.2f

static void stencil_step(const double *in, double *out)
{
    for (int y = 0; y < STENCIL_H; y++)
        for (int x = 0; x < STENCIL_W; x++) {
            const double *p = &in[y * STENCIL_W + x];
            bool inside =
                x > 0 && x < STENCIL_W - 1 && y > 0 && y < STENCIL_H - 1;
            double change =
                inside ? p[-1] + p[1] + p[-STENCIL_W] + p[STENCIL_W] - 4 * p[0]
                       : 0;
            out[y * STENCIL_W + x] = p[0] + (double)STENCIL_RATE * change;
        }
}

/* Six rounded operations a step on at most eight times the greatest value,
 * 100; at this rate a step does not enlarge an earlier one's error. */
static void check_stencil(const struct images *all)
{
    static double grid[2][STENCIL_W * STENCIL_H];
    const float *in = before(all, "now", 4 * STENCIL_W * STENCIL_H);
    const float *out = after(all, "now", 4 * STENCIL_W * STENCIL_H);
    for (int i = 0; i < STENCIL_W * STENCIL_H; i++)
        grid[0][i] = (double)in[i];
    for (int s = 0; s < STENCIL_STEPS; s++)
        stencil_step(grid[s % 2], grid[(s + 1) % 2]);
    double tolerance = STENCIL_STEPS * 6 * 800 * UNIT;
    for (int i = 0; i < STENCIL_W * STENCIL_H; i++)
        close_to(out[i], grid[STENCIL_STEPS % 2][i], tolerance, i);
}

#define WMMA_N 48

static void close_product(const uint16_t *a, const uint16_t *b, int step,
                          int next, const float *found)
{
    for (int row = 0; row < WMMA_N; row++) {
        for (int column = 0; column < WMMA_N; column++) {
            double sum = 0, magnitude = 0;
            for (int k = 0; k < WMMA_N; k++) {
                double x = half_to_double(a[row * WMMA_N + k]);
                double y = half_to_double(b[column * next + k * step]);
                sum += x * y;
                magnitude += fabs(x * y);
            }
            int at = row * WMMA_N + column;
            close_to(found[at], sum, WMMA_N * UNIT * magnitude, at);
        }
    }
}

/* B by columns, and the same numbers taken for a B by rows. */
static void check_wmma(const struct images *all)
{
    const size_t size = sizeof(float) * WMMA_N * WMMA_N;
    const uint16_t *a = before(all, "a", size / 2);
    const uint16_t *b = before(all, "b", size / 2);
    close_product(a, b, 1, WMMA_N, after(all, "columns", size));
    close_product(a, b, WMMA_N, 1, after(all, "rows", size));
}

#define TILE_ROWS    16
#define TILE_COLUMNS 8
#define TILE_K       32

static double of_bf16(uint16_t x)
{
    uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof(value));
    return (double)value;
}

/* Words of the first eight lanes' quarters and of 24 times 1 and 2, by halves
 * put together anew, and all added up. */
static uint32_t tile_sum(const uint16_t *a)
{
    uint32_t sum = 24 * (1 | 2U << 16);
    for (int lane = 0; lane < 8; lane++) {
        const uint16_t *h = a + (size_t)lane * 8;
        sum += (h[0] | (uint32_t)h[2] << 16) + (h[1] | (uint32_t)h[3] << 16);
    }
    return sum;
}

/* The result is a bf16, 8 bits: half a unit of the last is 2^-8 of it. */
static void check_tile(const struct images *all)
{
    const uint16_t *a = before(all, "a", 2 * TILE_ROWS * TILE_K);
    const uint16_t *b = before(all, "b", 2 * TILE_COLUMNS * TILE_K);
    const uint16_t *c = after(all, "c", 260);
    uint32_t sum;
    for (int i = 0; i < TILE_ROWS * TILE_COLUMNS; i++) {
        double expected = 0, size = 0;
        for (int k = 0; k < TILE_K; k++) {
            double product = of_bf16(a[i / TILE_COLUMNS * TILE_K + k]) *
                             of_bf16(b[i % TILE_COLUMNS * TILE_K + k]);
            expected += product;
            size += fabs(product);
        }
        ck_assert_double_eq_tol(of_bf16(c[i]), expected,
                                fabs(expected) / 256 + TILE_K * UNIT * size);
    }
    memcpy(&sum, c + TILE_ROWS * TILE_COLUMNS, sizeof(sum));
    ck_assert_uint_eq(sum, tile_sum(a));
}

#define SOFTMAX_ROWS    5
#define SOFTMAX_COLUMNS 300

/* Relative to the result, in units of 2^-24: expf, once above and once below
 * the line, is at most 2 units in the last place from the rounded result (CUDA
 * C++ Programming Guide, table of single-precision functions), so 2.5 from the
 * true one (2.32 was found: N. Juffa, "A more accurate, performance-competitive
 * implementation of expf()", NVIDIA developer forum), and the difference it is
 * taken of, at most 16, is rounded too; the sum; the quotient. */
static void check_softmax(const struct images *all)
{
    const float *in = before(all, "in", 4 * SOFTMAX_ROWS * SOFTMAX_COLUMNS);
    const float *out = after(all, "out", 4 * SOFTMAX_ROWS * SOFTMAX_COLUMNS);
    double tolerance = (2 * (5 + 16) + SOFTMAX_COLUMNS + 1) * UNIT;
    for (int r = 0; r < SOFTMAX_ROWS; r++) {
        double sum = 0;
        for (int c = 0; c < SOFTMAX_COLUMNS; c++)
            sum += exp((double)in[c]);
        for (int c = 0; c < SOFTMAX_COLUMNS; c++) {
            double expected = exp((double)in[c]) / sum;
            close_to(out[c], expected, tolerance * expected, c);
        }
        in += SOFTMAX_COLUMNS;
        out += SOFTMAX_COLUMNS;
    }
}

/* ---- what clang made ---------------------------------------------------- */

#define SUMS_BLOCKS 8
#define SUMS_BLOCK  128
#define SUMS_N      1000

/* Kinds from 1 on, a factor of 2.5; see tests/ptx/clang.cu. */
static void check_clang(const struct images *all)
{
    const float *in = before(all, "in", 4 * SUMS_N);
    const float *out = after(all, "out", 4 * SUMS_BLOCKS);
    for (int b = 0; b < SUMS_BLOCKS; b++) {
        double sum = 0;
        for (int i = b * SUMS_BLOCK; i < (b + 1) * SUMS_BLOCK && i < SUMS_N;
             i++)
            sum += (double)in[i];
        double result = sum * 2.5;
        int kind = (1 + b) % 6;
        result = kind == 0   ? result + 1
                 : kind == 1 ? result - 2
                 : kind == 2 ? result * (b % 4 + 1)
                 : kind == 3 ? -result
                 : kind == 4 ? result / 4
                             : result;
        close_to(out[b], result, 10 * SUMS_BLOCK * sum * UNIT, b);
    }
}

/* ---- textures ----------------------------------------------------------- */

#define TABLE_N      300
#define IMAGE_WIDTH  50
#define IMAGE_HEIGHT 30

static double texel_of(const float *image, double x, double y)
{
    int column = (int)fmin(fmax(x, 0), IMAGE_WIDTH - 1);
    int row = (int)fmin(fmax(y, 0), IMAGE_HEIGHT - 1);
    return (double)image[row * IMAGE_WIDTH + column];
}

/* CUDA C++ Programming Guide, "Linear Filtering"; 8 bits behind the point. */
static double mixed_texel(const float *image, double x, double y)
{
    double i = floor(x - 0.5), j = floor(y - 0.5);
    double a = round((x - 0.5 - i) * 256) / 256;
    double b = round((y - 0.5 - j) * 256) / 256;
    return (1 - a) * (1 - b) * texel_of(image, i, j) +
           a * (1 - b) * texel_of(image, i + 1, j) +
           (1 - a) * b * texel_of(image, i, j + 1) +
           a * b * texel_of(image, i + 1, j + 1);
}

/* A turn by a cosine of 0.8 and a sine of 0.6 ends 0.1 or more away from where
 * one texel becomes the next: what rounding does to coordinates is not seen. */
static void check_texture(const struct images *all)
{
    const float *table = before(all, "table", 16 * TABLE_N);
    const float *reversed = after(all, "reversed", 16 * TABLE_N);
    const size_t size = sizeof(float) * IMAGE_WIDTH * IMAGE_HEIGHT;
    const float *image = before(all, "image", size);
    const float *plain = before(all, "plain", size);
    const float *mixed = after(all, "mixed", size);
    const float *nearest = after(all, "nearest", size);
    for (int i = 0; i < TABLE_N; i++)
        for (int c = 0; c < 4; c++)
            ck_assert(reversed[4 * i + c] == table[4 * (TABLE_N - 1 - i) + c]);
    for (int y = 0; y < IMAGE_HEIGHT; y++) {
        for (int x = 0; x < IMAGE_WIDTH; x++) {
            int at = y * IMAGE_WIDTH + x;
            double u = x - IMAGE_WIDTH / 2, v = y - IMAGE_HEIGHT / 2;
            double tu = 0.8 * u - 0.6 * v + IMAGE_WIDTH / 2 + 0.5;
            double tv = 0.8 * v + 0.6 * u + IMAGE_HEIGHT / 2 + 0.5;
            close_to(nearest[at], texel_of(plain, floor(tu), floor(tv)), 0, at);
            close_to(mixed[at], mixed_texel(image, tu, tv), 100 * UNIT, at);
        }
    }
}

/* A copy, word by word one more and then byte by byte as it was; the row below
 * the last, which is the last, over the first. */
static void check_surface(const struct images *all)
{
    const float *was = before(all, "folded", 4 * 20 * 5);
    const float *is = after(all, "folded", 4 * 20 * 5);
    ck_assert_mem_eq(before(all, "from", 4 * 20 * 6),
                     after(all, "to", 4 * 20 * 6), 4 * 20 * 6);
    ck_assert_mem_eq(is, was + 4 * 20, 4 * 20);
    ck_assert_mem_eq(is + 20, was + 20, 4 * 20 * 4);
}

/* ---- sums and counts ---------------------------------------------------- */

#define REDUCTION_N 5000

static void check_reduction(const struct images *all)
{
    const float *in = before(all, "in", 4 * REDUCTION_N);
    const float *result = after(all, "sum", 4);
    double sum = 0, magnitude = 0;
    for (int i = 0; i < REDUCTION_N; i++) {
        sum += (double)in[i];
        magnitude += fabs((double)in[i]);
    }
    close_to(result[0], sum, REDUCTION_N * UNIT * magnitude, 0);
}

#define SCAN_N 1300

static void check_scan(const struct images *all)
{
    const uint32_t *in = before(all, "in", 4 * SCAN_N);
    const uint32_t *out = after(all, "out", 4 * SCAN_N);
    const uint32_t *total = after(all, "total", 4);
    uint32_t sum = 0;
    for (int i = 0; i < SCAN_N; sum += in[i++])
        ck_assert_uint_eq(out[i], sum);
    ck_assert_uint_eq(total[0], sum);
}

#define HISTOGRAM_N 6000

static void check_histogram(const struct images *all)
{
    const unsigned char *in = before(all, "in", HISTOGRAM_N);
    const uint32_t *counts = after(all, "counts", 4 * 256);
    uint32_t expected[256] = {0};
    for (int i = 0; i < HISTOGRAM_N; i++)
        expected[in[i]]++;
    for (int b = 0; b < 256; b++)
        ck_assert_uint_eq(counts[b], expected[b]);
}

/* ---- irregular ---------------------------------------------------------- */

#define SPMV_ROWS 100
#define SPMV_SLOT 80

static void check_spmv(const struct images *all)
{
    const int32_t *length = before(all, "length", 4 * SPMV_ROWS);
    const int32_t *column = before(all, "column", 4 * SPMV_ROWS * SPMV_SLOT);
    const float *value = before(all, "value", 4 * SPMV_ROWS * SPMV_SLOT);
    const float *x = before(all, "x", 4 * SPMV_ROWS);
    const float *y = after(all, "y", 4 * SPMV_ROWS);
    for (int r = 0; r < SPMV_ROWS; r++) {
        double sum = 0, magnitude = 0;
        for (int e = r * SPMV_SLOT; e < r * SPMV_SLOT + length[r]; e++) {
            double term = (double)value[e] * x[column[e]];
            sum += term;
            magnitude += fabs(term);
        }
        close_to(y[r], sum, (length[r] + 6) * UNIT * magnitude, r);
    }
}

#define BFS_N      600
#define BFS_SLOT   4
#define BFS_SOURCE 7
#define BFS_LEVELS 6

/* By a queue; vertices beyond the last level launched stay at -1. */
static void check_bfs(const struct images *all)
{
    const int32_t *degree = before(all, "degree", 4 * BFS_N);
    const int32_t *edges = before(all, "edges", 4 * BFS_N * BFS_SLOT);
    const int32_t *found = after(all, "level", 4 * BFS_N);
    int queue[BFS_N], level[BFS_N], last = 0;
    for (int v = 0; v < BFS_N; v++)
        level[v] = v == BFS_SOURCE ? 0 : -1;
    queue[last++] = BFS_SOURCE;
    for (int i = 0; i < last; i++) {
        int v = queue[i];
        for (int e = v * BFS_SLOT; e < v * BFS_SLOT + degree[v]; e++)
            if (level[edges[e]] < 0 && level[v] < BFS_LEVELS) {
                level[edges[e]] = level[v] + 1;
                queue[last++] = edges[e];
            }
    }
    ck_assert_int_gt(last, BFS_N / 8);
    for (int v = 0; v < BFS_N; v++)
        ck_assert_int_eq(found[v], level[v]);
}

#define KMEANS_N     700
#define KMEANS_K     5
#define KMEANS_D     4
#define KMEANS_TURNS 2

struct kmeans {
    double centre[KMEANS_K][KMEANS_D];
    int nearest[KMEANS_N];
};

static double kmeans_distance(const struct kmeans *m, const float *points,
                              int i, int c)
{
    double sum = 0;
    for (int d = 0; d < KMEANS_D; d++) {
        double gap = (double)points[d * KMEANS_N + i] - m->centre[c][d];
        sum += gap * gap;
    }
    return sum;
}

/* Coordinates are at most 1, so distances are at most KMEANS_D; where two
 * centres are nearer to equal than rounding, `found` decides. */
static void kmeans_assign(struct kmeans *m, const float *points,
                          const int32_t *found)
{
    for (int i = 0; i < KMEANS_N; i++) {
        int best = 0;
        for (int c = 1; c < KMEANS_K; c++)
            if (kmeans_distance(m, points, i, c) <
                kmeans_distance(m, points, i, best))
                best = c;
        double slack = 2 * KMEANS_N * UNIT * KMEANS_D;
        if (found != NULL && found[i] >= 0 && found[i] < KMEANS_K &&
            kmeans_distance(m, points, i, found[i]) <=
                kmeans_distance(m, points, i, best) + slack)
            best = found[i];
        m->nearest[i] = best;
    }
}

static void kmeans_move(struct kmeans *m, const float *points)
{
    for (int c = 0; c < KMEANS_K; c++) {
        double sum[KMEANS_D] = {0};
        int count = 0;
        for (int i = 0; i < KMEANS_N; i++) {
            for (int d = 0; d < KMEANS_D && m->nearest[i] == c; d++)
                sum[d] += (double)points[d * KMEANS_N + i];
            count += m->nearest[i] == c;
        }
        for (int d = 0; d < KMEANS_D && count > 0; d++)
            m->centre[c][d] = sum[d] / count;
    }
}

/* Lloyd's iterations; sums of at most KMEANS_N numbers of at most 1. */
static void check_kmeans(const struct images *all)
{
    const float *points = before(all, "points", 4 * KMEANS_N * KMEANS_D);
    const float *first = before(all, "centres", 4 * KMEANS_K * KMEANS_D);
    const float *last = after(all, "centres", 4 * KMEANS_K * KMEANS_D);
    const int32_t *nearest = after(all, "nearest", 4 * KMEANS_N);
    static struct kmeans m;
    for (int c = 0; c < KMEANS_K; c++)
        for (int d = 0; d < KMEANS_D; d++)
            m.centre[c][d] = (double)first[c * KMEANS_D + d];
    for (int turn = 1; turn <= KMEANS_TURNS; turn++) {
        kmeans_assign(&m, points, turn == KMEANS_TURNS ? nearest : NULL);
        kmeans_move(&m, points);
    }
    for (int i = 0; i < KMEANS_N; i++)
        ck_assert_int_eq(nearest[i], m.nearest[i]);
    for (int s = 0; s < KMEANS_K * KMEANS_D; s++)
        close_to(last[s], m.centre[s / KMEANS_D][s % KMEANS_D], KMEANS_N * UNIT,
                 s);
}

#endif
