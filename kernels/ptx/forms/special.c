/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/special.h"

#include <stdbool.h>
#include <string.h>

// clang-format off
const struct ptx_special_row ptx_specials[SPECIALS] = {
    [SPECIAL_TID_X] = {"%tid", "x", 4},
    [SPECIAL_TID_Y] = {"%tid", "y", 4},
    [SPECIAL_TID_Z] = {"%tid", "z", 4},
    [SPECIAL_NTID_X] = {"%ntid", "x", 4},
    [SPECIAL_NTID_Y] = {"%ntid", "y", 4},
    [SPECIAL_NTID_Z] = {"%ntid", "z", 4},
    [SPECIAL_CTAID_X] = {"%ctaid", "x", 4},
    [SPECIAL_CTAID_Y] = {"%ctaid", "y", 4},
    [SPECIAL_CTAID_Z] = {"%ctaid", "z", 4},
    [SPECIAL_NCTAID_X] = {"%nctaid", "x", 4},
    [SPECIAL_NCTAID_Y] = {"%nctaid", "y", 4},
    [SPECIAL_NCTAID_Z] = {"%nctaid", "z", 4},
    [SPECIAL_CLUSTER_CTAID_X] = {"%cluster_ctaid", "x", 4},
    [SPECIAL_CLUSTER_CTAID_Y] = {"%cluster_ctaid", "y", 4},
    [SPECIAL_CLUSTER_CTAID_Z] = {"%cluster_ctaid", "z", 4},
    [SPECIAL_CLUSTER_NCTAID_X] = {"%cluster_nctaid", "x", 4},
    [SPECIAL_CLUSTER_NCTAID_Y] = {"%cluster_nctaid", "y", 4},
    [SPECIAL_CLUSTER_NCTAID_Z] = {"%cluster_nctaid", "z", 4},
    [SPECIAL_CLUSTERID_X] = {"%clusterid", "x", 4},
    [SPECIAL_CLUSTERID_Y] = {"%clusterid", "y", 4},
    [SPECIAL_CLUSTERID_Z] = {"%clusterid", "z", 4},
    [SPECIAL_NCLUSTERID_X] = {"%nclusterid", "x", 4},
    [SPECIAL_NCLUSTERID_Y] = {"%nclusterid", "y", 4},
    [SPECIAL_NCLUSTERID_Z] = {"%nclusterid", "z", 4},
    [SPECIAL_CLUSTER_CTARANK] = {"%cluster_ctarank", "", 4},
    [SPECIAL_CLUSTER_NCTARANK] = {"%cluster_nctarank", "", 4},
    [SPECIAL_LANEID] = {"%laneid", "", 4},
    [SPECIAL_WARPID] = {"%warpid", "", 4},
    [SPECIAL_NWARPID] = {"%nwarpid", "", 4},
    [SPECIAL_SMID] = {"%smid", "", 4},
    [SPECIAL_NSMID] = {"%nsmid", "", 4},
    [SPECIAL_GRIDID] = {"%gridid", "", 8},
    [SPECIAL_LANEMASK_EQ] = {"%lanemask_eq", "", 4},
    [SPECIAL_LANEMASK_LE] = {"%lanemask_le", "", 4},
    [SPECIAL_LANEMASK_LT] = {"%lanemask_lt", "", 4},
    [SPECIAL_LANEMASK_GE] = {"%lanemask_ge", "", 4},
    [SPECIAL_LANEMASK_GT] = {"%lanemask_gt", "", 4},
    [SPECIAL_DYNAMIC_SMEM] = {"%dynamic_smem_size", "", 4},
    [SPECIAL_TOTAL_SMEM] = {"%total_smem_size", "", 4},
    [SPECIAL_RESERVED_BEGIN] = {"%reserved_smem_offset_begin", "", 4},
    [SPECIAL_RESERVED_END] = {"%reserved_smem_offset_end", "", 4},
    [SPECIAL_RESERVED_CAP] = {"%reserved_smem_offset_cap", "", 4},
    [SPECIAL_RESERVED_0] = {"%reserved_smem_offset_0", "", 4},
    [SPECIAL_RESERVED_1] = {"%reserved_smem_offset_1", "", 4},
    [SPECIAL_GRID_HIGH] = {"%envreg1", "", 4},
    [SPECIAL_GRID_LOW] = {"%envreg2", "", 4},
    [SPECIAL_ZERO] = {"", "", 4},
    [SPECIAL_ZERO64] = {"", "", 8},
    [SPECIAL_CLOCK] = {"%clock", "", 4},
    [SPECIAL_CLOCK_HI] = {"%clock_hi", "", 4},
    [SPECIAL_CLOCK64] = {"%clock64", "", 8},
    [SPECIAL_GLOBALTIMER] = {"%globaltimer", "", 8},
    [SPECIAL_GLOBALTIMER_LO] = {"%globaltimer_lo", "", 4},
    [SPECIAL_GLOBALTIMER_HI] = {"%globaltimer_hi", "", 4},
};
// clang-format on

static bool same(const char *name, const char *text, size_t length)
{
    return strncmp(name, text, length) == 0 && name[length] == '\0';
}

/* Whether the name is the stem and a number below `count`; with "_64" behind it
 * when it is of 64 bits. */
static bool is_numbered(const char *name, size_t length, const char *stem,
                        unsigned count, bool wide)
{
    size_t start = strlen(stem), end = wide ? length - 3 : length;
    unsigned n = 0;
    if (length > 12 || end <= start || end > length || end - start > 2 ||
        strncmp(name, stem, start) != 0 ||
        (wide && memcmp(name + end, "_64", 3) != 0))
        return false;
    for (size_t i = start; i < end; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        n = 10 * n + (unsigned)(name[i] - '0');
    }
    return n < count && (name[start] != '0' || end == start + 1);
}

/* %envreg<32>, %pm0 to %pm7, %pm0_64 to %pm7_64. */
static enum ptx_special zero_named(const char *name, size_t length)
{
    if (is_numbered(name, length, "%envreg", 32, false) ||
        is_numbered(name, length, "%pm", 8, false))
        return SPECIAL_ZERO;
    return is_numbered(name, length, "%pm", 8, true) ? SPECIAL_ZERO64
                                                     : SPECIALS;
}

enum ptx_special ptx_special_named(const char *name, size_t length,
                                   const char *part, size_t part_length)
{
    for (int s = 0; s < SPECIALS && length > 0; s++)
        if (same(ptx_specials[s].name, name, length) &&
            same(ptx_specials[s].part, part, part_length))
            return (enum ptx_special)s;
    return part_length == 0 ? zero_named(name, length) : SPECIALS;
}
