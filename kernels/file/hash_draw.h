/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws that follow from a number alone, hash(x, n) and hgeom(x, p) of kernel
 * files: of one number, and of the lanes of a warp with the same n or p, which
 * then divides and takes logarithms once. */
#ifndef KERNELS_FILE_HASH_DRAW_H
#define KERNELS_FILE_HASH_DRAW_H

#include "kernels/form/kernel.h"

/* From 0 to n - 1; 0 where n < 1. */
int64_t hash_below(int64_t x, int64_t n);
void hash_below_lanes(int64_t x[WARP_LANES], int64_t n);

/* At least 1, percent / 100 on average; 1 up to 100 percent. */
int64_t hash_geometric(int64_t x, int64_t percent);
void hash_geometric_lanes(int64_t x[WARP_LANES], int64_t percent);

#endif
