/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the modifiers of an instruction ask for. */
#include "kernels/ptx/execute/decode.h"

#include <fenv.h>

enum ptx_space ptx_space_named(uint8_t word)
{
    switch (word) {
    case MOD_GLOBAL:
    case MOD_CONST:
        return PTX_GLOBAL;
    case MOD_SHARED:
    case MOD_CLUSTER_SHARED:
        return PTX_SHARED;
    case MOD_LOCAL:
        return PTX_LOCAL;
    case MOD_PARAM:
        return PTX_PARAM;
    default:
        return PTX_GENERIC;
    }
}

static uint8_t truth_of(const struct ptx_inst *inst)
{
    static const uint8_t truth[] = {
        [MOD_EQ] = RELATION_EQUAL,
        [MOD_NE] = RELATION_LESS | RELATION_GREATER,
        [MOD_LT] = RELATION_LESS,
        [MOD_LE] = RELATION_LESS | RELATION_EQUAL,
        [MOD_LS] = RELATION_LESS | RELATION_EQUAL,
        [MOD_GT] = RELATION_GREATER,
        [MOD_GE] = RELATION_GREATER | RELATION_EQUAL,
        [MOD_HS] = RELATION_GREATER | RELATION_EQUAL,
        [MOD_EQU] = RELATION_EQUAL | RELATION_NONE,
        [MOD_NEU] = RELATION_LESS | RELATION_GREATER | RELATION_NONE,
        [MOD_LTU] = RELATION_LESS | RELATION_NONE,
        [MOD_LEU] = RELATION_LESS | RELATION_EQUAL | RELATION_NONE,
        [MOD_GTU] = RELATION_GREATER | RELATION_NONE,
        [MOD_GEU] = RELATION_GREATER | RELATION_EQUAL | RELATION_NONE,
        [MOD_NUM] = RELATION_LESS | RELATION_EQUAL | RELATION_GREATER,
        [MOD_NAN] = RELATION_NONE,
    };
    switch (inst->modifier[GROUP_PART]) { /* .lo and .hi: unsigned */
    case MOD_LO:
        return RELATION_LESS;
    case MOD_HI:
        return RELATION_GREATER;
    default:
        return truth[inst->modifier[GROUP_COMPARE]];
    }
}

static int round_of(const struct ptx_inst *inst)
{
    switch (inst->modifier[GROUP_ROUND]) {
    case MOD_RZ:
        return FE_TOWARDZERO;
    case MOD_RM:
        return FE_DOWNWARD;
    case MOD_RP:
        return FE_UPWARD;
    default:
        return FE_TONEAREST;
    }
}

void ptx_decode_modifiers(struct ptx_op *op)
{
    const struct ptx_inst *inst = op->inst;
    bool ftz = inst->modifier[GROUP_FTZ] == MOD_FTZ;
    bool arithmetic =
        op->action == ACTION_LANES || op->action == ACTION_COMPARE;
    uint8_t to = inst->type[0], from = inst->type[inst->types > 1 ? 1 : 0];
    op->round = round_of(inst);
    op->flush_sources = arithmetic && ftz && from == PTX_F32;
    op->flush_result = op->action == ACTION_LANES && ftz && to == PTX_F32;
    /* Conversions and halves see to .sat themselves. */
    op->saturate = op->action == ACTION_LANES && inst->types == 1 &&
                   to == PTX_F32 && inst->modifier[GROUP_SAT] == MOD_SAT;
    op->plain = op->round == FE_TONEAREST && !op->flush_sources &&
                !op->flush_result && !op->saturate;
    op->space = ptx_space_named(inst->modifier[GROUP_SPACE]);
    op->bytes = ptx_types[to].bytes;
    if (op->action == ACTION_COMPARE)
        op->truth = truth_of(inst);
}
