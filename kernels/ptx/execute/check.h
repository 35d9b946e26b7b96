/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What blocks do that is likely a mistake: reading bytes that nothing has
 * written, and accesses of several warps to the same bytes of shared memory
 * with no barrier between them, one of which writes. Warps that wait for some
 * of the others only (barriers of part of a block, mbarriers) order what is not
 * seen here: races are not looked for in a block from there on. */
#ifndef KERNELS_PTX_EXECUTE_CHECK_H
#define KERNELS_PTX_EXECUTE_CHECK_H

#include "kernels/ptx/execute/access.h"

#define PTX_CHECK_INIT  1u
#define PTX_CHECK_RACES 2u

struct ptx_checks {
    unsigned checks; /* a sum of these */
    void (*tell)(void *user, const char *text);
    void *user;
    const struct ptx_op **told; /* instructions that were */
    size_t tolds;
};

struct ptx_shadow {                    /* of a byte of shared memory */
    const struct ptx_op *write, *read; /* the last ones, NULL: none */
    uint32_t write_epoch, read_epoch;  /* of the block, at that time */
    uint16_t writer, reader;           /* warps */
    bool several;                      /* warps read it in that epoch */
};

/* Look at an access that found its bytes, `inside` being the address in its
 * space. */
void ptx_check(struct ptx_block *b, const struct ptx_warp *w,
               const struct ptx_op *op, const struct ptx_access *a,
               enum ptx_space space, uint64_t inside);

#endif
