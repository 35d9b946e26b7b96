/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves, shifts and additions as multiply-adds. From compute capability 7.0 on
 * IMAD runs in the FMA pipe and other integer instructions in the ALU (Nsight
 * Compute, Kernel Profiling Guide, "Pipelines"), and ptxas writes what either
 * can do as IMAD.MOV, IMAD.SHL or IMAD.IADD so that a function's instructions
 * divide evenly. So it does (V13.0.88, sm_75) in 53 entries of 28 modules:
 * where the others are as many for the FMA pipe as for the ALU or more, all of
 * these stay MOV, SHF and IADD3; where those of the ALU prevail by their
 * number, all go; between, as many as make both even (86 of the 1244
 * otherwise). Additions of a constant stay IADD3 (all of 97). */
#include "kernels/ptx/lower/lower_code.h"

#include <string.h>

static bool is_special(const struct ptx_code *code, int32_t slot)
{
    for (size_t i = 0; i < code->specials; i++)
        if (code->special[i].slot == slot)
            return true;
    return false;
}

static bool is_register(const struct ptx_low_code *c, int32_t slot)
{
    return ptx_low_name(c, slot) >= 0;
}

static bool is_named(const struct ptx_op *op, const char *mnemonic)
{
    return strcmp(op->inst->form->mnemonic, mnemonic) == 0;
}

/* Whether an instruction is all that its op became. */
static bool is_whole(const struct ptx_low_code *c, const struct ptx_low *low)
{
    return low->before == NULL && ptx_low_count(c, low->op) == 1 &&
           c->fused[low->op] == PTX_NONE;
}

static bool is_either(const struct ptx_low_code *c, const struct ptx_low *low)
{
    const struct ptx_op *op = ptx_low_op(c, low->op);
    if (op->inst == NULL || low->op_class != OP_INT || !is_whole(c, low) ||
        op->results != 1 || ptx_types[op->inst->type[0]].bytes != 4)
        return false;
    if (op->action == ACTION_MOVE)
        return op->sources == 1;
    if (op->action != ACTION_LANES)
        return false;
    if (is_named(op, "shl"))
        return !is_register(c, op->source[1]);
    return (is_named(op, "add") || is_named(op, "sub")) &&
           is_register(c, op->source[0]) && is_register(c, op->source[1]);
}

/* S2R, which no arithmetic pipe executes. */
static bool reads_special(const struct ptx_low_code *c,
                          const struct ptx_low *low)
{
    const struct ptx_op *op = ptx_low_op(c, low->op);
    return low->before == NULL && op->action == ACTION_MOVE &&
           op->sources == 1 && is_special(ptx_low_of(c), op->source[0]);
}

void ptx_balance(struct ptx_low_code *c)
{
    uint32_t alu = 0, fma = 0;
    for (uint32_t i = 0; i < c->lows; i++) {
        const struct ptx_low *low = &c->low[i];
        alu += low->op_class == OP_INT && !reads_special(c, low) &&
               !is_either(c, low);
        fma += low->op_class == OP_SP || low->op_class == OP_IMUL;
    }
    for (uint32_t i = 0; i < c->lows; i++) {
        struct ptx_low *low = &c->low[i];
        if (reads_special(c, low) || !is_either(c, low))
            continue;
        if (fma < alu)
            low->op_class = OP_IMAD;
        fma += low->op_class == OP_IMAD;
        alu += low->op_class == OP_INT;
    }
}
