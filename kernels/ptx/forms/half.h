/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * binary16 and bfloat16 in software, and floating-point values as bits
 * (IEEE 754-2019, section 3.4; bfloat16 is binary32 without its low 16
 * bits). */
#ifndef KERNELS_PTX_FORMS_HALF_H
#define KERNELS_PTX_FORMS_HALF_H

#include "kernels/ptx/forms/modifiers.h"

#include <string.h>

static inline float float_from_bits(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float f;
    memcpy(&f, &low, sizeof(f));
    return f;
}

static inline uint64_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof(bits));
    return bits;
}

static inline double double_from_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof(d));
    return d;
}

static inline uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof(bits));
    return bits;
}

double half_to_double(uint64_t bits);
double bfloat_to_double(uint64_t bits);

/* The nearest value in direction `round` (MOD_RN, _RZ, _RM, _RP, _RNA), not a
 * number as 0x7FFF (PTX ISA 9.0, section 9.7.4). */
uint64_t half_from_double(double value, enum ptx_modifier round);
uint64_t bfloat_from_double(double value, enum ptx_modifier round);
/* TF32: 8 exponent and 10 fraction bits at the top of 32. */
uint64_t tf32_from_double(double value, enum ptx_modifier round);

/* PTX_E4M3 and PTX_E5M2 (PTX ISA 9.0, section 5.2.3): the nearest value, the
 * largest for what is beyond it (.satfinite), not a number as 0x7F. */
uint64_t fp8_from_double(double value, enum ptx_type type);
double fp8_to_double(uint64_t bits, enum ptx_type type);

/* a * b + c to 53 bits with the last bit set when that is not exact ("round to
 * odd", Boldo and Melquiond, IEEE Trans. Computers 57(4), 2008), so that a
 * second rounding to at most 50 bits is right. a * b must be exact. */
double fma_to_odd(double a, double b, double c);

#endif
