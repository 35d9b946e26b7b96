/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/addresses.h"

#include "base/wide.h"
#include "kernels/ptx/execute/access.h"

#include <string.h>

/* ---- base + offset ------------------------------------------------------- */

FOR_PROCESSORS("avx2")
static void add_everywhere(uint64_t *out, const uint64_t *from, uint64_t offset)
{
    TURNS_APART
    for (int i = 0; i < WARP_LANES; i++)
        out[i] = from[i] + offset;
}

/* An address of 32 bits stays one. */
FOR_PROCESSORS("avx2")
static void add_wrapped(uint64_t *out, const uint64_t *from, uint64_t offset)
{
    TURNS_APART
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t sum = from[i] + offset;
        out[i] = from[i] >> 32 == 0 ? sum & UINT32_MAX : sum;
    }
}

static const uint64_t nowhere[WARP_LANES] = {0};

/* slot may be PTX_SLOT_NONE. */
static const uint64_t *base_of(const struct ptx_block *b,
                               const struct ptx_warp *w, int32_t slot)
{
    return slot != PTX_SLOT_NONE ? ptx_slot(b, w, slot) : nowhere;
}

void ptx_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                   const struct ptx_op *op, uint64_t *out)
{
    const uint64_t *from = base_of(b, w, op->base);
    if (op->space == PTX_SHARED || op->space == PTX_LOCAL)
        add_wrapped(out, from, (uint64_t)op->offset);
    else
        add_everywhere(out, from, (uint64_t)op->offset);
}

void ptx_second_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint64_t *out)
{
    add_everywhere(out, base_of(b, w, op->second_base),
                   (uint64_t)op->second_offset);
}

void ptx_third_addresses(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, uint64_t *out)
{
    add_everywhere(out, base_of(b, w, op->third_base),
                   (uint64_t)op->third_offset);
}

/* ---- what they have in common -------------------------------------------- */

typedef uint64_t four __attribute__((vector_size(32)));

#define UNION(four) ((four)[0] | (four)[1] | (four)[2] | (four)[3])

/* Four lanes at a time. */
FOR_PROCESSORS("avx2")
static void find_patterns(struct ptx_extent *out, const uint64_t *address,
                          uint64_t bytes)
{
    const four step = {4 * bytes, 4 * bytes, 4 * bytes, 4 * bytes};
    four bits = {0};
    for (int h = 0; h < 2; h++, address += PTX_HALF) {
        uint64_t at = address[0];
        four first = {at, at, at, at}, one = {0}, row = {0}, now;
        four next = {at, at + bytes, at + 2 * bytes, at + 3 * bytes};
        for (int i = 0; i < PTX_HALF; i += 4, next += step) {
            memcpy(&now, address + i, sizeof(now));
            one |= now ^ first;
            row |= now ^ next;
            bits |= now;
        }
        out->half[h] = UNION(one) == 0   ? PATTERN_ONE
                       : UNION(row) == 0 ? PATTERN_ROW
                                         : PATTERN_NONE;
    }
    out->bits = UNION(bits);
}

void ptx_extent_of(struct ptx_extent *out, const uint64_t *address,
                   uint32_t mask, uint64_t bytes)
{
    if (mask == UINT32_MAX) {
        find_patterns(out, address, bytes);
        return;
    }
    *out = (struct ptx_extent){.half = {PATTERN_NONE, PATTERN_NONE}};
    for (; mask != 0; mask &= mask - 1)
        out->bits |= address[__builtin_ctz(mask)];
}

FOR_PROCESSORS("avx2")
static void find_ends(struct ptx_extent *out, const uint64_t *address)
{
    uint64_t low = address[0], high = address[0];
    for (int i = 1; i < WARP_LANES; i++) {
        low = address[i] < low ? address[i] : low;
        high = address[i] > high ? address[i] : high;
    }
    out->low = low;
    out->high = high;
}

static void reach_end(struct ptx_extent *out, uint64_t address)
{
    out->low = address < out->low ? address : out->low;
    out->high = address > out->high ? address : out->high;
}

void ptx_extent_ends(struct ptx_extent *out, const uint64_t *address,
                     uint32_t mask)
{
    const uint64_t *second = address + PTX_HALF;
    uint64_t last = address[PTX_HALF - 1], end = second[PTX_HALF - 1];
    out->low = out->high = address[__builtin_ctz(mask)];
    if (mask != UINT32_MAX) {
        for (; mask != 0; mask &= mask - 1)
            reach_end(out, address[__builtin_ctz(mask)]);
    } else if (out->half[0] != PATTERN_NONE && out->half[1] != PATTERN_NONE &&
               last >= address[0] && end >= second[0]) {
        reach_end(out, last);
        reach_end(out, second[0]);
        reach_end(out, end);
    } else {
        find_ends(out, address);
    }
}
