/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/arrays.h"
#include "kernels/ptx/execute/decode.h"

#define CONSTANTS_LOOKED_AT 256

int32_t ptx_constant_slot(struct ptx_program *p, uint64_t value)
{
    size_t first = p->constants > CONSTANTS_LOOKED_AT
                       ? p->constants - CONSTANTS_LOOKED_AT
                       : 0;
    for (size_t i = first; i < p->constants; i++)
        if (p->constant[i * WARP_LANES] == value)
            return ~(int32_t)i;
    if (!array_room(&p->constant, p->constants * WARP_LANES, WARP_LANES))
        return PTX_SLOT_NONE;
    for (int lane = 0; lane < WARP_LANES; lane++)
        p->constant[p->constants * WARP_LANES + (size_t)lane] = value;
    return ~(int32_t)p->constants++;
}
