/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Special registers (PTX ISA 9.0, section 10). */
#ifndef KERNELS_PTX_FORMS_SPECIAL_H
#define KERNELS_PTX_FORMS_SPECIAL_H

#include <stddef.h>
#include <stdint.h>

enum ptx_special {
    SPECIAL_TID_X,
    SPECIAL_TID_Y,
    SPECIAL_TID_Z,
    SPECIAL_NTID_X,
    SPECIAL_NTID_Y,
    SPECIAL_NTID_Z,
    SPECIAL_CTAID_X,
    SPECIAL_CTAID_Y,
    SPECIAL_CTAID_Z,
    SPECIAL_NCTAID_X,
    SPECIAL_NCTAID_Y,
    SPECIAL_NCTAID_Z,
    SPECIAL_CLUSTER_CTAID_X, /* in the cluster */
    SPECIAL_CLUSTER_CTAID_Y,
    SPECIAL_CLUSTER_CTAID_Z,
    SPECIAL_CLUSTER_NCTAID_X,
    SPECIAL_CLUSTER_NCTAID_Y,
    SPECIAL_CLUSTER_NCTAID_Z,
    SPECIAL_CLUSTERID_X, /* of the cluster in the grid */
    SPECIAL_CLUSTERID_Y,
    SPECIAL_CLUSTERID_Z,
    SPECIAL_NCLUSTERID_X,
    SPECIAL_NCLUSTERID_Y,
    SPECIAL_NCLUSTERID_Z,
    SPECIAL_CLUSTER_CTARANK,
    SPECIAL_CLUSTER_NCTARANK,
    SPECIAL_LANEID,
    SPECIAL_WARPID,
    SPECIAL_NWARPID,
    SPECIAL_SMID,
    SPECIAL_NSMID,
    SPECIAL_GRIDID,
    SPECIAL_LANEMASK_EQ,
    SPECIAL_LANEMASK_LE,
    SPECIAL_LANEMASK_LT,
    SPECIAL_LANEMASK_GE,
    SPECIAL_LANEMASK_GT,
    SPECIAL_DYNAMIC_SMEM,
    SPECIAL_TOTAL_SMEM,
    SPECIAL_RESERVED_BEGIN, /* of the shared memory that a system keeps for
                             * itself: a runtime's device code uses some */
    SPECIAL_RESERVED_END,
    SPECIAL_RESERVED_CAP,
    SPECIAL_RESERVED_0,
    SPECIAL_RESERVED_1,
    SPECIAL_GRID_HIGH, /* halves of the address of the grid's workspace */
    SPECIAL_GRID_LOW,
    SPECIAL_ZERO, /* what a driver or profiler sets and nothing sets here */
    SPECIAL_ZERO64,
    SPECIAL_CLOCK,    /* from here on they change as a warp runs: they count */
    SPECIAL_CLOCK_HI, /* the warp's own instructions */
    SPECIAL_CLOCK64,
    SPECIAL_GLOBALTIMER,
    SPECIAL_GLOBALTIMER_LO,
    SPECIAL_GLOBALTIMER_HI,
    SPECIALS
};

struct ptx_special_row {
    const char *name, *part; /* "%tid", "x"; part "" when it has none */
    uint8_t bytes;           /* 4 or 8 */
};
extern const struct ptx_special_row ptx_specials[SPECIALS];

/* The one of these characters, or SPECIALS. */
enum ptx_special ptx_special_named(const char *name, size_t length,
                                   const char *part, size_t part_length);

#endif
