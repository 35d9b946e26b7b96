/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/memory_access.h"

#define COPY_WIDTH 16 /* bytes that a lane of cp.async moves at most */

/* A copy from shared memory to shared memory. */
static bool is_inside_shared(const struct ptx_op *op)
{
    return op->space == PTX_SHARED &&
           ptx_space_named(op->inst->modifier[GROUP_FROM]) == PTX_SHARED;
}

enum mem_space ptx_access_space(const struct ptx_op *op)
{
    if (op->action == ACTION_TEXTURE || op->action == ACTION_GATHER ||
        op->action == ACTION_SURFACE_LOAD)
        return SPACE_TEXTURE;
    if (op->action == ACTION_MBARRIER)
        return SPACE_SHARED;
    if (op->action == ACTION_TENSOR_COPY)
        return SPACE_GLOBAL;
    if (op->action == ACTION_COPY || op->action == ACTION_BULK_COPY)
        return is_inside_shared(op) ? SPACE_SHARED : SPACE_GLOBAL;
    switch ((enum ptx_space)op->space) {
    case PTX_SHARED:
        return SPACE_SHARED;
    case PTX_LOCAL:
        return SPACE_LOCAL;
    case PTX_PARAM:
        return SPACE_CONST;
    default:
        return op->inst->modifier[GROUP_SPACE] == MOD_CONST ? SPACE_CONST
                                                            : SPACE_GLOBAL;
    }
}

/* That of cp.async, which is a number. */
static uint32_t copy_width(const struct ptx_program *p, const struct ptx_op *op)
{
    uint64_t width = 0;
    if (op->source[0] < 0)
        width = ptx_constant_value(p, op->source[0]);
    return width == 4 || width == 8 ? (uint32_t)width : COPY_WIDTH;
}

uint32_t ptx_access_width(const struct ptx_program *p, const struct ptx_op *op,
                          uint32_t texel_bytes)
{
    struct ptx_fragment f;
    switch ((enum ptx_action)op->action) {
    case ACTION_LOAD:
        return (uint32_t)op->bytes * op->results;
    case ACTION_STORE:
        return (uint32_t)op->bytes * op->sources;
    case ACTION_COPY:
        return copy_width(p, op);
    case ACTION_BULK_COPY:
    case ACTION_TENSOR_COPY:
        return COPY_WIDTH;
    case ACTION_LOAD_MATRIX:
    case ACTION_STORE_MATRIX: /* rows of 8 */
        return 8u * op->bytes;
    case ACTION_LOAD_FRAGMENT:
    case ACTION_STORE_FRAGMENT:
        return ptx_fragment_of(&f, op->inst, 0) ? f.bytes : op->bytes;
    case ACTION_TEXTURE:
    case ACTION_GATHER:
        return texel_bytes;
    case ACTION_SURFACE_LOAD:
    case ACTION_SURFACE_STORE:
        return op->bytes * ptx_vector_length(op->inst->modifier[GROUP_VECTOR]);
    default:
        return op->bytes;
    }
}

bool ptx_access_is_past_l1(const struct ptx_op *op)
{
    const uint8_t *m = op->inst->modifier;
    return m[GROUP_CACHE] == MOD_CG || m[GROUP_CACHE] == MOD_CV ||
           m[GROUP_ORDER] == MOD_VOLATILE ||
           (m[GROUP_ORDER] == MOD_STRONG && m[GROUP_SCOPE] != MOD_CTA);
}
