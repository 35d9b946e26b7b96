/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/placement.h"

#include "configs/gpu.h"
#include "model/constants.h"

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

/* The distinct lines of all blocks in `out`; their number. */
static size_t spread_lines(uint64_t *out, const struct moving_line *line,
                           size_t count)
{
    size_t stride = (count + PLACED_LINES - 1) / PLACED_LINES, n = 0;
    for (size_t i = 0; i < count; i += stride)
        for (int b = 0; b < PLACED_BLOCKS; b++) {
            /* Steps that share no factor with the window: no regular lattice,
             * which could fall on few places by itself. */
            double moved =
                floor(line[i].step * (b * b * 7 % (PLACED_WINDOW + 1)));
            out[n++] = line[i].line + (uint64_t)(int64_t)moved;
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

/* Consecutive interleave_bytes go to one slice, then to the next; slices are
 * spread evenly over the channels. */
static void count_lines(uint32_t *slice, uint32_t *channel, const struct gpu *g,
                        const uint64_t *line, size_t n)
{
    uint64_t banks = (uint64_t)g->l2.banks;
    uint64_t in_chunk = (uint64_t)(g->dram.interleave_bytes / g->l1.line_bytes);
    in_chunk = in_chunk > 0 ? in_chunk : 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t chunk = line[i] / in_chunk, at = chunk;
        if (i > 0 && chunk == line[i - 1] / in_chunk)
            continue; /* lines of one chunk always go together */
        if (g->l2.slice_hash != SLICE_PLAIN)
            for (uint64_t rest = chunk / banks; rest != 0; rest >>= 5)
                at += rest & 31;
        at %= banks;
        slice[at]++;
        channel[at % (uint64_t)g->dram.channels]++;
    }
}

/* Rows among the lines that are queued at a time: touches that follow each
 * other in each of PLACED_BLOCKS consecutive blocks. A row holds row_bytes of
 * one channel, that is, of as many consecutive bytes as all channels' rows
 * together. */
static double row_misses(uint64_t *rows, const struct gpu *g,
                         const struct moving_line *line, size_t count)
{
    uint64_t channels = (uint64_t)g->dram.channels;
    uint64_t chunk = (uint64_t)g->dram.interleave_bytes;
    uint64_t span = (uint64_t)g->dram.row_bytes * channels;
    size_t queued = (size_t)g->dram.queue * channels / PLACED_BLOCKS;
    size_t window = queued < PLACED_LINES ? queued : PLACED_LINES, all = 0,
           own = 0;
    window = window < 1 ? 1 : window;
    for (size_t start = 0; start < count && start < PLACED_LINES;
         start += window) {
        size_t end = start + window < count ? start + window : count, n = 0;
        for (size_t i = start; i < end; i++)
            for (int b = 0; b < PLACED_BLOCKS; b++) {
                int64_t moved = (int64_t)floor(line[i].step * b);
                uint64_t byte = (line[i].line + (uint64_t)moved) *
                                (uint64_t)g->l1.line_bytes;
                rows[n++] = byte / span * channels + byte / chunk % channels;
            }
        all += n;
        own += distinct(rows, n);
    }
    return all > 0 ? (double)own / (double)all : 0;
}

bool placement_measure(struct placement *out, const struct gpu *g,
                       const struct moving_line *line, size_t count)
{
    size_t banks = (size_t)g->l2.banks, channels = (size_t)g->dram.channels;
    uint32_t *places = calloc(banks + channels, sizeof(*places));
    uint64_t *all = malloc(sizeof(*all) * PLACED_LINES * PLACED_BLOCKS);
    bool ok = places != NULL && all != NULL;
    if (ok) {
        size_t n = spread_lines(all, line, count);
        count_lines(places, places + banks, g, all, n);
        out->slice = crowding(places, banks);
        out->channel = crowding(places + banks, channels);
        out->row_miss = row_misses(all, g, line, count);
    }
    free(places);
    free(all);
    return ok;
}
