/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that follow a PTX mnemonic behind dots: types and modifiers (PTX
 * ISA 9.0, sections 5.2 and 9.7). A modifier belongs to one group, and an
 * instruction has at most one of each group. */
#ifndef KERNELS_PTX_FORMS_MODIFIERS_H
#define KERNELS_PTX_FORMS_MODIFIERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ptx_type {
    PTX_NO_TYPE,
    PTX_PRED,
    PTX_B8,
    PTX_U8,
    PTX_S8,
    PTX_B16,
    PTX_U16,
    PTX_S16,
    PTX_F16,
    PTX_BF16,
    PTX_B32,
    PTX_U32,
    PTX_S32,
    PTX_F32,
    PTX_TF32,
    PTX_F16X2,
    PTX_BF16X2,
    PTX_U16X2,
    PTX_S16X2,
    PTX_B64,
    PTX_U64,
    PTX_S64,
    PTX_F64,
    PTX_U2, /* to PTX_S4: of cvt.pack alone */
    PTX_S2,
    PTX_U4,
    PTX_S4,
    PTX_E4M3, /* from here on: 8 bits with 4 or 5 of exponent */
    PTX_E5M2,
    PTX_E4M3X2,
    PTX_E5M2X2,
    PTX_TYPES
};

#define TYPE(t) (UINT64_C(1) << PTX_##t)

struct ptx_type_row {
    const char *name;
    uint8_t bytes; /* 0: none in memory (predicates) */
    bool is_signed, is_float;
};
extern const struct ptx_type_row ptx_types[PTX_TYPES];

enum ptx_group {
    GROUP_NONE,
    GROUP_ROUND,
    GROUP_FTZ,
    GROUP_SAT,
    GROUP_RELU,
    GROUP_NAN,
    GROUP_XORSIGN,
    GROUP_PRECISION,
    GROUP_PART,
    GROUP_CARRY,
    GROUP_COMPARE,
    GROUP_OPERATION,
    GROUP_SPACE,
    GROUP_ORDER,
    GROUP_SCOPE,
    GROUP_VECTOR,
    GROUP_CACHE,
    GROUP_L1,
    GROUP_L2,
    GROUP_NC,
    GROUP_UNI,
    GROUP_SYNC,
    GROUP_ALIGNED,
    GROUP_MODE,
    GROUP_CLAMP,
    GROUP_DIRECTION,
    GROUP_SHIFT,
    GROUP_PERMUTE,
    GROUP_GEOMETRY,
    GROUP_TO,
    GROUP_CLASS,
    GROUP_COPY,
    GROUP_SHAPE,
    GROUP_LAYOUT_A,
    GROUP_LAYOUT_B,
    GROUP_TRANSPOSE,
    GROUP_COUNT,
    GROUP_FRAGMENT,
    GROUP_LEVEL,
    GROUP_LETTER,
    GROUP_QUERY,
    GROUP_STEP,
    GROUP_HINT,
    GROUP_POLICY,
    GROUP_FROM, /* the second space of a copy */
    GROUP_OBJECT,
    GROUP_TX,
    GROUP_PHASE,
    GROUP_PACK,
    GROUP_VIDEO, /* no modifier: rows with three types */
    GROUP_COMPLETION,
    GROUP_MULTICAST,
    GROUP_TENSOR,
    GROUPS
};

#define GROUP(g) (UINT64_C(1) << GROUP_##g)

enum ptx_modifier {
    MOD_NONE,
    MOD_RN,
    MOD_RZ,
    MOD_RM,
    MOD_RP,
    MOD_RNA,
    MOD_RNI,
    MOD_RZI,
    MOD_RMI,
    MOD_RPI,
    MOD_FTZ,
    MOD_SAT,
    MOD_SATFINITE,
    MOD_RELU,
    MOD_NAN_KEPT, /* min and max: .NaN */
    MOD_XORSIGN,
    MOD_APPROX,
    MOD_FULL,
    MOD_LO,
    MOD_HI,
    MOD_WIDE,
    MOD_CC,
    MOD_EQ,
    MOD_NE,
    MOD_LT,
    MOD_LE,
    MOD_GT,
    MOD_GE,
    MOD_LS,
    MOD_HS,
    MOD_EQU,
    MOD_NEU,
    MOD_LTU,
    MOD_LEU,
    MOD_GTU,
    MOD_GEU,
    MOD_NUM,
    MOD_NAN,
    MOD_AND,
    MOD_OR,
    MOD_XOR,
    MOD_ADD,
    MOD_MIN,
    MOD_MAX,
    MOD_INC,
    MOD_DEC,
    MOD_EXCH,
    MOD_CAS,
    MOD_POPC,
    MOD_GLOBAL,
    MOD_SHARED,
    MOD_LOCAL,
    MOD_CONST,
    MOD_PARAM,
    MOD_UP,
    MOD_DOWN,
    MOD_BFLY,
    MOD_IDX,
    MOD_ALL,
    MOD_ANY,
    MOD_BALLOT,
    MOD_UNI,
    MOD_SYNC,
    MOD_ARRIVE,
    MOD_RED,
    MOD_ALIGNED,
    MOD_WRAP,
    MOD_CLAMP,
    MOD_TRAP,
    MOD_ZERO,
    MOD_L,
    MOD_R,
    MOD_SHIFTAMT,
    MOD_F4E,
    MOD_B4E,
    MOD_RC8,
    MOD_ECL,
    MOD_ECR,
    MOD_RC16,
    MOD_FINITE,
    MOD_INFINITE,
    MOD_NUMBER,
    MOD_NOTANUMBER,
    MOD_NORMAL,
    MOD_SUBNORMAL,
    MOD_V2,
    MOD_V4,
    MOD_V8,
    MOD_TO,
    MOD_WARP,
    MOD_ASYNC,
    MOD_COMMIT,
    MOD_WAIT,
    MOD_NC,
    MOD_M8N8,
    MOD_M8N8K4,
    MOD_M8N8K16,
    MOD_M16N8K4,
    MOD_M16N8K8,
    MOD_M16N8K16,
    MOD_M16N8K32,
    MOD_M16N16K16,
    MOD_M32N8K16,
    MOD_M8N32K16,
    MOD_M16N16K8,
    MOD_ROW,
    MOD_COL,
    MOD_X1,
    MOD_X2,
    MOD_X4,
    MOD_TRANS,
    MOD_1D,
    MOD_2D,
    MOD_3D,
    MOD_4D,
    MOD_5D,
    MOD_A1D,
    MOD_A2D,
    MOD_CUBE,
    MOD_ACUBE,
    MOD_LEVEL,
    MOD_GRAD,
    MOD_BASE,
    MOD_A,
    MOD_B,
    MOD_C,
    MOD_D,
    MOD_G,
    MOD_WIDTH,
    MOD_HEIGHT,
    MOD_DEPTH,
    MOD_ARRAY_SIZE,
    MOD_NORMALIZED,
    MOD_LEVELS,
    MOD_LOAD,
    MOD_STORE,
    MOD_MMA,
    MOD_FRACTIONAL,
    MOD_RANGE,
    MOD_CVT,
    MOD_CLUSTER_SHARED, /* .shared::cluster */
    MOD_ARRIVE_DROP,
    MOD_INIT,
    MOD_INVAL,
    MOD_TEST_WAIT,
    MOD_TRY_WAIT,
    MOD_PENDING_COUNT,
    MOD_EXPECT_TX,
    MOD_COMPLETE_TX,
    MOD_PARITY,
    MOD_NO_COMPLETE,
    MOD_MBARRIER,
    MOD_PACK,
    MOD_BULK,
    MOD_BULK_GROUP,
    MOD_BYTES,
    MOD_NO_INC,
    MOD_REDUCE,
    MOD_PREFETCH,
    MOD_MULTICAST,
    MOD_PROXY,
    MOD_TENSOR,
    MOD_LD_REDUCE,
    MOD_ST,
    MOD_CLUSTER_BARRIER,
    MOD_M64,
    MOD_MMA_ASYNC,
    MOD_FENCE,
    MOD_MBARRIER_INIT,
    MOD_TENSORMAP,
    MOD_LAUNCH_DEPENDENTS,
    MOD_WAIT_LAUNCH,
    MOD_CG,
    MOD_CV,
    MOD_VOLATILE,
    MOD_STRONG, /* ordered against other threads of its scope */
    MOD_CTA,
    MOD_OTHER /* of a group whose members make no difference here */
};

struct ptx_modifier_row {
    const char *name;
    uint8_t group;
    uint8_t word;
};

/* Whether the characters are the shape of a warp group's product, m64n64k16. */
bool ptx_shape_named(const char *text, size_t length, uint16_t *columns,
                     uint8_t *depth);

/* The type or modifier of these characters (without the dot). */
enum ptx_type ptx_type_named(const char *text, size_t length);
const struct ptx_modifier_row *ptx_modifier_named(const char *text,
                                                  size_t length);

/* Names of rows by index, for nearest_name(). */
extern const struct ptx_modifier_row ptx_modifiers[];
extern const size_t ptx_modifier_count;

/* Elements that .v2, .v4 or .v8 says; 1 without. */
unsigned ptx_vector_length(uint8_t word);
/* Sides that a texture of a .geometry has: with .a2d three, the layers last; 0:
 * none is known. */
unsigned ptx_dimensions(uint8_t geometry);

#endif
