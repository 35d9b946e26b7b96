/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/placement.h"

#include "configs/address.h"
#include "configs/gpu.h"
#include "model/constants.h"
#include "model/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sort and keep one of each; how many are left. */
static size_t distinct(uint64_t *x, size_t n)
{
    size_t kept = 0;
    qsort(x, n, sizeof(*x), ascending);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || x[i] != x[kept - 1])
            x[kept++] = x[i];
    return kept;
}

/* Line i of the block that comes `after` blocks later. */
static uint64_t moved_line(const struct moving_block *m, size_t i,
                           uint64_t after)
{
    const struct moving_line *l = &m->line[i];
    uint64_t at = m->column + after;
    double right = (double)(at % m->row) - (double)m->column;
    uint64_t rows = at / m->row;
    double below = (double)rows;
    return l->line +
           (uint64_t)(int64_t)floor(right * l->right + below * l->below);
}

/* The distinct lines of `blocks` of the `window` blocks that follow; their
 * number. */
static size_t spread_lines(uint64_t *out, const struct moving_block *m,
                           uint64_t window, size_t blocks)
{
    size_t stride = (m->lines + PLACED_LINES - 1) / PLACED_LINES, n = 0;
    for (size_t i = 0; i < m->lines; i += stride)
        for (size_t b = 0; b < blocks; b++) {
            uint64_t place = blocks < window ? mix(b) % window : b;
            out[n++] = moved_line(m, i, place);
        }
    return distinct(out, n);
}

/* Chance that two lines fall in the same of n places, times n. */
static double crowding(const uint32_t *count, size_t n)
{
    double pairs = 0, total = 0;
    for (size_t i = 0; i < n; i++) {
        pairs += count[i] * (count[i] - 1.0);
        total += count[i];
    }
    return total < 2 ? 1 : fmax(1, (double)n * pairs / (total * (total - 1)));
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

/* How evenly n lines use slices and channels. Those of consecutive
 * interleave_bytes always go together. */
static void measure_places(struct placement *out, const struct gpu *g,
                           uint32_t *slice, const uint64_t *line, size_t n)
{
    size_t banks = (size_t)g->l2.banks, channels = (size_t)g->dram.channels;
    uint32_t *channel = slice + banks;
    uint64_t in_chunk = (uint64_t)(g->dram.interleave_bytes / g->l1.line_bytes);
    in_chunk = in_chunk > 0 ? in_chunk : 1;
    for (size_t i = 0; i < n; i++) {
        struct place at = place_of(g, line[i]);
        if (i > 0 && line[i] / in_chunk == line[i - 1] / in_chunk)
            continue;
        slice[at.slice]++;
        channel[at.channel]++;
    }
    out->slice = crowding(slice, banks);
    out->channel = crowding(channel, channels);
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

/* Of a cache that takes the lines of a block in turn. */
static double sets_of_block(uint32_t *set, const struct moving_block *m,
                            uint64_t sets)
{
    for (size_t i = 0; i < m->lines; i++)
        set[m->line[i].line % sets]++;
    return crowding(set, sets);
}

static void measure_sm_sets(struct placement *out, const struct gpu *g,
                            uint32_t *set, const struct moving_block *m)
{
    out->texture_set = sets_of_block(set, m, texture_sets(g));
    out->l1_set =
        g->l1.hashed ? 1 : sets_of_block(set + texture_sets(g), m, l1_sets(g));
}

/* Rows among the lines that are queued at a time: touches that follow each
 * other in each of PLACED_BLOCKS consecutive blocks. */
static double row_misses(uint64_t *rows, const struct gpu *g,
                         const struct moving_block *m)
{
    uint64_t channels = (uint64_t)g->dram.channels;
    uint64_t chunk = (uint64_t)g->dram.interleave_bytes;
    uint64_t span = (uint64_t)g->dram.row_bytes * channels;
    size_t queued = (size_t)g->dram.queue * channels / PLACED_BLOCKS;
    size_t window = queued < PLACED_LINES ? queued : PLACED_LINES, all = 0,
           own = 0;
    window = window < 1 ? 1 : window;
    for (size_t start = 0; start < m->lines && start < PLACED_LINES;
         start += window) {
        size_t end = start + window < m->lines ? start + window : m->lines;
        size_t n = 0;
        for (size_t i = start; i < end; i++)
            for (uint64_t b = 0; b < PLACED_BLOCKS; b++) {
                uint64_t byte =
                    moved_line(m, i, b) * (uint64_t)g->l1.line_bytes;
                rows[n++] = byte / span * channels + byte / chunk % channels;
            }
        all += n;
        own += distinct(rows, n);
    }
    return all > 0 ? (double)own / (double)all : 0;
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
                    uint64_t *line)
{
    const size_t most = (size_t)PLACED_LINES * PLACED_BLOCKS;
    size_t of_block = m->lines < PLACED_LINES ? m->lines : PLACED_LINES;
    size_t room = most / (of_block > 0 ? of_block : 1);
    size_t n = spread_lines(line, m, m->resident,
                            room < m->resident ? room : m->resident);
    measure_places(out, g, count, line, n);
    out->row_miss = row_misses(line, g, m);
    uint32_t *set = count + g->l2.banks + g->dram.channels;
    measure_sm_sets(out, g, set, m);
    out->set = 1;
    if (g->l2.hashed || m->lines == 0)
        return;
    uint64_t window = blocks_in_l2(g, m);
    size_t blocks = window < room ? window : room;
    n = spread_lines(line, m, window, blocks);
    measure_sets(out, g, set + texture_sets(g) + l1_sets(g), line, n);
}

bool placement_measure(struct placement *out, const struct gpu *g,
                       const struct moving_block *m)
{
    size_t sets =
        (size_t)g->l2.banks * sets_of_slice(g) + l1_sets(g) + texture_sets(g);
    size_t places = (size_t)g->l2.banks + (size_t)g->dram.channels + sets;
    uint32_t *count = calloc(places, sizeof(*count));
    uint64_t *line = malloc(sizeof(*line) * PLACED_LINES * PLACED_BLOCKS);
    bool ok = count != NULL && line != NULL;
    if (ok)
        measure(out, g, m, count, line);
    free(count);
    free(line);
    return ok;
}
