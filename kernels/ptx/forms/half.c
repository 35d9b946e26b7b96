/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/half.h"

#include <math.h>

/* A binary format of at most 32 bits with implicit leading one. */
struct small_format {
    int fraction_bits, exponent_bits;
    int shift; /* unused bits below */
    uint32_t nan;
    bool no_infinity; /* and one NaN: all other patterns are numbers */
};

static const struct small_format half_format = {10, 5, 0, 0x7FFF, false};
static const struct small_format bfloat_format = {7, 8, 0, 0x7FFF, false};
static const struct small_format tf32_format = {10, 8, 13, 0x3FFFF, false};
static const struct small_format e4m3_format = {3, 4, 0, 0x7F, true};
static const struct small_format e5m2_format = {2, 5, 0, 0x7F, false};

/* The pattern behind the largest number. */
static uint32_t infinity_of(const struct small_format *f)
{
    if (f->no_infinity)
        return f->nan;
    return ((1u << f->exponent_bits) - 1) << f->fraction_bits;
}

static bool rounds_up(enum ptx_modifier round, bool negative, bool odd,
                      double rest) /* in units of the last place, 0 to 1 */
{
    switch (round) {
    case MOD_RZ:
        return false;
    case MOD_RM:
        return negative && rest > 0;
    case MOD_RP:
        return !negative && rest > 0;
    case MOD_RNA:
        return rest >= 0.5;
    default:
        return rest > 0.5 || (rest == 0.5 && odd);
    }
}

#define DOUBLE_FRACTION 52
#define DOUBLE_BIAS     1023
#define DOUBLE_EXPONENT 0x7FF

static int bias_of(const struct small_format *f)
{
    return (1 << (f->exponent_bits - 1)) - 1;
}

/* Whether the format has the exponent of a value, and infinity behind it. */
static bool is_normal(const struct small_format *f, uint64_t bits)
{
    int exponent =
        (int)(bits >> DOUBLE_FRACTION & DOUBLE_EXPONENT) - DOUBLE_BIAS;
    return !f->no_infinity && exponent > -bias_of(f) && exponent <= bias_of(f);
}

/* The nearest value to such a one, the even one of two: the fraction is cut,
 * and what carries out of it goes into the exponent, up to infinity. */
static uint64_t encode_normal(const struct small_format *f, uint64_t bits)
{
    int cut = DOUBLE_FRACTION - f->fraction_bits;
    uint64_t sign = bits >> 63 << (f->fraction_bits + f->exponent_bits);
    uint64_t size = bits & INT64_MAX;
    size += (UINT64_C(1) << (cut - 1)) - 1 + (size >> cut & 1);
    size = (size >> cut) -
           ((uint64_t)(DOUBLE_BIAS - bias_of(f)) << f->fraction_bits);
    return (sign | size) << f->shift;
}

static uint64_t encode(const struct small_format *f, double value,
                       enum ptx_modifier round)
{
    int bias = bias_of(f), exponent;
    bool negative = signbit(value) != 0;
    uint64_t sign = (uint64_t)negative << (f->fraction_bits + f->exponent_bits);
    if (round == MOD_RN && is_normal(f, double_bits(value)))
        return encode_normal(f, double_bits(value));
    if (isnan(value))
        return (uint64_t)f->nan << f->shift;
    if (isinf(value))
        return (sign | infinity_of(f)) << f->shift;
    if (value == 0)
        return sign << f->shift;
    frexp(value, &exponent);
    exponent--; /* |value| = 1.x * 2^exponent */
    if (exponent < 1 - bias)
        exponent = 1 - bias;
    double units = ldexp(fabs(value), f->fraction_bits - exponent);
    double whole = floor(units);
    /* A carry out of the fraction goes on into the exponent, as it should. */
    uint64_t bits = (uint64_t)whole;
    bits += rounds_up(round, negative, bits & 1, units - whole);
    if (bits >> f->fraction_bits != 0)
        bits += (uint64_t)(exponent + bias - 1) << f->fraction_bits;
    if (bits >= infinity_of(f)) {
        bool to_largest = round == MOD_RZ || (round == MOD_RM && !negative) ||
                          (round == MOD_RP && negative);
        bits = infinity_of(f) - to_largest;
    }
    return (sign | bits) << f->shift;
}

static double decode(const struct small_format *f, uint64_t bits)
{
    int bias = bias_of(f);
    uint64_t fraction = bits & ((1u << f->fraction_bits) - 1);
    int exponent =
        (int)(bits >> f->fraction_bits & ((1u << f->exponent_bits) - 1));
    bool negative = bits >> (f->fraction_bits + f->exponent_bits) & 1;
    double value;
    if (f->no_infinity && (bits & f->nan) == f->nan)
        value = NAN;
    else if (exponent == (1 << f->exponent_bits) - 1 && !f->no_infinity)
        value = fraction != 0 ? NAN : INFINITY;
    else if (exponent == 0)
        value = ldexp((double)fraction, 1 - bias - f->fraction_bits);
    else /* a normal number of 64 bits, too */
        value = double_from_bits(
            (uint64_t)(exponent - bias + DOUBLE_BIAS) << DOUBLE_FRACTION |
            fraction << (DOUBLE_FRACTION - f->fraction_bits));
    return negative ? -value : value;
}

double half_to_double(uint64_t bits)
{
    return decode(&half_format, bits);
}

double bfloat_to_double(uint64_t bits)
{
    return (double)float_from_bits(bits << 16);
}

uint64_t half_from_double(double value, enum ptx_modifier round)
{
    return encode(&half_format, value, round);
}

uint64_t bfloat_from_double(double value, enum ptx_modifier round)
{
    return encode(&bfloat_format, value, round);
}

uint64_t tf32_from_double(double value, enum ptx_modifier round)
{
    return encode(&tf32_format, value, round);
}

static const struct small_format *fp8_format(enum ptx_type type)
{
    return type == PTX_E4M3 ? &e4m3_format : &e5m2_format;
}

uint64_t fp8_from_double(double value, enum ptx_type type)
{
    const struct small_format *f = fp8_format(type);
    uint64_t bits = encode(f, value, MOD_RN);
    return !isnan(value) && (bits & 0x7F) == infinity_of(f) ? bits - 1 : bits;
}

double fp8_to_double(uint64_t bits, enum ptx_type type)
{
    return decode(fp8_format(type), bits);
}

double fma_to_odd(double a, double b, double c)
{
    double product = a * b;
    double sum = product + c;
    if (!isfinite(sum))
        return sum;
    /* The exact error of the sum (Knuth, TAOCP 2, 4.2.2, Theorem B). */
    double part = sum - product;
    double error = (product - (sum - part)) + (c - part);
    if (error == 0 || (double_bits(sum) & 1) != 0)
        return sum;
    bool away = (error > 0) == (sum > 0);
    return double_from_bits(double_bits(sum) + (away ? 1 : UINT64_MAX));
}
