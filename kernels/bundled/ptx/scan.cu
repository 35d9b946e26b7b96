/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exclusive prefix sums in three launches: scan_blocks over the input, which
 * leaves the blocks' totals, scan_blocks over the totals, add_offsets.
 *
 * scan_blocks is the work-efficient scan of Blelloch ("Prefix Sums and Their
 * Applications", 1990) on a tree in shared memory: up to sum, down to spread.
 * Two elements a thread, blocks of CHUNK / 2. */
#define CHUNK 512

extern "C" __global__ void scan_blocks(int n, const unsigned *in, unsigned *out,
                                       unsigned *totals)
{
    __shared__ unsigned tree[CHUNK];
    int t = threadIdx.x, low = blockIdx.x * CHUNK + t, high = low + CHUNK / 2;
    tree[t] = low < n ? in[low] : 0;
    tree[t + CHUNK / 2] = high < n ? in[high] : 0;
    int stride = 1;
    for (int nodes = CHUNK / 2; nodes > 0; nodes /= 2, stride *= 2) {
        __syncthreads();
        if (t < nodes)
            tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
    }
    if (t == 0) {
        totals[blockIdx.x] = tree[CHUNK - 1];
        tree[CHUNK - 1] = 0;
    }
    for (int nodes = 1; nodes < CHUNK; nodes *= 2) {
        stride /= 2;
        __syncthreads();
        if (t < nodes) {
            int left = stride * (2 * t + 1) - 1;
            int right = stride * (2 * t + 2) - 1;
            unsigned sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    if (low < n)
        out[low] = tree[t];
    if (high < n)
        out[high] = tree[t + CHUNK / 2];
}

extern "C" __global__ void add_offsets(int n, unsigned *out,
                                       const unsigned *offsets)
{
    int i = blockIdx.x * CHUNK + threadIdx.x;
    unsigned offset = offsets[blockIdx.x];
    if (i < n)
        out[i] += offset;
    if (i + CHUNK / 2 < n)
        out[i + CHUNK / 2] += offset;
}
