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

/* The sm_ number of the GPU. */
int machine_arch(const struct machine *m);

/* How the program's launches are loaded for estimates: for its GPU, with the
 * registers that ptxas gives where there is one. */
struct machine_launch {
    struct estimate_launch launch;
    char ptxas[4096]; /* launch.ptxas: *out must stay where it is */
};
void machine_launch(const struct machine *m, struct machine_launch *out);

#endif
