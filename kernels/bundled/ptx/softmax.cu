/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The softmax of each row of a row-major matrix, one block a row: the greatest
 * element, the sum of the exponentials of the differences to it, the quotients.
 * Blocks of THREADS, which meet on a tree in shared memory. */
#define THREADS 256

extern "C" __global__ void softmax(int columns, const float *in, float *out)
{
    __shared__ float part[THREADS];
    int t = threadIdx.x;
    const float *row = in + (size_t)blockIdx.x * columns;
    float *result = out + (size_t)blockIdx.x * columns;

    float most = row[0];
    for (int c = t; c < columns; c += THREADS)
        most = fmaxf(most, row[c]);
    part[t] = most;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] = fmaxf(part[t], part[t + half]);
    }
    __syncthreads();
    most = part[0];
    __syncthreads();

    float sum = 0.0f;
    for (int c = t; c < columns; c += THREADS)
        sum += expf(row[c] - most);
    part[t] = sum;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    __syncthreads();
    sum = part[0];
    for (int c = t; c < columns; c += THREADS)
        result[c] = expf(row[c] - most) / sum;
}
