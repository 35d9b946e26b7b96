/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The device as a program finds it: its memory and what executes on it, and the
 * GPU that it passes for. */
#ifndef CUDA_MACHINE_H
#define CUDA_MACHINE_H

#include "cuda/arena.h"

struct machine {
    struct estimate_device *device;
    struct arena arena;
    struct estimate_gpu *gpu;
};

#endif
