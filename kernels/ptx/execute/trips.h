/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons of whole numbers outside the executor's lanes. */
#ifndef KERNELS_PTX_EXECUTE_TRIPS_H
#define KERNELS_PTX_EXECUTE_TRIPS_H

#include "kernels/ptx/execute/decode.h"

/* Whether one of the op's relations holds between two whole numbers of its type
 * (4 or 8 bytes), whatever stands above those bytes. */
static inline bool ptx_whole_holds(const struct ptx_op *op, uint64_t a,
                                   uint64_t b)
{
    const struct ptx_type_row *t =
        &ptx_types[op->inst->type[op->inst->types - 1]];
    unsigned up = 64 - 8u * t->bytes;
    uint64_t bias = t->is_signed ? UINT64_C(1) << 63 : 0;
    a = (a << up) ^ bias;
    b = (b << up) ^ bias;
    enum ptx_relation r = a < b    ? RELATION_LESS
                          : a == b ? RELATION_EQUAL
                                   : RELATION_GREATER;
    return (op->truth & r) != 0;
}

#endif
