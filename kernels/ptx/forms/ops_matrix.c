/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/fragment.h"
#include "kernels/ptx/forms/lanes.h"
#include "kernels/ptx/forms/matrix.h"

#define LANES WARP_LANES

/* Shapes that exist by the type of A (section 9.7.14.5, table 36). */
static bool is_shape(enum ptx_type a, struct ptx_shape s)
{
    switch (a) {
    case PTX_F16:
        return s.m == 8 ? s.k == 4 : s.k == 8 || s.k == 16;
    case PTX_BF16:
        return s.m == 16 && (s.k == 8 || s.k == 16);
    case PTX_TF32:
        return s.m == 16 && (s.k == 4 || s.k == 8);
    case PTX_E4M3:
    case PTX_E5M2:
        return s.m == 16 && (s.k == 16 || s.k == 32);
    case PTX_S8:
    case PTX_U8:
        return s.k == 16 || (s.m == 16 && s.k == 32);
    default: /* f64 */
        return s.m == 8 ? s.k == 4 : s.k == 4 || s.k == 8 || s.k == 16;
    }
}

/* The types of d and c that go with those of a and b. */
static bool are_types(const uint8_t *t)
{
    bool same = t[1] == t[2], accumulated = t[0] == t[3];
    switch (t[1]) {
    case PTX_F16:
        return same && (t[0] == PTX_F16 || t[0] == PTX_F32) &&
               (t[3] == PTX_F16 || t[3] == PTX_F32);
    case PTX_BF16:
    case PTX_TF32:
        return same && accumulated && t[0] == PTX_F32;
    case PTX_F64:
        return same && accumulated && t[0] == PTX_F64;
    case PTX_E4M3:
    case PTX_E5M2:
        return (t[2] == PTX_E4M3 || t[2] == PTX_E5M2) && accumulated &&
               (t[0] == PTX_F16 || t[0] == PTX_F32);
    default:
        return (t[2] == PTX_S8 || t[2] == PTX_U8) && accumulated &&
               t[0] == PTX_S32;
    }
}

/* Both have to be there; only m8n8k4 of .f16 has others than .row.col. */
static bool are_layouts(const struct ptx_inst *inst)
{
    uint8_t a = inst->modifier[GROUP_LAYOUT_A];
    uint8_t b = inst->modifier[GROUP_LAYOUT_B];
    if (ptx_matrix_is_quad(inst))
        return a != MOD_NONE && b != MOD_NONE &&
               (inst->type[3] == PTX_F16 || inst->type[0] == PTX_F32);
    return a == MOD_ROW && b == MOD_COL;
}

static bool is_fragment(const struct ptx_inst *inst)
{
    return inst->form->action == ACTION_LOAD_FRAGMENT ||
           inst->form->action == ACTION_STORE_FRAGMENT ||
           inst->form->action == ACTION_MULTIPLY_FRAGMENTS;
}

bool ptx_matrix_is_double(const struct ptx_inst *inst)
{
    return inst->type[0] == PTX_F64;
}

/* Types of d, a and b of a warp group's product; rows of 32 bytes of a and b
 * (section 9.7.15.2). */
static bool is_group_product(const struct ptx_inst *inst)
{
    const uint8_t *t = inst->type;
    bool halves = t[1] == PTX_F16 || t[1] == PTX_BF16, same = t[1] == t[2];
    bool eighths = t[1] == PTX_E4M3 || t[1] == PTX_E5M2;
    if (ptx_shape_of(inst).m != 64 ||
        inst->depth != 8 * ptx_elements((enum ptx_type)t[1]))
        return false;
    if (halves || t[1] == PTX_TF32)
        return same &&
               (t[0] == PTX_F32 || (t[0] == PTX_F16 && t[1] == PTX_F16));
    if (eighths)
        return (t[2] == PTX_E4M3 || t[2] == PTX_E5M2) && t[0] != PTX_S32;
    return (t[2] == PTX_S8 || t[2] == PTX_U8) && t[0] == PTX_S32;
}

/* Of d and of a, in a lane. */
static unsigned group_registers(const struct ptx_inst *inst, unsigned i)
{
    if (!is_group_product(inst))
        return 0;
    return i == 1
               ? 4
               : inst->columns / 2 / ptx_elements((enum ptx_type)inst->type[0]);
}

unsigned ptx_matrix_registers(const struct ptx_inst *inst, unsigned i)
{
    struct ptx_fragment f;
    if (inst->form->action == ACTION_WGMMA)
        return group_registers(inst, i);
    if (is_fragment(inst))
        return ptx_fragment_of(&f, inst, i) ? f.registers : 0;
    if (inst->form->action == ACTION_LOAD_MATRIX ||
        inst->form->action == ACTION_STORE_MATRIX)
        return inst->modifier[GROUP_COUNT] == MOD_X1   ? 1
               : inst->modifier[GROUP_COUNT] == MOD_X2 ? 2
               : inst->modifier[GROUP_COUNT] == MOD_X4 ? 4
                                                       : 0;
    struct ptx_shape s = ptx_shape_of(inst);
    if (s.m == 0 || s.n != 8 || s.m == 32 || !are_types(inst->type) ||
        !are_layouts(inst) || !is_shape((enum ptx_type)inst->type[1], s))
        return 0;
    unsigned elements = ptx_elements((enum ptx_type)inst->type[i]);
    unsigned values = i == 1 ? s.m * s.k : i == 2 ? s.k * s.n : s.m * s.n;
    unsigned products = ptx_matrix_is_quad(inst) ? 4 : 1;
    return products * values / LANES / elements;
}

#define RESULTS (TYPE(F16) | TYPE(F32) | TYPE(F64) | TYPE(S32))
#define FACTORS                                                                \
    (TYPE(F16) | TYPE(BF16) | TYPE(TF32) | TYPE(F64) | TYPE(S8) | TYPE(U8))
#define EIGHTS (TYPE(E4M3) | TYPE(E5M2))

#define WARP_GROUP (GROUP(SYNC) | GROUP(ALIGNED) | GROUP(SHAPE) | GROUP(SAT))
#define FRAGMENT                                                               \
    (GROUP(ALIGNED) | GROUP(SHAPE) | GROUP(LAYOUT_A) | GROUP(LETTER) |         \
     GROUP(SPACE))

// clang-format off
const struct ptx_form ptx_matrix_forms[] = {
    {"mma", KEYS(MOD_SYNC), "Bbbb", RESULTS, FACTORS | EIGHTS,
     GROUP(ALIGNED) | GROUP(SHAPE) | GROUP(LAYOUT_A) | GROUP(LAYOUT_B) |
     GROUP(SAT), ACTION_MATRIX, NULL, OP_TENSOR},
    {"wgmma", KEYS(MOD_MMA_ASYNC), "Bzwq", TYPE(S32), TYPE(S8) | TYPE(U8),
     WARP_GROUP, ACTION_WGMMA, NULL, OP_TENSOR},
    {"wgmma", KEYS(MOD_MMA_ASYNC), "Bzwqii?ii", TYPE(F16) | TYPE(F32),
     TYPE(F16) | TYPE(BF16) | TYPE(TF32) | EIGHTS, WARP_GROUP, ACTION_WGMMA,
     NULL, OP_TENSOR},
    {"wgmma", KEYS(MOD_FENCE), "", 0, 0, GROUP(SYNC) | GROUP(ALIGNED),
     ACTION_WGMMA_GROUP, NULL, OP_INT},
    {"wgmma", KEYS(MOD_COMMIT), "", 0, 0, GROUP(SYNC) | GROUP(ALIGNED),
     ACTION_WGMMA_GROUP, NULL, OP_INT},
    {"wgmma", KEYS(MOD_WAIT), "i", 0, 0, GROUP(SYNC) | GROUP(ALIGNED),
     ACTION_WGMMA_GROUP, NULL, OP_INT},
    {"ldmatrix", KEYS(MOD_SYNC, MOD_M8N8), "Bm", TYPE(B16), 0,
     GROUP(ALIGNED) | GROUP(COUNT) | GROUP(TRANSPOSE) | GROUP(SPACE),
     ACTION_LOAD_MATRIX, NULL, OP_LOAD},
    {"stmatrix", KEYS(MOD_SYNC, MOD_M8N8), "mb", TYPE(B16), 0,
     GROUP(ALIGNED) | GROUP(COUNT) | GROUP(TRANSPOSE) | GROUP(SPACE),
     ACTION_STORE_MATRIX, NULL, OP_STORE},
    {"movmatrix", KEYS(MOD_SYNC, MOD_M8N8), "Uu", TYPE(B16), 0,
     GROUP(ALIGNED) | GROUP(TRANSPOSE), ACTION_MOVE_MATRIX, NULL, OP_INT},
    {"wmma", KEYS(MOD_SYNC, MOD_MMA), "Bbbb", RESULTS, FACTORS | RESULTS,
     GROUP(ALIGNED) | GROUP(SHAPE) | GROUP(LAYOUT_A) | GROUP(LAYOUT_B) |
     GROUP(SAT) | GROUP(ROUND), ACTION_MULTIPLY_FRAGMENTS, NULL, OP_TENSOR},
    {"wmma", KEYS(MOD_SYNC, MOD_LOAD), "Bm?u", FACTORS | RESULTS, 0, FRAGMENT,
     ACTION_LOAD_FRAGMENT, NULL, OP_LOAD},
    {"wmma", KEYS(MOD_SYNC, MOD_STORE), "mb?u", RESULTS, 0, FRAGMENT,
     ACTION_STORE_FRAGMENT, NULL, OP_STORE},
    {.mnemonic = NULL},
};
