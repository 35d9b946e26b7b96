/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/lower/lower_code.h"

bool ptx_is_size(const struct ptx_code *code, int32_t slot)
{
    for (size_t i = 0; i < code->specials; i++) {
        enum ptx_special s = code->special[i].special;
        if (code->special[i].slot == slot)
            return (s >= SPECIAL_NTID_X && s <= SPECIAL_NTID_Z) ||
                   (s >= SPECIAL_NCTAID_X && s <= SPECIAL_NCTAID_Z);
    }
    return false;
}

bool ptx_is_global(const struct ptx_op *op)
{
    return (op->space == PTX_GLOBAL || op->space == PTX_GENERIC) &&
           op->inst->modifier[GROUP_SPACE] != MOD_CONST;
}

bool ptx_ends_lanes(const struct ptx_op *op)
{
    return op->action == ACTION_RETURN || op->action == ACTION_EXIT;
}

static size_t add_slot(int32_t *out, size_t n, int32_t slot)
{
    if (slot >= 0)
        out[n++] = slot;
    return n;
}

size_t ptx_slots_written(const struct ptx_op *op, int32_t *out)
{
    size_t n = 0;
    for (int i = 0; i < op->results; i++)
        n = add_slot(out, n, op->result[i]);
    return n;
}

size_t ptx_slots_read(const struct ptx_op *op, int32_t *out)
{
    size_t n = 0;
    for (int i = 0; i < op->sources; i++)
        n = add_slot(out, n, op->source[i]);
    n = add_slot(out, n, op->guard);
    n = add_slot(out, n, op->base);
    n = add_slot(out, n, op->second_base);
    return add_slot(out, n, op->third_base);
}

int32_t ptx_low_name(const struct ptx_low_code *c, int32_t slot)
{
    while (slot >= 0 && c->name[slot] != slot)
        slot = c->name[slot];
    return slot;
}

size_t ptx_low_written(const struct ptx_low_code *c, uint32_t op, int32_t *out)
{
    size_t n = 0, count = ptx_slots_written(ptx_low_op(c, op), out);
    for (size_t i = 0; i < count; i++)
        n = add_slot(out, n, ptx_low_name(c, out[i]));
    uint32_t more = c->joined != NULL ? c->joined[op] : PTX_NONE;
    for (; more != PTX_NONE; more = c->joined[more])
        n = add_slot(out, n, ptx_low_name(c, ptx_low_op(c, more)->result[0]));
    return n;
}

/* A slot, or in its place the sources of the op that makes it, where that is
 * among those taken in: `inner`, what that took in, and so on. */
static size_t add_read(int32_t *out, size_t n, const struct ptx_low_code *c,
                       uint32_t inner, int32_t slot)
{
    for (; inner != PTX_NONE; inner = c->fused[inner]) {
        const struct ptx_op *op = ptx_low_op(c, inner);
        if (slot != op->result[0])
            continue;
        for (int k = 0; k < op->sources; k++)
            n = add_read(out, n, c, c->fused[inner], op->source[k]);
        return n;
    }
    return add_slot(out, n, ptx_low_name(c, slot));
}

size_t ptx_low_read(const struct ptx_low_code *c, uint32_t op, int32_t *out)
{
    int32_t slot[PTX_READS_MAX];
    size_t n = 0, count = ptx_slots_read(ptx_low_op(c, op), slot);
    for (size_t i = 0; i < count; i++)
        n = add_read(out, n, c, c->fused[op], slot[i]);
    return n;
}

void ptx_slot_bytes(const struct ptx_low_code *c, uint8_t *bytes)
{
    const struct ptx_code *code = ptx_low_of(c);
    const struct ptx_function *f = &c->program->module->function[c->function];
    for (uint32_t s = 0; s < code->slots; s++)
        bytes[s] = UINT8_MAX;
    for (size_t i = 0; i < f->regs; i++)
        if (code->slot_of[i] != PTX_SLOT_NONE)
            bytes[code->slot_of[i]] = ptx_types[f->reg[i].type].bytes;
    for (size_t i = 0; i < code->copies; i++)
        bytes[code->first_copy + i] = bytes[code->copy_of[i]];
}
