/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels bound by arithmetic: special functions, bodies, hashes, constants,
 * double precision. */
#include "suite.cuh"

#define TAPS   32
#define WAVES  128
#define BODIES 256

__constant__ float taps[TAPS];
__constant__ float4 waves[WAVES];

static __device__ float normal(float x)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(x));
    float p =
        k * (0.31938153f +
             k * (-0.356563782f +
                  k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    p *= 0.39894228f * __expf(-0.5f * x * x);
    return x > 0 ? 1.0f - p : p;
}

__global__ void options(int n, const float *price, const float *strike,
                        float *call, float *put)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = price[i], x = strike[i], years = 2.0f;
    float d1 = (logf(s / x) + 0.065f * years) / (0.3f * sqrtf(years));
    float d2 = d1 - 0.3f * sqrtf(years), later = x * expf(-0.02f * years);
    call[i] = s * normal(d1) - later * normal(d2);
    put[i] = later * normal(-d2) - s * normal(-d1);
}

__global__ void bodies(int n, const float4 *at, float4 *force)
{
    __shared__ float4 tile[BODIES];
    int i = blockIdx.x * BODIES + threadIdx.x;
    float4 me = at[i], f = make_float4(0, 0, 0, 0);
    for (int first = 0; first < n; first += BODIES) {
        tile[threadIdx.x] = at[first + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < BODIES; j++) {
            float4 it = tile[j];
            float x = it.x - me.x, y = it.y - me.y, z = it.z - me.z;
            float r = rsqrtf(x * x + y * y + z * z + 0.01f);
            float s = it.w * r * r * r;
            f.x += x * s;
            f.y += y * s;
            f.z += z * s;
        }
        __syncthreads();
    }
    force[i] = f;
}

__global__ void hash(int n, int rounds, unsigned *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h = data[i];
    for (int r = 0; r < rounds; r++) {
        h ^= h >> 16;
        h *= 0x85ebca6bu;
        h ^= h >> 13;
        h *= 0xc2b2ae35u;
        h ^= h >> 16;
        h = (h << 7 | h >> 25) + (unsigned)r;
    }
    data[i] = h;
}

__global__ void convolve(int n, const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + TAPS > n)
        return;
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += taps[k] * in[i + k];
    out[i] = sum;
}

/* Sums of sines and cosines of which a table of constants tells. */
__global__ void resonance(int n, const float *x, const float *y, float *re,
                          float *im)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float a = 0, b = 0;
    for (int k = 0; k < WAVES; k++) {
        float angle = waves[k].x * x[i] + waves[k].y * y[i];
        a += waves[k].z * __cosf(angle);
        b += waves[k].z * __sinf(angle);
    }
    re[i] = a;
    im[i] = b;
}

__global__ void polynomial(int n, int rounds, double *data)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double x = data[i], y = 0;
    for (int r = 0; r < rounds; r++)
        y = y * x + 0.5;
    data[i] = y;
}

/* `Chains` independent chains of multiply-adds a thread. */
template <int Chains> __global__ void chains(int rounds, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[Chains], a = (float)i * 1e-6f;
#pragma unroll
    for (int c = 0; c < Chains; c++)
        x[c] = (float)(i + c);
    for (int r = 0; r < rounds; r++) {
#pragma unroll
        for (int c = 0; c < Chains; c++)
            x[c] = x[c] * a + 0.5f;
    }
    float sum = 0;
#pragma unroll
    for (int c = 0; c < Chains; c++)
        sum += x[c];
    out[i] = sum;
}

void launch_arithmetic()
{
    const int n = 1 << 20;
    buffer<float> a(reals(n, 1, 100)), b(reals(n, 1, 100)), c(n), d(n);
    buffer<unsigned> words(n);
    buffer<double> doubles(n);
    std::vector<float> constants = reals(4 * WAVES);
    CUDA(cudaMemcpyToSymbol(taps, constants.data(), sizeof(taps)));
    CUDA(cudaMemcpyToSymbol(waves, constants.data(), sizeof(waves)));
    points("options", 8, options, n / 256, 256, n, a.at, b.at, c.at, d.at);
    points("bodies", 4, bodies, 8192 / BODIES, BODIES, 8192,
           (const float4 *)a.at, (float4 *)c.at);
    points("hash", 8, hash, n / 4 / 256, 256, n / 4, 64, words.at);
    points("convolve", 8, convolve, n / 256, 256, n, a.at, c.at);
    points("resonance", 8, resonance, 65536 / 128, 128, 65536, a.at, b.at, c.at,
           d.at);
    point("polynomial", 0, polynomial, 65536 / 256, 256, 65536, 128,
          doubles.at);
    points("chains-1", 8, chains<1>, 1056, 128, 512, c.at);
    points("chains-4", 8, chains<4>, 1056, 128, 256, c.at);
}
