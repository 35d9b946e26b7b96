/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the programs that run on a GPU share: calls that are checked, buffers of
 * device memory. */
#ifndef BENCH_HARDWARE_DEVICE_CUH
#define BENCH_HARDWARE_DEVICE_CUH

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

/* Ends the program with one line when a CUDA call fails. */
#define CUDA(call) cuda_check((call), #call)

inline void cuda_check(cudaError_t status, const char *call)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, call,
            cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

template <class T> struct buffer {
    T *at;
    size_t count;
    explicit buffer(size_t n) : count(n)
    {
        CUDA(cudaMalloc(&at, n * sizeof(T)));
        CUDA(cudaMemset(at, 0, n * sizeof(T)));
    }
    explicit buffer(const std::vector<T> &from) : buffer(from.size())
    {
        upload(from);
    }
    ~buffer()
    {
        cudaFree(at);
    }
    buffer(const buffer &) = delete;
    buffer &operator=(const buffer &) = delete;
    void upload(const std::vector<T> &from)
    {
        CUDA(cudaMemcpy(at, from.data(), count * sizeof(T),
                        cudaMemcpyHostToDevice));
    }
    std::vector<T> download() const
    {
        std::vector<T> to(count);
        CUDA(cudaMemcpy(to.data(), at, count * sizeof(T),
                        cudaMemcpyDeviceToHost));
        return to;
    }
};

#endif
