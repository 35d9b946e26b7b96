/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * binary32 and binary64 arithmetic (PTX ISA 9.0, section 9.7.3). Rounding
 * modes, .ftz and .sat are the executor's business; what PTX calls approximate
 * is computed by the C library and rounded once, which is well inside the
 * errors that the sections document. */
#include "kernels/ptx/forms/lanes.h"

#include <math.h>

/* The one NaN that binary32 results have. */
#define NAN32 UINT64_C(0x7FFFFFFF)

static uint64_t bits32(float f)
{
    return f == f ? float_bits(f) : NAN32;
}

#define F(v) float_from_bits(v)
#define D(v) double_from_bits(v)

LANES2(add_f32, bits32(F(x) + F(y)))
LANES2(sub_f32, bits32(F(x) - F(y)))
LANES2(mul_f32, bits32(F(x) * F(y)))
LANES2(div_f32, bits32(F(x) / F(y)))
LANES3_WITH("fma", fma_f32, bits32(fmaf(F(x), F(y), F(z))))
LANES2(add_f64, double_bits(D(x) + D(y)))
LANES2(sub_f64, double_bits(D(x) - D(y)))
LANES2(mul_f64, double_bits(D(x) * D(y)))
LANES2(div_f64, double_bits(D(x) / D(y)))
LANES3_WITH("fma", fma_f64, double_bits(fma(D(x), D(y), D(z))))

LANES1(rcp_f32, bits32(1.0f / F(x)))
LANES1(rcp_f64, double_bits(1.0 / D(x)))
LANES1(sqrt_f32, bits32(sqrtf(F(x))))
LANES1(sqrt_f64, double_bits(sqrt(D(x))))
LANES1(rsqrt_f32, bits32((float)(1.0 / sqrt((double)F(x)))))
LANES1(rsqrt_f64, double_bits(1.0 / sqrt(D(x))))
LANES1(sin_f32, bits32(sinf(F(x))))
LANES1(cos_f32, bits32(cosf(F(x))))
LANES1(lg2_f32, bits32(log2f(F(x))))
LANES1(ex2_f32, bits32(exp2f(F(x))))
LANES1(tanh_f32, bits32(tanhf(F(x))))

LANES1(neg_f32, x ^ 0x80000000)
LANES1(abs_f32, x & 0x7FFFFFFF)
LANES1(neg_f64, x ^ UINT64_C(1) << 63)
LANES1(abs_f64, x & ~(UINT64_C(1) << 63))
LANES2(copysign_f32, (x & 0x80000000) | (y & 0x7FFFFFFF))
LANES2(copysign_f64, (x & UINT64_C(1) << 63) | (y & ~(UINT64_C(1) << 63)))

/* ---- smaller and larger: -0 is below +0, a number is preferred ---------- */

static bool below(double x, double y)
{
    return x < y || (x == y && signbit(x) && !signbit(y));
}

static double preferred(double x, double y, bool larger)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return below(x, y) != larger ? x : y;
}

static uint64_t pick_f32(const struct ptx_op *op, uint64_t x, uint64_t y,
                         bool larger)
{
    const uint8_t *modifier = op->inst->modifier;
    uint64_t sign = 0;
    if (modifier[GROUP_NAN] != MOD_NONE && (F(x) != F(x) || F(y) != F(y)))
        return NAN32;
    if (modifier[GROUP_XORSIGN] != MOD_NONE) {
        sign = (x ^ y) & 0x80000000;
        x &= 0x7FFFFFFF;
        y &= 0x7FFFFFFF;
    }
    return bits32((float)preferred((double)F(x), (double)F(y), larger)) | sign;
}

LANES2(min_f32, pick_f32(op, x, y, false))
LANES2(max_f32, pick_f32(op, x, y, true))
LANES2(min_f64, double_bits(preferred(D(x), D(y), false)))
LANES2(max_f64, double_bits(preferred(D(x), D(y), true)))

static bool of_class(enum ptx_modifier word, int class)
{
    switch (word) {
    case MOD_FINITE:
        return class != FP_NAN && class != FP_INFINITE;
    case MOD_INFINITE:
        return class == FP_INFINITE;
    case MOD_NUMBER:
        return class != FP_NAN;
    case MOD_NOTANUMBER:
        return class == FP_NAN;
    case MOD_NORMAL:
        return class == FP_NORMAL;
    default:
        return class == FP_SUBNORMAL;
    }
}

LANES1(testp_f32, of_class(op->inst->modifier[GROUP_CLASS], fpclassify(F(x))))
LANES1(testp_f64, of_class(op->inst->modifier[GROUP_CLASS], fpclassify(D(x))))

#define RFS   (GROUP(ROUND) | GROUP(FTZ) | GROUP(SAT))
#define PICK  (GROUP(FTZ) | GROUP(NAN) | GROUP(XORSIGN))
#define PLAIN GROUP(FTZ)
#define F32(mnemonic, operands, groups, lanes)                                 \
    ROW(mnemonic, KEYS(0), operands, TYPE(F32), groups, lanes, OP_SP)
#define F64(mnemonic, operands, groups, lanes)                                 \
    ROW(mnemonic, KEYS(0), operands, TYPE(F64), groups, lanes, OP_DP)
#define APPROX(mnemonic, type, operands, lanes)                                \
    ROW(mnemonic, KEYS(MOD_APPROX), operands, TYPE(type), PLAIN, lanes, OP_SFU)

// clang-format off
const struct ptx_form ptx_float_forms[] = {
    F32("add", "dss", RFS, add_f32),
    F32("sub", "dss", RFS, sub_f32),
    F32("mul", "dss", RFS, mul_f32),
    F32("fma", "dsss", RFS, fma_f32),
    F32("mad", "dsss", RFS, fma_f32),
    F64("add", "dss", GROUP(ROUND), add_f64),
    F64("sub", "dss", GROUP(ROUND), sub_f64),
    F64("mul", "dss", GROUP(ROUND), mul_f64),
    F64("fma", "dsss", GROUP(ROUND), fma_f64),
    F64("mad", "dsss", GROUP(ROUND), fma_f64),
    ROW("div", KEYS(MOD_APPROX), "dss", TYPE(F32), PLAIN, div_f32, OP_SFU),
    ROW("div", KEYS(MOD_FULL), "dss", TYPE(F32), PLAIN, div_f32, OP_SFU),
    F32("div", "dss", GROUP(ROUND) | GROUP(FTZ), div_f32),
    F64("div", "dss", GROUP(ROUND), div_f64),
    APPROX("rcp", F32, "ds", rcp_f32), APPROX("rcp", F64, "ds", rcp_f64),
    F32("rcp", "ds", GROUP(ROUND) | GROUP(FTZ), rcp_f32),
    F64("rcp", "ds", GROUP(ROUND), rcp_f64),
    APPROX("sqrt", F32, "ds", sqrt_f32),
    F32("sqrt", "ds", GROUP(ROUND) | GROUP(FTZ), sqrt_f32),
    F64("sqrt", "ds", GROUP(ROUND), sqrt_f64),
    APPROX("rsqrt", F32, "ds", rsqrt_f32),
    APPROX("rsqrt", F64, "ds", rsqrt_f64),
    APPROX("sin", F32, "ds", sin_f32), APPROX("cos", F32, "ds", cos_f32),
    APPROX("lg2", F32, "ds", lg2_f32), APPROX("ex2", F32, "ds", ex2_f32),
    APPROX("tanh", F32, "ds", tanh_f32),
    F32("neg", "ds", PLAIN, neg_f32), F32("abs", "ds", PLAIN, abs_f32),
    F64("neg", "ds", 0, neg_f64), F64("abs", "ds", 0, abs_f64),
    F32("copysign", "dss", 0, copysign_f32),
    F64("copysign", "dss", 0, copysign_f64),
    ROW("min", KEYS(0), "dss", TYPE(F32), PICK, min_f32, OP_INT),
    ROW("max", KEYS(0), "dss", TYPE(F32), PICK, max_f32, OP_INT),
    F64("min", "dss", 0, min_f64), F64("max", "dss", 0, max_f64),
    ROW("testp", KEYS(0), "Ps", TYPE(F32), GROUP(CLASS), testp_f32, OP_SP),
    ROW("testp", KEYS(0), "Ps", TYPE(F64), GROUP(CLASS), testp_f64, OP_DP),
    {.mnemonic = NULL},
};
