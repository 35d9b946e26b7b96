/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mov: also of parts in braces, addresses of variables and clocks. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/frame.h"

static void join_parts(const struct ptx_op *op, const uint64_t *const *s,
                       uint64_t *value)
{
    unsigned bits = 8u * op->bytes / op->sources;
    for (int i = 0; i < WARP_LANES; i++) {
        value[i] = 0;
        for (int k = 0; k < op->sources; k++)
            value[i] |= s[k][i] << (unsigned)k * bits;
    }
}

static uint64_t low_bytes(unsigned bytes)
{
    return bytes == 0 || bytes >= 8 ? UINT64_MAX
                                    : (UINT64_C(1) << 8 * bytes) - 1;
}

/* From one register to another. */
static void move_one(const struct ptx_block *b, const struct ptx_warp *w,
                     const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *from = ptx_slot(b, w, op->source[0]);
    uint64_t keep = low_bytes(op->bytes);
    uint64_t *to = ptx_slot(b, w, op->result[0]);
    if (mask == UINT32_MAX)
        for (int i = 0; i < WARP_LANES; i++)
            to[i] = from[i] & keep;
    else
        for (; mask != 0; mask &= mask - 1)
            to[__builtin_ctz(mask)] = from[__builtin_ctz(mask)] & keep;
}

bool ptx_execute_move(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX] = {NULL};
    uint64_t value[WARP_LANES], part[WARP_LANES];
    const struct ptx_operand *source =
        &b->launch->program->module->operand[op->inst->first + 1];
    ptx_refresh_clocks(b, w);
    if (op->sources == 1 && op->results == 1 && op->result[0] >= 0 &&
        source->kind != OPERAND_VECTOR) {
        move_one(b, w, op, mask);
        return true;
    }
    ptx_sources(b, w, op, s);
    if (source->kind == OPERAND_VECTOR) {
        join_parts(op, s, value);
    } else {
        for (int i = 0; i < WARP_LANES; i++) /* a local variable: base + */
            value[i] = op->sources == 2 ? s[0][i] + s[1][i] : s[0][i];
    }
    for (int i = 0; i < WARP_LANES; i++) /* of a special register */
        value[i] &= low_bytes(op->bytes);
    if (op->results == 1) {
        ptx_write(b, w, op->result[0], mask, value);
        return true;
    }
    unsigned bits = 8u * op->bytes / op->results;
    for (int k = 0; k < op->results; k++) {
        for (int i = 0; i < WARP_LANES; i++)
            part[i] =
                value[i] >> (unsigned)k * bits & ((UINT64_C(1) << bits) - 1);
        ptx_write(b, w, op->result[k], mask, part);
    }
    return true;
}
