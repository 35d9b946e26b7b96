/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two as one: IMAD, IMAD.WIDE and LEA add as they multiply or shift; IADD3 adds
 * three; LOP3 is any function of three words, and tells whether it is 0; ISETP
 * and FSETP join what they find with a predicate. */
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

static bool is_product(const struct ptx_op *op)
{
    const char *mnemonic = op->inst->form->mnemonic;
    if (op->action != ACTION_LANES || op->sources != 2 ||
        ptx_types[op->inst->type[0]].is_float)
        return false;
    if (strcmp(mnemonic, "mul") == 0)
        return op->inst->modifier[GROUP_PART] != MOD_HI;
    return strcmp(mnemonic, "shl") == 0 && op->source[1] < 0;
}

/* As what an op can be taken in: a word's, or a product of 64 bits, unguarded,
 * with the one definition of its result. */
static enum taken taken_as(const struct peephole *s, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->dropped[at] || op->inst == NULL || op->guard != PTX_SLOT_NONE ||
        op->results != 1 || op->result[0] < 0 || s->defs[op->result[0]] != 1 ||
        s->c->name[op->result[0]] != op->result[0] ||
        s->c->fused[at] != PTX_NONE || ptx_types[op->inst->type[0]].bytes < 4)
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
           s->c->program->constant[(size_t)~slot * WARP_LANES] == 0;
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

static bool can_take(const struct peephole *s, uint32_t user, uint32_t at,
                     enum taken as)
{
    const struct ptx_op *op = ptx_low_op(s->c, at);
    if (s->c->fused[user] != PTX_NONE ||
        !takes(s, ptx_low_op(s->c, user), as,
               op->inst->modifier[GROUP_PART] == MOD_WIDE ||
                   ptx_types[op->inst->type[0]].bytes == 8))
        return false;
    for (int i = 0; i < op->sources; i++)
        if (!ptx_is_unchanged(s, op->source[i], at, user))
            return false;
    return true;
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

/* Products first: what adds one is IMAD or LEA. */
void ptx_fuse(struct peephole *s)
{
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < s->ops; i++) {
            enum taken as = taken_as(s, i);
            if (as != TAKEN_NOT && (as == TAKEN_PRODUCT) == (pass == 0))
                fuse(s, i, as);
        }
}
