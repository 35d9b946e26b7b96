/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program asks of its kernels: attributes, and how many of its blocks
 * are resident on an SM. */
#include "cuda/function.h"
#include "cuda/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_STATIC_MAX 49152 /* bytes, without asking for more */

/* ---- the kernel's code, as the estimates have it --------------------------
 */

static struct estimate_input *load_text(const char *path,
                                        const struct machine *m,
                                        const struct registered_kernel *k,
                                        unsigned threads, size_t shared_bytes)
{
    struct estimate_error e;
    struct machine_launch with;
    machine_launch(m, &with);
    with.launch.entry = k->name;
    with.launch.grid.x = 1;
    with.launch.block.x = threads;
    with.launch.shared_bytes = (int64_t)shared_bytes;
    with.launch.code_only = true;
    with.launch.registers = k->registers;
    return estimate_input_load(path, &with.launch, &e);
}

static bool write_text(const char *path, const struct estimate_module *m)
{
    size_t size;
    const char *text = estimate_module_text(m, &size);
    FILE *f = fopen(path, "w");
    bool ok = f != NULL && fwrite(text, 1, size, f) == size;
    return f != NULL && fclose(f) == 0 && ok;
}

/* The kernel under a launch, for its registers; NULL: it cannot be had. */
static struct estimate_input *load(const struct machine *m,
                                   const struct registered_kernel *k,
                                   unsigned threads, size_t shared_bytes)
{
    const char *place = getenv("TMPDIR");
    char folder[512], path[544];
    struct estimate_input *in = NULL;
    snprintf(folder, sizeof(folder), "%.480s/estimate-XXXXXX",
             place != NULL && place[0] != '\0' ? place : "/tmp");
    if (mkdtemp(folder) == NULL)
        return NULL;
    snprintf(path, sizeof(path), "%s/module.ptx", folder);
    if (write_text(path, k->from->module))
        in = load_text(path, m, k, threads, shared_bytes);
    remove(path);
    remove(folder);
    return in;
}

static unsigned kernel_registers(const struct machine *m,
                                 struct registered_kernel *k)
{
    if (k->registers != 0)
        return k->registers;
    struct estimate_input *in = load(m, k, 32, 0);
    if (in != NULL)
        k->registers =
            estimate_kernel_launch(estimate_input_kernel(in, 0), 0)->registers;
    estimate_input_free(in);
    return k->registers;
}

/* ---- attributes -----------------------------------------------------------
 */

struct function_attributes { /* what versions 11 to 13 have in common */
    size_t shared_bytes, constant_bytes, local_bytes;
    int max_threads, registers, ptx_version, binary_version, cache_mode_ca;
    int max_dynamic_shared_bytes, shared_carveout;
};

CUDA_API cudaError_t cudaFuncGetAttributes(struct function_attributes *out,
                                           const void *host)
{
    struct runtime *r = runtime_enter();
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    const struct estimate_function_info *f =
        estimate_function_info(k->function);
    memset(out, 0, sizeof(*out));
    out->shared_bytes = f->shared_bytes;
    out->max_threads = f->max_threads != 0 ? (int)f->max_threads : THREADS_MAX;
    out->registers = (int)kernel_registers(&r->machine, k);
    out->ptx_version = (int)f->target;
    out->binary_version = (int)f->target;
    out->max_dynamic_shared_bytes =
        k->max_shared_bytes != 0 ? k->max_shared_bytes : SHARED_STATIC_MAX;
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaFuncGetName(const char **out, const void *host)
{
    struct runtime *r = runtime_enter();
    const struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    *out = k->name;
    return runtime_leave(r, cudaSuccess);
}

#define ATTRIBUTE_MAX_SHARED 8

CUDA_API cudaError_t cudaFuncSetAttribute(const void *host, int attribute,
                                          int value)
{
    struct runtime *r = runtime_enter();
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    if (attribute == ATTRIBUTE_MAX_SHARED)
        k->max_shared_bytes = value;
    return runtime_leave(r, cudaSuccess);
}

uint64_t function_shared_max(const struct registered_kernel *k)
{
    uint64_t taken = estimate_function_info(k->function)->shared_bytes;
    uint64_t allowed =
        k->max_shared_bytes > 0 ? (uint64_t)k->max_shared_bytes : 0;
    if (allowed + taken > SHARED_STATIC_MAX)
        return allowed;
    return taken < SHARED_STATIC_MAX ? SHARED_STATIC_MAX - taken : 0;
}

/* How first-level caches are split is the configuration's matter here. */
CUDA_API cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    (void)host, (void)config;
    return cudaSuccess;
}

CUDA_API cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config)
{
    (void)host, (void)config;
    return cudaSuccess;
}

/* ---- occupancy ------------------------------------------------------------
 */

/* Blocks that an SM holds at the same time. */
static int blocks_of_sm(const struct machine *m, struct registered_kernel *k,
                        unsigned threads, size_t shared_bytes)
{
    kernel_registers(m, k); /* asked of the assembler once */
    struct estimate_input *in = load(m, k, threads, shared_bytes);
    int blocks = 0;
    if (in != NULL)
        blocks =
            estimate_max_blocks(estimate_input_kernel(in, 0), m->gpu, NULL);
    estimate_input_free(in);
    return blocks;
}

static uint64_t sms_of(const struct machine *m)
{
    struct estimate_error e;
    const struct estimate_key *key = estimate_key_find("sms", &e);
    return key != NULL ? (uint64_t)estimate_gpu_get(m->gpu, key) : 0;
}

uint64_t function_resident(const struct machine *m, struct registered_kernel *k,
                           unsigned threads, size_t shared_bytes)
{
    return (uint64_t)blocks_of_sm(m, k, threads, shared_bytes) * sms_of(m);
}

CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *out, const void *host, int threads, size_t shared_bytes,
    unsigned flags)
{
    (void)flags;
    struct runtime *r = runtime_enter();
    struct registered_kernel *k =
        modules_kernel(&r->modules, &r->machine, host);
    *out = 0;
    if (k == NULL)
        return runtime_leave(r, cudaErrorInvalidDeviceFunction);
    if (threads <= 0 || threads > THREADS_MAX)
        return runtime_leave(r, cudaErrorInvalidValue);
    *out = blocks_of_sm(&r->machine, k, (unsigned)threads, shared_bytes);
    return runtime_leave(r, cudaSuccess);
}

CUDA_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int *out, const void *host, int threads, size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        out, host, threads, shared_bytes, 0);
}
