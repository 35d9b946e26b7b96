/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/box.h"

#include <assert.h>

struct box_walk box_begin(const struct step *s)
{
    assert(s->form == ADDR_BOX);
    return (struct box_walk){.box = s->box, .base = s->base};
}

static uint64_t rows_of(const struct box *b)
{
    uint64_t rows = 1;
    for (int i = 0; i < BOX_SIDES; i++)
        rows *= b->count[i];
    return rows;
}

uint64_t box_bytes(const struct box *b)
{
    return rows_of(b) * b->bytes;
}

static uint64_t row_address(const struct box_walk *w)
{
    uint64_t address = w->base, row = w->row;
    for (int i = 0; i < BOX_SIDES; i++) {
        address += (uint64_t)w->box.stride[i] * (row % w->box.count[i]);
        row /= w->box.count[i];
    }
    return address;
}

static unsigned above(unsigned bytes, unsigned unit)
{
    return (bytes + unit - 1) / unit;
}

/* Bits from `first` on and below `end`. */
static uint32_t bits(unsigned first, unsigned end)
{
    return end > first ? UINT32_MAX >> (32 - (end - first)) << first : 0;
}

bool box_next(struct box_walk *w, unsigned line_bytes, unsigned sector_bytes,
              struct transaction *out)
{
    if (w->box.bytes == 0 || w->row == rows_of(&w->box))
        return false;
    uint64_t from = row_address(w) + w->at, left = w->box.bytes - w->at;
    uint64_t in_line = line_bytes - from % line_bytes;
    uint64_t bytes = left < in_line ? left : in_line;
    unsigned begin = (unsigned)(from % line_bytes);
    unsigned end = begin + (unsigned)bytes;
    *out = (struct transaction){
        .line = from / line_bytes,
        .sectors = bits(begin / sector_bytes, above(end, sector_bytes)),
        .whole = bits(above(begin, sector_bytes), end / sector_bytes)};
    w->at += bytes;
    if (w->at == w->box.bytes) {
        w->at = 0;
        w->row++;
    }
    return true;
}
