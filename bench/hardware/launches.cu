/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What launches cost: empty kernels of many shapes, kernels back to back, the
 * pace at which blocks start, and how long a block's slot stays empty. */
#include "micro.cuh"

#include <algorithm>

#define BACK_TO_BACK 1000
#define BLOCK_CYCLES 20000

__global__ void empty()
{
}

__global__ void start_times(stamp *out)
{
    stamp_start(&out[blockIdx.x]);
    stamp_end(&out[blockIdx.x]);
}

/* One block fills an SM (by its shared memory) for a while. */
__global__ void one_at_a_time(stamp *out)
{
    stamp_start(&out[blockIdx.x]);
    long long start = clock64();
    while (clock64() - start < BLOCK_CYCLES)
        ;
    stamp_end(&out[blockIdx.x]);
}

static void measure_empty(const struct machine *m)
{
    for (int threads = 32; threads <= 1024; threads *= 2)
        for (int blocks = 1; blocks <= 65536; blocks *= 4) {
            double ms = fastest_ms(20, [&] { empty<<<blocks, threads>>>(); });
            row(m, "launch", "empty", threads / 32, blocks, 1e6 * ms, "ns");
        }
    double ms = fastest_ms(3, [] {
        for (int i = 0; i < BACK_TO_BACK; i++)
            empty<<<1, 32>>>();
    });
    row(m, "launch", "back_to_back", 1, BACK_TO_BACK, 1e6 * ms / BACK_TO_BACK,
        "ns/kernel");
}

/* Blocks end at once, so that no slot is waited for. */
static void measure_period(const struct machine *m)
{
    for (int blocks = 4 * m->sms; blocks <= 256 * m->sms; blocks *= 4) {
        buffer<stamp> out((size_t)blocks);
        for (int i = 0; i < 2; i++)
            start_times<<<blocks, 32>>>(out.at);
        CUDA(cudaGetLastError());
        std::vector<stamp> s = out.download();
        auto by_start = [](const stamp &a, const stamp &b) {
            return a.start_ns < b.start_ns;
        };
        auto [first, last] = std::minmax_element(s.begin(), s.end(), by_start);
        double ns = (double)(last->start_ns - first->start_ns);
        row(m, "launch", "block_period", 1, blocks,
            ns * m->sm_mhz / 1e3 / (blocks - 1), "cycles/block");
    }
}

/* Mean cycles from a block's end to the next one's start on the same SM. */
static double mean_gap(std::vector<stamp> s)
{
    double sum = 0;
    size_t gaps = 0;
    std::sort(s.begin(), s.end(), [](const stamp &a, const stamp &b) {
        return a.sm != b.sm ? a.sm < b.sm : a.start < b.start;
    });
    for (size_t i = 1; i < s.size(); i++)
        if (s[i].sm == s[i - 1].sm) {
            sum += (double)(s[i].start - s[i - 1].end);
            gaps++;
        }
    return gaps > 0 ? sum / (double)gaps : 0;
}

static void measure_slot(const struct machine *m)
{
    const int blocks = 16 * m->sms;
    CUDA(cudaFuncSetAttribute(one_at_a_time,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              m->shared_bytes));
    for (int threads = 32; threads <= 1024; threads *= 2) {
        buffer<stamp> out((size_t)blocks);
        one_at_a_time<<<blocks, threads, m->shared_bytes>>>(out.at);
        CUDA(cudaGetLastError());
        row(m, "launch", "block_slot", threads / 32, blocks,
            mean_gap(out.download()), "cycles");
    }
}

void measure_launches(const struct machine *m)
{
    measure_empty(m);
    measure_period(m);
    measure_slot(m);
}
