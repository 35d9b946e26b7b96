/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/expand.h"
#include "kernels/ptx/lower/lower_code.h"

#include <string.h>

const char *ptx_low_classes(const struct ptx_low_code *c, uint32_t at)
{
    const struct ptx_op *op = ptx_low_op(c, at);
    if (c->fused[at] != PTX_NONE) {
        op = ptx_low_op(c, c->fused[at]);
        if (ptx_types[op->inst->type[0]].bytes != 8)
            return NULL;
        if (strcmp(op->inst->form->mnemonic, "shl") == 0)
            return "ii"; /* LEA, LEA.HI.X */
    }
    int32_t last = op->sources > 0
                       ? ptx_low_name(c, op->source[op->sources - 1])
                       : PTX_SLOT_NONE;
    return ptx_expansion(op, last < 0 && last != PTX_SLOT_NONE);
}

uint32_t ptx_low_count(const struct ptx_low_code *c, uint32_t at)
{
    const char *classes = ptx_low_classes(c, at);
    uint32_t parts =
        ptx_matrix_parts(ptx_low_op(c, at), c->program->module->target);
    if (c->dropped[at])
        return 0;
    return parts > 0 ? parts : classes == NULL ? 1 : (uint32_t)strlen(classes);
}
