/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two as one: IMAD, IMAD.WIDE, LEA and LEA.HI add as they multiply or shift;
 * SHF shifts two words as one; IADD3 adds three; LOP3 is any function of three
 * words, and tells whether it is 0; ISETP and FSETP join what they find with a
 * predicate. */
#include "kernels/ptx/lower/peephole.h"

#include <string.h>

enum taken { TAKEN_PRODUCT, TAKEN_SUM, TAKEN_LOGIC, TAKEN_TEST, TAKEN_NOT };

static bool is_logic(const struct ptx_op *op)
{
    static const char *const logic[] = {"and", "or", "xor", "not", NULL};
    return op->action == ACTION_LANES && ptx_is_one_of(op, logic);
}

static bool is_sum(const struct ptx_op *op)
{
    static const char *const sum[] = {"add", "sub", NULL};
    return op->action == ACTION_LANES && ptx_is_one_of(op, sum) &&
           !op->saturate && !ptx_types[op->inst->type[0]].is_float;
}

static bool is_setp(const struct ptx_op *op)
{
    return op->action == ACTION_COMPARE && op->sources == 2 &&
           op->results == 1 && strcmp(op->inst->form->mnemonic, "setp") == 0;
}

/* A shift by a constant. */
static bool is_shift(const struct ptx_op *op, const char *mnemonic)
{
    return op->action == ACTION_LANES && op->sources == 2 &&
           op->source[1] < 0 && op->source[1] != PTX_SLOT_NONE &&
           strcmp(op->inst->form->mnemonic, mnemonic) == 0;
}

static bool is_rotation(const struct ptx_op *op)
{
    return op->action == ACTION_LANES && op->sources == 3 &&
           op->source[2] < 0 && op->source[2] != PTX_SLOT_NONE &&
           strcmp(op->inst->form->mnemonic, "shf") == 0;
}

static bool is_product(const struct ptx_op *op)
{
    const struct ptx_type_row *type = &ptx_types[op->inst->type[0]];
    if (op->action == ACTION_LANES && op->sources == 2 && !type->is_float &&
        strcmp(op->inst->form->mnemonic, "mul") == 0)
        return op->inst->modifier[GROUP_PART] != MOD_HI;
    if (is_shift(op, "shl"))
        return true;
    return type->bytes == 4 && (is_shift(op, "shr") || is_rotation(op));
}

/* Two words shifted as one, out of two shifts (fuse_shifts). */
static bool is_funnel(const struct peephole *s, uint32_t at)
{
    uint32_t taken = s->c->fused[at];
    return taken != PTX_NONE && s->c->fused[taken] != PTX_NONE &&
           is_shift(ptx_low_op(s->c, taken), "shl");
}

/* As what an op can be taken in: a word's, or a product of 64 bits, unguarded,
 * with the one definition of its result. */
static enum taken taken_as(const struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->dropped[at] || op->inst == NULL || op->guard != PTX_SLOT_NONE ||
        op->results != 1 || op->result[0] < 0 || s->defs[op->result[0]] != 1 ||
        s->c->name[op->result[0]] != op->result[0] ||
        ptx_types[op->inst->type[0]].bytes < 4)
        return TAKEN_NOT;
    if (is_funnel(s, at))
        return TAKEN_PRODUCT;
    if (s->c->fused[at] != PTX_NONE)
        return TAKEN_NOT;
    if (is_product(op))
        return TAKEN_PRODUCT;
    if (ptx_types[op->inst->type[0]].bytes != 4)
        return TAKEN_NOT;
    if (is_sum(op))
        return TAKEN_SUM;
    if (is_logic(op))
        return TAKEN_LOGIC;
    return is_setp(op) ? TAKEN_TEST : TAKEN_NOT;
}

static bool is_zero(const struct peephole *s, int32_t slot)
{
    return slot < 0 && slot != PTX_SLOT_NONE &&
           ptx_constant_value(s->c->program, slot) == 0;
}

static bool tests_for_zero(const struct peephole *s, const struct ptx_op *op)
{
    unsigned truth = op->truth & ~(unsigned)RELATION_NONE;
    return is_setp(op) && is_zero(s, op->source[1]) &&
           (truth == RELATION_EQUAL ||
            truth == (RELATION_LESS | RELATION_GREATER));
}

static bool takes(const struct peephole *s, const struct ptx_op *op,
                  enum taken as, bool is_wide)
{
    unsigned bytes = ptx_types[op->inst->type[0]].bytes;
    if (op->guard != PTX_SLOT_NONE)
        return false;
    switch (as) {
    case TAKEN_PRODUCT:
        return ptx_is_add(op, is_wide ? 8 : 4);
    case TAKEN_SUM:
        return bytes == 4 && is_sum(op);
    case TAKEN_LOGIC:
        return bytes == 4 && (is_logic(op) || tests_for_zero(s, op));
    case TAKEN_TEST:
        return op->inst->type[0] == PTX_PRED && is_logic(op);
    default:
        return false;
    }
}

/* What an op reads, and those that it took in. */
static bool are_unchanged(const struct peephole *s, uint32_t at, uint32_t to)
{
    for (uint32_t x = at; x != PTX_NONE; x = s->c->fused[x]) {
        const struct ptx_op *op = ptx_low_op(s->c, x);
        for (int i = 0; i < op->sources; i++)
            if (!ptx_is_unchanged(s, op->source[i], x, to))
                return false;
    }
    return true;
}

static bool can_take(const struct peephole *s, uint32_t user, uint32_t at,
                     enum taken as)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->fused[user] != PTX_NONE ||
        !takes(s, ptx_low_op(s->c, user), as,
               op->inst->modifier[GROUP_PART] == MOD_WIDE ||
                   ptx_types[op->inst->type[0]].bytes == 8))
        return false;
    return are_unchanged(s, at, user);
}

/* 64-bit additions are two instructions, so a wide product goes into each of
 * its sums; all else into the one op that reads it. */
static void fuse(struct peephole *s, uint32_t at, enum taken as)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    int32_t d = op->result[0];
    if (s->uses[d] == 0 ||
        (op->inst->modifier[GROUP_PART] != MOD_WIDE && s->uses[d] != 1))
        return;
    uint32_t last = at, uses = 0;
    for (uint32_t i = at + 1; i < s->ops && uses < s->uses[d]; i++) {
        if (s->c->dropped[i] || !ptx_reads(ptx_low_op(s->c, i), d))
            continue;
        if (!can_take(s, i, at, as))
            return;
        uses++;
        last = i;
    }
    if (uses != s->uses[d])
        return;
    for (uint32_t i = at + 1; i <= last; i++)
        if (!s->c->dropped[i] && ptx_reads(ptx_low_op(s->c, i), d))
            s->c->fused[i] = at;
    s->c->dropped[at] = true;
}

/* The shift that makes a slot, which one op before `to` reads alone; PTX_NONE
 * where it is none. */
static uint32_t lone_shift(const struct peephole *s, int32_t slot, uint32_t to,
                           const char *mnemonic)
{
    if (slot < 0 || s->defs[slot] != 1 || s->uses[slot] != 1)
        return PTX_NONE;
    uint32_t at = s->def_at[slot];
    const struct ptx_op *op = ptx_low_op(s->c, at);
    bool takes =
        at < to && taken_as(s, at) == TAKEN_PRODUCT && is_shift(op, mnemonic) &&
        ptx_types[op->inst->type[0]].bytes == 4 && are_unchanged(s, at, to);
    return takes ? at : PTX_NONE;
}

/* Of a shift by a constant. */
static uint64_t amount_of(const struct peephole *s, uint32_t at)
{
    return ptx_constant_value(s->c->program, ptx_low_op(s->c, at)->source[1]);
}

/* One word shifted left and another right by what is left of 32 bits are SHF
 * where they are joined, in whichever way (ptxas V13.0.88, sm_75 and sm_90). */
static void fuse_shifts(struct peephole *s, uint32_t at)
{
    static const char *const joins[] = {"or", "xor", "add", NULL};
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->dropped[at] || op->inst == NULL || op->action != ACTION_LANES ||
        op->guard != PTX_SLOT_NONE || op->sources != 2 || op->saturate ||
        !ptx_is_one_of(op, joins) || ptx_types[op->inst->type[0]].bytes != 4 ||
        ptx_types[op->inst->type[0]].is_float)
        return;
    for (int i = 0; i < 2; i++) {
        uint32_t left = lone_shift(s, op->source[i], at, "shl");
        uint32_t right = lone_shift(s, op->source[1 - i], at, "shr");
        if (left == PTX_NONE || right == PTX_NONE ||
            ptx_types[ptx_low_op(s->c, right)->inst->type[0]].is_signed ||
            amount_of(s, left) + amount_of(s, right) != 32)
            continue;
        s->c->fused[at] = left;
        s->c->fused[left] = right;
        s->c->dropped[left] = s->c->dropped[right] = true;
    }
}

/* Products first: what adds one is IMAD or LEA. */
void ptx_fuse(struct peephole *s)
{
    for (uint32_t i = 0; i < s->ops; i++)
        fuse_shifts(s, i);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < s->ops; i++) {
            enum taken as = taken_as(s, i);
            if (as != TAKEN_NOT && (as == TAKEN_PRODUCT) == (pass == 0))
                fuse(s, i, as);
        }
}
