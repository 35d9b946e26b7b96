/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Variables of the device, by what stands for them in the program. */
#include "cuda/queue.h"

static cudaError_t copy(const void *symbol, void *host, size_t bytes,
                        size_t offset, bool to_symbol, cudaStream_t stream)
{
    struct runtime *r = runtime_enter();
    uint64_t size;
    uint8_t *at = modules_variable(&r->modules, &r->machine, symbol, &size);
    if (at == NULL)
        return runtime_leave(r, cudaErrorInvalidSymbol);
    if (offset > size || bytes > size - offset)
        return runtime_leave(r, cudaErrorInvalidValue);
    runtime_leave(r, cudaSuccess);
    const struct copied c =
        to_symbol ? copied_row(at + offset, host, bytes, COPY_DEFAULT)
                  : copied_row(host, at + offset, bytes, COPY_DEFAULT);
    return copy_on(stream, &c);
}

CUDA_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol,
                                             const void *from, size_t bytes,
                                             size_t offset, int kind,
                                             cudaStream_t stream)
{
    (void)kind;
    return copy(symbol, (void *)from, bytes, offset, true, stream);
}

CUDA_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                                        size_t bytes, size_t offset, int kind)
{
    return cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, NULL);
}

CUDA_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol,
                                               size_t bytes, size_t offset,
                                               int kind, cudaStream_t stream)
{
    (void)kind;
    return copy(symbol, to, bytes, offset, false, stream);
}

CUDA_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol,
                                          size_t bytes, size_t offset, int kind)
{
    return cudaMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, NULL);
}

static cudaError_t find(const void *symbol, void **at, uint64_t *bytes)
{
    struct runtime *r = runtime_enter();
    *at = modules_variable(&r->modules, &r->machine, symbol, bytes);
    return runtime_leave(r, *at != NULL ? cudaSuccess : cudaErrorInvalidSymbol);
}

CUDA_API cudaError_t cudaGetSymbolAddress(void **out, const void *symbol)
{
    uint64_t bytes;
    return find(symbol, out, &bytes);
}

CUDA_API cudaError_t cudaGetSymbolSize(size_t *out, const void *symbol)
{
    uint64_t bytes = 0;
    void *at;
    cudaError_t status = find(symbol, &at, &bytes);
    *out = (size_t)bytes;
    return status;
}
