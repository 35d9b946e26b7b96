/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole-number multiplication (PTX ISA 9.0, section 9.7.1). */
#include "kernels/ptx/forms/lanes.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

#define S16(v) ((int16_t)(v))
#define S32(v) ((int32_t)(v))
#define S64(v) ((int64_t)(v))
#define U16(v) ((uint16_t)(v))
#define U32(v) ((uint32_t)(v))

/* Products as twice the bits, whether the upper half is meant or the whole. */
static uint64_t product_u16(uint64_t x, uint64_t y)
{
    return (uint64_t)U16(x) * U16(y);
}

static uint64_t product_s16(uint64_t x, uint64_t y)
{
    return (uint64_t)((int64_t)S16(x) * S16(y));
}

static uint64_t product_u32(uint64_t x, uint64_t y)
{
    return (uint64_t)U32(x) * U32(y);
}

static uint64_t product_s32(uint64_t x, uint64_t y)
{
    return (uint64_t)((int64_t)S32(x) * S32(y));
}

static uint64_t high_u64(uint64_t x, uint64_t y)
{
    return (uint64_t)((wide_unsigned)x * y >> 64);
}

static uint64_t high_s64(uint64_t x, uint64_t y)
{
    return (uint64_t)((wide_signed)S64(x) * S64(y) >> 64);
}

LANES2(mul_lo16, U16(product_u16(x, y)))
LANES2(mul_lo32, U32(x *y))
LANES2(mul_lo64, x *y)
LANES2(mul_hi_u16, U16(product_u16(x, y) >> 16))
LANES2(mul_hi_s16, U16(product_s16(x, y) >> 16))
LANES2(mul_hi_u32, product_u32(x, y) >> 32)
LANES2(mul_hi_s32, product_s32(x, y) >> 32)
LANES2(mul_hi_u64, high_u64(x, y))
LANES2(mul_hi_s64, high_s64(x, y))
LANES2(mul_wide_u16, product_u16(x, y))
LANES2(mul_wide_s16, U32(product_s16(x, y)))
LANES2(mul_wide_u32, product_u32(x, y))
LANES2(mul_wide_s32, product_s32(x, y))

LANES3(mad_lo16, U16(product_u16(x, y) + z))
LANES3(mad_lo32, U32(x *y + z))
LANES3(mad_lo64, x *y + z)
LANES3(mad_hi_u16, U16((product_u16(x, y) >> 16) + z))
LANES3(mad_hi_s16, U16((product_s16(x, y) >> 16) + z))
LANES3(mad_hi_u32, U32((product_u32(x, y) >> 32) + z))
LANES3(mad_hi_s32, U32((product_s32(x, y) >> 32) + z))
LANES3(mad_hi_u64, high_u64(x, y) + z)
LANES3(mad_hi_s64, high_s64(x, y) + z)
LANES3(mad_wide_u16, U32(product_u16(x, y) + z))
LANES3(mad_wide_s16, U32(product_s16(x, y) + z))
LANES3(mad_wide_u32, product_u32(x, y) + z)
LANES3(mad_wide_s32, product_s32(x, y) + z)

LANES3(mad_hi_sat, saturate32((int64_t)S32(product_s32(x, y) >> 32) + S32(z)))

/* ---- 24 bits ------------------------------------------------------------ */

static int64_t signed24(uint64_t v)
{
    return (int64_t)((v & 0xFFFFFF) ^ 0x800000) - 0x800000;
}

static uint64_t product_u24(uint64_t x, uint64_t y)
{
    return (x & 0xFFFFFF) * (y & 0xFFFFFF);
}

static uint64_t product_s24(uint64_t x, uint64_t y)
{
    return (uint64_t)(signed24(x) * signed24(y));
}

LANES2(mul24_lo_u, U32(product_u24(x, y)))
LANES2(mul24_lo_s, U32(product_s24(x, y)))
LANES2(mul24_hi_u, U32(product_u24(x, y) >> 16))
LANES2(mul24_hi_s, U32(product_s24(x, y) >> 16))
LANES3(mad24_lo_u, U32(product_u24(x, y) + z))
LANES3(mad24_lo_s, U32(product_s24(x, y) + z))
LANES3(mad24_hi_u, U32((product_u24(x, y) >> 16) + z))
LANES3(mad24_hi_s, U32((product_s24(x, y) >> 16) + z))
LANES3(mad24_hi_sat, saturate32((int64_t)S32(product_s24(x, y) >> 16) + S32(z)))

/* ---- dot products ------------------------------------------------------- */

static int64_t byte_of(uint64_t v, int i, bool is_signed)
{
    uint8_t byte = (uint8_t)(v >> 8 * i);
    return is_signed ? (int8_t)byte : byte;
}

static uint64_t dot4(const struct ptx_op *op, uint64_t x, uint64_t y,
                     uint64_t z)
{
    const uint8_t *type = op->inst->type;
    int64_t sum = S32(z);
    for (int i = 0; i < 4; i++)
        sum += byte_of(x, i, type[0] == PTX_S32) *
               byte_of(y, i, type[1] == PTX_S32);
    return U32(sum);
}

static uint64_t dot2(const struct ptx_op *op, uint64_t x, uint64_t y,
                     uint64_t z)
{
    const uint8_t *type = op->inst->type;
    int first = op->inst->modifier[GROUP_PART] == MOD_HI ? 2 : 0;
    int64_t sum = S32(z);
    for (int i = 0; i < 2; i++) {
        uint16_t half = (uint16_t)(x >> 16 * i);
        sum += (type[0] == PTX_S32 ? (int64_t)S16(half) : half) *
               byte_of(y, first + i, type[1] == PTX_S32);
    }
    return U32(sum);
}

LANES3(dp4a, dot4(op, x, y, z))
LANES3(dp2a, dot2(op, x, y, z))

#define INT16 (TYPE(U16) | TYPE(S16))
#define INT32 (TYPE(U32) | TYPE(S32))
#define INT64 (TYPE(U64) | TYPE(S64))

#define MUL(part, operands, types, lanes)                                      \
    ROW("mul", KEYS(MOD_##part), operands, types, 0, lanes, OP_IMUL)
#define MAD(part, operands, types, lanes)                                      \
    ROW("mad", KEYS(MOD_##part), operands, types, 0, lanes, OP_IMUL)
#define SHORT(mnemonic, part, operands, type, lanes)                           \
    ROW(mnemonic, KEYS(MOD_##part), operands, TYPE(type), 0, lanes, OP_IMUL)

// clang-format off
const struct ptx_form ptx_multiply_forms[] = {
    {"mad", KEYS(MOD_CC), "dsss", INT32 | INT64, 0, GROUP(PART), ACTION_MAD_CC,
     NULL, OP_IMUL},
    {"madc", KEYS(0), "dsss", INT32 | INT64, 0, GROUP(PART) | GROUP(CARRY),
     ACTION_MADC, NULL, OP_IMUL},
    MUL(LO, "dss", INT16, mul_lo16), MUL(LO, "dss", INT32, mul_lo32),
    MUL(LO, "dss", INT64, mul_lo64),
    MUL(HI, "dss", TYPE(U16), mul_hi_u16), MUL(HI, "dss", TYPE(S16), mul_hi_s16),
    MUL(HI, "dss", TYPE(U32), mul_hi_u32), MUL(HI, "dss", TYPE(S32), mul_hi_s32),
    MUL(HI, "dss", TYPE(U64), mul_hi_u64), MUL(HI, "dss", TYPE(S64), mul_hi_s64),
    MUL(WIDE, "Dss", TYPE(U16), mul_wide_u16),
    MUL(WIDE, "Dss", TYPE(S16), mul_wide_s16),
    MUL(WIDE, "Dss", TYPE(U32), mul_wide_u32),
    MUL(WIDE, "Dss", TYPE(S32), mul_wide_s32),
    ROW("mad", KEYS(MOD_HI, MOD_SAT), "dsss", TYPE(S32), 0, mad_hi_sat,
        OP_IMUL),
    MAD(LO, "dsss", INT16, mad_lo16), MAD(LO, "dsss", INT32, mad_lo32),
    MAD(LO, "dsss", INT64, mad_lo64),
    MAD(HI, "dsss", TYPE(U16), mad_hi_u16),
    MAD(HI, "dsss", TYPE(S16), mad_hi_s16),
    MAD(HI, "dsss", TYPE(U32), mad_hi_u32),
    MAD(HI, "dsss", TYPE(S32), mad_hi_s32),
    MAD(HI, "dsss", TYPE(U64), mad_hi_u64),
    MAD(HI, "dsss", TYPE(S64), mad_hi_s64),
    MAD(WIDE, "DssS", TYPE(U16), mad_wide_u16),
    MAD(WIDE, "DssS", TYPE(S16), mad_wide_s16),
    MAD(WIDE, "DssS", TYPE(U32), mad_wide_u32),
    MAD(WIDE, "DssS", TYPE(S32), mad_wide_s32),
    SHORT("mul24", LO, "dss", U32, mul24_lo_u),
    SHORT("mul24", LO, "dss", S32, mul24_lo_s),
    SHORT("mul24", HI, "dss", U32, mul24_hi_u),
    SHORT("mul24", HI, "dss", S32, mul24_hi_s),
    SHORT("mad24", LO, "dsss", U32, mad24_lo_u),
    SHORT("mad24", LO, "dsss", S32, mad24_lo_s),
    ROW("mad24", KEYS(MOD_HI, MOD_SAT), "dsss", TYPE(S32), 0, mad24_hi_sat,
        OP_IMUL),
    SHORT("mad24", HI, "dsss", U32, mad24_hi_u),
    SHORT("mad24", HI, "dsss", S32, mad24_hi_s),
    {"dp4a", KEYS(0), "dsts", INT32, INT32, 0, ACTION_LANES, dp4a, OP_IMUL},
    {"dp2a", KEYS(0), "dsts", INT32, INT32, GROUP(PART), ACTION_LANES, dp2a,
     OP_IMUL},
    {.mnemonic = NULL},
};
