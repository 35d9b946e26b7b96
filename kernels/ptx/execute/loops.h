/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The loops of a function: a header, which is on every way into the loop, and
 * the blocks from which a way that does not leave it leads back there. */
#ifndef KERNELS_PTX_EXECUTE_LOOPS_H
#define KERNELS_PTX_EXECUTE_LOOPS_H

#include "kernels/ptx/execute/cfg.h"

struct ptx_loop {
    uint32_t header;
    uint32_t parent;        /* the smallest loop around it, PTX_NONE: none */
    uint32_t depth;         /* loops around its blocks: 1 of an outermost one */
    uint32_t from, members; /* its blocks: loops.member[from..] */
};

struct ptx_loops {
    struct ptx_loop *loop; /* each behind those around it */
    uint32_t count;
    uint32_t *member;
    size_t members;
    uint32_t *of; /* block -> the smallest loop around it, PTX_NONE: none */
};

/* False: no memory; free it in either case. */
bool ptx_loops_find(struct ptx_loops *out, const struct ptx_cfg *g);
void ptx_loops_free(struct ptx_loops *l);

/* Whether the block is in the loop; PTX_NONE: the function, which has all. */
bool ptx_loop_has(const struct ptx_loops *l, uint32_t loop, uint32_t block);

#endif
