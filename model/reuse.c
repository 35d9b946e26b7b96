/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/reuse.h"

#include <stdlib.h>
#include <string.h>

/* ---- bins --------------------------------------------------------------- */

int reuse_bin(uint64_t time)
{
    if (time <= 1)
        return 0;
    uint64_t before = time - 1;
    int octave = 63 - __builtin_clzll(before);
    int bin = 4 * octave;
    if (octave >= 2)
        bin += (int)(before >> (octave - 2) & 3);
    else
        bin += (int)((before << (2 - octave)) & 3);
    return bin < REUSE_BINS - 1 ? bin : REUSE_BINS - 1;
}

double reuse_bin_start(int bin)
{
    double before = (double)(UINT64_C(1) << (bin / 4)) * (1 + bin % 4 / 4.0);
    return bin == 0 ? 1 : before + 1;
}

void reuse_add(struct reuse_histogram *h, uint64_t time, double weight)
{
    if (time == REUSE_COLD)
        h->cold += (float)weight;
    else
        h->bin[reuse_bin(time)] += (float)weight;
}

void reuse_survival(struct reuse_histogram *h)
{
    float above = h->cold;
    for (int b = REUSE_BINS - 1; b >= 0; b--) {
        above += h->bin[b];
        h->bin[b] = above;
    }
}

/* ---- distinct lines ----------------------------------------------------- */

/* StatStack: a window of r accesses holds one distinct line for every access in
 * it whose own reuse lies beyond the window's end: sum over k <= r of
 * P(reuse time > k). */
void footprint_build(struct footprint *f, const struct reuse_histogram *h,
                     double accesses)
{
    double beyond = (double)h->cold, lines = 0;
    for (int b = 0; b < REUSE_BINS; b++)
        beyond += (double)h->bin[b];
    lines = accesses > 0 ? beyond / accesses : 0;
    for (int b = 0; b < REUSE_BINS; b++) {
        f->lines[b] = (float)lines;
        if (b + 1 < REUSE_BINS && accesses > 0) {
            double width = reuse_bin_start(b + 1) - reuse_bin_start(b);
            double left = beyond - (double)h->bin[b];
            lines += width * 0.5 * (beyond + left) / accesses;
            beyond = left;
        }
    }
}

struct reuse_threshold footprint_threshold(const struct footprint *f,
                                           double copies, double lines)
{
    float target = (float)(lines / copies);
    int low = 0, high = REUSE_BINS - 1;
    struct reuse_threshold t = {0, 0};
    if (f->lines[low] > target)
        return t;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (f->lines[middle] <= target)
            low = middle;
        else
            high = middle;
    }
    t.bin = low;
    if (f->lines[high] > f->lines[low])
        t.fraction =
            (target - f->lines[low]) / (f->lines[high] - f->lines[low]);
    if (t.fraction > 1 || f->lines[high] <= f->lines[low])
        t.fraction = 1;
    return t;
}

/* ---- tracking ----------------------------------------------------------- */

/* Where the line is, or is to go; the capacity is a power of two. */
static struct reuse_line *find(const struct reuse_tracker *t, uint64_t line)
{
    size_t last = t->capacity - 1;
    size_t slot = (size_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 20) & last;
    while (t->line[slot].line != NO_LINE && t->line[slot].line != line)
        slot = (slot + 1) & last;
    return &t->line[slot];
}

static bool resize(struct reuse_tracker *t, size_t capacity)
{
    struct reuse_line *old = t->line;
    size_t old_capacity = t->capacity;
    struct reuse_line *new = malloc(capacity * sizeof(*new));
    if (new == NULL)
        return false;
    for (size_t i = 0; i < capacity; i++)
        new[i].line = NO_LINE;
    t->line = new;
    t->capacity = capacity;
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].line != NO_LINE)
            *find(t, old[i].line) = old[i];
    free(old);
    return true;
}

bool tracker_init(struct reuse_tracker *t)
{
    memset(t, 0, sizeof(*t));
    return resize(t, 4096);
}

void tracker_free(struct reuse_tracker *t)
{
    free(t->line);
    memset(t, 0, sizeof(*t));
}

void tracker_begin_group(struct reuse_tracker *t)
{
    for (size_t i = 0; i < t->capacity; i++)
        t->line[i].line = NO_LINE;
    t->used = 0;
}

void tracker_begin_block(struct reuse_tracker *t, int block_in_group)
{
    t->block++;
    t->block_in_group = block_in_group;
    t->time = 0;
}

static struct reuse_line *line_of_block(struct reuse_tracker *t, uint64_t line)
{
    struct reuse_line *l = find(t, line);
    if (l->line == NO_LINE) {
        if (2 * ++t->used > t->capacity) {
            if (!resize(t, 2 * t->capacity))
                return NULL;
            l = find(t, line);
        }
        memset(l, 0, sizeof(*l));
        l->line = line;
    }
    if (l->block != t->block) {
        l->block = t->block;
        l->last = l->last_load = l->fetch = 0;
        l->idle = 0;
        l->sectors = l->touched = l->loaded = l->stored = 0;
        l->sent = l->serial = 0;
    }
    return l;
}

/* What the access leaves of the line in the L1. */
static void update_l1(const struct reuse_tracker *t, struct reuse_line *l,
                      const struct reuse_access *a)
{
    bool stores = a->kind == ACCESS_STORE;
    if (a->kind == ACCESS_LOAD || (stores && t->stores_allocate)) {
        l->last_load = t->time;
        l->loaded |= a->sectors;
    } else if (stores && !t->stores_stay) {
        l->last_load = 0;
        l->loaded = 0;
    }
}

/* When a store finds the line's sectors dirty from one before it. */
static void find_stores(struct reuse_outcome *out, struct reuse_line *l,
                        const struct reuse_access *a)
{
    if (l->last != 0 && out->l2_time > l->idle)
        l->idle = out->l2_time;
    out->store_time = l->stored == 0 ? REUSE_COLD : l->idle;
    out->store_new = a->sectors & ~l->stored;
    if (a->kind != ACCESS_STORE)
        return;
    l->stored |= a->sectors;
    l->idle = 0;
}

static bool on_its_way(const struct reuse_line *l, const struct reuse_access *a,
                       uint64_t now)
{
    return l->fetch != 0 &&
           (l->fetcher == a->warp
                ? l->fetch > a->phase_start
                : l->fetch > a->round && now - l->fetch < a->in_flight);
}

static void find_reuse(struct reuse_outcome *out, struct reuse_line *l,
                       const struct reuse_access *a, uint64_t now)
{
    out->l2_time = l->last == 0 ? REUSE_COLD : now - l->last;
    out->l1_time = l->last_load == 0 ? REUSE_COLD : now - l->last_load;
    out->same_warp = l->last != 0 && l->warp == a->warp;
    out->l1_new = a->sectors & ~l->loaded;
    out->l2_new = a->sectors & ~l->sectors;
    out->l2_beside = a->sectors & l->sectors & ~l->touched;
    bool waits = on_its_way(l, a, now);
    out->l1_wait = waits ? l->l1_wait : out->l1_time;
    out->l2_wait = waits ? l->l2_wait : out->l2_time;
    if (a->leaves || (waits && out->l1_new == 0))
        return;
    l->fetch = now;
    l->fetcher = (uint16_t)a->warp;
    l->l1_wait = out->l1_new != 0 ? REUSE_COLD : out->l1_wait;
    l->l2_wait = out->l2_new != 0 ? REUSE_COLD : out->l2_wait;
}

bool tracker_access(struct reuse_tracker *t, const struct reuse_access *a,
                    struct reuse_outcome *out)
{
    struct reuse_line *l = line_of_block(t, a->line);
    t->time++;
    if (l == NULL)
        return false;
    find_reuse(out, l, a, t->time);
    find_stores(out, l, a);
    l->sent += a->kind != ACCESS_LOAD || out->l1_time == REUSE_COLD;
    l->serial += a->serial;
    l->last = t->time;
    l->warp = (uint16_t)a->warp;
    l->sectors |= a->fetched;
    l->touched |= a->sectors;
    l->of_block[t->block_in_group] |= a->sectors;
    update_l1(t, l, a);
    return true;
}

const struct reuse_line *tracker_line(const struct reuse_tracker *t,
                                      uint64_t line)
{
    return find(t, line);
}
