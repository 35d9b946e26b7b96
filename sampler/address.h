/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a line lives: consecutive interleave_bytes chunks go round the L2
 * slices, rotated by a hash of the upper bits when l2.hashed; a channel serves
 * the slices slice * channels / banks; DRAM banks are permuted by row (Zhang et
 * al., MICRO 2000). */
#ifndef SAMPLER_ADDRESS_H
#define SAMPLER_ADDRESS_H

#include <stdint.h>

struct gpu;

struct place {
    int slice, channel;
    uint64_t local_line; /* counts the lines of this slice */
    uint64_t row;        /* in the bank */
    uint32_t bank;       /* of the channel */
};

/* line = byte address / l2.line_bytes. */
struct place address_locate(const struct gpu *g, uint64_t line);

#endif
