/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/peephole.h"

#include <string.h>

bool ptx_is_one_of(const struct ptx_op *op, const char *const *mnemonic)
{
    while (*mnemonic != NULL &&
           strcmp(op->inst->form->mnemonic, *mnemonic) != 0)
        mnemonic++;
    return *mnemonic != NULL;
}

bool ptx_reads(const struct ptx_op *op, int32_t slot)
{
    int32_t read[PTX_READS_MAX];
    size_t n = ptx_slots_read(op, read);
    while (n > 0 && read[n - 1] != slot)
        n--;
    return n > 0;
}

bool ptx_writes(const struct ptx_op *op, int32_t slot)
{
    int32_t written[PTX_READS_MAX];
    size_t n = ptx_slots_written(op, written);
    while (n > 0 && written[n - 1] != slot)
        n--;
    return n > 0;
}

bool ptx_is_unchanged(const struct peephole *s, int32_t slot, uint32_t from,
                      uint32_t to)
{
    if (slot < 0 || s->defs[slot] <= 1)
        return true;
    for (uint32_t i = from + 1; i < to; i++)
        if (s->c->leader[i] || ptx_writes(ptx_low_op(s->c, i), slot))
            return false;
    return from < to && !s->c->leader[to];
}

bool ptx_is_add(const struct ptx_op *op, unsigned bytes)
{
    return op->action == ACTION_LANES && op->guard == PTX_SLOT_NONE &&
           strcmp(op->inst->form->mnemonic, "add") == 0 &&
           !ptx_types[op->inst->type[0]].is_float && op->sources == 2 &&
           ptx_types[op->inst->type[0]].bytes == bytes && !op->saturate;
}
