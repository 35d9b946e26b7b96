/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/words.h"

#include <string.h>

// clang-format off
const struct ptx_type_row ptx_types[PTX_TYPES] = {
    [PTX_NO_TYPE] = {"", 0, false, false},
    [PTX_PRED]    = {"pred", 0, false, false},
    [PTX_B8]      = {"b8", 1, false, false},
    [PTX_U8]      = {"u8", 1, false, false},
    [PTX_S8]      = {"s8", 1, true, false},
    [PTX_B16]     = {"b16", 2, false, false},
    [PTX_U16]     = {"u16", 2, false, false},
    [PTX_S16]     = {"s16", 2, true, false},
    [PTX_F16]     = {"f16", 2, false, true},
    [PTX_BF16]    = {"bf16", 2, false, true},
    [PTX_B32]     = {"b32", 4, false, false},
    [PTX_U32]     = {"u32", 4, false, false},
    [PTX_S32]     = {"s32", 4, true, false},
    [PTX_F32]     = {"f32", 4, false, true},
    [PTX_TF32]    = {"tf32", 4, false, true},
    [PTX_F16X2]   = {"f16x2", 4, false, true},
    [PTX_BF16X2]  = {"bf16x2", 4, false, true},
    [PTX_U16X2]   = {"u16x2", 4, false, false},
    [PTX_S16X2]   = {"s16x2", 4, true, false},
    [PTX_B64]     = {"b64", 8, false, false},
    [PTX_U64]     = {"u64", 8, false, false},
    [PTX_S64]     = {"s64", 8, true, false},
    [PTX_F64]     = {"f64", 8, false, true},
};

const struct ptx_word_row ptx_words[] = {
    {"rn", GROUP_ROUND, WORD_RN}, {"rz", GROUP_ROUND, WORD_RZ},
    {"rm", GROUP_ROUND, WORD_RM}, {"rp", GROUP_ROUND, WORD_RP},
    {"rna", GROUP_ROUND, WORD_RNA},
    {"rni", GROUP_ROUND, WORD_RNI}, {"rzi", GROUP_ROUND, WORD_RZI},
    {"rmi", GROUP_ROUND, WORD_RMI}, {"rpi", GROUP_ROUND, WORD_RPI},
    {"ftz", GROUP_FTZ, WORD_FTZ},
    {"noftz", GROUP_FTZ, WORD_OTHER},
    {"sat", GROUP_SAT, WORD_SAT}, {"satfinite", GROUP_SAT, WORD_SATFINITE},
    {"relu", GROUP_RELU, WORD_RELU},
    {"NaN", GROUP_NAN, WORD_NAN_KEPT},
    {"xorsign", GROUP_XORSIGN, WORD_XORSIGN},
    {"abs", GROUP_XORSIGN, WORD_XORSIGN},
    {"approx", GROUP_PRECISION, WORD_APPROX},
    {"full", GROUP_PRECISION, WORD_FULL},
    {"lo", GROUP_PART, WORD_LO}, {"hi", GROUP_PART, WORD_HI},
    {"wide", GROUP_PART, WORD_WIDE},
    {"cc", GROUP_CARRY, WORD_CC},
    {"eq", GROUP_COMPARE, WORD_EQ}, {"ne", GROUP_COMPARE, WORD_NE},
    {"lt", GROUP_COMPARE, WORD_LT}, {"le", GROUP_COMPARE, WORD_LE},
    {"gt", GROUP_COMPARE, WORD_GT}, {"ge", GROUP_COMPARE, WORD_GE},
    {"ls", GROUP_COMPARE, WORD_LS}, {"hs", GROUP_COMPARE, WORD_HS},
    {"equ", GROUP_COMPARE, WORD_EQU}, {"neu", GROUP_COMPARE, WORD_NEU},
    {"ltu", GROUP_COMPARE, WORD_LTU}, {"leu", GROUP_COMPARE, WORD_LEU},
    {"gtu", GROUP_COMPARE, WORD_GTU}, {"geu", GROUP_COMPARE, WORD_GEU},
    {"num", GROUP_COMPARE, WORD_NUM}, {"nan", GROUP_COMPARE, WORD_NAN},
    {"and", GROUP_OPERATION, WORD_AND}, {"or", GROUP_OPERATION, WORD_OR},
    {"xor", GROUP_OPERATION, WORD_XOR}, {"add", GROUP_OPERATION, WORD_ADD},
    {"min", GROUP_OPERATION, WORD_MIN}, {"max", GROUP_OPERATION, WORD_MAX},
    {"inc", GROUP_OPERATION, WORD_INC}, {"dec", GROUP_OPERATION, WORD_DEC},
    {"exch", GROUP_OPERATION, WORD_EXCH}, {"cas", GROUP_OPERATION, WORD_CAS},
    {"popc", GROUP_OPERATION, WORD_POPC},
    {"global", GROUP_SPACE, WORD_GLOBAL}, {"shared", GROUP_SPACE, WORD_SHARED},
    {"shared::cta", GROUP_SPACE, WORD_SHARED},
    {"local", GROUP_SPACE, WORD_LOCAL}, {"const", GROUP_SPACE, WORD_CONST},
    {"param", GROUP_SPACE, WORD_PARAM},
    {"param::entry", GROUP_SPACE, WORD_PARAM},
    {"param::func", GROUP_SPACE, WORD_PARAM},
    {"weak", GROUP_ORDER, WORD_OTHER}, {"relaxed", GROUP_ORDER, WORD_OTHER},
    {"acquire", GROUP_ORDER, WORD_OTHER}, {"release", GROUP_ORDER, WORD_OTHER},
    {"acq_rel", GROUP_ORDER, WORD_OTHER}, {"sc", GROUP_ORDER, WORD_OTHER},
    {"volatile", GROUP_ORDER, WORD_OTHER},
    {"cta", GROUP_SCOPE, WORD_OTHER}, {"gpu", GROUP_SCOPE, WORD_OTHER},
    {"sys", GROUP_SCOPE, WORD_OTHER}, {"cluster", GROUP_SCOPE, WORD_OTHER},
    {"gl", GROUP_SCOPE, WORD_OTHER},
    {"v2", GROUP_VECTOR, WORD_V2}, {"v4", GROUP_VECTOR, WORD_V4},
    {"v8", GROUP_VECTOR, WORD_V8},
    {"ca", GROUP_CACHE, WORD_OTHER}, {"cg", GROUP_CACHE, WORD_OTHER},
    {"cs", GROUP_CACHE, WORD_OTHER}, {"lu", GROUP_CACHE, WORD_OTHER},
    {"cv", GROUP_CACHE, WORD_OTHER}, {"wb", GROUP_CACHE, WORD_OTHER},
    {"wt", GROUP_CACHE, WORD_OTHER},
    {"L1::evict_normal", GROUP_L1, WORD_OTHER},
    {"L1::evict_unchanged", GROUP_L1, WORD_OTHER},
    {"L1::evict_first", GROUP_L1, WORD_OTHER},
    {"L1::evict_last", GROUP_L1, WORD_OTHER},
    {"L1::no_allocate", GROUP_L1, WORD_OTHER},
    {"L1", GROUP_L1, WORD_OTHER}, {"L2", GROUP_L2, WORD_OTHER},
    {"L2::64B", GROUP_L2, WORD_OTHER}, {"L2::128B", GROUP_L2, WORD_OTHER},
    {"L2::256B", GROUP_L2, WORD_OTHER},
    {"L2::evict_last", GROUP_L2, WORD_OTHER},
    {"L2::evict_unchanged", GROUP_L2, WORD_OTHER},
    {"L2::cache_hint", GROUP_HINT, WORD_OTHER},
    {"fractional", GROUP_POLICY, WORD_FRACTIONAL},
    {"range", GROUP_POLICY, WORD_RANGE}, {"cvt", GROUP_POLICY, WORD_CVT},
    {"L2::evict_normal", GROUP_L2, WORD_OTHER},
    {"L2::evict_first", GROUP_L2, WORD_OTHER},
    {"nc", GROUP_NC, WORD_NC},
    {"uni", GROUP_UNI, WORD_UNI},
    {"sync", GROUP_SYNC, WORD_SYNC}, {"arrive", GROUP_SYNC, WORD_ARRIVE},
    {"red", GROUP_SYNC, WORD_RED},
    {"aligned", GROUP_ALIGNED, WORD_ALIGNED},
    {"up", GROUP_MODE, WORD_UP}, {"down", GROUP_MODE, WORD_DOWN},
    {"bfly", GROUP_MODE, WORD_BFLY}, {"idx", GROUP_MODE, WORD_IDX},
    {"all", GROUP_MODE, WORD_ALL}, {"any", GROUP_MODE, WORD_ANY},
    {"ballot", GROUP_MODE, WORD_BALLOT},
    {"wrap", GROUP_CLAMP, WORD_WRAP}, {"clamp", GROUP_CLAMP, WORD_CLAMP},
    {"trap", GROUP_CLAMP, WORD_TRAP}, {"zero", GROUP_CLAMP, WORD_ZERO},
    {"l", GROUP_DIRECTION, WORD_L}, {"r", GROUP_DIRECTION, WORD_R},
    {"shiftamt", GROUP_SHIFT, WORD_SHIFTAMT},
    {"f4e", GROUP_PERMUTE, WORD_F4E}, {"b4e", GROUP_PERMUTE, WORD_B4E},
    {"rc8", GROUP_PERMUTE, WORD_RC8}, {"ecl", GROUP_PERMUTE, WORD_ECL},
    {"ecr", GROUP_PERMUTE, WORD_ECR}, {"rc16", GROUP_PERMUTE, WORD_RC16},
    {"to", GROUP_TO, WORD_TO},
    {"warp", GROUP_COPY, WORD_WARP}, {"async", GROUP_COPY, WORD_ASYNC},
    {"commit_group", GROUP_COUNT, WORD_COMMIT},
    {"wait_group", GROUP_COUNT, WORD_WAIT},
    {"wait_all", GROUP_COUNT, WORD_WAIT},
    {"m8n8", GROUP_SHAPE, WORD_M8N8}, {"m8n8k4", GROUP_SHAPE, WORD_M8N8K4},
    {"m8n8k16", GROUP_SHAPE, WORD_M8N8K16},
    {"m16n8k4", GROUP_SHAPE, WORD_M16N8K4},
    {"m16n8k8", GROUP_SHAPE, WORD_M16N8K8},
    {"m16n8k16", GROUP_SHAPE, WORD_M16N8K16},
    {"m16n8k32", GROUP_SHAPE, WORD_M16N8K32},
    {"m16n16k16", GROUP_SHAPE, WORD_M16N16K16},
    {"m32n8k16", GROUP_SHAPE, WORD_M32N8K16},
    {"m8n32k16", GROUP_SHAPE, WORD_M8N32K16},
    {"m16n16k8", GROUP_SHAPE, WORD_M16N16K8},
    {"load", GROUP_STEP, WORD_LOAD}, {"store", GROUP_STEP, WORD_STORE},
    {"mma", GROUP_STEP, WORD_MMA},
    {"row", GROUP_LAYOUT_A, WORD_ROW}, {"col", GROUP_LAYOUT_A, WORD_COL},
    {"x1", GROUP_COUNT, WORD_X1}, {"x2", GROUP_COUNT, WORD_X2},
    {"x4", GROUP_COUNT, WORD_X4}, {"trans", GROUP_TRANSPOSE, WORD_TRANS},
    {"finite", GROUP_CLASS, WORD_FINITE},
    {"infinite", GROUP_CLASS, WORD_INFINITE},
    {"number", GROUP_CLASS, WORD_NUMBER},
    {"notanumber", GROUP_CLASS, WORD_NOTANUMBER},
    {"normal", GROUP_CLASS, WORD_NORMAL},
    {"subnormal", GROUP_CLASS, WORD_SUBNORMAL},
    {"1d", GROUP_GEOMETRY, WORD_1D}, {"2d", GROUP_GEOMETRY, WORD_2D},
    {"3d", GROUP_GEOMETRY, WORD_3D}, {"a1d", GROUP_GEOMETRY, WORD_A1D},
    {"a2d", GROUP_GEOMETRY, WORD_A2D},
    {"level", GROUP_LEVEL, WORD_LEVEL}, {"grad", GROUP_LEVEL, WORD_GRAD},
    {"base", GROUP_LEVEL, WORD_BASE},
    {"a", GROUP_LETTER, WORD_A}, {"b", GROUP_LETTER, WORD_B},
    {"c", GROUP_LETTER, WORD_C}, {"d", GROUP_LETTER, WORD_D},
    {"g", GROUP_LETTER, WORD_G},
    {"width", GROUP_QUERY, WORD_WIDTH}, {"height", GROUP_QUERY, WORD_HEIGHT},
    {"depth", GROUP_QUERY, WORD_DEPTH},
    {"array_size", GROUP_QUERY, WORD_ARRAY_SIZE},
    {"normalized_coords", GROUP_QUERY, WORD_NORMALIZED},
    {"num_mipmap_levels", GROUP_QUERY, WORD_LEVELS},
    {"num_samples", GROUP_QUERY, WORD_LEVELS},
};
// clang-format on
const size_t ptx_word_count = sizeof(ptx_words) / sizeof(ptx_words[0]);

unsigned ptx_vector_length(uint8_t word)
{
    return word == WORD_NONE ? 1 : 2u << (word - WORD_V2);
}

unsigned ptx_dimensions(uint8_t geometry)
{
    switch (geometry) {
    case WORD_1D:
        return 1;
    case WORD_2D:
    case WORD_A1D:
        return 2;
    case WORD_3D:
    case WORD_A2D:
        return 3;
    default:
        return 0;
    }
}

static bool same(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && strncmp(name, text, length) == 0 &&
           name[length] == '\0';
}

enum ptx_type ptx_type_named(const char *text, size_t length)
{
    for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES; t++)
        if (same(ptx_types[t].name, text, length))
            return (enum ptx_type)t;
    return PTX_NO_TYPE;
}

const struct ptx_word_row *ptx_word_named(const char *text, size_t length)
{
    for (size_t i = 0; i < ptx_word_count; i++)
        if (same(ptx_words[i].name, text, length))
            return &ptx_words[i];
    return NULL;
}
