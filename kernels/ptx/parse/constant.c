/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/constant.h"

#include "kernels/ptx/forms/half.h"

static double value_of(const struct ptx_operand *o)
{
    if (o->single)
        return float_from_bits(o->bits);
    return double_from_bits(o->bits);
}

static uint64_t float_bits_as(const struct ptx_operand *o, enum ptx_type type)
{
    switch (type) {
    case PTX_F64:
        return o->single ? double_bits(value_of(o)) : o->bits;
    case PTX_F16:
        return half_from_double(value_of(o), MOD_RN);
    case PTX_BF16:
        return bfloat_from_double(value_of(o), MOD_RN);
    default:
        if (o->single || ptx_types[type].bytes == 8)
            return o->bits;
        return float_bits((float)value_of(o));
    }
}

uint64_t ptx_constant_bits(const struct ptx_operand *o, enum ptx_type type)
{
    uint64_t bits = o->bits;
    unsigned bytes = ptx_types[type].bytes;
    if (type == PTX_PRED)
        return bits != 0;
    if (o->kind == OPERAND_FLOAT)
        bits = float_bits_as(o, type);
    return bytes == 0 || bytes == 8 ? bits
                                    : bits & ((UINT64_C(1) << 8 * bytes) - 1);
}
