/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of matrices that the lanes of a warp hold for wmma. PTX leaves open
 * which lane holds what (PTX ISA 9.0, section 9.7.14.4, "Matrix Fragments for
 * WMMA"). Here it is as for mma (matrix.h), by tiles of 8 rows and 4 registers'
 * columns (B: the other way round): so the code that ptxas of CUDA 13.0
 * (V13.0.88) makes of wmma loads and stores them, for sm_75 and sm_80. */
#ifndef KERNELS_PTX_FORMS_FRAGMENT_H
#define KERNELS_PTX_FORMS_FRAGMENT_H

#include "kernels/ptx/execute/decode.h"

struct ptx_fragment {
    uint8_t letter; /* MOD_A, MOD_B, MOD_C; that of d is MOD_C */
    uint8_t type;   /* of an element */
    uint8_t rows, columns;
    bool by_rows;       /* how it lies in memory; of a product: always */
    uint8_t elements;   /* in a register, at least 1 */
    uint8_t registers;  /* of a lane, as the instruction names them */
    uint8_t used;       /* of them: the others hold nothing */
    uint8_t values;     /* of a lane, in the used ones */
    uint8_t accesses;   /* loads or stores of a lane, and of what .. */
    uint8_t bytes;      /* .. size */
    uint8_t moves;      /* instructions that bring values to their lanes and
                         * places in registers: MOVM, PRMT */
    bool is_transposed; /* accesses are by the other side of a tile */
};

/* What operand i (0: d, 1: a, 2: b, 3: c; of a load or store any) of a wmma
 * instruction is. False: no such shape for its types. */
bool ptx_fragment_of(struct ptx_fragment *out, const struct ptx_inst *inst,
                     unsigned i);

/* What operand i of an mma is that is one product: so much of it as tells its
 * places. */
struct ptx_fragment ptx_fragment_of_mma(const struct ptx_inst *inst,
                                        unsigned i);

/* Where the value v of a lane stands in the matrix. */
void ptx_fragment_place(const struct ptx_fragment *f, unsigned lane, unsigned v,
                        unsigned *row, unsigned *column);

/* The same as the number of an element, as they lie in memory without gaps. */
unsigned ptx_fragment_index(const struct ptx_fragment *f, unsigned lane,
                            unsigned v);

/* From where lane 0 has a register's first element on, the one of lane 4 g + t
 * at `e` in it is g * group + t * thread + e * element farther. */
struct ptx_fragment_steps {
    unsigned group, thread, element;
};
struct ptx_fragment_steps ptx_fragment_steps_of(const struct ptx_fragment *f);

/* Bytes from the matrix's first element to the one there, with `stride`
 * elements from row to row, or column to column; 0: as many as there are. */
uint64_t ptx_fragment_offset(const struct ptx_fragment *f, unsigned row,
                             unsigned column, uint64_t stride);

/* Where access `n` of the lanes goes; base: of each lane. */
void ptx_fragment_addresses(const struct ptx_fragment *f, unsigned n,
                            const uint64_t *base, uint64_t stride,
                            uint64_t *out);

#endif
