/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrix instructions: shapes, and where the lanes of a warp hold which element
 * (PTX ISA 9.0, section 9.7.14.5, "Matrix Fragments for mma.m16n8k16 ..").
 * All shapes but one share a rule. With g = lane / 4, t = lane % 4 and e
 * elements in a register, register j holds
 *
 *   A   rows g + 8 (j mod 2), columns e t + 4 e (j div 2) and the next
 *   B   rows e t + 4 e j and the next, column g
 *   C   value i: row g + 8 (i div 2), column 2 t + i mod 2
 *
 * m8n8k4 of .f16 is four products, each of the lanes of a quad pair: product q
 * of lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19. With t = lane % 4 and h = 4
 * in the upper half of the warp, 0 in the lower, value i is
 *
 *   A   row t + h, column i, with .col row i + h, column t
 *   B   row i, column t + h, with .row row t, column i + h
 *   C   of .f16 row t + h, column i, of .f32 row t mod 2 + (i & 2) + h,
 *       column (i & 4) + (t & 2) + i mod 2 */
#ifndef KERNELS_PTX_FORMS_MATRIX_H
#define KERNELS_PTX_FORMS_MATRIX_H

#include "kernels/ptx/parse/ptx.h"

struct ptx_shape {
    unsigned m, n, k;
};

struct ptx_shape ptx_shape_of(const struct ptx_inst *inst);

/* Elements in a register of 32 bits (64: f64), at least 1. */
unsigned ptx_elements(enum ptx_type type);

/* The registers of a lane that operand i (0: d, 1: a, 2: b, 3: c; of ldmatrix,
 * stmatrix and what loads and stores for wmma, any) takes; 0: no such shape for
 * these types. */
unsigned ptx_matrix_registers(const struct ptx_inst *inst, unsigned i);

/* Whether it is four products. */
bool ptx_matrix_is_quad(const struct ptx_inst *inst);

struct ptx_cell {
    unsigned product, row, column;
};

/* Where value i of a lane of operand 0 to 3 of four products stands; of one
 * product ptx_fragment_place() says it. */
struct ptx_cell ptx_quad_cell(const struct ptx_inst *inst, unsigned operand,
                              unsigned lane, unsigned i);
/* Whether they are of 64 bits. */
bool ptx_matrix_is_double(const struct ptx_inst *inst);

#endif
