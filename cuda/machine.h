/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device as a program finds it: its memory and what executes on it, and the
 * GPU that it passes for. */
#ifndef CUDA_MACHINE_H
#define CUDA_MACHINE_H

#include "cuda/arena.h"

/* Of malloc() in kernels, unless a program asks for more. */
#define HEAP_BYTES (8 << 20)

struct machine {
    struct estimate_device *device;
    struct arena arena;
    struct estimate_gpu *gpu;
    uint64_t heap_bytes; /* of malloc() in kernels, for each module */
};

#endif
