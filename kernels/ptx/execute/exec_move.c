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

bool ptx_execute_move(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], part[WARP_LANES];
    const struct ptx_operand *source =
        &b->launch->program->module->operand[op->inst->first + 1];
    ptx_refresh_clocks(b, w);
    ptx_sources(b, w, op, s);
    if (source->kind == OPERAND_VECTOR) {
        join_parts(op, s, value);
    } else {
        for (int i = 0; i < WARP_LANES; i++) /* a local variable: base + */
            value[i] = op->sources == 2 ? s[0][i] + s[1][i] : s[0][i];
    }
    if (op->bytes > 0 && op->bytes < 8) /* of a special register */
        for (int i = 0; i < WARP_LANES; i++)
            value[i] &= (UINT64_C(1) << 8 * op->bytes) - 1;
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
