/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversion and moves (PTX ISA 9.0, sections 9.7.9.3 and 9.7.9.21). */
#include "kernels/ptx/forms/lanes.h"

#include <math.h>

static enum ptx_type target_of(const struct ptx_op *op)
{
    return (enum ptx_type)op->inst->type[0];
}

static enum ptx_type source_of(const struct ptx_op *op)
{
    return (enum ptx_type)op->inst->type[1];
}

static unsigned bits_of(enum ptx_type t)
{
    return 8u * ptx_types[t].bytes;
}

static int64_t sign_extended(uint64_t x, unsigned bits)
{
    return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

/* A whole number as a register of the destination's width holds it. */
static uint64_t in_register(const struct ptx_op *op, uint64_t value)
{
    enum ptx_type t = target_of(op);
    unsigned bits = bits_of(t);
    value &= low_bits(bits);
    if (ptx_types[t].is_signed)
        value = (uint64_t)sign_extended(value, bits);
    return value & low_bits(8u * op->result_bytes);
}

/* ---- from whole numbers ------------------------------------------------- */

/* Its bits 63 down to the destination's top, for .sat. */
static uint64_t clamp_whole(const struct ptx_op *op, uint64_t x)
{
    enum ptx_type t = target_of(op);
    bool from_signed = ptx_types[source_of(op)].is_signed;
    unsigned bits = bits_of(t);
    bool negative = from_signed && (int64_t)x < 0;
    if (ptx_types[t].is_signed) {
        uint64_t top = low_bits(bits - 1);
        if (negative)
            return (int64_t)x < -(int64_t)top - 1 ? ~top : x;
        return x > top ? top : x;
    }
    if (negative)
        return 0;
    return x > low_bits(bits) ? low_bits(bits) : x;
}

static uint64_t source_whole(const struct ptx_op *op, uint64_t x)
{
    enum ptx_type s = source_of(op);
    x &= low_bits(bits_of(s));
    return ptx_types[s].is_signed ? (uint64_t)sign_extended(x, bits_of(s)) : x;
}

static uint64_t whole_to_whole(const struct ptx_op *op, uint64_t x)
{
    x = source_whole(op, x);
    if (op->inst->modifier[GROUP_SAT] != MOD_NONE)
        x = clamp_whole(op, x);
    return in_register(op, x);
}

/* To 53 bits with the last set when inexact, for a second rounding. */
static double whole_to_odd(uint64_t magnitude)
{
    unsigned extra = 0;
    while (magnitude >> extra >> 53 != 0)
        extra++;
    uint64_t rest = magnitude & low_bits(extra);
    if (extra == 0)
        return (double)magnitude;
    return ldexp((double)(magnitude >> extra | (rest != 0)), (int)extra);
}

static uint64_t whole_to_float(const struct ptx_op *op, uint64_t x)
{
    bool is_signed = ptx_types[source_of(op)].is_signed;
    enum ptx_modifier round = op->inst->modifier[GROUP_ROUND];
    x = source_whole(op, x);
    switch (target_of(op)) {
    case PTX_F32:
        return float_bits(is_signed ? (float)(int64_t)x : (float)x);
    case PTX_F64:
        return double_bits(is_signed ? (double)(int64_t)x : (double)x);
    default:
        break;
    }
    bool negative = is_signed && (int64_t)x < 0;
    double value = whole_to_odd(negative ? 0 - x : x);
    value = negative ? -value : value;
    return target_of(op) == PTX_F16 ? half_from_double(value, round)
                                    : bfloat_from_double(value, round);
}

/* ---- from floating point ------------------------------------------------ */

static double source_float(const struct ptx_op *op, uint64_t x)
{
    switch (source_of(op)) {
    case PTX_F16:
        return half_to_double(x & 0xFFFF);
    case PTX_BF16:
        return bfloat_to_double(x & 0xFFFF);
    case PTX_F64:
        return double_from_bits(x);
    default:
        return (double)float_from_bits(x);
    }
}

static double to_integral(double value, enum ptx_modifier round)
{
    switch (round) {
    case MOD_RZI:
        return trunc(value);
    case MOD_RMI:
        return floor(value);
    case MOD_RPI:
        return ceil(value);
    case MOD_RNI:
        return nearbyint(value);
    default:
        return value;
    }
}

/* Not a number is 0; what does not fit is the nearest that does. */
static uint64_t float_to_whole(const struct ptx_op *op, uint64_t x)
{
    enum ptx_type t = target_of(op);
    unsigned bits = bits_of(t) - ptx_types[t].is_signed;
    double value =
        to_integral(source_float(op, x), op->inst->modifier[GROUP_ROUND]);
    double limit = ldexp(1, (int)bits);
    uint64_t whole;
    if (value != value)
        whole = 0;
    else if (value >= limit)
        whole = low_bits(bits);
    else if (!ptx_types[t].is_signed)
        whole = value <= 0 ? 0 : (uint64_t)value;
    else
        whole = value <= -limit ? ~low_bits(bits) : (uint64_t)(int64_t)value;
    return in_register(op, whole);
}

/* .sat: 0 to 1; .relu: not negative; .satfinite: no infinity. */
static double limited(const struct ptx_op *op, double value)
{
    const uint8_t *modifier = op->inst->modifier;
    if (modifier[GROUP_SAT] == MOD_SAT)
        return value > 0 ? (value < 1 ? value : 1) : 0;
    if (modifier[GROUP_RELU] != MOD_NONE && value <= 0)
        return 0;
    return value;
}

static uint64_t finite(const struct ptx_op *op, uint64_t bits,
                       uint64_t infinity, uint64_t step)
{
    if (op->inst->modifier[GROUP_SAT] != MOD_SATFINITE ||
        (bits & infinity) != infinity)
        return bits;
    uint64_t sign = infinity == 0x7F800000 ? 0x80000000 : 0x8000;
    return (bits & (sign - 1)) == infinity ? bits - step : bits;
}

static uint64_t encode(const struct ptx_op *op, enum ptx_type t, double value)
{
    enum ptx_modifier round = op->inst->modifier[GROUP_ROUND];
    switch (t) {
    case PTX_F64:
        return double_bits(value);
    case PTX_F16:
        return finite(op, half_from_double(value, round), 0x7C00, 1);
    case PTX_BF16:
        return finite(op, bfloat_from_double(value, round), 0x7F80, 1);
    case PTX_TF32:
        return finite(op, tf32_from_double(value, round), 0x7F800000, 1 << 13);
    default:
        return value == value ? float_bits((float)value) : 0x7FFFFFFF;
    }
}

static uint64_t float_to_float(const struct ptx_op *op, uint64_t x)
{
    double value =
        to_integral(source_float(op, x), op->inst->modifier[GROUP_ROUND]);
    return encode(op, target_of(op), limited(op, value));
}

/* Two values into the halves of a register, the first into the upper. */
static uint64_t pack(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    enum ptx_type t = target_of(op) == PTX_F16X2 ? PTX_F16 : PTX_BF16;
    double high = (double)float_from_bits(x), low = (double)float_from_bits(y);
    return encode(op, t, limited(op, high)) << 16 |
           encode(op, t, limited(op, low));
}

/* ---- 8 bits ------------------------------------------------------------- */

static uint64_t to_fp8(const struct ptx_op *op, double high, double low)
{
    enum ptx_type t = target_of(op) == PTX_E4M3X2 ? PTX_E4M3 : PTX_E5M2;
    return fp8_from_double(limited(op, high), t) << 8 |
           fp8_from_double(limited(op, low), t);
}

static uint64_t pack_fp8(const struct ptx_op *op, uint64_t x, uint64_t y)
{
    return to_fp8(op, (double)float_from_bits(x), (double)float_from_bits(y));
}

static uint64_t halves_to_fp8(const struct ptx_op *op, uint64_t x)
{
    return to_fp8(op, half_to_double(x >> 16 & 0xFFFF),
                  half_to_double(x & 0xFFFF));
}

static uint64_t fp8_to_halves(const struct ptx_op *op, uint64_t x)
{
    enum ptx_type s = source_of(op) == PTX_E4M3X2 ? PTX_E4M3 : PTX_E5M2;
    double high = limited(op, fp8_to_double(x >> 8 & 0xFF, s));
    double low = limited(op, fp8_to_double(x & 0xFF, s));
    return half_from_double(high, MOD_RN) << 16 | half_from_double(low, MOD_RN);
}

/* cvt.pack: a above b above what z has in its low bits. */
static uint64_t narrowed(const struct ptx_op *op, uint64_t x)
{
    static const uint8_t bits[PTX_TYPES] = {
        [PTX_U16] = 16, [PTX_S16] = 16, [PTX_U8] = 8, [PTX_S8] = 8,
        [PTX_U4] = 4,   [PTX_S4] = 4,   [PTX_U2] = 2, [PTX_S2] = 2};
    enum ptx_type t = target_of(op);
    int64_t value = (int32_t)x;
    int64_t top = (int64_t)low_bits(bits[t] - ptx_types[t].is_signed);
    int64_t bottom = ptx_types[t].is_signed ? -top - 1 : 0;
    value = value > top ? top : value < bottom ? bottom : value;
    return (uint64_t)value & low_bits(bits[t]);
}

static uint64_t pack_three(const struct ptx_op *op, uint64_t x, uint64_t y,
                           uint64_t z)
{
    enum ptx_type t = target_of(op);
    unsigned n = t <= PTX_S8 ? 8 : t >= PTX_U4 ? 4 : 2;
    return (uint32_t)(z << 2 * n | narrowed(op, x) << n | narrowed(op, y));
}

LANES1(cvt_whole, whole_to_whole(op, x))
LANES1(cvt_to_float, whole_to_float(op, x))
LANES1(cvt_to_whole, float_to_whole(op, x))
LANES1(cvt_float, float_to_float(op, x))
LANES2(cvt_pack, pack(op, x, y))
LANES2(pack_two, narrowed(op, x) << 16 | narrowed(op, y))
LANES3(pack_below, pack_three(op, x, y, z))
LANES2(cvt_to_fp8, pack_fp8(op, x, y))
LANES1(cvt_halves_to_fp8, halves_to_fp8(op, x))
LANES1(cvt_from_fp8, fp8_to_halves(op, x))
LANES1(same, x)

#define WHOLE                                                                  \
    (TYPE(U8) | TYPE(S8) | TYPE(U16) | TYPE(S16) | TYPE(U32) | TYPE(S32) |     \
     TYPE(U64) | TYPE(S64))
#define FLOATS  (TYPE(F16) | TYPE(BF16) | TYPE(F32) | TYPE(F64))
#define PAIRS   (TYPE(F16X2) | TYPE(BF16X2))
#define EIGHTS  (TYPE(E4M3X2) | TYPE(E5M2X2))
#define CVT     (GROUP(ROUND) | GROUP(FTZ) | GROUP(SAT) | GROUP(RELU))
#define ADDRESS (TYPE(U32) | TYPE(U64) | TYPE(B32) | TYPE(B64))
#define ANY                                                                    \
    (TYPE(PRED) | TYPE(B16) | TYPE(U16) | TYPE(S16) | TYPE(F16) | TYPE(BF16) | \
     TYPE(B32) | TYPE(U32) | TYPE(S32) | TYPE(F32) | TYPE(F16X2) |             \
     TYPE(BF16X2) | TYPE(B64) | TYPE(U64) | TYPE(S64) | TYPE(F64))

// clang-format off
const struct ptx_form ptx_convert_forms[] = {
    {"cvt", KEYS(MOD_PACK, MOD_SAT), "Utt", TYPE(U16) | TYPE(S16), TYPE(S32), 0,
     ACTION_LANES, pack_two, OP_CONVERT},
    {"cvt", KEYS(MOD_PACK, MOD_SAT), "Uttu",
     TYPE(U8) | TYPE(S8) | TYPE(U4) | TYPE(S4) | TYPE(U2) | TYPE(S2), TYPE(S32),
     0, ACTION_LANES, pack_below, OP_CONVERT},
    {"cvt", KEYS(0), "ck", WHOLE, WHOLE, CVT, ACTION_LANES, cvt_whole, OP_INT},
    {"cvt", KEYS(0), "ck", FLOATS, WHOLE, CVT, ACTION_LANES, cvt_to_float,
     OP_CONVERT},
    {"cvt", KEYS(0), "ck", WHOLE, FLOATS, CVT, ACTION_LANES, cvt_to_whole,
     OP_CONVERT},
    {"cvt", KEYS(0), "ck", FLOATS | TYPE(TF32), FLOATS, CVT, ACTION_LANES,
     cvt_float, OP_CONVERT},
    {"cvt", KEYS(0), "dtt", PAIRS, TYPE(F32), CVT, ACTION_LANES, cvt_pack,
     OP_CONVERT},
    {"cvt", KEYS(MOD_RN, MOD_SATFINITE), "dtt", EIGHTS, TYPE(F32),
     GROUP(RELU), ACTION_LANES, cvt_to_fp8, OP_CONVERT},
    {"cvt", KEYS(MOD_RN, MOD_SATFINITE), "dt", EIGHTS, TYPE(F16X2),
     GROUP(RELU), ACTION_LANES, cvt_halves_to_fp8, OP_CONVERT},
    {"cvt", KEYS(MOD_RN), "dt", TYPE(F16X2), EIGHTS, GROUP(RELU),
     ACTION_LANES, cvt_from_fp8, OP_CONVERT},
    {"mov", KEYS(0), "MN", ANY, 0, GROUP(VECTOR), ACTION_MOVE, same, OP_INT},
    {.mnemonic = NULL},
};
