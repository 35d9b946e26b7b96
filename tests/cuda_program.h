/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program as nvcc leaves it, which calls the CUDA runtime that stands in for
 * the real one. */
#ifndef TESTS_CUDA_PROGRAM_H
#define TESTS_CUDA_PROGRAM_H

#include "cuda/types.h"
#include "tests/fat_binary.h"

void **__cudaRegisterFatBinary(void *image);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device,
                            const char *name, int limit, void *t, void *b,
                            void *bs, void *gs, int *ws);
void __cudaRegisterVar(void **handle, char *host, char *address,
                       const char *name, int external, size_t bytes,
                       int constant, int global);
cudaError_t cudaMalloc(void **out, size_t bytes);
cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags);
cudaError_t cudaFree(void *at);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
cudaError_t cudaMemset(void *to, int value, size_t bytes);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from,
                               size_t bytes, size_t offset, int kind);
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes,
                                 size_t offset, int kind);
cudaError_t cudaLaunchKernel(const void *host, struct cuda_dim3 grid,
                             struct cuda_dim3 block, void **args,
                             size_t shared_bytes, cudaStream_t stream);
cudaError_t cudaGetLastError(void);

/* What a program does first with its device code; one text a process. */
static inline void **register_text(const char *text, enum packing packing)
{
    static uint8_t image[8192];
    static struct {
        uint32_t magic, version;
        const uint8_t *data;
        void *names;
    } wrapper = {0x466243b1, 1, image, NULL};
    close_binary(image, 16 + put_entry(image + 16, 1, 70, text, packing));
    return __cudaRegisterFatBinary(&wrapper);
}

static inline void register_kernel(void **handle, const char *stub, char *name)
{
    __cudaRegisterFunction(handle, stub, name, name, -1, NULL, NULL, NULL, NULL,
                           NULL);
}

/* ---- a program of two kernels ---------------------------------------------
 */

static const char kernels[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .u32 runs;\n"
    ".const .align 4 .u32 step = 3;\n"
    /* out[i] = in[i] + step, and runs counts blocks */
    ".visible .entry add(.param .u64 in, .param .u64 out, .param .u32 n)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %d<6>;\n.reg .pred %p<2>;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.u32 %r1, %r1, %r2, %r3;\nld.param.u32 %r2, [n];\n"
    "setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra done;\n"
    "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n"
    "mul.wide.u32 %d3, %r1, 4;\nadd.u64 %d1, %d1, %d3;\n"
    "add.u64 %d2, %d2, %d3;\nld.global.u32 %r4, [%d1];\n"
    "ld.const.u32 %r5, [step];\nadd.u32 %r4, %r4, %r5;\n"
    "st.global.u32 [%d2], %r4;\n"
    "setp.ne.u32 %p1, %r3, 0;\n@%p1 bra done;\n"
    "atom.global.add.u32 %r6, [runs], 1;\n"
    "done:\nret;\n}\n"
    ".visible .entry copy(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %d<6>;\n"
    "mov.u32 %r1, %tid.x;\nmul.wide.u32 %d3, %r1, 4;\n"
    "ld.param.u64 %d1, [in];\nld.param.u64 %d2, [out];\n"
    "add.u64 %d1, %d1, %d3;\nadd.u64 %d2, %d2, %d3;\n"
    "ld.global.u32 %r2, [%d1];\nst.global.u32 [%d2], %r2;\nret;\n}\n";

static char add_stub, copy_stub, step_stub, runs_stub;

static inline void start_program(void)
{
    void **handle = register_text(kernels, LZ4);
    register_kernel(handle, &add_stub, "add");
    register_kernel(handle, &copy_stub, "copy");
    __cudaRegisterVar(handle, &step_stub, NULL, "step", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &runs_stub, NULL, "runs", 0, 4, 0, 1);
    __cudaRegisterFatBinaryEnd(handle);
}

#define COUNT 1000

static inline cudaError_t launch_add(const uint32_t *in, const uint32_t *out)
{
    uint32_t n = COUNT;
    void *args[] = {&in, &out, &n};
    return cudaLaunchKernel(&add_stub, (struct cuda_dim3){4, 1, 1},
                            (struct cuda_dim3){256, 1, 1}, args, 0, NULL);
}

static inline cudaError_t launch_copy(const uint32_t *in, const uint32_t *out)
{
    void *args[] = {&in, &out};
    return cudaLaunchKernel(&copy_stub, (struct cuda_dim3){1, 1, 1},
                            (struct cuda_dim3){32, 1, 1}, args, 0, NULL);
}

#endif
