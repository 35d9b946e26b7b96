/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * c = a + b, one element a thread. */
extern "C" __global__ void vectoradd(int n, const float *a, const float *b,
                                     float *c)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
