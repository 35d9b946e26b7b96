/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/runtime.h"

static cudaError_t fail(const char *name)
{
    say("%s: found no such function here, the program is told that it "
        "is not supported",
        name);
    return runtime_leave(runtime_enter(), cudaErrorNotSupported);
}

#define MISSING(name)                                                          \
    CUDA_API cudaError_t name(void)                                            \
    {                                                                          \
        return fail(#name);                                                    \
    }
#include "cuda/missing.h"
