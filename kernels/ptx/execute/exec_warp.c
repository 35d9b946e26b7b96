/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lanes of a warp tell each other (PTX ISA 9.0, sections 9.7.9.6 and
 * 9.7.13). Lanes that are not active take no part, whatever the member mask
 * says; those that are may be of several groups, each with a mask of its own.
 */
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

/* Of each active lane those that it is with: the active ones of its member
 * mask, which is source i; without one all. */
static void members(uint32_t with[WARP_LANES], const struct ptx_block *b,
                    const struct ptx_warp *w, const struct ptx_op *op, int i,
                    uint32_t mask)
{
    const uint64_t *member =
        op->sources > i ? ptx_slot(b, w, op->source[i]) : NULL;
    for (int lane = 0; lane < WARP_LANES; lane++)
        with[lane] = member != NULL ? (uint32_t)member[lane] & mask : mask;
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

static uint64_t vote(const struct ptx_inst *inst, uint32_t holds, uint32_t with)
{
    switch (inst->modifier[GROUP_MODE]) {
    case MOD_BALLOT:
        return holds;
    case MOD_ANY:
        return holds != 0;
    default:
        return holds == with ||
               (inst->modifier[GROUP_UNI] != MOD_NONE && holds == 0);
    }
}

bool ptx_execute_vote(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    uint32_t holds = ballot(b, w, op, mask), with[WARP_LANES];
    uint64_t value[WARP_LANES];
    members(with, b, w, op, 1, mask);
    for (int lane = 0; lane < WARP_LANES; lane++)
        value[lane] = vote(op->inst, holds & with[lane], with[lane]);
    write_result(b, w, op, 0, mask, value);
    return true;
}

bool ptx_execute_match(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *a = ptx_slot(b, w, op->source[0]);
    bool all = op->inst->modifier[GROUP_MODE] == MOD_ALL;
    uint64_t value[WARP_LANES], valid[WARP_LANES];
    uint32_t with[WARP_LANES];
    members(with, b, w, op, 1, mask);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        uint32_t same = 0;
        for (int i = 0; i < WARP_LANES; i++)
            same |= (uint32_t)(a[i] == a[lane]) << i;
        same &= with[lane];
        valid[lane] = same == with[lane];
        value[lane] = !all || valid[lane] ? same : 0;
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

static uint64_t reduce_group(const struct ptx_inst *inst, const uint64_t *a,
                             uint32_t with)
{
    int first = __builtin_ctz(with);
    uint64_t value = a[first];
    for (int lane = first + 1; lane < WARP_LANES; lane++)
        if ((with >> lane & 1) != 0)
            value = reduce(inst, value, a[lane]);
    return value;
}

/* Groups one after the other: the lanes of a group have one mask. */
bool ptx_execute_redux(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *a = ptx_slot(b, w, op->source[0]);
    uint64_t value[WARP_LANES] = {0};
    uint32_t with[WARP_LANES], left = mask;
    members(with, b, w, op, 1, mask);
    while (left != 0) {
        int lane = __builtin_ctz(left);
        uint32_t group = with[lane] | UINT32_C(1) << lane;
        uint64_t result = reduce_group(op->inst, a, group);
        for (int i = lane; i < WARP_LANES; i++)
            if ((group & left) >> i & 1)
                value[i] = result;
        left &= ~group;
    }
    write_result(b, w, op, 0, mask, value);
    return true;
}

/* The lowest active lane of the mask is the one. */
bool ptx_execute_elect(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    uint64_t leader[WARP_LANES], chosen[WARP_LANES];
    uint32_t with[WARP_LANES];
    members(with, b, w, op, 0, mask);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        leader[lane] =
            with[lane] != 0 ? (uint32_t)__builtin_ctz(with[lane]) : 0;
        chosen[lane] = with[lane] != 0 && leader[lane] == (uint32_t)lane;
    }
    write_result(b, w, op, 0, mask, leader);
    write_result(b, w, op, 1, mask, chosen);
    return true;
}

bool ptx_execute_active_mask(struct ptx_block *b, struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask)
{
    write_same(b, w, op, 0, mask, mask);
    return true;
}
