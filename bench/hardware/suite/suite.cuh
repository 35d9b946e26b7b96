/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole kernels that are launched once each, under a profiler on a GPU and by
 * `estimate run` without one: a point is a kernel, its size and the thread
 * blocks of an SM. */
#ifndef BENCH_HARDWARE_SUITE_H
#define BENCH_HARDWARE_SUITE_H

#include "../device.cuh"

#include <random>

/* Numbers from `low` up to, not including, `high`, the same in every run. */
std::vector<float> reals(size_t n, float low = 0, float high = 1);
std::vector<int> integers(size_t n, int low, int high);

/* Bytes of dynamic shared memory with which `tb` blocks of a kernel fit on an
 * SM and no more; 0 for tb 0: as many as fit. */
size_t shared_for(const void *kernel, int tb);

/* Whether the point is to be launched; prints its row where it is. */
bool wanted(const char *name, int tb);

template <class... P, class... A>
void point(const char *name, int tb, void (*kernel)(P...), dim3 grid,
           dim3 block, A... args)
{
    if (!wanted(name, tb))
        return;
    kernel<<<grid, block, shared_for((const void *)kernel, tb)>>>(args...);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
}

/* The same at 1, 2, 4 and so on blocks an SM below what fits, and as it fits.
 */
template <class... P, class... A>
void points(const char *name, int most, void (*kernel)(P...), dim3 grid,
            dim3 block, A... args)
{
    for (int tb = 1; tb < most; tb *= 2)
        point(name, tb, kernel, grid, block, args...);
    point(name, 0, kernel, grid, block, args...);
}

void launch_streams();
void launch_dense();
void launch_sparse();
void launch_shared();
void launch_arithmetic();
void launch_divergent();

#endif
