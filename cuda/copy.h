/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies between places in memory that have rows and layers. */
#ifndef CUDA_COPY_H
#define CUDA_COPY_H

#include "cuda/runtime.h"

struct pitched { /* layout of the interface's cudaPitchedPtr */
    void *at;
    size_t pitch, width, height;
};

struct extent {
    size_t width, height, depth;
};

struct copied { /* size.width bytes of each row */
    struct pitched to, from;
    struct extent size;
    int kind;
};

struct copied copied_row(void *to, const void *from, size_t bytes, int kind);

struct filled { /* likewise, with elements of 1, 2 or 4 bytes */
    struct pitched to;
    uint32_t value;
    unsigned element;
    struct extent size;
};

/* Both places are looked up: of the device's memory all bytes must be there. */
cudaError_t copy_now(const struct copied *c);
cudaError_t fill_now(const struct filled *f);

/* Whether the device's memory has all those bytes; memory that is not the
 * device's is the program's. */
bool is_inside(const struct runtime *r, const void *at, size_t bytes);

/* The place `by` bytes, rows and layers further on. */
struct pitched moved(struct pitched p, struct extent by);

#endif
