/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the modifiers of an instruction ask for. */
#include "kernels/ptx/execute/decode.h"

#include <fenv.h>

static enum ptx_space space_of(const struct ptx_inst *inst)
{
    switch (inst->word[GROUP_SPACE]) {
    case WORD_GLOBAL:
    case WORD_CONST:
        return PTX_GLOBAL;
    case WORD_SHARED:
        return PTX_SHARED;
    case WORD_LOCAL:
        return PTX_LOCAL;
    case WORD_PARAM:
        return PTX_PARAM;
    default:
        return PTX_GENERIC;
    }
}

static uint8_t truth_of(const struct ptx_inst *inst)
{
    static const uint8_t truth[] = {
        [WORD_EQ] = RELATION_EQUAL,
        [WORD_NE] = RELATION_LESS | RELATION_GREATER,
        [WORD_LT] = RELATION_LESS,
        [WORD_LE] = RELATION_LESS | RELATION_EQUAL,
        [WORD_LS] = RELATION_LESS | RELATION_EQUAL,
        [WORD_GT] = RELATION_GREATER,
        [WORD_GE] = RELATION_GREATER | RELATION_EQUAL,
        [WORD_HS] = RELATION_GREATER | RELATION_EQUAL,
        [WORD_EQU] = RELATION_EQUAL | RELATION_NONE,
        [WORD_NEU] = RELATION_LESS | RELATION_GREATER | RELATION_NONE,
        [WORD_LTU] = RELATION_LESS | RELATION_NONE,
        [WORD_LEU] = RELATION_LESS | RELATION_EQUAL | RELATION_NONE,
        [WORD_GTU] = RELATION_GREATER | RELATION_NONE,
        [WORD_GEU] = RELATION_GREATER | RELATION_EQUAL | RELATION_NONE,
        [WORD_NUM] = RELATION_LESS | RELATION_EQUAL | RELATION_GREATER,
        [WORD_NAN] = RELATION_NONE,
    };
    switch (inst->word[GROUP_PART]) { /* .lo and .hi: unsigned */
    case WORD_LO:
        return RELATION_LESS;
    case WORD_HI:
        return RELATION_GREATER;
    default:
        return truth[inst->word[GROUP_COMPARE]];
    }
}

static int round_of(const struct ptx_inst *inst)
{
    switch (inst->word[GROUP_ROUND]) {
    case WORD_RZ:
        return FE_TOWARDZERO;
    case WORD_RM:
        return FE_DOWNWARD;
    case WORD_RP:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

void ptx_decode_modifiers(struct ptx_op *op)
{
    const struct ptx_inst *inst = op->inst;
    bool ftz = inst->word[GROUP_FTZ] == WORD_FTZ;
    bool arithmetic =
        op->action == ACTION_LANES || op->action == ACTION_COMPARE;
    uint8_t to = inst->type[0], from = inst->type[inst->types > 1 ? 1 : 0];
    op->round = round_of(inst);
    op->flush_sources = arithmetic && ftz && from == PTX_F32;
    op->flush_result = op->action == ACTION_LANES && ftz && to == PTX_F32;
    /* Conversions and halves see to .sat themselves. */
    op->saturate = op->action == ACTION_LANES && inst->types == 1 &&
                   to == PTX_F32 && inst->word[GROUP_SAT] == WORD_SAT;
    op->plain = op->round == FE_TONEAREST && !op->flush_sources &&
                !op->flush_result && !op->saturate;
    op->space = space_of(inst);
    op->bytes = ptx_types[to].bytes;
    if (op->action == ACTION_COMPARE)
        op->truth = truth_of(inst);
}
