/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane's access to a texture or surface. */
#ifndef KERNELS_PTX_EXECUTE_FETCH_H
#define KERNELS_PTX_EXECUTE_FETCH_H

#include "kernels/ptx/execute/exec.h"

struct ptx_fetch {
    struct ptx_block *b;
    struct ptx_warp *w;
    const struct ptx_op *op;
    int lane;
    const struct ptx_buffer *from;
    double at[3];     /* in texels; a layer: its number */
    uint64_t address; /* that memory sees */
};

/* Set f->from to the texture that a handle stands for. False: a fault. */
bool ptx_fetch_find(struct ptx_fetch *f, uint64_t handle);

/* Whether it has the dimensions that the instruction asks for, else a fault. */
bool ptx_fetch_check_dimensions(struct ptx_fetch *f);

/* Whether the instruction is for layers of one or two dimensions; faces of a
 * cube are. */
bool ptx_fetch_is_layered(const struct ptx_op *op);
bool ptx_fetch_is_cube(const struct ptx_op *op);

uint64_t ptx_texel_bytes(const struct ptx_buffer *b);

/* Set f->address to where memory has the byte `at` (its place in its row, its
 * row, its layer); returns the address at which what it holds is kept. */
uint64_t ptx_fetch_place(struct ptx_fetch *f, const uint64_t at[3]);

#endif
