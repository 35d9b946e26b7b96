/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lanes of a warp tell each other (PTX ISA 9.0, sections 9.7.9.6 and
 * 9.7.13). Lanes that are not active take no part, whatever the member mask
 * says. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

static void write_result(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int i, uint32_t mask,
                         const uint64_t *value)
{
    if (op->results > i)
        ptx_write(b, w, op->result[i], mask, value);
}

static void write_same(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, int i, uint32_t mask,
                       uint64_t value)
{
    uint64_t all[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++)
        all[lane] = value;
    write_result(b, w, op, i, mask, all);
}

/* The lane that `lane` reads from, by the pseudo-code of section 9.7.9.6;
 * *inside says whether it is within the segment. */
static int source_lane(uint8_t mode, int lane, uint32_t distance, uint32_t c,
                       bool *inside)
{
    int clamp = (int)(c & 31), segment = (int)(c >> 8 & 31);
    int low = lane & segment, high = low | (clamp & ~segment);
    int amount = (int)(distance & 31), from;
    switch (mode) {
    case MOD_UP:
        from = lane - amount;
        *inside = from >= high;
        break;
    case MOD_DOWN:
        from = lane + amount;
        *inside = from <= high;
        break;
    case MOD_BFLY:
        from = lane ^ amount;
        *inside = from <= high;
        break;
    default:
        from = low | (amount & ~segment);
        *inside = from <= high;
        break;
    }
    return *inside ? from : lane;
}

/* What a lane that is not active gives is not defined. Here it is 0, as sums
 * over the first lanes of a warp by way of .down expect that work on GPUs (the
 * sample "reduction" of the CUDA toolkit). */
bool ptx_execute_shuffle(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *a = ptx_slot(b, w, op->source[0]);
    const uint64_t *distance = ptx_slot(b, w, op->source[1]);
    const uint64_t *c = ptx_slot(b, w, op->source[2]);
    uint64_t value[WARP_LANES], valid[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        bool inside;
        int from =
            source_lane(op->inst->modifier[GROUP_MODE], lane,
                        (uint32_t)distance[lane], (uint32_t)c[lane], &inside);
        value[lane] = (mask >> (from & 31) & 1) != 0 ? a[from & 31] : 0;
        valid[lane] = inside;
    }
    write_result(b, w, op, 0, mask, value);
    write_result(b, w, op, 1, mask, valid);
    return true;
}

/* Active lanes whose predicate holds. */
static uint32_t ballot(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *p = ptx_slot(b, w, op->source[0]);
    bool negated =
        b->launch->program->module->operand[op->inst->first + 1].negated;
    uint32_t holds = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        holds |= (uint32_t)((p[lane] & 1) != negated) << lane;
    return holds & mask;
}

bool ptx_execute_vote(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    uint32_t holds = ballot(b, w, op, mask);
    uint64_t value;
    if (op->inst->modifier[GROUP_MODE] == MOD_BALLOT)
        value = holds;
    else if (op->inst->modifier[GROUP_MODE] == MOD_ANY)
        value = holds != 0;
    else if (op->inst->modifier[GROUP_UNI] != MOD_NONE)
        value = holds == 0 || holds == mask;
    else
        value = holds == mask;
    write_same(b, w, op, 0, mask, value);
    return true;
}

bool ptx_execute_match(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *a = ptx_slot(b, w, op->source[0]);
    bool all = op->inst->modifier[GROUP_MODE] == MOD_ALL;
    uint64_t value[WARP_LANES], valid[WARP_LANES];
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t same = 0;
        for (int i = 0; i < WARP_LANES; i++)
            same |= (uint32_t)(a[i] == a[lane]) << i;
        same &= mask;
        valid[lane] = same == mask;
        value[lane] = !all || same == mask ? same : 0;
    }
    write_result(b, w, op, 0, mask, value);
    write_result(b, w, op, 1, mask, valid);
    return true;
}

static uint64_t reduce(const struct ptx_inst *inst, uint64_t x, uint64_t y)
{
    bool is_signed = inst->type[0] == PTX_S32;
    bool less = is_signed ? (int32_t)y < (int32_t)x : y < x;
    switch (inst->modifier[GROUP_OPERATION]) {
    case MOD_ADD:
        return (uint32_t)(x + y);
    case MOD_AND:
        return x & y;
    case MOD_OR:
        return x | y;
    case MOD_XOR:
        return x ^ y;
    case MOD_MIN:
        return less ? y : x;
    default:
        return less ? x : y;
    }
}

bool ptx_execute_redux(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *a = ptx_slot(b, w, op->source[0]);
    uint64_t value = a[__builtin_ctz(mask)];
    for (int lane = __builtin_ctz(mask) + 1; lane < WARP_LANES; lane++)
        if ((mask >> lane & 1) != 0)
            value = reduce(op->inst, value, a[lane]);
    write_same(b, w, op, 0, mask, value);
    return true;
}

/* The lowest active lane is the one. */
bool ptx_execute_elect(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    uint64_t chosen[WARP_LANES] = {0};
    uint32_t lane = (uint32_t)__builtin_ctz(mask);
    chosen[lane] = 1;
    write_same(b, w, op, 0, mask, lane);
    write_result(b, w, op, 1, mask, chosen);
    return true;
}

bool ptx_execute_active_mask(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    write_same(b, w, op, 0, mask, mask);
    return true;
}
