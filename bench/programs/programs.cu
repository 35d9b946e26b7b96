// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kernels as programs of today have them: what is known of the estimates was
// not found out by these. Each is launched once (NAME.launch). The PTX was made
// by nvcc -ptx -O3 -arch=sm_75 of CUDA 13.0, with .target sm_70 for older GPUs.
#include <cuda_fp16.h>
#define G extern "C" __global__
__device__ float wsum(float v)
{
    for (int o = 16; o; o >>= 1)
        v += __shfl_xor_sync(~0u, v, o);
    return v;
}
G void layernorm(int cols, const float4 *in, const float4 *gm, float4 *out)
{
    __shared__ float s[16];
    int row = blockIdx.x;
    const float4 *p = in + (size_t)row * cols / 4;
    float a = 0, b = 0;
    for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) {
        float4 v = p[i];
        a += v.x + v.y + v.z + v.w;
        b += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    a = wsum(a);
    b = wsum(b);
    if ((threadIdx.x & 31) == 0) {
        s[threadIdx.x >> 5] = a;
        s[8 + (threadIdx.x >> 5)] = b;
    }
    __syncthreads();
    a = 0;
    b = 0;
    for (int i = 0; i < 8; i++) {
        a += s[i];
        b += s[8 + i];
    }
    a /= cols;
    float r = rsqrtf(b / cols - a * a + 1e-5f);
    float4 *q = out + (size_t)row * cols / 4;
    for (int i = threadIdx.x; i < cols / 4; i += blockDim.x) {
        float4 v = p[i], g = gm[i];
        v.x = (v.x - a) * r * g.x;
        v.y = (v.y - a) * r * g.y;
        v.z = (v.z - a) * r * g.z;
        v.w = (v.w - a) * r * g.w;
        q[i] = v;
    }
}
G void conv2d(int w, int h, const float *in, const float *wt, float *out)
{
    __shared__ float t[18][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float acc[4] = {0, 0, 0, 0};
    for (int c = 0; c < 8; c++) {
        for (int i = threadIdx.y * 16 + threadIdx.x; i < 324; i += 256) {
            int ty = i / 18, tx = i % 18;
            int gx = blockIdx.x * 16 + tx - 1, gy = blockIdx.y * 16 + ty - 1;
            t[ty][tx] = (gx >= 0 && gy >= 0 && gx < w && gy < h)
                            ? in[((size_t)c * h + gy) * w + gx]
                            : 0;
        }
        __syncthreads();
        for (int k = 0; k < 4; k++)
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    acc[k] += t[threadIdx.y + dy][threadIdx.x + dx] *
                              wt[((k * 8 + c) * 3 + dy) * 3 + dx];
        __syncthreads();
    }
    if (x < w && y < h)
        for (int k = 0; k < 4; k++)
            out[((size_t)k * h + y) * w + x] = acc[k];
}
G void __launch_bounds__(256)
    sgemm(int n, const float *A, const float *B, float *C)
{
    __shared__ float a[8][64], b[8][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, t = threadIdx.x;
    float c[4][4] = {};
    const float *pa = A + (size_t)blockIdx.y * 64 * n,
                *pb = B + blockIdx.x * 64;
    for (int k = 0; k < n; k += 8) {
        for (int i = t; i < 512; i += 256) {
            a[i % 8][i / 8] = pa[(size_t)(i / 8) * n + k + i % 8];
            b[i / 64][i % 64] = pb[(size_t)(k + i / 64) * n + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 8; kk++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = a[kk][ty * 4 + i];
                y[i] = b[kk][tx * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    c[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[(size_t)(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 +
              tx * 4 + j] = c[i][j];
}
G void attention(int n, const float *Q, const float *K, const float *V,
                 float *O)
{
    __shared__ float k[32][33], v[32][33];
    int t = threadIdx.x, q = blockIdx.x * 128 + t;
    float qr[32], o[32], m = -1e30f, l = 0;
    size_t base = (size_t)blockIdx.y * n * 32;
    for (int i = 0; i < 32; i++) {
        qr[i] = Q[base + (size_t)q * 32 + i];
        o[i] = 0;
    }
    for (int j = 0; j < n; j += 32) {
        for (int i = t; i < 1024; i += 128) {
            k[i / 32][i % 32] = K[base + (size_t)(j + i / 32) * 32 + i % 32];
            v[i / 32][i % 32] = V[base + (size_t)(j + i / 32) * 32 + i % 32];
        }
        __syncthreads();
        for (int r = 0; r < 32; r++) {
            float s = 0;
#pragma unroll
            for (int i = 0; i < 32; i++)
                s += qr[i] * k[r][i];
            float mn = fmaxf(m, s), e = __expf(s - mn), f = __expf(m - mn);
            l = l * f + e;
            m = mn;
#pragma unroll
            for (int i = 0; i < 32; i++)
                o[i] = o[i] * f + e * v[r][i];
        }
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        O[base + (size_t)q * 32 + i] = o[i] / l;
}
G void nbody(int n, const float4 *p, float4 *f)
{
    __shared__ float4 s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j += 256) {
        s[threadIdx.x] = p[j + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < 256; k++) {
            float dx = s[k].x - me.x, dy = s[k].y - me.y, dz = s[k].z - me.z;
            float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float w = s[k].w * r * r * r;
            ax += dx * w;
            ay += dy * w;
            az += dz * w;
        }
        __syncthreads();
    }
    f[i] = make_float4(ax, ay, az, 0);
}
G void fft(const float2 *in, float2 *out)
{
    __shared__ float2 s[1024];
    int t = threadIdx.x;
    const float2 *p = in + (size_t)blockIdx.x * 1024;
    for (int i = t; i < 1024; i += 256)
        s[__brev(i) >> 22] = p[i];
    __syncthreads();
    for (int h = 1; h < 1024; h *= 2) {
        for (int i = t; i < 512; i += 256) {
            int g = i / h, j = i % h, a = g * 2 * h + j, b = a + h;
            float sn, cs;
            __sincosf(-3.14159265f * j / h, &sn, &cs);
            float2 x = s[a], y = s[b];
            float2 w = make_float2(y.x * cs - y.y * sn, y.x * sn + y.y * cs);
            s[a] = make_float2(x.x + w.x, x.y + w.y);
            s[b] = make_float2(x.x - w.x, x.y - w.y);
        }
        __syncthreads();
    }
    for (int i = t; i < 1024; i += 256)
        out[(size_t)blockIdx.x * 1024 + i] = s[i];
}
G void ell(int rows, int width, const int *col, const float *val,
           const float *x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float s = 0;
    for (int k = 0; k < width; k++)
        s += val[(size_t)k * rows + r] * x[col[(size_t)k * rows + r]];
    y[r] = s;
}
G void scatter(int n, const unsigned *key, const unsigned *pos, unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[pos[i]] = key[i];
}
G void probe(int n, unsigned mask, const unsigned *key, const unsigned *table,
             unsigned *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned k = key[i], h = (k * 2654435761u) & mask, steps = 0;
    while (steps < 16 && (table[h] & 7) != (k & 7)) {
        h = (h + 1) & mask;
        steps++;
    }
    out[i] = h;
}
G void jacobi3d(int nx, int ny, int nz, const float *in, float *out)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    size_t pl = (size_t)nx * ny, at = (size_t)y * nx + x;
    float below = in[at], mid = in[at + pl];
    for (int z = 1; z < nz - 1; z++) {
        at += pl;
        float up = in[at + pl];
        out[at] = .1f * (below + up + in[at - 1] + in[at + 1] + in[at - nx] +
                         in[at + nx]) +
                  .4f * mid;
        below = mid;
        mid = up;
    }
}
G void mandel(int w, int h, int most, int *out)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float cx = -2 + 3.f * x / w, cy = -1.5f + 3.f * y / h, a = 0, b = 0;
    int n = 0;
    while (n < most && a * a + b * b < 4) {
        float t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
        n++;
    }
    out[(size_t)y * w + x] = n;
}
G void bitonic(const int *in, int *out)
{
    __shared__ int s[1024];
    int t = threadIdx.x;
    size_t base = (size_t)blockIdx.x * 1024;
    s[t] = in[base + t];
    s[t + 512] = in[base + t + 512];
    for (int k = 2; k <= 1024; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (j - 1));
            int l = i + j;
            bool up = (i & k) == 0;
            int a = s[i], b = s[l];
            if ((a > b) == up) {
                s[i] = b;
                s[l] = a;
            }
        }
    __syncthreads();
    out[base + t] = s[t];
    out[base + t + 512] = s[t + 512];
}
G void colsum(int rows, int cols, const float *in, float *out)
{
    int c = blockIdx.x * 32 + threadIdx.x;
    float s = 0;
    __shared__ float p[8][33];
    for (int r = blockIdx.y * 256 + threadIdx.y;
         r < blockIdx.y * 256 + 256 && r < rows; r += 8)
        s += in[(size_t)r * cols + c];
    p[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0) {
        for (int i = 1; i < 8; i++)
            s += p[i][threadIdx.x];
        atomicAdd(&out[c], s);
    }
}
G void ghist(int n, const unsigned *in, unsigned *bin)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x)
        atomicAdd(&bin[in[i] & 4095], 1);
}
G void gelu(int n, const __half2 *in, const __half2 *bias, __half2 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float2 v = __half22float2(__hadd2(in[i], bias[i & 511]));
    v.x = .5f * v.x * (1 + tanhf(.79788f * (v.x + .0447f * v.x * v.x * v.x)));
    v.y = .5f * v.y * (1 + tanhf(.79788f * (v.y + .0447f * v.y * v.y * v.y)));
    out[i] = __float22half2_rn(v);
}
G void embed(int n, const int *id, const float4 *table, float4 *out)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x & 31;
    if (w < n)
        out[(size_t)w * 32 + l] = table[(size_t)id[w] * 32 + l];
}
G void thomas(int systems, int n, const float *a, const float *b,
              const float *c, const float *d, float *x, float *cp)
{
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems)
        return;
    float m = c[s] / b[s], e = d[s] / b[s];
    cp[s] = m;
    x[s] = e;
    for (int i = 1; i < n; i++) {
        size_t at = (size_t)i * systems + s;
        float r = 1 / (b[at] - a[at] * m);
        m = c[at] * r;
        e = (d[at] - a[at] * e) * r;
        cp[at] = m;
        x[at] = e;
    }
    for (int i = n - 2; i >= 0; i--) {
        size_t at = (size_t)i * systems + s;
        e = x[at] - cp[at] * e;
        x[at] = e;
    }
}
G void gemv(int rows, int cols, const float4 *A, const float4 *x, float *y)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x & 31;
    if (r >= rows)
        return;
    float s = 0;
    for (int i = l; i < cols / 4; i += 32) {
        float4 a = A[(size_t)r * cols / 4 + i], b = x[i];
        s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    s = wsum(s);
    if (l == 0)
        y[r] = s;
}
G void im2col(int n, int c, int h, int w, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % w, y = i / w % h, ch = i / (w * h);
    for (int k = 0; k < 9; k++) {
        int gy = y + k / 3 - 1, gx = x + k % 3 - 1;
        out[(((size_t)ch * 9 + k) * h + y) * w + x] =
            (gx >= 0 && gy >= 0 && gx < w && gy < h)
                ? in[((size_t)ch * h + gy) * w + gx]
                : 0;
    }
}
G void lbm(int w, int h, const float *f, float *g)
{
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y;
    size_t n = (size_t)w * h;
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1},
              cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    float v[9], r = 0, ux = 0, uy = 0;
#pragma unroll
    for (int k = 0; k < 9; k++) {
        int sx = (x - cx[k] + w) % w, sy = (y - cy[k] + h) % h;
        v[k] = f[k * n + (size_t)sy * w + sx];
        r += v[k];
        ux += cx[k] * v[k];
        uy += cy[k] * v[k];
    }
    ux /= r;
    uy /= r;
    float u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
    for (int k = 0; k < 9; k++) {
        float cu = 3 * (cx[k] * ux + cy[k] * uy);
        float wt = k == 0 ? 4.f / 9 : k < 5 ? 1.f / 9 : 1.f / 36;
        g[k * n + (size_t)y * w + x] =
            v[k] - .6f * (v[k] - wt * r * (1 + cu + .5f * cu * cu - u2));
    }
}
G void blackscholes(int n, const float *S, const float *X, const float *T,
                    float *C, float *P)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += gridDim.x * blockDim.x) {
        float s = S[i], x = X[i], t = T[i], q = sqrtf(t),
              d1 = (logf(s / x) + (.02f + .045f) * t) / (.3f * q),
              d2 = d1 - .3f * q;
        float k1 = 1 / (1 + .2316419f * fabsf(d1)),
              k2 = 1 / (1 + .2316419f * fabsf(d2));
        float n1 =
            .39894f * expf(-.5f * d1 * d1) *
            (k1 * (.31938f +
                   k1 * (-.35656f +
                         k1 * (1.78148f + k1 * (-1.82126f + k1 * 1.33027f)))));
        float n2 =
            .39894f * expf(-.5f * d2 * d2) *
            (k2 * (.31938f +
                   k2 * (-.35656f +
                         k2 * (1.78148f + k2 * (-1.82126f + k2 * 1.33027f)))));
        float e = expf(-.02f * t);
        C[i] = s * (1 - n1) - x * e * (1 - n2);
        P[i] = x * e * n2 - s * n1;
    }
}
