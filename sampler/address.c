/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/address.h"

#include "configs/gpu.h"

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
    uint64_t slices = (uint64_t)g->l2.banks / channels;
    uint64_t part =
        g->l2.interleave_bytes > 0 ? (uint64_t)g->l2.interleave_bytes : chunk;
    uint64_t mine = byte / chunk / channels * chunk + byte % chunk;
    uint64_t round = part * slices;
    return (struct share){
        .channel = byte / chunk % channels,
        .byte = mine,
        .slice = mine / part % slices,
        .local = mine / round * part + mine % part,
        .upper = mine / (round > chunk ? round : chunk),
    };
}

/* Irreducible polynomials of degree 1 to 10 without their highest term. */
static const uint64_t polynomial[] = {0,   0x1, 0x3,  0x3,  0x3, 0x5,
                                      0x3, 0x3, 0x1b, 0x11, 0x9};

uint64_t address_ipoly(uint64_t upper, uint64_t index, int bits)
{
    uint64_t rest = 0, modulus = UINT64_C(1) << bits | polynomial[bits];
    int length = upper == 0 ? 0 : 64 - __builtin_clzll(upper);
    for (int i = length - 1; i >= -bits; i--) {
        rest = rest << 1 | (i >= 0 ? upper >> i & 1 : 0);
        rest ^= modulus & -(rest >> bits);
    }
    return rest ^ index;
}

/* Modulo `count` where that is no power of two. */
static uint64_t ipoly(uint64_t upper, uint64_t index, uint64_t count)
{
    int bits = 1;
    while (UINT64_C(1) << bits < count)
        bits++;
    return count == 1 ? 0 : address_ipoly(upper, index, bits) % count;
}

static uint64_t rotation(uint64_t upper)
{
    uint64_t sum = 0;
    for (uint64_t rest = upper; rest != 0; rest >>= 5)
        sum += rest & 31;
    return sum;
}

/* SplitMix64's output function (Steele et al., OOPSLA 2014). */
static uint64_t scatter(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* A channel's slices are `channels` apart. */
static uint64_t slice_of(const struct gpu *g, const struct share *s,
                         uint64_t line)
{
    uint64_t banks = (uint64_t)g->l2.banks;
    uint64_t channels = (uint64_t)g->dram.channels,
             a_channel = banks / channels;
    uint64_t plain = s->slice * channels + s->channel, n;
    switch ((enum slice_hash)g->l2.slice_hash) {
    case SLICE_ROTATED:
        return (plain + rotation(s->upper)) % banks;
    case SLICE_IPOLY:
        n = ipoly(s->upper, s->channel * a_channel + s->slice, banks);
        return n % a_channel * channels + n / a_channel;
    case SLICE_RANDOM:
        return scatter(line) % banks;
    default:
        return plain;
    }
}

static uint64_t bank_of(const struct gpu *g, uint64_t bank, uint64_t row)
{
    uint64_t banks = (uint64_t)g->dram.banks;
    switch ((enum bank_hash)g->dram.bank_hash) {
    case BANK_ROTATED:
        return (bank + row) % banks;
    case BANK_XOR:
        return (bank ^ row % banks) % banks;
    default:
        return bank;
    }
}

struct place address_locate(const struct gpu *g, uint64_t line)
{
    uint64_t line_bytes = (uint64_t)g->l2.line_bytes;
    struct share s = share_of(g, line * line_bytes);
    uint64_t slice = slice_of(g, &s, line);
    uint64_t slices = (uint64_t)(g->l2.banks / g->dram.channels);
    uint64_t banks = (uint64_t)g->dram.banks;
    bool divided = banks % slices == 0;
    uint64_t a_slice = divided ? banks / slices : banks;
    uint64_t page = (divided ? s.local : s.byte) / (uint64_t)g->dram.row_bytes;
    uint64_t row = page / a_slice;
    uint64_t bank = page % a_slice;
    if (g->dram.rows > 0)
        row %= (uint64_t)g->dram.rows;
    return (struct place){
        .slice = (int)slice,
        .channel = (int)(slice % (uint64_t)g->dram.channels),
        .local_line = s.local / line_bytes,
        .row = row,
        .bank =
            (uint32_t)bank_of(g, divided ? bank * slices + s.slice : bank, row),
    };
}
