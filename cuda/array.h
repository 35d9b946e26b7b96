/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arrays: memory of texels, row after row. */
#ifndef CUDA_ARRAY_H
#define CUDA_ARRAY_H

#include "cuda/copy.h"

/* The interface's cudaChannelFormatDesc: bits of each channel of a texel. */
struct channels {
    int bits[4];
    int kind; /* 0: signed, 1: unsigned, 2: floating point */
};

#define ARRAY_LAYERED 1u
#define ARRAY_CUBE    4u

struct cuda_array {
    struct channels channels;
    struct extent extent; /* in texels, as the program gave it */
    unsigned flags;
    void *at;
};

/* Bytes of a texel; 0: there are none like that. */
size_t texel_bytes(const struct channels *c);

/* Sides of at least 1. */
struct extent array_sides(const struct cuda_array *a);
/* All of it as a place to copy from and to. */
struct pitched array_place(const struct cuda_array *a);

struct copy_3d { /* the interface's cudaMemcpy3DParms */
    struct cuda_array *from_array;
    struct extent from_position;
    struct pitched from;
    struct cuda_array *to_array;
    struct extent to_position;
    struct pitched to;
    struct extent extent;
    int kind;
};

struct copied copied_3d(const struct copy_3d *c);

#endif
