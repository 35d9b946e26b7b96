/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole-number addition, minimum, division and their like (PTX ISA 9.0, section
 * 9.7.1, with extended precision: 9.7.2). */
#include "kernels/ptx/forms/lanes.h"

#define S16(v) ((int16_t)(v))
#define S32(v) ((int32_t)(v))
#define S64(v) ((int64_t)(v))

LANES2(add16, (uint16_t)(x + y))
LANES2(add32, (uint32_t)(x + y))
LANES2(add64, x + y)
LANES2(sub16, (uint16_t)(x - y))
LANES2(sub32, (uint32_t)(x - y))
LANES2(sub64, x - y)

LANES2(add_sat, saturate32((int64_t)S32(x) + S32(y)))
LANES2(sub_sat, saturate32((int64_t)S32(x) - S32(y)))

/* ---- halves of a register ----------------------------------------------- */

static uint64_t pair(uint64_t low, uint64_t high)
{
    return (low & 0xFFFF) | (high & 0xFFFF) << 16;
}

LANES2(add16x2, pair(x + y, (x >> 16) + (y >> 16)))
LANES2(min_u16x2, pair((uint16_t)x < (uint16_t)y ? x : y,
                       x >> 16 < y >> 16 ? x >> 16 : y >> 16))
LANES2(max_u16x2, pair((uint16_t)x > (uint16_t)y ? x : y,
                       x >> 16 > y >> 16 ? x >> 16 : y >> 16))
LANES2(min_s16x2, pair(S16(x) < S16(y) ? x : y,
                       S16(x >> 16) < S16(y >> 16) ? x >> 16 : y >> 16))
LANES2(max_s16x2, pair(S16(x) > S16(y) ? x : y,
                       S16(x >> 16) > S16(y >> 16) ? x >> 16 : y >> 16))

/* ---- division: by zero all ones, the remainder then the dividend -------- */

LANES2(div_u16, (uint16_t)y != 0 ? (uint16_t)x / (uint16_t)y : 0xFFFF)
LANES2(div_u32, (uint32_t)y != 0 ? (uint32_t)x / (uint32_t)y : UINT32_MAX)
LANES2(div_u64, y != 0 ? x / y : UINT64_MAX)
LANES2(rem_u16, (uint16_t)y != 0 ? (uint16_t)x % (uint16_t)y : x)
LANES2(rem_u32, (uint32_t)y != 0 ? (uint32_t)x % (uint32_t)y : x)
LANES2(rem_u64, y != 0 ? x % y : x)

static int64_t quotient(int64_t x, int64_t y)
{
    if (y == 0)
        return -1;
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}

static int64_t remainder_of(int64_t x, int64_t y)
{
    if (y == 0)
        return x;
    return y == -1 ? 0 : x % y;
}

LANES2(div_s16, (uint16_t)quotient(S16(x), S16(y)))
LANES2(div_s32, (uint32_t)quotient(S32(x), S32(y)))
LANES2(div_s64, (uint64_t)quotient(S64(x), S64(y)))
LANES2(rem_s16, (uint16_t)remainder_of(S16(x), S16(y)))
LANES2(rem_s32, (uint32_t)remainder_of(S32(x), S32(y)))
LANES2(rem_s64, (uint64_t)remainder_of(S64(x), S64(y)))

/* ---- sign and order ----------------------------------------------------- */

LANES1(neg16, (uint16_t)(0 - x))
LANES1(neg32, (uint32_t)(0 - x))
LANES1(neg64, 0 - x)
LANES1(abs16, (uint16_t)(S16(x) < 0 ? 0 - x : x))
LANES1(abs32, (uint32_t)(S32(x) < 0 ? 0 - x : x))
LANES1(abs64, S64(x) < 0 ? 0 - x : x)
LANES2(min_u, x < y ? x : y)
LANES2(max_u, x > y ? x : y)
LANES2(min_s16, S16(x) < S16(y) ? x : y)
LANES2(max_s16, S16(x) > S16(y) ? x : y)
LANES2(min_s32, S32(x) < S32(y) ? x : y)
LANES2(max_s32, S32(x) > S32(y) ? x : y)
LANES2(min_s64, S64(x) < S64(y) ? x : y)
LANES2(max_s64, S64(x) > S64(y) ? x : y)
LANES2(min_relu, S32(x) < 0 || S32(y) < 0 ? 0 : x < y ? x : y)
LANES2(max_relu, saturate32(S32(x) > S32(y) ? S32(x) > 0 ? S32(x) : 0
                            : S32(y) > 0    ? S32(y)
                                            : 0))

static uint64_t distance(int64_t x, int64_t y)
{
    return (uint64_t)(x > y ? x - y : y - x);
}

LANES3(sad_u16, (uint16_t)(z + distance((uint16_t)x, (uint16_t)y)))
LANES3(sad_s16, (uint16_t)(z + distance(S16(x), S16(y))))
LANES3(sad_u32, (uint32_t)(z + distance((uint32_t)x, (uint32_t)y)))
LANES3(sad_s32, (uint32_t)(z + distance(S32(x), S32(y))))
LANES3(sad_u64, z + (x > y ? x - y : y - x))
LANES3(sad_s64, z + (S64(x) > S64(y) ? x - y : y - x))

#define INT16 (TYPE(U16) | TYPE(S16))
#define INT32 (TYPE(U32) | TYPE(S32))
#define INT64 (TYPE(U64) | TYPE(S64))
#define BIN32 (INT32 | TYPE(B32))
#define BIN64 (INT64 | TYPE(B64))

#define CARRY(mnemonic, key, groups, action)                                   \
    {                                                                          \
        mnemonic, key, "dss", BIN32 | BIN64, 0, groups, action, NULL, OP_INT   \
    }

// clang-format off
const struct ptx_form ptx_add_forms[] = {
    CARRY("add", KEYS(MOD_CC), 0, ACTION_ADD_CC),
    CARRY("addc", KEYS(0), GROUP(CARRY), ACTION_ADDC),
    CARRY("sub", KEYS(MOD_CC), 0, ACTION_SUB_CC),
    CARRY("subc", KEYS(0), GROUP(CARRY), ACTION_SUBC),
    ROW("add", KEYS(MOD_SAT), "dss", TYPE(S32), 0, add_sat, OP_INT),
    ROW("add", KEYS(0), "dss", INT16, 0, add16, OP_INT),
    ROW("add", KEYS(0), "dss", INT32, 0, add32, OP_INT),
    ROW("add", KEYS(0), "dss", INT64, 0, add64, OP_INT),
    ROW("add", KEYS(0), "dss", TYPE(U16X2) | TYPE(S16X2), 0, add16x2, OP_INT),
    ROW("sub", KEYS(MOD_SAT), "dss", TYPE(S32), 0, sub_sat, OP_INT),
    ROW("sub", KEYS(0), "dss", INT16, 0, sub16, OP_INT),
    ROW("sub", KEYS(0), "dss", INT32, 0, sub32, OP_INT),
    ROW("sub", KEYS(0), "dss", INT64, 0, sub64, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(U16), 0, div_u16, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(S16), 0, div_s16, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(U32), 0, div_u32, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(S32), 0, div_s32, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(U64), 0, div_u64, OP_INT),
    ROW("div", KEYS(0), "dss", TYPE(S64), 0, div_s64, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(U16), 0, rem_u16, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(S16), 0, rem_s16, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(U32), 0, rem_u32, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(S32), 0, rem_s32, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(U64), 0, rem_u64, OP_INT),
    ROW("rem", KEYS(0), "dss", TYPE(S64), 0, rem_s64, OP_INT),
    ROW("neg", KEYS(0), "ds", TYPE(S16), 0, neg16, OP_INT),
    ROW("neg", KEYS(0), "ds", TYPE(S32), 0, neg32, OP_INT),
    ROW("neg", KEYS(0), "ds", TYPE(S64), 0, neg64, OP_INT),
    ROW("abs", KEYS(0), "ds", TYPE(S16), 0, abs16, OP_INT),
    ROW("abs", KEYS(0), "ds", TYPE(S32), 0, abs32, OP_INT),
    ROW("abs", KEYS(0), "ds", TYPE(S64), 0, abs64, OP_INT),
    ROW("min", KEYS(MOD_RELU), "dss", TYPE(S32), 0, min_relu, OP_INT),
    ROW("max", KEYS(MOD_RELU), "dss", TYPE(S32), 0, max_relu, OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(U16) | TYPE(U32) | TYPE(U64), 0, min_u,
        OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(U16) | TYPE(U32) | TYPE(U64), 0, max_u,
        OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(S16), 0, min_s16, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(S16), 0, max_s16, OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(S32), 0, min_s32, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(S32), 0, max_s32, OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(S64), 0, min_s64, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(S64), 0, max_s64, OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(U16X2), 0, min_u16x2, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(U16X2), 0, max_u16x2, OP_INT),
    ROW("min", KEYS(0), "dss", TYPE(S16X2), 0, min_s16x2, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(S16X2), 0, max_s16x2, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(U16), 0, sad_u16, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(S16), 0, sad_s16, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(U32), 0, sad_u32, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(S32), 0, sad_s32, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(U64), 0, sad_u64, OP_INT),
    ROW("sad", KEYS(0), "dsss", TYPE(S64), 0, sad_s64, OP_INT),
    {.mnemonic = NULL},
};
