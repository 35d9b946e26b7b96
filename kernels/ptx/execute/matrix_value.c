/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/matrix_value.h"

#include "base/wide.h"
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/forms/matrix.h"

#define TF32_BITS 0xFFFFE000 /* the low 13 are not looked at */
#define FLOAT_NAN 0x7FFFFFFF

double ptx_matrix_element(uint64_t bits, enum ptx_type type, unsigned e)
{
    switch (type) {
    case PTX_F16:
        return half_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_BF16:
        return bfloat_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_TF32:
        return (double)float_from_bits(bits & TF32_BITS);
    case PTX_F32:
        return (double)float_from_bits(bits);
    case PTX_F64:
        return double_from_bits(bits);
    case PTX_E4M3:
    case PTX_E5M2:
        return fp8_to_double(bits >> 8 * e & 0xFF, type);
    case PTX_S8:
        return (int8_t)(bits >> 8 * e);
    case PTX_U8:
        return (uint8_t)(bits >> 8 * e);
    default:
        return (int32_t)bits;
    }
}

uint64_t ptx_matrix_result(const struct ptx_inst *inst, double d)
{
    switch ((enum ptx_type)inst->type[0]) {
    case PTX_F16:
        return half_from_double(d, MOD_RN);
    case PTX_F32:
        return d == d ? float_bits((float)d) : FLOAT_NAN;
    case PTX_F64:
        return double_bits(d);
    default:
        break;
    }
    if (inst->modifier[GROUP_SAT] != MOD_NONE)
        d = d > INT32_MAX ? INT32_MAX : d < INT32_MIN ? INT32_MIN : d;
    return (uint32_t)(int64_t)d;
}

/* ---- all lanes ----------------------------------------------------------- */

#define REGISTERS_BYTES (WARP_LANES * sizeof(uint32_t))

/* What registers hold as parts of a type, side by side in the order of lanes
 * and elements, and each as a number. */
#define ELEMENTS(NAME, TYPE, NUMBER)                                           \
    FOR_PROCESSORS("avx2")                                                     \
    static void NAME(double *out, const uint64_t *reg)                         \
    {                                                                          \
        uint32_t low[WARP_LANES];                                              \
        TYPE part[REGISTERS_BYTES / sizeof(TYPE)];                             \
        for (size_t i = 0; i < WARP_LANES; i++)                                \
            low[i] = (uint32_t)reg[i];                                         \
        memcpy(part, low, REGISTERS_BYTES);                                    \
        for (size_t i = 0; i < REGISTERS_BYTES / sizeof(TYPE); i++)            \
            out[i] = NUMBER(part[i]);                                          \
    }

/* binary16 by way of binary32, which has its fraction 13 bits farther up and an
 * exponent's bias that is greater by 112: exact, subnormal numbers too. */
static inline double number_of_half(uint32_t half)
{
    uint32_t bits = (half & 0x7FFF) << 13;
    float scaled = float_from_bits(bits) * 0x1p112f;
    uint32_t beyond = bits >= 0x7C00u << 13 ? 0x7F800000 : 0;
    return (double)float_from_bits((uint32_t)float_bits(scaled) | beyond |
                                   (half & 0x8000) << 16);
}

static inline double number_of_bfloat(uint32_t half)
{
    return (double)float_from_bits(half << 16);
}

static inline double number_of_tf32(uint32_t bits)
{
    return (double)float_from_bits(bits & TF32_BITS);
}

static inline double number_of_float(uint32_t bits)
{
    return (double)float_from_bits(bits);
}

ELEMENTS(elements_f16, uint16_t, number_of_half)
ELEMENTS(elements_bf16, uint16_t, number_of_bfloat)
ELEMENTS(elements_tf32, uint32_t, number_of_tf32)
ELEMENTS(elements_f32, uint32_t, number_of_float)
ELEMENTS(elements_s8, int8_t, (double))
ELEMENTS(elements_u8, uint8_t, (double))
ELEMENTS(elements_s32, int32_t, (double))

void ptx_matrix_elements(double *out, const uint64_t *reg, enum ptx_type type)
{
    static void (*const elements[PTX_TYPES])(double *, const uint64_t *) = {
        [PTX_F16] = elements_f16,   [PTX_BF16] = elements_bf16,
        [PTX_TF32] = elements_tf32, [PTX_F32] = elements_f32,
        [PTX_S8] = elements_s8,     [PTX_U8] = elements_u8,
        [PTX_S32] = elements_s32,
    };
    unsigned n = ptx_elements(type);
    if (elements[type] != NULL) {
        elements[type](out, reg);
        return;
    }
    for (unsigned i = 0; i < n * WARP_LANES; i++)
        out[i] = ptx_matrix_element(reg[i / n], type, i % n);
}

FOR_PROCESSORS("avx2")
static void results_f32(uint64_t *reg, const double *value)
{
    for (size_t i = 0; i < WARP_LANES; i++)
        reg[i] = value[i] == value[i] ? float_bits((float)value[i]) : FLOAT_NAN;
}

void ptx_matrix_results(uint64_t *reg, const double *value,
                        const struct ptx_inst *inst)
{
    enum ptx_type type = (enum ptx_type)inst->type[0];
    unsigned n = ptx_elements(type);
    if (type == PTX_F32) {
        results_f32(reg, value);
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        reg[lane] = 0;
        for (unsigned e = 0; e < n; e++)
            reg[lane] |= ptx_matrix_result(inst, value[n * lane + e]) << 16 * e;
    }
}
