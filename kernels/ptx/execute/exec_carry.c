/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Extended precision: sums that take or leave a carry (PTX ISA 9.0, section
 * 9.7.2). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

/* The half of a product that mad.lo or mad.hi means. */
static uint64_t product_part(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    bool high = op->inst->modifier[GROUP_PART] == MOD_HI;
    bool is_signed = ptx_types[op->inst->type[0]].is_signed;
    if (op->bytes == 4) {
        uint64_t all = is_signed ? (uint64_t)((int64_t)(int32_t)x * (int32_t)y)
                                 : (uint64_t)(uint32_t)x * (uint32_t)y;
        return high ? all >> 32 : (uint32_t)all;
    }
    if (!high)
        return x * y;
    if (is_signed)
        return (uint64_t)((wide_signed)(int64_t)x * (int64_t)y >> 64);
    return (uint64_t)((wide_unsigned)x * y >> 64);
}

/* x + y with the carry of before; the new one in *carry. */
static uint64_t add_carry(unsigned bits, uint64_t x, uint64_t y,
                          uint64_t *carry)
{
    wide_unsigned sum = (wide_unsigned)x + y + *carry;
    *carry = (uint64_t)(sum >> bits) & 1;
    return bits == 32 ? (uint32_t)sum : (uint64_t)sum;
}

/* A difference is x + ~y + 1, and leaves what that sum carries: 0 where it
 * borrows. So does the machine, and what sub.cc leaves may go to addc. */
static uint64_t complement(unsigned bits, uint64_t y)
{
    return bits == 32 ? (uint32_t)~y : ~y;
}

static const struct {
    bool multiplies; /* the first two sources, before */
    bool subtracts;
    bool takes; /* the carry that is there */
} actions[] = {
    [ACTION_ADD_CC] = {false, false, false},
    [ACTION_ADDC] = {false, false, true},
    [ACTION_SUB_CC] = {false, true, false},
    [ACTION_SUBC] = {false, true, true},
    [ACTION_MAD_CC] = {true, false, false},
    [ACTION_MADC] = {true, false, true},
};

bool ptx_execute_carry(struct ptx_block *b, struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    bool multiplies = actions[op->action].multiplies;
    bool minus = actions[op->action].subtracts;
    bool takes = actions[op->action].takes;
    unsigned bits = 8u * op->bytes;
    uint64_t *flag =
        ptx_slot(b, w, b->launch->program->code[f->function].carry);
    const uint64_t *s[PTX_PARTS_MAX];
    uint64_t value[WARP_LANES], carries[WARP_LANES];
    ptx_sources(b, w, op, s);
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t x = multiplies ? product_part(op, s[0][i], s[1][i]) : s[0][i];
        uint64_t y = multiplies ? s[2][i] : s[1][i];
        carries[i] = takes ? flag[i] : minus;
        value[i] =
            add_carry(bits, x, minus ? complement(bits, y) : y, &carries[i]);
    }
    ptx_write(b, w, op->result[0], mask, value);
    if (op->inst->modifier[GROUP_CARRY] == MOD_CC)
        ptx_write(b, w, b->launch->program->code[f->function].carry, mask,
                  carries);
    return true;
}
