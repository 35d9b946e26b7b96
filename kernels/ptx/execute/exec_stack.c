/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * alloca, stacksave and stackrestore (PTX ISA 9.0, "Stack Manipulation
 * Instructions"): the stack of a frame grows upward behind its variables. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/frame.h"

#define FRAME_ALIGN 16

/* Where `size` bytes begin; *end is behind them. */
static uint64_t place(uint64_t stack, uint64_t size, uint64_t align,
                      uint64_t *end)
{
    uint64_t a = align > FRAME_ALIGN ? align : FRAME_ALIGN;
    uint64_t at = (stack + a - 1) & ~(a - 1);
    *end = size > PTX_LOCAL_MAX ? UINT64_MAX : at + size;
    return at;
}

static bool allocate(struct ptx_block *b, struct ptx_warp *w,
                     const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX] = {NULL};
    uint64_t at[WARP_LANES], end[WARP_LANES], most = 0;
    ptx_sources(b, w, op, s);
    const uint64_t *stack = s[op->sources - 1];
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t align = op->sources > 2 ? s[1][i] : FRAME_ALIGN;
        at[i] = place(stack[i], s[0][i], align, &end[i]);
        if (ptx_lane_is_in(mask, i) && end[i] > most)
            most = end[i];
    }
    if (most > PTX_LOCAL_MAX)
        return ptx_fault(b, w, op,
                         "found no room for it, expected at most 512 KiB of "
                         "local memory a thread");
    if (!ptx_reach_local(b, w, most))
        return false;
    ptx_write(b, w, op->result[0], mask, at);
    ptx_write(b, w, op->result[1], mask, end);
    return true;
}

bool ptx_execute_stack(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    if (op->action == ACTION_STACK_ALLOCATE)
        return allocate(b, w, op, mask);
    ptx_write(b, w, op->result[0], mask, ptx_slot(b, w, op->source[0]));
    return true;
}
