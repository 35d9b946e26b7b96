/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a line lives. Chunks of dram.interleave_bytes go round the channels,
 * and parts of l2.interleave_bytes of what a channel has round its slices; then
 * slices are hashed (l2.slice_hash). Where channels are more than slices each
 * slice has several of them, as many parts of it, which are hashed as slices
 * are. Of a slice's bytes row_bytes at a time go round the channel's banks, of
 * which neighbours serve different slices where nothing is hashed, in permuted
 * order (dram.bank_hash). */
#ifndef CONFIGS_ADDRESS_H
#define CONFIGS_ADDRESS_H

#include <stdint.h>

struct gpu;

struct place {
    int slice, channel;
    uint64_t local_line; /* counts the lines of this slice */
    uint64_t row;        /* in the bank */
    uint32_t bank;       /* of the channel */
};

/* Slices that a channel has; 1 where a slice has several channels. */
int address_channel_slices(const struct gpu *g);
/* Channels that a slice has; 1 where a channel has several slices. */
int address_slice_channels(const struct gpu *g);

/* line = byte address / l2.line_bytes. Slice s belongs to channel s modulo
 * dram.channels, or channel c to slice c modulo l2.banks. */
struct place address_locate(const struct gpu *g, uint64_t line);

/* `index`, of `bits` bits, with `upper` bits above it, modulo an irreducible
 * polynomial of that degree over GF(2); 1 <= bits <= 10. */
uint64_t address_ipoly(uint64_t upper, uint64_t index, int bits);
/* Of `upper` those bits that GPGPU-Sim's equations for so many slices or sets
 * read (hashing.cc, ipoly_hash_function, for 16, 32 and 64). */
int address_ipoly_bits(uint64_t count);

#endif
