/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the addresses of a warp's lanes have in common. Blocks are often 16
 * threads wide, so that each half of a warp is looked at by itself. */
#ifndef KERNELS_PTX_EXECUTE_ADDRESSES_H
#define KERNELS_PTX_EXECUTE_ADDRESSES_H

#include "kernels/form/kernel.h"

#define PTX_HALF (WARP_LANES / 2)

enum ptx_pattern {
    PATTERN_NONE, /* none that is known here, or not all lanes are active */
    PATTERN_ONE,  /* all lanes have the same address */
    PATTERN_ROW   /* each has that of the lane before + what it accesses */
};

/* Of the lanes of a mask, at least one. */
struct ptx_extent {
    uint64_t bits; /* that are set in any address */
    enum ptx_pattern half[2];
    uint64_t low, high; /* least and greatest; see ptx_extent_ends() */
};

/* Set bits and patterns; each lane accesses so many bytes. */
void ptx_extent_of(struct ptx_extent *out, const uint64_t *address,
                   uint32_t mask, uint64_t bytes);

/* Set the ends too. */
void ptx_extent_ends(struct ptx_extent *out, const uint64_t *address,
                     uint32_t mask);

#endif
