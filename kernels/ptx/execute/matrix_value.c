/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/matrix_value.h"

#include "kernels/ptx/forms/half.h"

double ptx_matrix_element(uint64_t bits, enum ptx_type type, unsigned e)
{
    switch (type) {
    case PTX_F16:
        return half_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_BF16:
        return bfloat_to_double(bits >> 16 * e & 0xFFFF);
    case PTX_TF32: /* the low 13 bits are not looked at */
        return (double)float_from_bits(bits & 0xFFFFE000);
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
        return d == d ? float_bits((float)d) : 0x7FFFFFFF;
    case PTX_F64:
        return double_bits(d);
    default:
        break;
    }
    if (inst->modifier[GROUP_SAT] != MOD_NONE)
        d = d > INT32_MAX ? INT32_MAX : d < INT32_MIN ? INT32_MIN : d;
    return (uint32_t)(int64_t)d;
}
