/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparison and selection (PTX ISA 9.0, sections 9.7.6 and 9.7.7). A row of a
 * comparison computes which of the four relations holds; the executor looks it
 * up in what the comparison is true for. */
#include "kernels/ptx/forms/lanes.h"

#define RELATE(a, b)                                                           \
    ((a) < (b)    ? RELATION_LESS                                              \
     : (a) == (b) ? RELATION_EQUAL                                             \
     : (a) > (b)  ? RELATION_GREATER                                           \
                  : RELATION_NONE)

#define F(v) float_from_bits(v)
#define D(v) double_from_bits(v)

LANES2(relate_u, RELATE(x, y))
LANES2(relate_s16, RELATE((int16_t)x, (int16_t)y))
LANES2(relate_s32, RELATE((int32_t)x, (int32_t)y))
LANES2(relate_s64, RELATE((int64_t)x, (int64_t)y))
LANES2(relate_f32, RELATE(F(x), F(y)))
LANES2(relate_f64, RELATE(D(x), D(y)))
LANES2(relate_f16, RELATE(half_to_double(x), half_to_double(y)))
LANES2(relate_bf16, RELATE(bfloat_to_double(x), bfloat_to_double(y)))

/* Of two values in a register: the upper pair's relation four bits up. */
LANES2(relate_f16x2,
       RELATE(half_to_double(x), half_to_double(y)) |
           RELATE(half_to_double(x >> 16), half_to_double(y >> 16)) << 4)
LANES2(relate_bf16x2,
       RELATE(bfloat_to_double(x & 0xFFFF), bfloat_to_double(y & 0xFFFF)) |
           RELATE(bfloat_to_double(x >> 16), bfloat_to_double(y >> 16)) << 4)

LANES3(select_lanes, z != 0 ? x : y)
LANES3(select_by_s32, (int32_t)z >= 0 ? x : y)
LANES3(select_by_f32, F(z) >= 0 ? x : y)

#define UNSIGNED                                                               \
    (TYPE(B16) | TYPE(B32) | TYPE(B64) | TYPE(U16) | TYPE(U32) | TYPE(U64))
#define VALUES                                                                 \
    (UNSIGNED | TYPE(S16) | TYPE(S32) | TYPE(S64) | TYPE(F32) | TYPE(F64))
#define WHERE (GROUP(COMPARE) | GROUP(PART) | GROUP(OPERATION) | GROUP(FTZ))

#define SETP(types, lanes, cost)                                               \
    {                                                                          \
        "setp", KEYS(0), "Pss?q", types, 0, WHERE, ACTION_COMPARE, lanes, cost \
    }
#define SET_TYPES                                                              \
    (TYPE(U32) | TYPE(S32) | TYPE(U16) | TYPE(S16) | TYPE(F32) | TYPE(F16) |   \
     TYPE(BF16))
#define SET_OF(results, types, lanes, cost)                                    \
    {                                                                          \
        "set", KEYS(0), "dtt?q", results, types, WHERE, ACTION_COMPARE, lanes, \
            cost                                                               \
    }
#define SET(types, lanes, cost) SET_OF(SET_TYPES, types, lanes, cost)

/* Of single precision too where words are: ptxas (V13.0.88, sm_75) leaves two
 * cycles between FSETP, FMNMX or FSEL and an integer instruction, and one
 * before one of single precision. */
// clang-format off
const struct ptx_form ptx_compare_forms[] = {
    SETP(UNSIGNED, relate_u, OP_INT),
    SETP(TYPE(S16), relate_s16, OP_INT),
    SETP(TYPE(S32), relate_s32, OP_INT),
    SETP(TYPE(S64), relate_s64, OP_INT),
    SETP(TYPE(F32), relate_f32, OP_INT),
    SETP(TYPE(F64), relate_f64, OP_DP),
    SETP(TYPE(F16), relate_f16, OP_SP),
    SETP(TYPE(BF16), relate_bf16, OP_SP),
    SETP(TYPE(F16X2), relate_f16x2, OP_SP),
    SETP(TYPE(BF16X2), relate_bf16x2, OP_SP),
    SET(UNSIGNED, relate_u, OP_INT),
    SET(TYPE(S16), relate_s16, OP_INT),
    SET(TYPE(S32), relate_s32, OP_INT),
    SET(TYPE(S64), relate_s64, OP_INT),
    SET(TYPE(F32), relate_f32, OP_INT),
    SET(TYPE(F64), relate_f64, OP_DP),
    SET(TYPE(F16), relate_f16, OP_SP),
    SET(TYPE(BF16), relate_bf16, OP_SP),
    SET_OF(TYPE(F16X2) | TYPE(U32) | TYPE(S32), TYPE(F16X2), relate_f16x2, OP_SP),
    SET_OF(TYPE(BF16X2) | TYPE(U32) | TYPE(S32), TYPE(BF16X2), relate_bf16x2, OP_SP),
    ROW("selp", KEYS(0), "dssq", VALUES, 0, select_lanes, OP_INT),
    {"slct", KEYS(0), "dsst", VALUES, TYPE(S32), 0, ACTION_LANES,
     select_by_s32, OP_INT},
    {"slct", KEYS(0), "dsst", VALUES, TYPE(F32), GROUP(FTZ), ACTION_LANES,
     select_by_f32, OP_INT},
    {.mnemonic = NULL},
};
