/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control-flow graph of a function: its basic blocks, and where a thread
 * that ends one may go on. Calls end none. */
#ifndef KERNELS_PTX_EXECUTE_CFG_H
#define KERNELS_PTX_EXECUTE_CFG_H

#include "kernels/ptx/execute/decode.h"

struct ptx_basic_block {
    uint32_t first, end;  /* ops of the function */
    uint32_t from, edges; /* successors: cfg.edge[from..] */
};

struct ptx_cfg {
    const struct ptx_program *p;
    const struct ptx_code *code;
    struct ptx_basic_block *block; /* by where they begin; the last, without
                                    * ops, is the exit */
    uint32_t blocks;
    uint32_t *block_of; /* op of the function -> block */
    uint32_t *edge;
    size_t edges;
};

/* A guarded return or exit ends no block: its lanes are gone, the others go on.
 * False: no memory; free it in either case. */
bool ptx_cfg_make(struct ptx_cfg *g, const struct ptx_program *p,
                  uint32_t function);
void ptx_cfg_free(struct ptx_cfg *g);

static inline const struct ptx_op *ptx_cfg_op(const struct ptx_cfg *g,
                                              uint32_t op)
{
    return &g->p->op[g->code->first + op];
}

#endif
