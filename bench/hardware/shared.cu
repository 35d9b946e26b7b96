/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared memory: latency of a dependent load and passes of conflicting ones. */
#include "micro.cuh"

#define LOADS      1024
#define WORDS      1024 /* 32 lanes, 32 words apart at most */
#define MANY_WARPS 8

/* Each lane's word holds its own byte address: a chain that stays where it is.
 * Lanes are `ways` words apart, a power of two: as many fall on one bank. */
__global__ void chase(stamp *out, unsigned *sink, int ways)
{
    __shared__ unsigned word[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        word[i] = (unsigned)__cvta_generic_to_shared(&word[i]);
    __syncthreads();
    unsigned at = (unsigned)__cvta_generic_to_shared(
        &word[threadIdx.x % 32 * (unsigned)ways]);
    long long start = clock64();
#pragma unroll 32
    for (int i = 0; i < LOADS; i++)
        asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
    long long end = clock64();
    sink[threadIdx.x] = at;
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = {start, end, 0, sm_id()};
}

static void measure(const struct machine *m, int warps, int ways)
{
    buffer<stamp> out((size_t)warps);
    buffer<unsigned> sink((size_t)warps * 32);
    double cycles = 0;
    for (int i = 0; i < 2; i++) { /* the first run fetches the code */
        chase<<<1, 32 * warps>>>(out.at, sink.at, ways);
        CUDA(cudaGetLastError());
        cycles = busiest_sm_cycles(out.download());
    }
    if (warps == 1)
        row(m, "shared_latency", "conflict_ways", warps, ways, cycles / LOADS,
            "cycles/load");
    else
        row(m, "shared_interval", "conflict_ways", warps, ways,
            cycles / LOADS / warps, "cycles/load/SM");
}

void measure_shared(const struct machine *m)
{
    for (int ways = 1; ways <= 32; ways *= 2) {
        measure(m, 1, ways);
        measure(m, MANY_WARPS, ways);
    }
}
