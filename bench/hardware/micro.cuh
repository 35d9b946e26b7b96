/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the microbenchmarks share: rows of the CSV, blocks that note when and
 * where they ran. */
#ifndef BENCH_HARDWARE_MICRO_CUH
#define BENCH_HARDWARE_MICRO_CUH

#include "device.cuh"

/* The GPU measured; on every row of the CSV. */
struct machine {
    char name[256];
    int major, minor, sms, driver, runtime;
    int l2_bytes, shared_bytes; /* shared: most of one block, opted in */
    double sm_mhz;              /* as measured while busy */
    double memory_mhz;          /* as the driver says */
};

/* One measured figure: suite and name say what was run, warps and size at
 * which point (0: does not apply). */
void row(const struct machine *m, const char *suite, const char *name,
         int warps, double size, double value, const char *unit);

/* When and where a block (or a warp) ran: cycles of its SM's own counter, which
 * compare within an SM only, and the GPU's nanoseconds. */
struct stamp {
    long long start, end;
    unsigned long long start_ns;
    unsigned sm;
};

__device__ inline unsigned sm_id()
{
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

__device__ inline unsigned long long now_ns()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ inline void stamp_start(stamp *s)
{
    if (threadIdx.x + threadIdx.y == 0) {
        s->sm = sm_id();
        s->start_ns = now_ns();
        s->start = clock64();
    }
}

/* All of the block are past what they had to do. */
__device__ inline void stamp_end(stamp *s)
{
    __syncthreads();
    if (threadIdx.x + threadIdx.y == 0)
        s->end = clock64();
}

/* Cycles from the first start to the last end of the SM where that is longest.
 */
double busiest_sm_cycles(const std::vector<stamp> &blocks);

/* Milliseconds of the fastest of `times` runs of a launch. */
template <class F> double fastest_ms(int times, F launch)
{
    cudaEvent_t begin, end;
    double best = 0;
    CUDA(cudaEventCreate(&begin));
    CUDA(cudaEventCreate(&end));
    for (int i = 0; i < times; i++) {
        float ms;
        CUDA(cudaEventRecord(begin));
        launch();
        CUDA(cudaEventRecord(end));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaGetLastError());
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        best = i == 0 || ms < best ? ms : best;
    }
    CUDA(cudaEventDestroy(begin));
    CUDA(cudaEventDestroy(end));
    return best;
}

void measure_instructions(const struct machine *m);
void measure_memory(const struct machine *m);
void measure_shared(const struct machine *m);
void measure_launches(const struct machine *m);
void measure_kernels(const struct machine *m);

#endif
