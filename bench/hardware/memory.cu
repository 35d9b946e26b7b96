/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Latency of dependent global loads over footprints from 4 KiB up, through the
 * L1 and past it, and bandwidth of L1, L2 and memory. */
#include "micro.cuh"

#include <algorithm>
#include <random>

#define LINE        128
#define CHASE_LOADS 4096

/* ---- latency ------------------------------------------------------------ */

template <bool L1> __device__ inline uint64_t load(uint64_t at)
{
    uint64_t v;
    if (L1)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(v) : "l"(at));
    else
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(v) : "l"(at));
    return v;
}

/* `warm` loads without being timed. */
template <bool L1>
__global__ void chase(stamp *out, uint64_t *sink, uint64_t at, int warm)
{
    for (int i = 0; i < warm; i++)
        at = load<L1>(at);
    long long start = clock64();
#pragma unroll 16
    for (int i = 0; i < CHASE_LOADS; i++)
        at = load<L1>(at);
    long long end = clock64();
    *sink = at;
    *out = {start, end, 0, sm_id()};
}

/* A ring of pointers through every line of the buffer, in an order that no
 * prefetcher follows (Sattolo's shuffle makes one cycle). */
static void fill_ring(buffer<uint64_t> &b)
{
    const size_t step = LINE / sizeof(uint64_t), lines = b.count / step;
    std::vector<size_t> next(lines);
    std::vector<uint64_t> words(b.count, 0);
    std::mt19937_64 random(1);
    for (size_t i = 0; i < lines; i++)
        next[i] = i;
    for (size_t i = lines - 1; i > 0; i--)
        std::swap(next[i], next[random() % i]);
    for (size_t i = 0; i < lines; i++)
        words[i * step] = (uint64_t)(b.at + next[i] * step);
    b.upload(words);
}

/* Twice as much as it holds is written. */
static void empty_l2(const struct machine *m)
{
    buffer<uint64_t> other(2 * (size_t)m->l2_bytes / sizeof(uint64_t));
    CUDA(cudaDeviceSynchronize());
}

template <bool L1>
static void measure_latency(const struct machine *m, const char *name,
                            buffer<uint64_t> &ring)
{
    buffer<stamp> out(1);
    buffer<uint64_t> sink(1);
    const size_t bytes = ring.count * sizeof(uint64_t);
    const size_t lines = bytes / LINE, step = LINE / sizeof(uint64_t);
    /* Once around what an L2 may hold; of more, nothing that another chase or
     * the upload has left there: a cycle of its own place. */
    const bool fits = bytes <= (size_t)m->l2_bytes;
    const int warm = fits ? (int)lines : 0;
    const uint64_t *from = ring.at + (fits || !L1 ? 0 : lines / 4 * step);
    chase<L1><<<1, 1>>>(out.at, sink.at, (uint64_t)from, warm);
    CUDA(cudaGetLastError());
    row(m, "latency", name, 1, (double)bytes,
        busiest_sm_cycles(out.download()) / CHASE_LOADS, "cycles/load");
}

static void measure_latencies(const struct machine *m)
{
    const size_t most = 8 * (size_t)m->l2_bytes;
    for (size_t bytes = 4096; bytes <= most; bytes *= 2) {
        buffer<uint64_t> ring(bytes / sizeof(uint64_t));
        fill_ring(ring);
        empty_l2(m);
        measure_latency<true>(m, "load_ca", ring);
        measure_latency<false>(m, "load_cg", ring);
    }
}

/* ---- bandwidth ---------------------------------------------------------- */

#define L1_BYTES  16384
#define L1_ROUNDS 256

/* One block reads a small buffer again and again, 16 bytes a lane. */
__global__ void read_l1(stamp *out, const uint4 *from, unsigned *sink)
{
    const unsigned count = L1_BYTES / sizeof(uint4);
    unsigned sum = 0;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += from[i].x;
    stamp_start(out);
    __syncthreads();
    for (int r = 0; r < L1_ROUNDS; r++)
        for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
            uint4 v;
            asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                         : "l"(from + i));
            sum += v.x ^ v.y ^ v.z ^ v.w;
        }
    sink[threadIdx.x] = sum;
    stamp_end(out);
}

__global__ void read_cg(const uint4 *from, size_t count, int rounds,
                        unsigned *sink)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++)
        for (size_t i = first; i < count; i += step) {
            uint4 v;
            asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3}, [%4];"
                         : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                         : "l"(from + i));
            sum += v.x ^ v.y ^ v.z ^ v.w;
        }
    sink[first] = sum;
}

__global__ void copy(uint4 *to, const uint4 *from, size_t count)
{
    const size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += step)
        to[i] = from[i];
}

static void measure_l1(const struct machine *m)
{
    buffer<uint4> data(L1_BYTES / sizeof(uint4));
    buffer<stamp> out(1);
    for (int warps = 1; warps <= 32; warps *= 2) {
        buffer<unsigned> sink(32 * (size_t)warps);
        read_l1<<<1, 32 * warps>>>(out.at, data.at, sink.at);
        CUDA(cudaGetLastError());
        row(m, "bandwidth", "l1", warps, L1_BYTES,
            (double)L1_BYTES * L1_ROUNDS / busiest_sm_cycles(out.download()),
            "bytes/cycle/SM");
    }
}

static void measure_read(const struct machine *m, const char *name,
                         size_t bytes, int rounds)
{
    const int blocks = 8 * m->sms, threads = 256;
    buffer<uint4> data(bytes / sizeof(uint4));
    buffer<unsigned> sink((size_t)blocks * threads);
    double ms = fastest_ms(5, [&] {
        read_cg<<<blocks, threads>>>(data.at, data.count, rounds, sink.at);
    });
    row(m, "bandwidth", name, 0, (double)bytes,
        (double)bytes * rounds / ms / 1e6, "GB/s");
}

static void measure_copy(const struct machine *m, size_t bytes)
{
    buffer<uint4> from(bytes / sizeof(uint4)), to(bytes / sizeof(uint4));
    double ms = fastest_ms(
        5, [&] { copy<<<8 * m->sms, 256>>>(to.at, from.at, from.count); });
    row(m, "bandwidth", "dram_copy", 0, (double)bytes,
        2 * (double)bytes / ms / 1e6, "GB/s");
}

void measure_memory(const struct machine *m)
{
    measure_latencies(m);
    measure_l1(m);
    measure_read(m, "l2", (size_t)m->l2_bytes / 4, 64);
    measure_read(m, "dram_read", 16 * (size_t)m->l2_bytes, 1);
    measure_copy(m, 8 * (size_t)m->l2_bytes);
}
