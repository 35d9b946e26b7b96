/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the GPU can do with a kernel. */
#ifndef CUDA_FUNCTION_H
#define CUDA_FUNCTION_H

#include "cuda/modules.h"

#define THREADS_MAX 1024 /* of a block */

/* Blocks of so many threads that all SMs together hold at the same time. */
uint64_t function_resident(const struct machine *m, struct registered_kernel *k,
                           unsigned threads, size_t shared_bytes);

/* The most dynamic shared memory that a launch may ask for, in bytes: beyond
 * what fits in 48 KiB only as far as the program allowed it. */
uint64_t function_shared_max(const struct registered_kernel *k);

#endif
