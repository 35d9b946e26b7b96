/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/placement.h"

#include "base/mix.h"
#include "configs/address.h"
#include "configs/gpu.h"
#include "model/constants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS     (1u << DIGIT_BITS)

/* Of neighbours, with room for as many. */
struct lines {
    uint64_t *line, *room;
};

/* Into `out` in the order of the digit at `shift`, otherwise as they come. */
static void sort_by_digit(uint64_t *out, const uint64_t *x, size_t n, int shift)
{
    size_t start[DIGITS + 1] = {0};
    for (size_t i = 0; i < n; i++)
        start[(x[i] >> shift) % DIGITS + 1]++;
    for (size_t d = 1; d < DIGITS; d++)
        start[d] += start[d - 1];
    for (size_t i = 0; i < n; i++)
        out[start[(x[i] >> shift) % DIGITS]++] = x[i];
}

/* Sort n of them and keep one of each; how many are left. Digits that all have
 * in common need no pass. */
static size_t distinct(struct lines *of, size_t n)
{
    uint64_t differ = 0, *x = of->line;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        differ |= x[i] ^ x[0];
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((differ >> shift) % DIGITS == 0)
            continue;
        sort_by_digit(of->room, of->line, n, shift);
        *of = (struct lines){of->room, of->line};
    }
    x = of->line;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || x[i] != x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

/* The row that each bank of each channel has open, as row_of() counts. */
struct bank_rows {
    uint64_t *row;
    size_t banks; /* of all channels */
};

#define NO_ROW UINT64_MAX

/* How far a block of the grid is from another one, in columns and rows. */
struct apart {
    double right, below;
};

/* The block that comes `after` blocks later. */
static struct apart apart_of(const struct moving_block *m, uint64_t after)
{
    uint64_t at = m->column + after, rows = at / m->row;
    return (struct apart){(double)(at % m->row) - (double)m->column,
                          (double)rows};
}

static uint64_t moved_line(const struct moving_line *l, struct apart by)
{
    return l->line +
           (uint64_t)(int64_t)floor(by.right * l->right + by.below * l->below);
}

/* Of m's lines those that are looked at are so many apart. */
static size_t stride_of(const struct moving_block *m)
{
    return (m->lines + PLACED_LINES - 1) / PLACED_LINES;
}

/* How far block b is of `blocks` of the `window` blocks that follow. */
static struct apart spread_block(const struct moving_block *m, uint64_t window,
                                 size_t blocks, size_t b)
{
    return apart_of(m, blocks < window ? mix(b) % window : b);
}

/* The distinct lines of `blocks` of the `window` blocks that follow, one in
 * `stride` of each; their number. */
static size_t spread_lines(struct lines *out, const struct moving_block *m,
                           uint64_t window, size_t blocks, size_t stride)
{
    size_t n = 0;
    for (size_t b = 0; b < blocks; b++) {
        struct apart by = spread_block(m, window, blocks, b);
        for (size_t i = 0; i < m->lines; i += stride)
            out->line[n++] = moved_line(&m->line[i], by);
    }
    return distinct(out, n);
}

/* Chance that two of what n places count fall in the same of them, times n:
 * `alone` is the sum of their squares. */
static double crowding_of(const uint32_t *count, size_t n, double alone)
{
    double together = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        together += (double)count[i] * count[i];
        total += count[i];
    }
    double pairs = total * total - alone;
    return pairs > 0 ? fmax(1, (double)n * (together - alone) / pairs) : 1;
}

/* ... of lines, which count for one each. */
static double crowding(const uint32_t *count, size_t n)
{
    double total = 0;
    for (size_t i = 0; i < n; i++)
        total += count[i];
    return crowding_of(count, n, total);
}

static uint64_t sets_of_slice(const struct gpu *g)
{
    double lines = g->l2.size_kb * 1024 / g->l2.line_bytes;
    double sets = lines / g->l2.banks / g->l2.ways;
    return sets > 1 ? (uint64_t)sets : 1;
}

static struct place place_of(const struct gpu *g, uint64_t line)
{
    uint64_t byte = line * (uint64_t)g->l1.line_bytes;
    return address_locate(g, byte / (uint64_t)g->l2.line_bytes);
}

/* The busiest slice's share of the requests over the mean, where all but those
 * for hot lines are spread evenly: those are so at all times. */
static double busiest_slice(const struct gpu *g, const struct hot_lines *hot,
                            uint32_t *sent)
{
    double all = 0, most = 0;
    for (size_t i = 0; i < hot->count; i++) {
        uint32_t *slice = &sent[place_of(g, hot->line[i].line).slice];
        *slice += hot->line[i].sent;
        most = fmax(most, *slice);
        all += hot->line[i].sent;
    }
    memset(sent, 0, (size_t)g->l2.banks * sizeof(*sent));
    double even = all / g->l2.banks;
    return all > 0 ? 1 + hot->share * (most / even - 1) : 1;
}

/* How evenly the requests of `blocks` of the blocks that run at a time use the
 * slices. */
static void measure_slices(struct placement *out, const struct gpu *g,
                           uint32_t *slice, const struct moving_block *m,
                           size_t blocks)
{
    double busiest = m->hot != NULL ? busiest_slice(g, m->hot, slice) : 1;
    size_t stride = stride_of(m);
    for (size_t b = 0; b < blocks; b++) {
        struct apart by = spread_block(m, m->resident, blocks, b);
        for (size_t i = 0; i < m->lines; i += stride)
            slice[place_of(g, moved_line(&m->line[i], by)).slice] +=
                m->line[i].sent;
    }
    out->slice = fmax(busiest, crowding(slice, (size_t)g->l2.banks));
}

/* ... and their atomics, by how long they take there. */
static void measure_atomics(struct placement *out, const struct gpu *g,
                            uint32_t *slice, const struct moving_block *m,
                            size_t blocks)
{
    size_t stride = stride_of(m);
    double alone = 0;
    memset(slice, 0, (size_t)g->l2.banks * sizeof(*slice));
    for (size_t b = 0; b < blocks; b++) {
        struct apart by = spread_block(m, m->resident, blocks, b);
        for (size_t i = 0; i < m->lines; i += stride) {
            const struct moving_line *l = &m->line[i];
            if (l->serial == 0)
                continue;
            slice[place_of(g, moved_line(l, by)).slice] += l->serial;
            alone += (double)l->serial * l->serial / l->sent;
        }
    }
    out->atomics =
        fmax(out->slice, crowding_of(slice, (size_t)g->l2.banks, alone));
}

/* How evenly n lines use channels. Those of consecutive interleave_bytes always
 * go together. */
static void measure_channels(struct placement *out, const struct gpu *g,
                             uint32_t *channel, const uint64_t *line, size_t n)
{
    uint64_t in_chunk = (uint64_t)(g->dram.interleave_bytes / g->l1.line_bytes);
    in_chunk = in_chunk > 0 ? in_chunk : 1;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || line[i] / in_chunk != line[i - 1] / in_chunk)
            channel[place_of(g, line[i]).channel]++;
    out->channel = crowding(channel, (size_t)g->dram.channels);
}

/* The same of the L2's sets, where no hash spreads lines over them. */
static void measure_sets(struct placement *out, const struct gpu *g,
                         uint32_t *set, const uint64_t *line, size_t n)
{
    uint64_t sets = sets_of_slice(g);
    for (size_t i = 0; i < n; i++) {
        struct place at = place_of(g, line[i]);
        set[(uint64_t)at.slice * sets + at.local_line % sets]++;
    }
    out->set = crowding(set, (size_t)g->l2.banks * sets);
}

static uint64_t sets_of(double size_kb, int line_bytes, int ways)
{
    double sets = size_kb * 1024 / line_bytes / ways;
    return sets > 1 ? (uint64_t)sets : 1;
}

static uint64_t l1_sets(const struct gpu *g)
{
    return sets_of(g->l1.size_kb, g->l1.line_bytes, g->l1.ways);
}

static uint64_t texture_sets(const struct gpu *g)
{
    return sets_of(g->texture.size_kb, g->texture.line_bytes, g->texture.ways);
}

/* By how many of n lines fall in each of so many sets. */
static struct set_use set_use_of(const uint32_t *count, size_t sets, double n)
{
    double squares = 0, mean = n / (double)sets;
    for (size_t i = 0; i < sets; i++)
        squares += (double)count[i] * count[i];
    double variance = squares / (double)sets - mean * mean;
    double chance = mean * (1 - 1 / (double)sets);
    return (struct set_use){.crowding = crowding(count, sets),
                            .across = 1,
                            .uneven =
                                chance > 0 ? fmin(1, variance / chance) : 0};
}

/* Of a cache that takes lines of so many bytes in turn. */
static struct set_use use_in_turn(uint32_t *set, const uint64_t *line, size_t n,
                                  const struct gpu *g, int line_bytes,
                                  uint64_t sets)
{
    uint64_t bytes = (uint64_t)g->l1.line_bytes, each = (uint64_t)line_bytes;
    uint64_t parts = bytes > each ? bytes / each : 1;
    for (size_t i = 0; i < n; i++)
        for (uint64_t part = 0; part < parts; part++)
            set[(line[i] * bytes / each + part) % sets]++;
    return set_use_of(set, sets, (double)(n * parts));
}

/* Of a cache that hashes: of HASHED_SETS successive lines each falls in a set
 * of its own, those of others anywhere. Lines in order. */
static struct set_use use_hashed(const uint64_t *line, size_t n)
{
    double variance = 0, chance = (double)n * (1 - 1.0 / HASHED_SETS);
    for (size_t i = 0, first = 0; i < n; i++)
        if (i + 1 == n ||
            line[i + 1] / HASHED_SETS != line[first] / HASHED_SETS) {
            double share = (double)(i + 1 - first) / HASHED_SETS;
            variance += share * (1 - share) * HASHED_SETS;
            first = i + 1;
        }
    return (struct set_use){.crowding = 1,
                            .across = 1,
                            .uneven = chance > 0 ? variance / chance : 0};
}

static struct set_use l1_use(const struct gpu *g, uint32_t *set,
                             const uint64_t *line, size_t n)
{
    return g->l1.hashed
               ? use_hashed(line, n)
               : use_in_turn(set, line, n, g, g->l1.line_bytes, l1_sets(g));
}

static struct set_use texture_use(const struct gpu *g, uint32_t *set,
                                  const uint64_t *line, size_t n)
{
    return use_in_turn(set, line, n, g, g->texture.line_bytes, texture_sets(g));
}

/* How the lines of one block and another's crowd, given how those of one do and
 * those of so many blocks together: of pairs of lines one in so many is of one
 * block. */
static double across(const struct set_use *one, const struct set_use *together,
                     size_t blocks)
{
    double of_one = 1 / (double)blocks;
    return fmax(0,
                (together->crowding - of_one * one->crowding) / (1 - of_one));
}

/* Of a block, and of some of those that run at a time. */
static void measure_sm_sets(struct placement *out, const struct gpu *g,
                            uint32_t *set, const struct moving_block *m,
                            struct lines *of)
{
    const size_t most = (size_t)PLACED_LINES * PLACED_BLOCKS;
    size_t n = m->lines < most ? m->lines : most;
    uint32_t *texture = set, *l1 = set + texture_sets(g);
    for (size_t i = 0; i < n; i++)
        of->line[i] = m->line[i].line;
    n = distinct(of, n);
    out->texture = texture_use(g, texture, of->line, n);
    out->l1 = l1_use(g, l1, of->line, n);
    size_t room = most / (m->lines > 0 ? m->lines : most);
    size_t blocks = room < m->resident ? room : m->resident;
    blocks = blocks < PLACED_BLOCKS ? blocks : PLACED_BLOCKS;
    if (blocks < 2)
        return;
    n = spread_lines(of, m, m->resident, blocks, 1);
    memset(set, 0, (texture_sets(g) + l1_sets(g)) * sizeof(*set));
    struct set_use together = texture_use(g, texture, of->line, n);
    out->texture.across = across(&out->texture, &together, blocks);
    together = l1_use(g, l1, of->line, n);
    out->l1.across = across(&out->l1, &together, blocks);
}

/* A number for a row of a bank of a channel. */
static uint64_t row_of(const struct gpu *g, uint64_t line)
{
    struct place at = place_of(g, line);
    uint64_t bank = at.row * (uint64_t)g->dram.banks + at.bank;
    return bank * (uint64_t)g->dram.channels + (uint64_t)at.channel;
}

/* Which lines are queued at a time: so many, from each of some blocks, which
 * are consecutive or anywhere among those that run. */
struct queued {
    size_t lines, blocks;
    bool anywhere;
};

/* The distinct rows of those, from `start` on. */
static size_t rows_of(struct lines *out, const struct gpu *g,
                      const struct moving_block *m, const struct queued *q,
                      size_t start, size_t end)
{
    size_t all = 0;
    for (size_t b = 0; b < q->blocks; b++) {
        uint64_t window = q->anywhere ? m->resident : q->blocks;
        struct apart by = spread_block(m, window, q->blocks, b);
        for (size_t i = start; i < end; i++)
            out->line[all++] = row_of(g, moved_line(&m->line[i], by));
    }
    return distinct(out, all);
}

/* Of n rows those that their banks do not have open, which they open then. */
static size_t open_rows(struct bank_rows *open, uint64_t *row, size_t n)
{
    size_t missed = 0;
    for (size_t i = 0; i < n; i++)
        if (open->row[row[i] % open->banks] != row[i])
            row[missed++] = row[i];
    for (size_t i = 0; i < missed; i++)
        open->row[row[i] % open->banks] = row[i];
    return missed;
}

static size_t within(size_t x, size_t least, size_t most)
{
    return x < least ? least : x > most ? most : x;
}

/* Of the lines that are queued at a time, of as many blocks as touch so many
 * together, the share that finds another row open. Those to the open row of a
 * bank are served first, then those to others. All SMs send as fast: where
 * there is no room for what a block of each touches at a time they send a part
 * of it by turns, and come to the blocks they hold in the order of the grid. */
static double row_misses(struct lines *rows, struct bank_rows *open,
                         const struct gpu *g, const struct moving_block *m,
                         bool anywhere)
{
    const size_t most = (size_t)PLACED_LINES * PLACED_BLOCKS;
    size_t channels = (size_t)g->dram.channels;
    size_t room = within((size_t)g->dram.queue * channels, 1, most);
    size_t step = within(m->at_a_time, 1, room);
    size_t resident = within(m->resident, 1, room);
    size_t sending = within((size_t)g->sms, 1, resident);
    size_t blocks = within(room / step, sending, resident);
    struct queued q = {room / blocks, blocks, anywhere};
    size_t all = 0, missed = 0;
    for (size_t b = 0; b < open->banks; b++)
        open->row[b] = NO_ROW;
    for (size_t start = 0; start < m->lines && all < most; start += q.lines) {
        size_t n = within(m->lines - start, 1, q.lines);
        all += n * blocks;
        size_t queued = rows_of(rows, g, m, &q, start, start + n);
        missed += open_rows(open, rows->line, queued);
    }
    return all > 0 ? (double)missed / (double)all : 0;
}

/* Blocks that together touch as many lines as the L2 holds. */
static uint64_t blocks_in_l2(const struct gpu *g, const struct moving_block *m)
{
    double lines = g->l2.size_kb * 1024 / g->l1.line_bytes;
    double blocks = ceil(lines / fmax(1, (double)m->lines));
    return (uint64_t)fmin(blocks, (double)m->blocks);
}

static void measure(struct placement *out, const struct gpu *g,
                    const struct moving_block *m, uint32_t *count,
                    struct lines *of, struct bank_rows *open)
{
    const size_t most = (size_t)PLACED_LINES * PLACED_BLOCKS;
    size_t of_block = m->lines < PLACED_LINES ? m->lines : PLACED_LINES;
    size_t room = most / (of_block > 0 ? of_block : 1);
    size_t running = room < m->resident ? room : m->resident;
    size_t n = spread_lines(of, m, m->resident, running, stride_of(m));
    measure_slices(out, g, count, m, running);
    measure_atomics(out, g, count, m, running);
    measure_channels(out, g, count + g->l2.banks, of->line, n);
    out->row_miss = row_misses(of, open, g, m, false);
    out->row_again = row_misses(of, open, g, m, true);
    uint32_t *set = count + g->l2.banks + g->dram.channels;
    measure_sm_sets(out, g, set, m, of);
    out->set = 1;
    if (g->l2.hashed || m->lines == 0)
        return;
    uint64_t window = blocks_in_l2(g, m);
    size_t blocks = window < room ? window : room;
    n = spread_lines(of, m, window, blocks, stride_of(m));
    measure_sets(out, g, set + texture_sets(g) + l1_sets(g), of->line, n);
}

bool placement_measure(struct placement *out, const struct gpu *g,
                       const struct moving_block *m)
{
    size_t sets =
        (size_t)g->l2.banks * sets_of_slice(g) + l1_sets(g) + texture_sets(g);
    size_t places = (size_t)g->l2.banks + (size_t)g->dram.channels + sets;
    uint32_t *count = calloc(places, sizeof(*count));
    const size_t most = (size_t)PLACED_LINES * PLACED_BLOCKS;
    uint64_t *line = malloc(2 * most * sizeof(*line));
    struct bank_rows open = {.banks = (size_t)g->dram.banks *
                                      (size_t)g->dram.channels};
    open.row = malloc(open.banks * sizeof(*open.row));
    bool ok = count != NULL && line != NULL && open.row != NULL;
    if (ok)
        measure(out, g, m, count, &(struct lines){line, line + most}, &open);
    free(open.row);
    free(count);
    free(line);
    return ok;
}
