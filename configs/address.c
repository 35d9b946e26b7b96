/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/address.h"

#include "base/bits.h"
#include "base/mix.h"
#include "configs/gpu.h"

int address_channel_slices(const struct gpu *g)
{
    return g->l2.banks > g->dram.channels ? g->l2.banks / g->dram.channels : 1;
}

int address_slice_channels(const struct gpu *g)
{
    return g->dram.channels > g->l2.banks ? g->dram.channels / g->l2.banks : 1;
}

/* What a channel has of an address, in bytes. */
struct share {
    uint64_t channel;
    uint64_t byte;  /* counts the channel's bytes */
    uint64_t slice; /* of the channel's, before hashing */
    uint64_t local; /* counts the bytes of that slice */
    uint64_t upper; /* what is above the bits of channel and slice */
};

static struct share share_of(const struct gpu *g, uint64_t byte)
{
    uint64_t chunk = (uint64_t)g->dram.interleave_bytes;
    uint64_t channels = (uint64_t)g->dram.channels;
    uint64_t slices = (uint64_t)address_channel_slices(g);
    uint64_t part =
        g->l2.interleave_bytes > 0 ? (uint64_t)g->l2.interleave_bytes : chunk;
    uint64_t chunks = divide(byte, chunk);
    uint64_t mine = divide(chunks, channels) * chunk + modulo(byte, chunk);
    uint64_t round = part * slices;
    return (struct share){
        .channel = modulo(chunks, channels),
        .byte = mine,
        .slice = modulo(divide(mine, part), slices),
        .local = divide(mine, round) * part + modulo(mine, part),
        .upper = divide(mine, round > chunk ? round : chunk),
    };
}

/* Irreducible polynomials of degree 1 to 10 without their highest term. */
static const uint64_t polynomial[] = {0,   0x1, 0x3,  0x3,  0x3, 0x5,
                                      0x3, 0x3, 0x1b, 0x11, 0x9};

/* x modulo the polynomial of that degree: its highest term stands for the
 * others, which times all that is of that degree or above go below. */
static uint64_t remainder_of(uint64_t x, int degree)
{
    uint64_t below = (UINT64_C(1) << degree) - 1;
    while (x > below) {
        uint64_t above = x >> degree;
        x &= below;
        for (uint64_t terms = polynomial[degree]; terms != 0;
             terms &= terms - 1)
            x ^= above << __builtin_ctzll(terms);
    }
    return x;
}

int address_ipoly_bits(uint64_t count)
{
    return count <= 16 ? 13 : count <= 32 ? 15 : 19;
}

uint64_t address_ipoly(uint64_t upper, uint64_t index, int bits)
{
    return remainder_of(remainder_of(upper, bits) << bits, bits) ^ index;
}

/* Modulo `count` where that is no power of two. */
static uint64_t ipoly(uint64_t upper, uint64_t index, uint64_t count)
{
    int bits = 1;
    while (UINT64_C(1) << bits < count)
        bits++;
    return count == 1 ? 0 : modulo(address_ipoly(upper, index, bits), count);
}

static uint64_t rotation(uint64_t upper)
{
    uint64_t sum = 0;
    for (uint64_t rest = upper; rest != 0; rest >>= 5)
        sum += rest & 31;
    return sum;
}

/* The low bits of x, all of 0. */
static uint64_t low_bits(uint64_t x, int bits)
{
    return bits > 0 ? x & ((UINT64_C(1) << bits) - 1) : x;
}

/* The slice, or the channel's part of one. A channel's slices are `channels`
 * apart. */
static uint64_t part_of(const struct gpu *g, const struct share *s,
                        uint64_t line)
{
    uint64_t banks =
        (uint64_t)g->l2.banks * (uint64_t)address_slice_channels(g);
    uint64_t channels = (uint64_t)g->dram.channels,
             a_channel = divide(banks, channels);
    uint64_t plain = s->slice * channels + s->channel, n;
    switch ((enum slice_hash)g->l2.slice_hash) {
    case SLICE_ROTATED:
        return modulo(plain + rotation(s->upper), banks);
    case SLICE_IPOLY:
        n = ipoly(low_bits(s->upper, g->l2.hash_bits),
                  s->channel * a_channel + s->slice, banks);
        return modulo(n, a_channel) * channels + divide(n, a_channel);
    case SLICE_RANDOM:
        return modulo(mix_state(line), banks);
    default:
        return plain;
    }
}

static uint64_t bank_of(const struct gpu *g, uint64_t bank, uint64_t row)
{
    uint64_t banks = (uint64_t)g->dram.banks;
    switch ((enum bank_hash)g->dram.bank_hash) {
    case BANK_ROTATED:
        return modulo(bank + row, banks);
    case BANK_XOR:
        return modulo(bank ^ modulo(row, banks), banks);
    default:
        return bank;
    }
}

struct place address_locate(const struct gpu *g, uint64_t line)
{
    uint64_t line_bytes = (uint64_t)g->l2.line_bytes;
    struct share s = share_of(g, line * line_bytes);
    uint64_t part = part_of(g, &s, line);
    uint64_t slices = (uint64_t)address_channel_slices(g);
    uint64_t l2_slices = (uint64_t)g->l2.banks;
    uint64_t parts = (uint64_t)address_slice_channels(g);
    uint64_t banks = (uint64_t)g->dram.banks;
    bool divided = modulo(banks, slices) == 0;
    uint64_t a_slice = divided ? divide(banks, slices) : banks;
    uint64_t page =
        divide(divided ? s.local : s.byte, (uint64_t)g->dram.row_bytes);
    uint64_t row = divide(page, a_slice);
    uint64_t bank = modulo(page, a_slice);
    if (g->dram.rows > 0)
        row = modulo(row, (uint64_t)g->dram.rows);
    return (struct place){
        .slice = (int)modulo(part, l2_slices),
        .channel = (int)modulo(part, (uint64_t)g->dram.channels),
        .local_line =
            divide(s.local, line_bytes) * parts + divide(part, l2_slices),
        .row = row,
        .bank =
            (uint32_t)bank_of(g, divided ? bank * slices + s.slice : bank, row),
    };
}
