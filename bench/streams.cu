// SPDX-License-Identifier: GPL-3.0-or-later
//
// Streams of memory, an element a thread, in the forms that RRZE-HPC/gpu-benches
// measures (gpu-stream): a thread behind the end leaves.
#define STREAM(name, element)                                                  \
    extern "C" __global__ void name(double *a, const double *__restrict__ b,   \
                                    const double *__restrict__ c,              \
                                    const double *__restrict__ d, size_t n)    \
    {                                                                          \
        int i = threadIdx.x + blockIdx.x * blockDim.x;                         \
        if (i < n) {                                                           \
            element;                                                           \
        }                                                                      \
    }

STREAM(init, a[i] = 0.25)
STREAM(read, if (b[i] == 123.0) a[i] = 1)
STREAM(scale, a[i] = b[i] * 1.25)
STREAM(triad, a[i] = b[i] * d[i] + c[i])
