/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws that follow from a number alone, hash(x, n) and hgeom(x, p) of kernel
 * files: of one number, and of the lanes of a warp with the same n or p, which
 * then divides and takes logarithms once. */
#ifndef KERNELS_FILE_HASH_DRAW_H
#define KERNELS_FILE_HASH_DRAW_H

#include "kernels/form/kernel.h"

/* The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
 * number generators, OOPSLA 2014). */
static inline uint64_t hash_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

/* From 0 to n - 1; 0 where n < 1. */
int64_t hash_below(int64_t x, int64_t n);
void hash_below_lanes(int64_t x[WARP_LANES], int64_t n);

/* At least 1, percent / 100 on average; 1 up to 100 percent. */
int64_t hash_geometric(int64_t x, int64_t percent);
void hash_geometric_lanes(int64_t x[WARP_LANES], int64_t percent);

#endif
