/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices between the registers of a warp and rows of numbers of 64 bits, and
 * their product: what mma and wmma share. */
#ifndef KERNELS_PTX_EXECUTE_MATRIX_TILE_H
#define KERNELS_PTX_EXECUTE_MATRIX_TILE_H

#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/forms/matrix.h"

/* One shape has the greatest of each: m32n8k16, m8n32k16, m16n8k32. */
#define TILE_FACTOR_MAX 512
#define TILE_SUM_MAX    256

struct matrix_tiles { /* by rows */
    double a[TILE_FACTOR_MAX], b[TILE_FACTOR_MAX], c[TILE_SUM_MAX];
};

/* The tile that the registers s[0] to s[f->used - 1] of all lanes hold. */
void matrix_tile_take(double *out, const struct ptx_fragment *f,
                      const uint64_t *const *s);

/* c + a b, each sum from c on in the order of k. The sides of the shape are
 * multiples of 8. */
void matrix_tile_multiply(struct matrix_tiles *x, const struct ptx_shape *s);

/* The registers of the fragment that hold the tile, as results of the
 * instruction (ptx_matrix_results()). */
void matrix_tile_put(uint64_t (*out)[WARP_LANES], const struct ptx_fragment *f,
                     double *tile, const struct ptx_inst *inst);

#endif
