/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *     suite [NAME...]
 *
 * Launches the points whose names begin with one of the given, or all, and
 * prints a row for each, in order: the n-th launch is the n-th row. README.md
 * says how they are measured and compared. */
#include "suite.cuh"

#include <cstring>

static int names;
static char **name_of;

std::vector<float> reals(size_t n, float low, float high)
{
    std::mt19937 random(1);
    std::vector<float> v(n);
    for (float &x : v)
        x = low + (high - low) * (float)(random() >> 8) / 16777216.0f;
    return v;
}

std::vector<int> integers(size_t n, int low, int high)
{
    std::mt19937 random(2);
    std::vector<int> v(n);
    for (int &x : v)
        x = low + (int)(random() % (unsigned)(high - low));
    return v;
}

size_t shared_for(const void *kernel, int tb)
{
    if (tb == 0)
        return 0;
    int of_sm, reserved, most;
    cudaFuncAttributes own;
    CUDA(cudaDeviceGetAttribute(
        &of_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
    CUDA(cudaDeviceGetAttribute(&reserved,
                                cudaDevAttrReservedSharedMemoryPerBlock, 0));
    CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                0));
    CUDA(cudaFuncGetAttributes(&own, kernel));
    int bytes = of_sm / tb - reserved - (int)own.sharedSizeBytes;
    if (bytes > most - (int)own.sharedSizeBytes)
        bytes = most - (int)own.sharedSizeBytes;
    bytes -= bytes % 1024;
    CUDA(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    return (size_t)bytes;
}

bool wanted(const char *name, int tb)
{
    bool is = names == 0;
    for (int i = 0; i < names && !is; i++)
        is = strncmp(name, name_of[i], strlen(name_of[i])) == 0;
    if (is)
        printf("%s,%d\n", name, tb);
    return is;
}

int main(int argc, char **argv)
{
    names = argc - 1;
    name_of = argv + 1;
    printf("point,tb\n");
    launch_streams();
    launch_dense();
    launch_sparse();
    launch_shared();
    launch_arithmetic();
    launch_divergent();
    return EXIT_SUCCESS;
}
