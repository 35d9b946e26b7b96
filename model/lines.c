/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/lines.h"

#include "base/bits.h"
#include "configs/gpu.h"

#define LINE_SECTORS 32 /* at most: bits of transaction.sectors */

struct line_sizes line_sizes_of(const struct gpu *g)
{
    unsigned l1 = (unsigned)g->l1.sector_bytes,
             l2 = (unsigned)g->l2.sector_bytes;
    struct line_sizes z = {
        .line = (unsigned)g->l1.line_bytes,
        .sector = l1 < l2 ? l1 : l2,
        .texture = (unsigned)g->texture.line_bytes,
        .l1_global = g->l1.caches_global,
    };
    if (z.sector * LINE_SECTORS < z.line)
        z.sector = z.line / LINE_SECTORS;
    unsigned fetch = (unsigned)g->l2.fetch_bytes;
    fetch = fetch < z.line ? fetch : z.line;
    z.per_l1_sector = l1 > z.sector ? l1 / z.sector : 1;
    z.per_fetch = fetch > z.sector ? fetch / z.sector : 1;
    return z;
}

static uint32_t first_sectors(unsigned count)
{
    return count >= LINE_SECTORS ? UINT32_MAX : BIT(count) - 1;
}

/* All sectors of the units, so many sectors each, that hold any of `fine`. */
static uint32_t whole_units(unsigned sectors, uint32_t fine)
{
    uint32_t one = first_sectors(sectors), whole = 0;
    for (; fine != 0; fine &= ~whole) {
        unsigned at = (unsigned)__builtin_ctz(fine);
        whole |= one << (at - at % sectors);
    }
    return whole;
}

bool lines_through_l1(const struct line_sizes *z, const struct inst *i)
{
    return !i->past_l1 && (z->l1_global || i->space == SPACE_LOCAL);
}

int lines_of_global(const struct line_sizes *z, const struct inst *i,
                    const struct step *step,
                    struct transaction out[MAX_TRANSACTIONS])
{
    int n = coalesce(step, i->width, z->line, z->sector, out);
    if (i->op == OP_LOAD && lines_through_l1(z, i))
        for (int k = 0; k < n; k++)
            out[k].sectors = whole_units(z->per_l1_sector, out[k].sectors);
    return n;
}

uint32_t lines_fetched(const struct line_sizes *z, const struct inst *i,
                       uint32_t sectors)
{
    return i->op == OP_STORE ? sectors : whole_units(z->per_fetch, sectors);
}

int lines_of_texture(const struct line_sizes *z, const struct inst *i,
                     const struct step *step,
                     struct transaction out[MAX_TRANSACTIONS])
{
    return coalesce(step, i->width, z->texture, z->texture, out);
}

uint64_t line_below(const struct line_sizes *z, uint64_t texture_line)
{
    return texture_line * z->texture / z->line;
}

uint32_t sectors_below(const struct line_sizes *z, uint64_t texture_line)
{
    unsigned first =
        (unsigned)(texture_line * z->texture % z->line) / z->sector;
    unsigned bytes = z->texture < z->line ? z->texture : z->line;
    unsigned count = bytes / z->sector;
    return first_sectors(count < 1 ? 1 : count) << first;
}

int lines_below(const struct line_sizes *z, const struct transaction *t, int n,
                struct transaction out[MAX_TRANSACTIONS])
{
    int lines = 0;
    for (int k = 0; k < n; k++) {
        uint64_t line = line_below(z, t[k].line);
        int at = 0;
        while (at < lines && out[at].line != line)
            at++;
        if (at == lines)
            out[lines++] = (struct transaction){.line = line};
        out[at].sectors |= sectors_below(z, t[k].line);
    }
    return lines;
}
