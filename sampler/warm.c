/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/warm.h"

#include "base/hash.h"
#include "configs/gpu.h"
#include "kernels/form/box.h"
#include "kernels/form/coalesce.h"
#include "sampler/sampler.h"
#include "sampler/sm/l1.h"

#include <math.h>
#include <stdlib.h>

static void warm_copy(struct memory *m, const struct step *s, bool writes)
{
    const struct gpu *g = m->core.gpu;
    struct box_walk walk = box_begin(s);
    struct transaction t;
    while (box_next(&walk, (unsigned)g->l2.line_bytes,
                    (unsigned)g->l2.sector_bytes, &t))
        memory_warm(m, t.line, t.sectors, writes);
}

/* A load that the L1 serves brings whole sectors of the L1. */
static void warm_lanes(struct memory *m, struct cache *l1, const struct inst *i,
                       const struct step *s, bool writes)
{
    const struct gpu *g = m->core.gpu;
    bool by_l1 = i->op == OP_LOAD && l1_serves(g, i);
    int line = by_l1 ? g->l1.line_bytes : g->l2.line_bytes;
    int sector = by_l1 ? l1_sector_bytes(g) : g->l2.sector_bytes;
    struct transaction t[MAX_TRANSACTIONS];
    int n = coalesce(s, i->width, (unsigned)line, (unsigned)sector, t);
    for (int k = 0; k < n; k++) {
        struct transaction below =
            port_to_l2(g, t[k].line, t[k].sectors, line, sector);
        memory_warm(m, below.line, below.sectors, writes);
        if (l1 != NULL && i->space != SPACE_TEXTURE && (by_l1 || writes))
            l1_warm(l1, g, i, &t[k]);
    }
}

void warm_step(struct memory *m, struct cache *l1, const struct kernel *k,
               const struct step *s)
{
    const struct inst *i = &k->inst[s->inst];
    bool writes = i->op != OP_LOAD;
    if (inst_reaches_l2(i) && s->form == ADDR_BOX)
        warm_copy(m, s, writes);
    else if (inst_reaches_l2(i))
        warm_lanes(m, l1, i, s, writes);
}

/* ---- blocks side by side ------------------------------------------------ */

/* A place for a block. */
struct runner {
    void *stream;     /* NULL: no block was here */
    struct cache *l1; /* NULL: none */
    bool runs;
};

/* Blocks that are read a part at a time, and begin one after the other. */
struct fleet {
    const struct kernel *kernel;
    const struct warm_caches *caches;
    uint64_t next, end;    /* blocks that have not begun */
    uint64_t size;         /* at most so many side by side */
    uint64_t steps;        /* of each warp, that a block takes in its turn */
    double begin;          /* blocks that begin in a round of turns */
    struct runner *runner; /* [size] */
    uint64_t running;
    uint64_t longest; /* steps of the longest warp, of all blocks together */
};

/* Which block ran where is not followed: on any SM alike. */
static struct cache *l1_of(const struct fleet *f, uint64_t block)
{
    const struct warm_caches *c = f->caches;
    uint64_t hash = hash_bytes(HASH_START, &block, sizeof(block));
    return c->l1 == NULL ? NULL : c->l1[hash % (uint64_t)c->sms];
}

static bool begin_block(struct fleet *f, struct runner *r, struct error *e)
{
    const struct kernel *k = f->kernel;
    if (r->stream == NULL)
        r->stream = malloc(k->ops->state_size(k));
    if (r->stream == NULL)
        return error_no_memory(e);
    r->l1 = l1_of(f, f->next);
    r->runs = k->ops->open(k, r->stream, f->next, e);
    f->running += r->runs;
    f->next++;
    return r->runs;
}

static void end_block(struct fleet *f, struct runner *r)
{
    f->kernel->ops->close(f->kernel, r->stream);
    r->runs = false;
    f->running--;
}

static void take_turn(struct fleet *f, struct runner *r)
{
    const struct kernel *k = f->kernel;
    uint64_t longest = 0;
    for (uint32_t w = 0; w < k->warps_per_block; w++) {
        uint64_t taken = 0;
        struct step s;
        while (taken < f->steps && kernel_skim(k, r->stream, w, &s)) {
            warm_step(f->caches->memory, r->l1, k, &s);
            taken++;
        }
        longest = taken > longest ? taken : longest;
    }
    f->longest += longest;
    if (longest < f->steps)
        end_block(f, r);
}

static bool take_round(struct fleet *f, double *due, struct error *e)
{
    bool ok = true;
    *due += f->begin;
    for (uint64_t i = 0; ok && i < f->size; i++) {
        struct runner *r = &f->runner[i];
        if (!r->runs && *due >= 1 && f->next < f->end) {
            ok = begin_block(f, r, e);
            *due -= 1;
        }
        if (r->runs)
            take_turn(f, r);
    }
    *due = fmin(*due, 1);
    return ok;
}

static bool touch(struct fleet *f, struct error *e)
{
    double due = 0;
    f->runner = calloc(f->size, sizeof(*f->runner));
    if (f->runner == NULL)
        return error_no_memory(e);
    bool ok = true;
    while (ok && (f->next < f->end || f->running > 0))
        ok = take_round(f, &due, e);
    for (uint64_t i = 0; i < f->size; i++) {
        if (f->runner[i].runs)
            end_block(f, &f->runner[i]);
        free(f->runner[i].stream);
    }
    free(f->runner);
    return ok;
}

/* ---- the caches --------------------------------------------------------- */

/* Blocks whose lines and steps are counted, to tell how many fill the caches,
 * and how long they are. Chosen. */
#define PROBE_BLOCKS 32
/* So many times its lines are touched. Chosen: hashed sets fill unevenly. */
#define FILLS 1.5
/* An L2 of which such a share of lines is held is full. Twice as many blocks
 * that add no more than such a share to it have nothing new to touch. Chosen.
 */
#define FULL  0.9
#define GROWS 0.02

/* The `count` blocks before block `end`, at_once of them side by side, of which
 * each has as many steps as a usual one. */
static bool touch_together(const struct warm_caches *c, const struct kernel *k,
                           const struct warm_blocks *blocks, uint64_t count,
                           double usual, struct error *e)
{
    double steps = ceil(fmax(1, usual) / WARM_TURNS);
    double turns = fmax(1, usual / steps);
    struct fleet fleet = {.kernel = k,
                          .caches = c,
                          .next = blocks->first - count,
                          .end = blocks->first,
                          .size = blocks->at_once,
                          .steps = (uint64_t)steps,
                          .begin = (double)blocks->at_once / turns};
    return touch(&fleet, e);
}

/* Touch by L2 alone the last few of some blocks, at most PROBE_BLOCKS; returns
 * how many, and the steps of one in *usual. 0 with e set when a block cannot be
 * read. */
static uint64_t probe(struct memory *m, const struct kernel *k,
                      const struct warm_blocks *blocks, double *usual,
                      struct error *e)
{
    const struct warm_caches l2_alone = {.memory = m};
    uint64_t most = blocks->most;
    uint64_t some = most < PROBE_BLOCKS ? most : PROBE_BLOCKS;
    struct fleet fleet = {.kernel = k,
                          .caches = &l2_alone,
                          .next = blocks->first - some,
                          .end = blocks->first,
                          .size = 1,
                          .steps = UINT64_MAX,
                          .begin = 1};
    if (!touch(&fleet, e))
        return 0;
    *usual = (double)fleet.longest / (double)some;
    return some;
}

/* Blocks that share lines touch fewer new ones each than those that were
 * counted: twice as many blocks, and again, until the L2 is full or holds all
 * that they share. */
static bool touch_until_full(const struct warm_caches *c,
                             const struct kernel *k,
                             const struct warm_blocks *blocks, uint64_t count,
                             double usual, struct error *e)
{
    const struct memory *m = c->memory;
    double before = 0;
    for (;;) {
        if (!touch_together(c, k, blocks, count, usual, e))
            return false;
        double held = memory_sectors_held(m);
        if (count == blocks->most || held <= (1 + GROWS) * before ||
            memory_lines_held(m) >= FULL * memory_lines(m))
            return true;
        before = held;
        count = count < blocks->most / 2 ? 2 * count : blocks->most;
    }
}

static bool warm_by_blocks(const struct warm_caches *c, const struct kernel *k,
                           const struct warm_blocks *blocks, struct error *e)
{
    struct memory *m = c->memory;
    double usual, held = memory_lines_held(m);
    uint64_t some = probe(m, k, blocks, &usual, e);
    if (some == 0)
        return false;
    double lines = memory_lines_held(m) - held;
    double all = fmax(memory_lines(m), c->l1_lines);
    double need = FILLS * all * (double)some / (lines > 1 ? lines : 1);
    uint64_t count =
        need < (double)blocks->most ? (uint64_t)need : blocks->most;
    return count <= some || touch_until_full(c, k, blocks, count, usual, e);
}

/* The L2 alone, by the blocks of a launch before. */
static bool warm_by_launch(const struct warm_caches *c,
                           const struct sampler_launch *l, uint64_t at_once,
                           struct error *e)
{
    const struct warm_caches l2_alone = {.memory = c->memory};
    uint64_t end = (uint64_t)ceil((double)l->kernel->blocks * c->before_share);
    uint64_t count = (uint64_t)ceil((double)l->blocks * c->before_share);
    struct warm_blocks blocks = {
        .first = end, .most = count < end ? count : end, .at_once = at_once};
    struct warm_blocks last = blocks;
    double usual;
    last.most = 1;
    return probe(c->memory, l->kernel, &last, &usual, e) > 0 &&
           touch_together(&l2_alone, l->kernel, &blocks, blocks.most, usual, e);
}

bool warm_caches(const struct warm_caches *c, const struct kernel *k,
                 const struct warm_blocks *blocks, struct error *e)
{
    bool ok = true;
    if (blocks->most == blocks->first)
        for (size_t i = 0; ok && i < c->befores; i++)
            ok = warm_by_launch(c, &c->before[i], blocks->at_once, e);
    return ok && (blocks->most == 0 || warm_by_blocks(c, k, blocks, e));
}
