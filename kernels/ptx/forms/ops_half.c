/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * binary16 and bfloat16 arithmetic, one value or two in a register (PTX ISA
 * 9.0, section 9.7.4). Values go through binary64, results of sums with the
 * round-to-odd step that makes the second rounding right. */
#include "kernels/ptx/forms/lanes.h"

#include <math.h>

typedef double half_function(double x, double y, double z);

static bool is_bfloat(const struct ptx_op *op)
{
    uint8_t type = op->inst->type[0];
    return type == PTX_BF16 || type == PTX_BF16X2;
}

static double decode(uint64_t bits, bool bfloat)
{
    return bfloat ? bfloat_to_double(bits & 0xFFFF)
                  : half_to_double(bits & 0xFFFF);
}

static uint64_t encode(const struct ptx_op *op, double value)
{
    const uint8_t *modifier = op->inst->modifier;
    if (modifier[GROUP_SAT] == MOD_SAT)
        value = value > 0 ? (value < 1 ? value : 1) : 0;
    if (modifier[GROUP_RELU] != MOD_NONE && value < 0)
        value = 0;
    return is_bfloat(op) ? bfloat_from_double(value, MOD_RN)
                         : half_from_double(value, MOD_RN);
}

/* .ftz of a 16-bit value. */
static uint64_t flush(const struct ptx_op *op, uint64_t bits)
{
    bool subnormal = (bits & 0x7C00) == 0;
    return op->inst->modifier[GROUP_FTZ] == MOD_FTZ && subnormal ? bits & 0x8000
                                                                 : bits;
}

static uint64_t apply(const struct ptx_op *op, half_function *f, uint64_t x,
                      uint64_t y, uint64_t z)
{
    bool bfloat = is_bfloat(op);
    return flush(op, encode(op, f(decode(flush(op, x), bfloat),
                                  decode(flush(op, y), bfloat),
                                  decode(flush(op, z), bfloat))));
}

static uint64_t apply_all(const struct ptx_op *op, half_function *f, uint64_t x,
                          uint64_t y, uint64_t z)
{
    uint64_t low = apply(op, f, x & 0xFFFF, y & 0xFFFF, z & 0xFFFF);
    if (ptx_types[op->inst->type[0]].bytes == 2)
        return low;
    return low | apply(op, f, x >> 16, y >> 16, z >> 16) << 16;
}

static double plus(double x, double y, double z)
{
    (void)z;
    return fma_to_odd(x, 1, y);
}

static double minus(double x, double y, double z)
{
    (void)z;
    return fma_to_odd(x, 1, -y);
}

static double times(double x, double y, double z)
{
    (void)z;
    return x * y;
}

static double exponential(double x, double y, double z)
{
    (void)y, (void)z;
    return exp2(x);
}

static double tangent(double x, double y, double z)
{
    (void)y, (void)z;
    return tanh(x);
}

static double smaller(double x, double y, double z)
{
    (void)z;
    if (x == y)
        return signbit(x) ? x : y;
    return fmin(x, y);
}

static double larger(double x, double y, double z)
{
    (void)z;
    if (x == y)
        return signbit(x) ? y : x;
    return fmax(x, y);
}

/* min and max with .NaN and .xorsign.abs. */
static uint64_t pick(const struct ptx_op *op, half_function *f, uint64_t x,
                     uint64_t y)
{
    const uint8_t *modifier = op->inst->modifier;
    bool bfloat = is_bfloat(op);
    uint64_t sign = 0;
    if (modifier[GROUP_NAN] != MOD_NONE &&
        (isnan(decode(x, bfloat)) || isnan(decode(y, bfloat))))
        return 0x7FFF;
    if (modifier[GROUP_XORSIGN] != MOD_NONE) {
        sign = (x ^ y) & 0x8000;
        x &= 0x7FFF;
        y &= 0x7FFF;
    }
    return apply(op, f, x, y, 0) | sign;
}

static uint64_t pick_all(const struct ptx_op *op, half_function *f, uint64_t x,
                         uint64_t y)
{
    uint64_t low = pick(op, f, x & 0xFFFF, y & 0xFFFF);
    if (ptx_types[op->inst->type[0]].bytes == 2)
        return low;
    return low | pick(op, f, x >> 16, y >> 16) << 16;
}

static uint64_t signs(const struct ptx_op *op)
{
    return ptx_types[op->inst->type[0]].bytes == 2 ? 0x8000 : 0x80008000;
}

LANES2(add_half, apply_all(op, plus, x, y, 0))
LANES2(sub_half, apply_all(op, minus, x, y, 0))
LANES2(mul_half, apply_all(op, times, x, y, 0))
LANES3(fma_half, apply_all(op, fma_to_odd, x, y, z))
LANES2(min_half, pick_all(op, smaller, x, y))
LANES2(max_half, pick_all(op, larger, x, y))
LANES1(neg_half, x ^ signs(op))
LANES1(abs_half, x & ~signs(op))
LANES1(ex2_half, apply_all(op, exponential, x, 0, 0))
LANES1(tanh_half, apply_all(op, tangent, x, 0, 0))

#define HALF (TYPE(F16) | TYPE(F16X2) | TYPE(BF16) | TYPE(BF16X2))
#define RFS  (GROUP(ROUND) | GROUP(FTZ) | GROUP(SAT))
#define PICK (GROUP(FTZ) | GROUP(NAN) | GROUP(XORSIGN))

// clang-format off
const struct ptx_form ptx_half_forms[] = {
    ROW("add", KEYS(0), "dss", HALF, RFS, add_half, OP_SP),
    ROW("sub", KEYS(0), "dss", HALF, RFS, sub_half, OP_SP),
    ROW("mul", KEYS(0), "dss", HALF, RFS, mul_half, OP_SP),
    ROW("fma", KEYS(0), "dsss", HALF, RFS | GROUP(RELU), fma_half, OP_SP),
    ROW("min", KEYS(0), "dss", HALF, PICK, min_half, OP_SP),
    ROW("max", KEYS(0), "dss", HALF, PICK, max_half, OP_SP),
    ROW("neg", KEYS(0), "ds", HALF, GROUP(FTZ), neg_half, OP_SP),
    ROW("abs", KEYS(0), "ds", HALF, GROUP(FTZ), abs_half, OP_SP),
    ROW("ex2", KEYS(MOD_APPROX), "ds", HALF, GROUP(FTZ), ex2_half, OP_SFU),
    ROW("tanh", KEYS(MOD_APPROX), "ds", HALF, 0, tanh_half, OP_SFU),
    {.mnemonic = NULL},
};
