/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walking the blocks of a bundled kernel: what its warps execute and touch. */
#ifndef TESTS_WORKLOAD_WALK_H
#define TESTS_WORKLOAD_WALK_H

#include "base/bundled.h"
#include "kernels/file/program.h"
#include "kernels/form/kernel.h"

#include <check.h>
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#define WALK_BUFFERS 32
#define LINE_BYTES   128

/* Where a file's buffers lie: one after another, 256-byte aligned
 * (kernels/FORMAT.md). */
struct layout {
    int count;
    uint64_t first[WALK_BUFFERS], end[WALK_BUFFERS];
};

static inline struct layout layout_of(const char *name)
{
    struct layout l = {0, {0}, {0}};
    config_t file;
    size_t b = 0;
    uint64_t at = GLOBAL_BASE;
    while (strcmp(bundled_kernels[b].name, name) != 0)
        b++;
    config_init(&file);
    ck_assert(config_read_string(&file, bundled_kernels[b].text));
    const config_setting_t *buffers = config_lookup(&file, "buffers");
    l.count = config_setting_length(buffers);
    ck_assert_int_le(l.count, WALK_BUFFERS);
    for (int i = 0; i < l.count; i++) {
        long long bytes;
        ck_assert(config_setting_lookup_int64(
            config_setting_get_elem(buffers, (unsigned)i), "bytes", &bytes));
        l.first[i] = at;
        l.end[i] = at + (uint64_t)bytes;
        at += ((uint64_t)bytes + 255) / 256 * 256;
    }
    config_destroy(&file);
    return l;
}

static inline uint64_t layout_bytes(const struct layout *l)
{
    uint64_t bytes = 0;
    for (int i = 0; i < l->count; i++)
        bytes += l->end[i] - l->first[i];
    return bytes;
}

static inline bool layout_has(const struct layout *l, uint64_t a, uint32_t n)
{
    for (int i = 0; i < l->count; i++)
        if (a >= l->first[i] && a + n <= l->end[i])
            return true;
    return false;
}

/* Which 4-byte words of the buffers were accessed. */
struct touched {
    uint64_t words;
    unsigned char *word;
};

static inline struct touched touched_new(const struct layout *l)
{
    struct touched t = {(l->end[l->count - 1] - GLOBAL_BASE + 3) / 4, NULL};
    t.word = calloc(t.words, 1);
    ck_assert_ptr_nonnull(t.word);
    return t;
}

/* Frees it and returns the bytes that were accessed. */
static inline uint64_t touched_free(struct touched *t)
{
    uint64_t count = 0;
    for (uint64_t w = 0; w < t->words; w++)
        count += t->word[w];
    free(t->word);
    return 4 * count;
}

/* What one block did; counts are of warp instructions. */
struct block_walk {
    uint64_t fewest, most;   /* instructions of a warp */
    uint64_t loads, stores;  /* of global memory */
    uint64_t split_branches; /* lanes disagreed */
};

/* What to check and to note on the way; NULL: not that. */
struct walk_notes {
    const struct layout *layout; /* addresses must lie in its buffers */
    struct touched *touched;
    struct line_counts *lines;
};

/* A set of line numbers, each with the times a warp instruction read it (to
 * 2). */
#define WALK_LINES 65536

struct line_counts {
    uint64_t line[WALK_LINES];
    unsigned char times[WALK_LINES];
};

static inline void line_read(struct line_counts *c, uint64_t line)
{
    uint64_t slot = line * 2654435761U % WALK_LINES;
    for (int tries = 0; tries < WALK_LINES; tries++) {
        if (c->times[slot] == 0 || c->line[slot] == line) {
            c->line[slot] = line;
            c->times[slot] += c->times[slot] < 2;
            return;
        }
        slot = (slot + 1) % WALK_LINES;
    }
    ck_abort_msg("more than %d lines", WALK_LINES);
}

static inline uint64_t lines_at_least(const struct line_counts *c, int times)
{
    uint64_t lines = 0;
    for (int n = 0; n < WALK_LINES; n++)
        lines += c->times[n] >= times;
    return lines;
}

static inline uint64_t walk_address(const struct step *s, int lane)
{
    return s->form == ADDR_LIST ? s->lane_address[lane]
                                : s->base + (uint64_t)(s->stride * lane);
}

static inline void walk_access(const struct kernel *k,
                               const struct walk_notes *n, const struct step *s)
{
    const struct inst *i = &k->inst[s->inst];
    bool global = i->space == SPACE_GLOBAL || i->space == SPACE_TEXTURE;
    uint64_t last_line = UINT64_MAX;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!(s->mask >> lane & 1))
            continue;
        uint64_t a = walk_address(s, lane);
        if (n->layout != NULL) {
            bool good = i->space == SPACE_SHARED
                            ? a + i->width <= k->shared_bytes
                            : !global || layout_has(n->layout, a, i->width);
            if (!good)
                ck_abort_msg("%s line %u, lane %d: address 0x%llx", k->name,
                             i->line, lane, (unsigned long long)a);
        }
        if (global && n->touched != NULL)
            memset(n->touched->word + (a - GLOBAL_BASE) / 4, 1,
                   (a % 4 + i->width + 3) / 4);
        if (global && n->lines != NULL && i->op == OP_LOAD &&
            a / LINE_BYTES != last_line)
            line_read(n->lines, last_line = a / LINE_BYTES);
    }
}

static inline void walk_warp(const struct kernel *k, void *state, uint32_t warp,
                             uint64_t max_steps, const struct walk_notes *n,
                             struct block_walk *w)
{
    struct step s = {.inst = NO_INST};
    uint64_t steps = 0;
    while (steps < max_steps && k->ops->next(k, state, warp, &s)) {
        const struct inst *i = &k->inst[s.inst];
        steps++;
        w->loads += i->op == OP_LOAD && i->space == SPACE_GLOBAL;
        w->stores += i->op == OP_STORE && i->space == SPACE_GLOBAL;
        w->split_branches +=
            i->op == OP_BRANCH && s.taken_mask != 0 && s.taken_mask != s.mask;
        if (n != NULL && s.form != ADDR_NONE)
            walk_access(k, n, &s);
    }
    ck_assert_msg(steps < max_steps, "%s does not end", k->name);
    ck_assert_uint_eq(k->inst[s.inst].op, OP_EXIT);
    ck_assert_uint_eq(s.mask, kernel_full_mask(k, warp));
    w->fewest = steps < w->fewest ? steps : w->fewest;
    w->most = steps > w->most ? steps : w->most;
}

/* Run block `block`, every warp to its end, which must come within max_steps.
 * `n` may be NULL. */
static inline struct block_walk walk_block(const struct kernel *k,
                                           uint64_t block, uint64_t max_steps,
                                           const struct walk_notes *n)
{
    struct error e = {STATUS_OK, ""};
    struct block_walk w = {.fewest = UINT64_MAX};
    void *state = malloc(k->ops->state_size(k));
    ck_assert_ptr_nonnull(state);
    ck_assert_msg(k->ops->open(k, state, block, &e), "%s", e.text);
    for (uint32_t warp = 0; warp < k->warps_per_block; warp++)
        walk_warp(k, state, warp, max_steps, n, &w);
    k->ops->close(k, state);
    free(state);
    return w;
}

#endif
