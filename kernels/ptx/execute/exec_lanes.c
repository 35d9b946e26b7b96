/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions whose lanes are computed each from its own operands, and
 * comparisons. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

#include <fenv.h>

/* ---- lane by lane ------------------------------------------------------- */

/* Subnormal binary32 values become zeros of their sign. */
static void flush(uint64_t *out, const uint64_t *in)
{
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = (in[i] & 0x7F800000) == 0 ? in[i] & 0x80000000 : in[i];
}

/* To 0 .. 1, not a number to 0. */
static void saturate(uint64_t *value)
{
    for (int i = 0; i < WARP_LANES; i++) {
        uint32_t bits = (uint32_t)value[i];
        bool negative = bits >> 31 != 0, nan = (bits & 0x7FFFFFFF) > 0x7F800000;
        value[i] = negative || nan ? 0 : bits > 0x3F800000 ? 0x3F800000 : bits;
    }
}

/* The lanes' function with what the modifiers ask for around it. */
static void compute_specially(const struct ptx_op *op, uint64_t *d,
                              const uint64_t **s)
{
    uint64_t flushed[3][WARP_LANES];
    for (int i = 0; op->flush_sources && i < op->sources && i < 3; i++) {
        flush(flushed[i], s[i]);
        s[i] = flushed[i];
    }
    if (op->round != FE_TONEAREST)
        fesetround(op->round);
    op->lanes(op, d, s);
    if (op->round != FE_TONEAREST)
        fesetround(FE_TONEAREST);
    if (op->flush_result)
        flush(d, d);
    if (op->saturate)
        saturate(d);
}

static void not_predicate(uint64_t *out, const uint64_t *in)
{
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = in[i] ^ 1;
}

bool ptx_execute_lanes(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], negated[WARP_LANES];
    ptx_sources(b, w, op, s);
    if (op->source_negated) {
        not_predicate(negated, s[op->sources - 1]);
        s[op->sources - 1] = negated;
    }
    if (op->plain && mask == UINT32_MAX && op->result[0] >= 0) {
        op->lanes(op, ptx_slot(b, w, op->result[0]), s);
        return true;
    }
    if (op->plain)
        op->lanes(op, value, s);
    else
        compute_specially(op, value, s);
    ptx_write(b, w, op->result[0], mask, value);
    return true;
}

/* ---- comparisons -------------------------------------------------------- */

static uint64_t combine(uint8_t operation, uint64_t x, uint64_t y)
{
    switch (operation) {
    case MOD_AND:
        return x & y;
    case MOD_OR:
        return x | y;
    case MOD_XOR:
        return x ^ y;
    default:
        return x;
    }
}

static bool compares_pairs(const struct ptx_inst *inst)
{
    uint8_t type = inst->type[inst->types - 1];
    return type == PTX_F16X2 || type == PTX_BF16X2;
}

/* What a comparison that holds is as a value of the type; of a pair, half. */
static uint64_t true_value(const struct ptx_inst *inst)
{
    if (inst->types == 1)
        return 1;
    switch (inst->type[0]) {
    case PTX_F32:
        return 0x3F800000;
    case PTX_F16:
    case PTX_F16X2:
        return 0x3C00;
    case PTX_BF16:
    case PTX_BF16X2:
        return 0x3F80;
    case PTX_U16:
    case PTX_S16:
        return UINT16_MAX;
    default:
        return compares_pairs(inst) ? UINT16_MAX : UINT32_MAX;
    }
}

/* p|q: q is the same for the negated relation; of pairs, for the upper. */
bool ptx_execute_compare(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t relation[WARP_LANES], other[WARP_LANES];
    uint64_t yes = true_value(op->inst);
    uint8_t operation = op->inst->modifier[GROUP_OPERATION];
    bool pairs = compares_pairs(op->inst);
    ptx_sources(b, w, op, s);
    const uint64_t *third = op->sources > 2 ? s[2] : NULL;
    compute_specially(op, relation, s);
    if (third == NULL && !pairs && op->results == 1) {
        for (int i = 0; i < WARP_LANES; i++)
            relation[i] = (op->truth & relation[i]) != 0 ? yes : 0;
        ptx_write(b, w, op->result[0], mask, relation);
        return true;
    }
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t holds = (op->truth & relation[i]) != 0;
        uint64_t above =
            pairs ? (op->truth & relation[i] >> 4) != 0 : holds ^ 1;
        uint64_t with =
            third != NULL ? third[i] ^ (op->source_negated ? 1 : 0) : 0;
        other[i] = combine(operation, above, with) != 0 ? yes : 0;
        relation[i] = combine(operation, holds, with) != 0 ? yes : 0;
        if (pairs && op->inst->types == 2)
            relation[i] |= other[i] << 16;
    }
    ptx_write(b, w, op->result[0], mask, relation);
    if (op->results > 1)
        ptx_write(b, w, op->result[1], mask, other);
    return true;
}

/* ---- lop3 --------------------------------------------------------------- */

/* d|p: p is whether d is not 0, and or or the last source. */
bool ptx_execute_logic(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], holds[WARP_LANES];
    uint8_t operation = op->inst->modifier[GROUP_OPERATION];
    ptx_sources(b, w, op, s);
    const uint64_t *with = s[op->sources - 1];
    op->lanes(op, value, s);
    for (int i = 0; i < WARP_LANES; i++)
        holds[i] = combine(operation, value[i] != 0,
                           with[i] ^ (op->source_negated ? 1 : 0));
    ptx_write(b, w, op->result[0], mask, value);
    if (op->results > 1)
        ptx_write(b, w, op->result[1], mask, holds);
    return true;
}
