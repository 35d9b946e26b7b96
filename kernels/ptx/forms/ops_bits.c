/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logic, shifts, bit fields and permutation (PTX ISA 9.0, sections 9.7.1, 9.7.8
 * and 9.7.9). */
#include "kernels/ptx/forms/lanes.h"

LANES2(and_lanes, x &y)
LANES2(or_lanes, x | y)
LANES2(xor_lanes, x ^ y)
LANES1(not_pred, x ^ 1)
LANES1(not16, (uint16_t)~x)
LANES1(not32, (uint32_t)~x)
LANES1(not64, ~x)
LANES1(cnot, x == 0)

static uint64_t logic3(uint64_t x, uint64_t y, uint64_t z, unsigned table)
{
    uint64_t out = 0;
    for (unsigned i = 0; i < 8; i++)
        if ((table >> i & 1) != 0)
            out |= (i & 4 ? x : ~x) & (i & 2 ? y : ~y) & (i & 1 ? z : ~z);
    return (uint32_t)out;
}

LANES3(lop3, logic3(x, y, z, (unsigned)s[3][i]))

/* ---- shifts: amounts are of 32 bits and stop at the width --------------- */

LANES2(shl16, (uint32_t)y > 15 ? 0 : (uint16_t)(x << y))
LANES2(shl32, (uint32_t)y > 31 ? 0 : (uint32_t)(x << y))
LANES2(shl64, (uint32_t)y > 63 ? 0 : x << y)
LANES2(shr_u, (uint32_t)y > 63 ? 0 : x >> y)
LANES2(shr_s16, (uint16_t)((int16_t)x >> ((uint32_t)y > 15 ? 15 : y)))
LANES2(shr_s32, (uint32_t)((int32_t)x >> ((uint32_t)y > 31 ? 31 : y)))
LANES2(shr_s64, (uint64_t)((int64_t)x >> ((uint32_t)y > 63 ? 63 : y)))

static unsigned funnel_amount(const struct ptx_op *op, uint64_t amount)
{
    if (op->inst->modifier[GROUP_CLAMP] == MOD_WRAP)
        return amount & 31;
    return amount > 32 ? 32 : (unsigned)amount;
}

LANES3(shf_l, ((y << 32 | x) << funnel_amount(op, z)) >> 32)
LANES3(shf_r, (uint32_t)((y << 32 | x) >> funnel_amount(op, z)))

/* ---- counts ------------------------------------------------------------- */

LANES1(popc, (uint64_t)__builtin_popcountll(x))
LANES1(clz32, (uint32_t)x == 0 ? 32u : (unsigned)__builtin_clz((unsigned)x))
LANES1(clz64, x == 0 ? 64u : (unsigned)__builtin_clzll(x))

static uint64_t reverse(uint64_t x)
{
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0F0F0F0F0F0F0F0F) | (x & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(x);
}

LANES1(brev32, reverse(x) >> 32)
LANES1(brev64, reverse(x))

static unsigned width_of(const struct ptx_op *op)
{
    return 8u * ptx_types[op->inst->type[0]].bytes;
}

static bool is_signed(const struct ptx_op *op)
{
    return ptx_types[op->inst->type[0]].is_signed;
}

static uint64_t find_leading(const struct ptx_op *op, uint64_t x)
{
    unsigned width = width_of(op);
    if (is_signed(op) && (x >> (width - 1) & 1) != 0)
        x = ~x & low_bits(width);
    if (x == 0)
        return UINT32_MAX;
    unsigned at = 63 - (unsigned)__builtin_clzll(x);
    return op->inst->modifier[GROUP_SHIFT] != MOD_NONE ? width - 1 - at : at;
}

LANES1(bfind, find_leading(op, x))

/* The bit that is number |offset| from base, upward when it is positive. */
static uint64_t find_set(uint32_t mask, uint32_t base, int32_t offset)
{
    int step = offset < 0 ? -1 : 1, at = (int)(base & 31);
    int64_t left = offset < 0 ? -(int64_t)offset : offset;
    if (offset == 0)
        return (mask >> at & 1) != 0 ? (unsigned)at : UINT32_MAX;
    for (; at >= 0 && at < 32; at += step)
        if ((mask >> at & 1) != 0 && --left == 0)
            return (unsigned)at;
    return UINT32_MAX;
}

LANES3(fns, find_set((uint32_t)x, (uint32_t)y, (int32_t)z))

/* ---- fields ------------------------------------------------------------- */

static uint64_t extract(const struct ptx_op *op, uint64_t x, uint64_t position,
                        uint64_t length)
{
    unsigned width = width_of(op), at = position & 0xFF, n = length & 0xFF;
    unsigned top = at + n - 1 < width - 1 ? at + n - 1 : width - 1;
    bool fill = is_signed(op) && n > 0 && (x >> top & 1) != 0;
    if (n == 0)
        return 0;
    unsigned kept = at >= width ? 0 : n < width - at ? n : width - at;
    uint64_t out = kept > 0 ? x >> at & low_bits(kept) : 0;
    return fill ? (out | ~low_bits(kept)) & low_bits(width) : out;
}

LANES3(bfe, extract(op, x, y, z))

static uint64_t insert(unsigned width, uint64_t x, uint64_t y,
                       uint64_t position, uint64_t length)
{
    unsigned at = position & 0xFF, n = length & 0xFF;
    if (n == 0 || at >= width)
        return y;
    uint64_t field = low_bits(n) << at & low_bits(width);
    return (y & ~field) | (x << at & field);
}

LANES3(bfi, insert(width_of(op), x, y, z, s[3][i]))

/* szext (9.7.1.21): x as a number of y bits. */
static uint64_t extend(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    bool wraps = op->inst->modifier[GROUP_CLAMP] == MOD_WRAP;
    unsigned n = wraps ? y & 31 : y > 32 ? 32 : (unsigned)y;
    uint64_t out = x & low_bits(n);
    if (is_signed(op) && n > 0 && (x >> (n - 1) & 1) != 0)
        out |= ~low_bits(n);
    return (uint32_t)out;
}

/* bmsk (9.7.1.22): y ones from bit x on. */
static uint64_t bit_mask(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    bool wraps = op->inst->modifier[GROUP_CLAMP] == MOD_WRAP;
    unsigned at = wraps ? x & 31 : x > 32 ? 32 : (unsigned)x;
    unsigned n = wraps ? y & 31 : y > 32 ? 32 : (unsigned)y;
    return (uint32_t)(low_bits(n) << at);
}

LANES2(szext, extend(op, x, y))
LANES2(bmsk, bit_mask(op, x, y))

/* ---- prmt (9.7.9.7) ----------------------------------------------------- */

static unsigned chosen_byte(enum ptx_modifier mode, unsigned i,
                            unsigned control)
{
    unsigned c = control & 3;
    switch (mode) {
    case MOD_F4E:
        return c + i;
    case MOD_B4E:
        return (c - i) & 7;
    case MOD_RC8:
        return c;
    case MOD_ECL:
        return i > c ? i : c;
    case MOD_ECR:
        return i < c ? i : c;
    case MOD_RC16:
        return (i & 1) + 2 * (c & 1);
    default:
        return control >> 4 * i & 7;
    }
}

static uint64_t permute(const struct ptx_op *op, uint64_t x, uint64_t y,
                        uint64_t z)
{
    enum ptx_modifier mode = op->inst->modifier[GROUP_PERMUTE];
    uint64_t bytes = x | y << 32, out = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t byte = bytes >> 8 * chosen_byte(mode, i, (unsigned)z) & 0xFF;
        if (mode == MOD_NONE && (z >> (4 * i + 3) & 1) != 0)
            byte = byte >> 7 != 0 ? 0xFF : 0;
        out |= byte << 8 * i;
    }
    return out;
}

LANES3(prmt, permute(op, x, y, z))

#define B16_32_64 (TYPE(B16) | TYPE(B32) | TYPE(B64))
#define ALL16     (TYPE(B16) | TYPE(U16) | TYPE(S16))
#define ALL32     (TYPE(B32) | TYPE(U32) | TYPE(S32))
#define ALL64     (TYPE(B64) | TYPE(U64) | TYPE(S64))
#define UNSIGNED  (B16_32_64 | TYPE(U16) | TYPE(U32) | TYPE(U64))
#define INT32_64  (TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(S64))

// clang-format off
const struct ptx_form ptx_bit_forms[] = {
    ROW("and", KEYS(0), "dss", TYPE(PRED) | B16_32_64, 0, and_lanes, OP_INT),
    ROW("or", KEYS(0), "dss", TYPE(PRED) | B16_32_64, 0, or_lanes, OP_INT),
    ROW("xor", KEYS(0), "dss", TYPE(PRED) | B16_32_64, 0, xor_lanes, OP_INT),
    ROW("not", KEYS(0), "ds", TYPE(PRED), 0, not_pred, OP_INT),
    ROW("not", KEYS(0), "ds", TYPE(B16), 0, not16, OP_INT),
    ROW("not", KEYS(0), "ds", TYPE(B32), 0, not32, OP_INT),
    ROW("not", KEYS(0), "ds", TYPE(B64), 0, not64, OP_INT),
    ROW("cnot", KEYS(0), "ds", B16_32_64, 0, cnot, OP_INT),
    {"lop3", KEYS(MOD_OR), "dsssiq", TYPE(B32), 0, 0, ACTION_LOGIC, lop3,
     OP_INT},
    {"lop3", KEYS(MOD_AND), "dsssiq", TYPE(B32), 0, 0, ACTION_LOGIC, lop3,
     OP_INT},
    ROW("lop3", KEYS(0), "dsssi", TYPE(B32), 0, lop3, OP_INT),
    ROW("shl", KEYS(0), "dsu", ALL16, 0, shl16, OP_INT),
    ROW("shl", KEYS(0), "dsu", ALL32, 0, shl32, OP_INT),
    ROW("shl", KEYS(0), "dsu", ALL64, 0, shl64, OP_INT),
    ROW("shr", KEYS(0), "dsu", UNSIGNED, 0, shr_u, OP_INT),
    ROW("shr", KEYS(0), "dsu", TYPE(S16), 0, shr_s16, OP_INT),
    ROW("shr", KEYS(0), "dsu", TYPE(S32), 0, shr_s32, OP_INT),
    ROW("shr", KEYS(0), "dsu", TYPE(S64), 0, shr_s64, OP_INT),
    ROW("shf", KEYS(MOD_L), "dssu", TYPE(B32), GROUP(CLAMP), shf_l, OP_INT),
    ROW("shf", KEYS(MOD_R), "dssu", TYPE(B32), GROUP(CLAMP), shf_r, OP_INT),
    ROW("popc", KEYS(0), "Us", TYPE(B32) | TYPE(B64), 0, popc, OP_CONVERT),
    ROW("clz", KEYS(0), "Us", TYPE(B32), 0, clz32, OP_CONVERT),
    ROW("clz", KEYS(0), "Us", TYPE(B64), 0, clz64, OP_CONVERT),
    ROW("brev", KEYS(0), "ds", TYPE(B32), 0, brev32, OP_CONVERT),
    ROW("brev", KEYS(0), "ds", TYPE(B64), 0, brev64, OP_CONVERT),
    ROW("bfind", KEYS(0), "Us", INT32_64, GROUP(SHIFT), bfind, OP_CONVERT),
    ROW("fns", KEYS(0), "dsss", TYPE(B32), 0, fns, OP_INT),
    ROW("bfe", KEYS(0), "dsuu", INT32_64, 0, bfe, OP_INT),
    ROW("bfi", KEYS(0), "dssuu", TYPE(B32) | TYPE(B64), 0, bfi, OP_INT),
    ROW("szext", KEYS(0), "dsu", TYPE(U32) | TYPE(S32), GROUP(CLAMP), szext,
        OP_INT),
    ROW("bmsk", KEYS(0), "dsu", TYPE(B32), GROUP(CLAMP), bmsk, OP_INT),
    ROW("prmt", KEYS(0), "dssu", TYPE(B32), GROUP(PERMUTE), prmt, OP_INT),
    {.mnemonic = NULL},
};
