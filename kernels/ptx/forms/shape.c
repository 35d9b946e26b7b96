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
        return 4;
    default:
        return 1;
    }
}
