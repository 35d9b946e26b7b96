/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/modifiers.h"

#include <stdio.h>
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
    [PTX_U2]      = {"u2", 0, false, false},
    [PTX_S2]      = {"s2", 0, true, false},
    [PTX_U4]      = {"u4", 0, false, false},
    [PTX_S4]      = {"s4", 0, true, false},
    [PTX_E4M3]    = {"e4m3", 1, true, true},
    [PTX_E5M2]    = {"e5m2", 1, true, true},
    [PTX_E4M3X2]  = {"e4m3x2", 2, false, true},
    [PTX_E5M2X2]  = {"e5m2x2", 2, false, true},
};

const struct ptx_modifier_row ptx_modifiers[] = {
    {"rn", GROUP_ROUND, MOD_RN}, {"rz", GROUP_ROUND, MOD_RZ},
    {"rm", GROUP_ROUND, MOD_RM}, {"rp", GROUP_ROUND, MOD_RP},
    {"rna", GROUP_ROUND, MOD_RNA},
    {"rni", GROUP_ROUND, MOD_RNI}, {"rzi", GROUP_ROUND, MOD_RZI},
    {"rmi", GROUP_ROUND, MOD_RMI}, {"rpi", GROUP_ROUND, MOD_RPI},
    {"ftz", GROUP_FTZ, MOD_FTZ},
    {"noftz", GROUP_FTZ, MOD_OTHER},
    {"sat", GROUP_SAT, MOD_SAT}, {"satfinite", GROUP_SAT, MOD_SATFINITE},
    {"relu", GROUP_RELU, MOD_RELU},
    {"NaN", GROUP_NAN, MOD_NAN_KEPT},
    {"xorsign", GROUP_XORSIGN, MOD_XORSIGN},
    {"abs", GROUP_XORSIGN, MOD_XORSIGN},
    {"approx", GROUP_PRECISION, MOD_APPROX},
    {"full", GROUP_PRECISION, MOD_FULL},
    {"lo", GROUP_PART, MOD_LO}, {"hi", GROUP_PART, MOD_HI},
    {"wide", GROUP_PART, MOD_WIDE},
    {"cc", GROUP_CARRY, MOD_CC},
    {"eq", GROUP_COMPARE, MOD_EQ}, {"ne", GROUP_COMPARE, MOD_NE},
    {"lt", GROUP_COMPARE, MOD_LT}, {"le", GROUP_COMPARE, MOD_LE},
    {"gt", GROUP_COMPARE, MOD_GT}, {"ge", GROUP_COMPARE, MOD_GE},
    {"ls", GROUP_COMPARE, MOD_LS}, {"hs", GROUP_COMPARE, MOD_HS},
    {"equ", GROUP_COMPARE, MOD_EQU}, {"neu", GROUP_COMPARE, MOD_NEU},
    {"ltu", GROUP_COMPARE, MOD_LTU}, {"leu", GROUP_COMPARE, MOD_LEU},
    {"gtu", GROUP_COMPARE, MOD_GTU}, {"geu", GROUP_COMPARE, MOD_GEU},
    {"num", GROUP_COMPARE, MOD_NUM}, {"nan", GROUP_COMPARE, MOD_NAN},
    {"and", GROUP_OPERATION, MOD_AND}, {"or", GROUP_OPERATION, MOD_OR},
    {"xor", GROUP_OPERATION, MOD_XOR}, {"add", GROUP_OPERATION, MOD_ADD},
    {"min", GROUP_OPERATION, MOD_MIN}, {"max", GROUP_OPERATION, MOD_MAX},
    {"inc", GROUP_OPERATION, MOD_INC}, {"dec", GROUP_OPERATION, MOD_DEC},
    {"exch", GROUP_OPERATION, MOD_EXCH}, {"cas", GROUP_OPERATION, MOD_CAS},
    {"popc", GROUP_OPERATION, MOD_POPC},
    {"global", GROUP_SPACE, MOD_GLOBAL}, {"shared", GROUP_SPACE, MOD_SHARED},
    {"shared::cta", GROUP_SPACE, MOD_SHARED},
    {"local", GROUP_SPACE, MOD_LOCAL}, {"const", GROUP_SPACE, MOD_CONST},
    {"param", GROUP_SPACE, MOD_PARAM},
    {"param::entry", GROUP_SPACE, MOD_PARAM},
    {"param::func", GROUP_SPACE, MOD_PARAM},
    {"weak", GROUP_ORDER, MOD_OTHER}, {"relaxed", GROUP_ORDER, MOD_STRONG},
    {"acquire", GROUP_ORDER, MOD_STRONG}, {"release", GROUP_ORDER, MOD_STRONG},
    {"acq_rel", GROUP_ORDER, MOD_STRONG}, {"sc", GROUP_ORDER, MOD_STRONG},
    {"volatile", GROUP_ORDER, MOD_VOLATILE},
    {"cta", GROUP_SCOPE, MOD_CTA}, {"gpu", GROUP_SCOPE, MOD_OTHER},
    {"sys", GROUP_SCOPE, MOD_OTHER}, {"cluster", GROUP_SCOPE, MOD_OTHER},
    {"gl", GROUP_SCOPE, MOD_OTHER},
    {"v2", GROUP_VECTOR, MOD_V2}, {"v4", GROUP_VECTOR, MOD_V4},
    {"v8", GROUP_VECTOR, MOD_V8},
    {"ca", GROUP_CACHE, MOD_OTHER}, {"cg", GROUP_CACHE, MOD_CG},
    {"cs", GROUP_CACHE, MOD_OTHER}, {"lu", GROUP_CACHE, MOD_OTHER},
    {"cv", GROUP_CACHE, MOD_CV}, {"wb", GROUP_CACHE, MOD_OTHER},
    {"wt", GROUP_CACHE, MOD_OTHER},
    {"L1::evict_normal", GROUP_L1, MOD_OTHER},
    {"L1::evict_unchanged", GROUP_L1, MOD_OTHER},
    {"L1::evict_first", GROUP_L1, MOD_OTHER},
    {"L1::evict_last", GROUP_L1, MOD_OTHER},
    {"L1::no_allocate", GROUP_L1, MOD_OTHER},
    {"L1", GROUP_L1, MOD_OTHER}, {"L2", GROUP_L2, MOD_OTHER},
    {"L2::64B", GROUP_L2, MOD_OTHER}, {"L2::128B", GROUP_L2, MOD_OTHER},
    {"L2::256B", GROUP_L2, MOD_OTHER},
    {"L2::evict_last", GROUP_L2, MOD_OTHER},
    {"L2::evict_unchanged", GROUP_L2, MOD_OTHER},
    {"L2::cache_hint", GROUP_HINT, MOD_OTHER},
    {"fractional", GROUP_POLICY, MOD_FRACTIONAL},
    {"range", GROUP_POLICY, MOD_RANGE}, {"cvt", GROUP_POLICY, MOD_CVT},
    {"pack", GROUP_PACK, MOD_PACK},
    {"L2::evict_normal", GROUP_L2, MOD_OTHER},
    {"L2::evict_first", GROUP_L2, MOD_OTHER},
    {"nc", GROUP_NC, MOD_NC},
    {"uni", GROUP_UNI, MOD_UNI},
    {"sync", GROUP_SYNC, MOD_SYNC}, {"arrive", GROUP_SYNC, MOD_ARRIVE},
    {"red", GROUP_SYNC, MOD_RED},
    {"aligned", GROUP_ALIGNED, MOD_ALIGNED},
    {"up", GROUP_MODE, MOD_UP}, {"down", GROUP_MODE, MOD_DOWN},
    {"bfly", GROUP_MODE, MOD_BFLY}, {"idx", GROUP_MODE, MOD_IDX},
    {"all", GROUP_MODE, MOD_ALL}, {"any", GROUP_MODE, MOD_ANY},
    {"ballot", GROUP_MODE, MOD_BALLOT},
    {"wrap", GROUP_CLAMP, MOD_WRAP}, {"clamp", GROUP_CLAMP, MOD_CLAMP},
    {"trap", GROUP_CLAMP, MOD_TRAP}, {"zero", GROUP_CLAMP, MOD_ZERO},
    {"l", GROUP_DIRECTION, MOD_L}, {"r", GROUP_DIRECTION, MOD_R},
    {"shiftamt", GROUP_SHIFT, MOD_SHIFTAMT},
    {"f4e", GROUP_PERMUTE, MOD_F4E}, {"b4e", GROUP_PERMUTE, MOD_B4E},
    {"rc8", GROUP_PERMUTE, MOD_RC8}, {"ecl", GROUP_PERMUTE, MOD_ECL},
    {"ecr", GROUP_PERMUTE, MOD_ECR}, {"rc16", GROUP_PERMUTE, MOD_RC16},
    {"to", GROUP_TO, MOD_TO},
    {"warp", GROUP_COPY, MOD_WARP}, {"async", GROUP_COPY, MOD_ASYNC},
    {"commit_group", GROUP_COUNT, MOD_COMMIT},
    {"wait_group", GROUP_COUNT, MOD_WAIT},
    {"wait_all", GROUP_COUNT, MOD_WAIT},
    {"m8n8", GROUP_SHAPE, MOD_M8N8}, {"m8n8k4", GROUP_SHAPE, MOD_M8N8K4},
    {"m8n8k16", GROUP_SHAPE, MOD_M8N8K16},
    {"m16n8k4", GROUP_SHAPE, MOD_M16N8K4},
    {"m16n8k8", GROUP_SHAPE, MOD_M16N8K8},
    {"m16n8k16", GROUP_SHAPE, MOD_M16N8K16},
    {"m16n8k32", GROUP_SHAPE, MOD_M16N8K32},
    {"m16n16k16", GROUP_SHAPE, MOD_M16N16K16},
    {"m32n8k16", GROUP_SHAPE, MOD_M32N8K16},
    {"m8n32k16", GROUP_SHAPE, MOD_M8N32K16},
    {"m16n16k8", GROUP_SHAPE, MOD_M16N16K8},
    {"load", GROUP_STEP, MOD_LOAD}, {"store", GROUP_STEP, MOD_STORE},
    {"mma", GROUP_STEP, MOD_MMA},
    {"row", GROUP_LAYOUT_A, MOD_ROW}, {"col", GROUP_LAYOUT_A, MOD_COL},
    {"x1", GROUP_COUNT, MOD_X1}, {"x2", GROUP_COUNT, MOD_X2},
    {"x4", GROUP_COUNT, MOD_X4}, {"trans", GROUP_TRANSPOSE, MOD_TRANS},
    {"finite", GROUP_CLASS, MOD_FINITE},
    {"infinite", GROUP_CLASS, MOD_INFINITE},
    {"number", GROUP_CLASS, MOD_NUMBER},
    {"notanumber", GROUP_CLASS, MOD_NOTANUMBER},
    {"normal", GROUP_CLASS, MOD_NORMAL},
    {"subnormal", GROUP_CLASS, MOD_SUBNORMAL},
    {"1d", GROUP_GEOMETRY, MOD_1D}, {"2d", GROUP_GEOMETRY, MOD_2D},
    {"3d", GROUP_GEOMETRY, MOD_3D}, {"4d", GROUP_GEOMETRY, MOD_4D},
    {"5d", GROUP_GEOMETRY, MOD_5D}, {"a1d", GROUP_GEOMETRY, MOD_A1D},
    {"a2d", GROUP_GEOMETRY, MOD_A2D}, {"cube", GROUP_GEOMETRY, MOD_CUBE},
    {"acube", GROUP_GEOMETRY, MOD_ACUBE},
    {"level", GROUP_LEVEL, MOD_LEVEL}, {"grad", GROUP_LEVEL, MOD_GRAD},
    {"base", GROUP_LEVEL, MOD_BASE},
    {"a", GROUP_LETTER, MOD_A}, {"b", GROUP_LETTER, MOD_B},
    {"c", GROUP_LETTER, MOD_C}, {"d", GROUP_LETTER, MOD_D},
    {"g", GROUP_LETTER, MOD_G},
    {"width", GROUP_QUERY, MOD_WIDTH}, {"height", GROUP_QUERY, MOD_HEIGHT},
    {"depth", GROUP_QUERY, MOD_DEPTH},
    {"array_size", GROUP_QUERY, MOD_ARRAY_SIZE},
    {"normalized_coords", GROUP_QUERY, MOD_NORMALIZED},
    {"num_mipmap_levels", GROUP_QUERY, MOD_LEVELS},
    {"num_samples", GROUP_QUERY, MOD_LEVELS},
    {"arrive_drop", GROUP_SYNC, MOD_ARRIVE_DROP},
    {"init", GROUP_OBJECT, MOD_INIT}, {"inval", GROUP_OBJECT, MOD_INVAL},
    {"test_wait", GROUP_OBJECT, MOD_TEST_WAIT},
    {"try_wait", GROUP_OBJECT, MOD_TRY_WAIT},
    {"pending_count", GROUP_OBJECT, MOD_PENDING_COUNT},
    {"expect_tx", GROUP_TX, MOD_EXPECT_TX},
    {"complete_tx", GROUP_TX, MOD_COMPLETE_TX},
    {"parity", GROUP_PHASE, MOD_PARITY},
    {"noComplete", GROUP_PHASE, MOD_NO_COMPLETE},
    {"noinc", GROUP_PHASE, MOD_NO_INC}, {"read", GROUP_PHASE, MOD_OTHER},
    {"mbarrier", GROUP_OBJECT, MOD_MBARRIER}, {"bulk", GROUP_OBJECT, MOD_BULK},
    {"bulk_group", GROUP_COMPLETION, MOD_BULK_GROUP},
    {"mbarrier::complete_tx::bytes", GROUP_COMPLETION, MOD_BYTES},
    {"reduce", GROUP_STEP, MOD_REDUCE},
    {"prefetch", GROUP_STEP, MOD_PREFETCH},
    {"multicast::cluster", GROUP_MULTICAST, MOD_MULTICAST},
    {"shared::cluster", GROUP_SPACE, MOD_CLUSTER_SHARED},
    {"mma_async", GROUP_STEP, MOD_MMA_ASYNC}, {"fence", GROUP_STEP, MOD_FENCE},
    {"proxy", GROUP_OBJECT, MOD_PROXY}, {"alias", GROUP_COPY, MOD_OTHER},
    {"async::generic", GROUP_COPY, MOD_OTHER},
    {"tensormap::generic", GROUP_COPY, MOD_OTHER},
    {"mbarrier_init", GROUP_OBJECT, MOD_MBARRIER_INIT},
    {"sync_restrict::shared::cta", GROUP_PHASE, MOD_OTHER},
    {"sync_restrict::shared::cluster", GROUP_PHASE, MOD_OTHER},
    {"ld_reduce", GROUP_STEP, MOD_LD_REDUCE}, {"st", GROUP_STEP, MOD_ST},
    {"acc::f32", GROUP_NAN, MOD_OTHER},
    {"tensor", GROUP_TENSOR, MOD_TENSOR}, {"tile", GROUP_PHASE, MOD_OTHER},
    {"tensormap", GROUP_OBJECT, MOD_TENSORMAP},
    {"launch_dependents", GROUP_OBJECT, MOD_LAUNCH_DEPENDENTS},
    {"wait", GROUP_OBJECT, MOD_WAIT_LAUNCH},
};
// clang-format on
const size_t ptx_modifier_count =
    sizeof(ptx_modifiers) / sizeof(ptx_modifiers[0]);

unsigned ptx_vector_length(uint8_t word)
{
    return word == MOD_NONE ? 1 : 2u << (word - MOD_V2);
}

unsigned ptx_dimensions(uint8_t geometry)
{
    switch (geometry) {
    case MOD_1D:
        return 1;
    case MOD_2D:
    case MOD_A1D:
        return 2;
    case MOD_3D:
    case MOD_A2D:
    case MOD_CUBE:
    case MOD_ACUBE:
        return 3;
    case MOD_4D:
        return 4;
    case MOD_5D:
        return 5;
    default:
        return 0;
    }
}

static bool same(const char *name, const char *text, size_t length)
{
    return name[0] == text[0] && strncmp(name, text, length) == 0 &&
           name[length] == '\0';
}

bool ptx_shape_named(const char *text, size_t length, uint16_t *columns,
                     uint8_t *depth)
{
    char copy[12];
    unsigned n, k;
    int used = 0;
    if (length >= sizeof(copy))
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (sscanf(copy, "m64n%3uk%2u%n", &n, &k, &used) != 2 ||
        (size_t)used != length || n == 0 || n > 256 || n % 8 != 0 ||
        (k != 8 && k != 16 && k != 32))
        return false;
    *columns = (uint16_t)n;
    *depth = (uint8_t)k;
    return true;
}

enum ptx_type ptx_type_named(const char *text, size_t length)
{
    for (int t = PTX_NO_TYPE + 1; t < PTX_TYPES; t++)
        if (same(ptx_types[t].name, text, length))
            return (enum ptx_type)t;
    return PTX_NO_TYPE;
}

const struct ptx_modifier_row *ptx_modifier_named(const char *text,
                                                  size_t length)
{
    for (size_t i = 0; i < ptx_modifier_count; i++)
        if (same(ptx_modifiers[i].name, text, length))
            return &ptx_modifiers[i];
    return NULL;
}
