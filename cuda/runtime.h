/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process's one runtime, which every function of the interface works on.
 * A runtime library has the state of its process, so this is the one place of
 * the project with a variable that changes. Functions hold its lock from
 * runtime_enter() to runtime_leave(). */
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda/launches.h"
#include "cuda/machine.h"
#include "cuda/modules.h"
#include "cuda/say.h"
#include "cuda/types.h"

#include <estimate.h>
#include <stdbool.h>

/* What a launch in brackets puts aside until the kernel's stub takes it. */
struct call_configuration {
    struct cuda_dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};
#define CONFIGURATIONS_MAX 16

#define LIMITS 7 /* values of cudaLimit */

struct runtime {
    bool ready;        /* what is below has been set up */
    unsigned findings; /* of checks */
    cudaError_t last_error;
    struct machine machine;
    struct modules modules;
    struct call_configuration configuration[CONFIGURATIONS_MAX];
    size_t configurations;
    struct launches *launches;
    struct {
        bool is_set;
        size_t value;
    } limit[LIMITS];
    struct pool *pool; /* the default one, NULL: not asked for yet */
};

/* The runtime, locked, and set up at the first call. A program without what it
 * needs ends here with one line. */
struct runtime *runtime_enter(void);
/* Unlock, remember a failure for cudaGetLastError() and return it. */
cudaError_t runtime_leave(struct runtime *r, cudaError_t status);

#endif
