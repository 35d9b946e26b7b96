/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words that follow a PTX mnemonic behind dots: types and modifiers (PTX
 * ISA 9.0, sections 5.2 and 9.7). A modifier belongs to one group, and an
 * instruction has at most one of each group. */
#ifndef KERNELS_PTX_FORMS_WORDS_H
#define KERNELS_PTX_FORMS_WORDS_H

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
    GROUPS
};

#define GROUP(g) (UINT64_C(1) << GROUP_##g)

enum ptx_word {
    WORD_NONE,
    WORD_RN,
    WORD_RZ,
    WORD_RM,
    WORD_RP,
    WORD_RNA,
    WORD_RNI,
    WORD_RZI,
    WORD_RMI,
    WORD_RPI,
    WORD_FTZ,
    WORD_SAT,
    WORD_SATFINITE,
    WORD_RELU,
    WORD_NAN_KEPT, /* min and max: .NaN */
    WORD_XORSIGN,
    WORD_APPROX,
    WORD_FULL,
    WORD_LO,
    WORD_HI,
    WORD_WIDE,
    WORD_CC,
    WORD_EQ,
    WORD_NE,
    WORD_LT,
    WORD_LE,
    WORD_GT,
    WORD_GE,
    WORD_LS,
    WORD_HS,
    WORD_EQU,
    WORD_NEU,
    WORD_LTU,
    WORD_LEU,
    WORD_GTU,
    WORD_GEU,
    WORD_NUM,
    WORD_NAN,
    WORD_AND,
    WORD_OR,
    WORD_XOR,
    WORD_ADD,
    WORD_MIN,
    WORD_MAX,
    WORD_INC,
    WORD_DEC,
    WORD_EXCH,
    WORD_CAS,
    WORD_POPC,
    WORD_GLOBAL,
    WORD_SHARED,
    WORD_LOCAL,
    WORD_CONST,
    WORD_PARAM,
    WORD_UP,
    WORD_DOWN,
    WORD_BFLY,
    WORD_IDX,
    WORD_ALL,
    WORD_ANY,
    WORD_BALLOT,
    WORD_UNI,
    WORD_SYNC,
    WORD_ARRIVE,
    WORD_RED,
    WORD_ALIGNED,
    WORD_WRAP,
    WORD_CLAMP,
    WORD_TRAP,
    WORD_ZERO,
    WORD_L,
    WORD_R,
    WORD_SHIFTAMT,
    WORD_F4E,
    WORD_B4E,
    WORD_RC8,
    WORD_ECL,
    WORD_ECR,
    WORD_RC16,
    WORD_FINITE,
    WORD_INFINITE,
    WORD_NUMBER,
    WORD_NOTANUMBER,
    WORD_NORMAL,
    WORD_SUBNORMAL,
    WORD_V2,
    WORD_V4,
    WORD_V8,
    WORD_TO,
    WORD_WARP,
    WORD_ASYNC,
    WORD_COMMIT,
    WORD_WAIT,
    WORD_NC,
    WORD_M8N8,
    WORD_M8N8K4,
    WORD_M8N8K16,
    WORD_M16N8K4,
    WORD_M16N8K8,
    WORD_M16N8K16,
    WORD_M16N8K32,
    WORD_M16N16K16,
    WORD_M32N8K16,
    WORD_M8N32K16,
    WORD_M16N16K8,
    WORD_ROW,
    WORD_COL,
    WORD_X1,
    WORD_X2,
    WORD_X4,
    WORD_TRANS,
    WORD_1D,
    WORD_2D,
    WORD_3D,
    WORD_A1D,
    WORD_A2D,
    WORD_LEVEL,
    WORD_GRAD,
    WORD_BASE,
    WORD_A,
    WORD_B,
    WORD_C,
    WORD_D,
    WORD_G,
    WORD_WIDTH,
    WORD_HEIGHT,
    WORD_DEPTH,
    WORD_ARRAY_SIZE,
    WORD_NORMALIZED,
    WORD_LEVELS,
    WORD_LOAD,
    WORD_STORE,
    WORD_MMA,
    WORD_FRACTIONAL,
    WORD_RANGE,
    WORD_CVT,
    WORD_OTHER /* of a group whose members make no difference here */
};

struct ptx_word_row {
    const char *name;
    uint8_t group;
    uint8_t word;
};

/* The type or modifier of these characters (without the dot). */
enum ptx_type ptx_type_named(const char *text, size_t length);
const struct ptx_word_row *ptx_word_named(const char *text, size_t length);

/* Names of rows by index, for nearest_name(). */
extern const struct ptx_word_row ptx_words[];
extern const size_t ptx_word_count;

/* Elements that .v2, .v4 or .v8 says; 1 without. */
unsigned ptx_vector_length(uint8_t word);
/* Sides that a texture of a .geometry has: with .a2d three, the layers last; 0:
 * none is known. */
unsigned ptx_dimensions(uint8_t geometry);

#endif
