/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains of dependent instructions, a class each, by 1 to 32 warps of one SM:
 * with one warp the distance of dependent instructions, with many the interval
 * at which the SM starts them. */
#include "micro.cuh"

#include <algorithm>

#define UNROLL     64
#define ROUNDS     64
#define MOST_WARPS 32

/* Each operation is one step of a chain, written in PTX so that it is the
 * instruction meant; `insts` machine instructions a step. The integer step is
 * of two kinds, since sums of sums are folded into one instruction. */
struct op_int {
    static constexpr const char *name = "int";
    static constexpr int insts = 2;
    typedef int value;
    __device__ static void step(value &x, value a)
    {
        asm volatile("add.s32 %0, %0, %1; xor.b32 %0, %0, %2;"
                     : "+r"(x)
                     : "r"(a), "r"(a >> 1));
    }
};

struct op_imad {
    static constexpr const char *name = "imul";
    static constexpr int insts = 1;
    typedef int value;
    __device__ static void step(value &x, value a)
    {
        asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(a));
    }
};

struct op_fadd {
    static constexpr const char *name = "sp_add";
    static constexpr int insts = 1;
    typedef float value;
    __device__ static void step(value &x, value a)
    {
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(a));
    }
};

struct op_ffma {
    static constexpr const char *name = "sp";
    static constexpr int insts = 1;
    typedef float value;
    __device__ static void step(value &x, value a)
    {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));
    }
};

struct op_mufu {
    static constexpr const char *name = "sfu";
    static constexpr int insts = 1;
    typedef float value;
    __device__ static void step(value &x, value)
    {
        asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    }
};

struct op_dfma {
    static constexpr const char *name = "dp";
    static constexpr int insts = 1;
    typedef double value;
    __device__ static void step(value &x, value a)
    {
        asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(x) : "d"(a));
    }
};

struct op_hfma2 {
    static constexpr const char *name = "half2";
    static constexpr int insts = 1;
    typedef unsigned value; /* two halves */
    __device__ static void step(value &x, value a)
    {
        asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(x) : "r"(a));
    }
};

struct fragment {
    float c[4];
    __device__ fragment &operator=(int v)
    {
        c[0] = c[1] = c[2] = c[3] = (float)v;
        return *this;
    }
};

/* HMMA.16816 with accumulation in single precision; compute capability 8 on. */
struct op_mma {
    static constexpr const char *name = "tensor";
    static constexpr int insts = 1;
    typedef fragment value;
    __device__ static void step(value &x, const value &a)
    {
#if __CUDA_ARCH__ >= 800
        unsigned h = __float_as_uint(a.c[0]);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                     : "+f"(x.c[0]), "+f"(x.c[1]), "+f"(x.c[2]), "+f"(x.c[3])
                     : "r"(h));
#else
        (void)x, (void)a;
#endif
    }
};

__device__ inline float sum_of(const fragment &f)
{
    return f.c[0] + f.c[1] + f.c[2] + f.c[3];
}
template <class T> __device__ inline float sum_of(T v)
{
    return (float)v;
}

/* A stamp a warp; sink keeps the chains alive. */
template <class Op> __global__ void chain(stamp *out, float *sink, int seed)
{
    typename Op::value x, a;
    x = seed + (int)threadIdx.x;
    a = seed;
    __syncthreads();
    long long start = clock64();
#pragma unroll 1
    for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
        for (int i = 0; i < UNROLL; i++)
            Op::step(x, a);
    }
    long long end = clock64();
    sink[threadIdx.x] = sum_of(x);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = {start, end, 0, sm_id()};
}

template <class Op> static void measure(const struct machine *m)
{
    const double insts = (double)ROUNDS * UNROLL * Op::insts;
    buffer<float> sink(32 * MOST_WARPS);
    for (int warps = 1; warps <= MOST_WARPS; warps *= 2) {
        buffer<stamp> out((size_t)warps);
        double best = 0;
        for (int i = 0; i < 4; i++) {
            chain<Op><<<1, 32 * warps>>>(out.at, sink.at, 3);
            CUDA(cudaGetLastError());
            double cycles = busiest_sm_cycles(out.download());
            if (i == 1 || (i > 1 && cycles < best))
                best = cycles; /* the first run fetches the code */
        }
        row(m, "chain", Op::name, warps, 0, best / insts, "cycles/inst/warp");
        row(m, "interval", Op::name, warps, 0, best / insts / warps,
            "cycles/inst/SM");
    }
}

void measure_instructions(const struct machine *m)
{
    measure<op_int>(m);
    measure<op_imad>(m);
    measure<op_fadd>(m);
    measure<op_ffma>(m);
    measure<op_mufu>(m);
    measure<op_dfma>(m);
    measure<op_hfma2>(m);
    if (m->major >= 8)
        measure<op_mma>(m);
}
