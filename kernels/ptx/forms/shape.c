/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/matrix.h"

struct ptx_shape ptx_shape_of(const struct ptx_inst *inst)
{
    switch (inst->modifier[GROUP_SHAPE]) {
    case MOD_M8N8K4:
        return (struct ptx_shape){8, 8, 4};
    case MOD_M8N8K16:
        return (struct ptx_shape){8, 8, 16};
    case MOD_M16N8K4:
        return (struct ptx_shape){16, 8, 4};
    case MOD_M16N8K8:
        return (struct ptx_shape){16, 8, 8};
    case MOD_M16N8K16:
        return (struct ptx_shape){16, 8, 16};
    case MOD_M16N8K32:
        return (struct ptx_shape){16, 8, 32};
    case MOD_M16N16K16:
        return (struct ptx_shape){16, 16, 16};
    case MOD_M32N8K16:
        return (struct ptx_shape){32, 8, 16};
    case MOD_M8N32K16:
        return (struct ptx_shape){8, 32, 16};
    case MOD_M16N16K8:
        return (struct ptx_shape){16, 16, 8};
    case MOD_M64:
        return (struct ptx_shape){64, inst->columns, inst->depth};
    default:
        return (struct ptx_shape){0, 0, 0};
    }
}

unsigned ptx_elements(enum ptx_type type)
{
    switch (type) {
    case PTX_F16:
    case PTX_BF16:
        return 2;
    case PTX_S8:
    case PTX_U8:
    case PTX_E4M3:
    case PTX_E5M2:
        return 4;
    default:
        return 1;
    }
}

/* ---- cells -------------------------------------------------------------- */

bool ptx_matrix_is_quad(const struct ptx_inst *inst)
{
    return inst->modifier[GROUP_SHAPE] == MOD_M8N8K4 &&
           inst->type[1] == PTX_F16;
}

struct ptx_cell ptx_quad_cell(const struct ptx_inst *inst, unsigned operand,
                              unsigned lane, unsigned i)
{
    unsigned t = lane % 4, h = lane < 16 ? 0 : 4, q = lane % 16 / 4;
    bool a_columns = inst->modifier[GROUP_LAYOUT_A] == MOD_COL;
    bool b_rows = inst->modifier[GROUP_LAYOUT_B] == MOD_ROW;
    if (operand == 1)
        return a_columns ? (struct ptx_cell){q, i + h, t}
                         : (struct ptx_cell){q, t + h, i};
    if (operand == 2)
        return b_rows ? (struct ptx_cell){q, t, i + h}
                      : (struct ptx_cell){q, i, t + h};
    if (inst->type[operand] == PTX_F16)
        return (struct ptx_cell){q, t + h, i};
    return (struct ptx_cell){q, t % 2 + (i & 2) + h, (i & 4) + (t & 2) + i % 2};
}
