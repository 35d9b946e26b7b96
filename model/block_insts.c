/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/block_insts.h"

#include "base/mix.h"
#include "model/constants.h"
#include "model/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By block. */
struct counting {
    const struct kernel *kernel;
    void *stream;
    uint64_t seed;
    uint64_t steps; /* of all of them */
    uint64_t most;  /* steps after which no more is counted */
    double longest; /* of all their warps, steps */
    struct block_insts *found;
};

/* From 0 to 1. */
static double share_of(uint64_t state)
{
    return (double)(mix(state) >> 11) * 0x1p-53;
}

/* Whether no more is counted, whatever is left of a block. */
static bool is_spent(const struct counting *c)
{
    return c->steps >= c->most;
}

/* Those of the open block, its warps in turn, or as many as there is room for.
 */
static bool count_open(struct counting *c, struct counted_block *out,
                       struct error *e)
{
    const struct kernel *k = c->kernel;
    uint64_t before = c->steps, steps[MAX_WARPS_A_BLOCK] = {0};
    bool ended[MAX_WARPS_A_BLOCK] = {false};
    struct step s = {.inst = 0};
    uint32_t left = k->warps_per_block;
    for (uint32_t w = 0; left > 0 && !is_spent(c);
         w = (w + 1) % k->warps_per_block)
        for (int n = 0; n < WALK_TURN && !ended[w]; n++) {
            if (!kernel_walk_goes_on(k, &c->steps, e))
                return false;
            ended[w] = !kernel_skim(k, c->stream, w, &s);
            steps[w] += !ended[w];
            left -= ended[w];
        }
    out->insts = (double)(c->steps - before - (k->warps_per_block - left));
    for (uint32_t i = 0; i < k->warps_per_block; i++)
        out->warp = fmax(out->warp, (double)steps[i]);
    return true;
}

static bool count_block(struct counting *c, struct counted_block *out,
                        uint64_t block, struct error *e)
{
    const struct kernel *k = c->kernel;
    *out = (struct counted_block){.block = block};
    if (!k->ops->open(k, c->stream, block, e))
        return false;
    bool ok = count_open(c, out, e);
    if (out->warp > c->longest) {
        c->longest = out->warp;
        c->found->long_block = block;
        c->found->long_insts = out->insts;
    }
    c->found->counted++;
    k->ops->close(k, c->stream);
    return ok;
}

/* ---- the trapezoidal rule ------------------------------------------------ */

/* Count a block and put it behind the first `at` of them. */
static bool put_block(struct counting *c, int at, uint64_t block,
                      struct error *e)
{
    struct block_insts *f = c->found;
    struct counted_block new;
    if (!count_block(c, &new, block, e))
        return false;
    memmove(&f->of[at + 1], &f->of[at],
            (size_t)(f->count - at) * sizeof(f->of[0]));
    f->of[at] = new;
    f->count++;
    return true;
}

/* Of the blocks between two that were counted, what is not known. Blocks that
 * are alike may have others between them. */
static double unknown(const struct counted_block *a,
                      const struct counted_block *b)
{
    double between = (double)(b->block - a->block - 1);
    double apart = fabs(a->insts - b->insts);
    return between * fmax(apart, COUNTED_ALIKE * fmax(a->insts, b->insts));
}

/* By the rule, of all blocks up to one, the half of it and of the first. */
static double sum_to(const struct block_insts *f, double block)
{
    double all = 0;
    for (int i = 1; i < f->count && (double)f->of[i - 1].block < block; i++) {
        const struct counted_block *from = &f->of[i - 1], *to = &f->of[i];
        double length = (double)(to->block - from->block);
        double way = fmin(1, (block - (double)from->block) / length);
        all +=
            way * length * (from->insts + way * (to->insts - from->insts) / 2);
    }
    return all;
}

static double sum(const struct block_insts *f)
{
    const struct counted_block *last = &f->of[f->count - 1];
    return (f->of[0].insts + last->insts) / 2 + sum_to(f, (double)last->block);
}

/* A block between two, in the middle half of them: in the very middle all would
 * be in the same column of a grid whose rows are as long as a power of two. */
static uint64_t amid(const struct counting *c, const struct counted_block *a,
                     const struct counted_block *b)
{
    double way = 0.25 + 0.5 * share_of(c->seed + (uint64_t)c->found->count);
    return a->block + 1 + (uint64_t)(way * (double)(b->block - a->block - 1));
}

/* Count one more where least is known; *done when that is little, too. */
static bool count_more(struct counting *c, bool *done, struct error *e)
{
    const struct block_insts *f = c->found;
    int at = 1;
    for (int i = 2; i < f->count; i++)
        if (unknown(&f->of[i - 1], &f->of[i]) >
            unknown(&f->of[at - 1], &f->of[at]))
            at = i;
    const struct counted_block *a = &f->of[at - 1], *b = &f->of[at];
    *done = unknown(a, b) <= COUNTED_ENOUGH * sum(f);
    return *done || put_block(c, at, amid(c, a, b), e);
}

/* *done: what is not known is little. */
static bool count_some(struct counting *c, bool *done, struct error *e)
{
    uint64_t blocks = c->kernel->blocks;
    *done = blocks < 2;
    if (!put_block(c, 0, 0, e) ||
        (!*done && c->steps < COUNTED_STEPS && !put_block(c, 1, blocks - 1, e)))
        return false;
    while (!*done && c->found->count > 1 && c->found->count < COUNTED_BLOCKS &&
           c->steps < COUNTED_STEPS)
        if (!count_more(c, done, e))
            return false;
    return true;
}

/* By the rule, of a block. */
static double on_line(const struct block_insts *f, uint64_t block)
{
    int at = 1;
    while (at + 1 < f->count && f->of[at].block < block)
        at++;
    const struct counted_block *a = &f->of[at - 1], *b = &f->of[at];
    return a->insts + (b->insts - a->insts) * (double)(block - a->block) /
                          (double)(b->block - a->block);
}

/* How far counted blocks are from the line between those beside them: of
 * blocks that are in no order that deviates by the root of 1.5 of what they
 * do. The standard error of a mean of as many, as a share. */
static double rule_error(const struct block_insts *f)
{
    double squares = 0, inner = f->count - 2;
    for (int i = 1; i + 1 < f->count; i++) {
        const struct counted_block *a = &f->of[i - 1], *b = &f->of[i + 1];
        double way =
            (double)(f->of[i].block - a->block) / (double)(b->block - a->block);
        double off = f->of[i].insts - a->insts - way * (b->insts - a->insts);
        squares += off * off;
    }
    if (inner <= 0)
        return 0;
    double blocks = (double)f->of[f->count - 1].block + 1;
    return sqrt(squares / 1.5 / inner / f->count) * blocks / sum(f);
}

/* ---- blocks that differ all along ---------------------------------------- */

/* A block of part `i` of `parts`. */
static uint64_t draw(uint64_t blocks, uint64_t parts, uint64_t i, uint64_t seed)
{
    double at = (double)i + share_of(seed + i);
    double block = at * (double)blocks / (double)parts;
    return block < (double)blocks ? (uint64_t)block : blocks - 1;
}

/* Deviations from the rule of blocks drawn of so many parts; those that there
 * was no room for have none. The error is that of parts as different as those
 * beside each other. */
static bool count_drawn(struct counting *c, uint64_t parts, uint64_t seed,
                        struct error *e)
{
    uint64_t blocks = c->kernel->blocks;
    double all = 0, squares = 0, before = 0, n = (double)parts;
    for (uint64_t i = 0; i < parts && !is_spent(c); i++) {
        uint64_t block = draw(blocks, parts, i, seed);
        struct counted_block drawn;
        if (!count_block(c, &drawn, block, e))
            return false;
        double off = drawn.insts - on_line(c->found, block);
        all += off;
        squares += i > 0 ? (off - before) * (off - before) : 0;
        before = off;
    }
    c->found->mean = sum(c->found) / (double)blocks + all / n;
    c->found->error = is_spent(c)
                          ? SPENT_ERROR
                          : sqrt(squares / 2 / (n - 1) / n) / c->found->mean;
    return true;
}

/* The first `blocks`, as often as they come in the grid; those that there was
 * no room for are taken to be like the others. */
static bool count_each(struct counting *c, uint64_t blocks, struct error *e)
{
    uint64_t grid = c->kernel->blocks;
    double all = 0, counted = 0;
    for (uint64_t b = 0; b < blocks && !is_spent(c); b++) {
        struct counted_block one;
        if (!count_block(c, &one, b, e))
            return false;
        uint64_t times = grid / blocks + (b < grid % blocks);
        all += one.insts * (double)times;
        counted += (double)times;
    }
    c->found->mean = all / counted;
    c->found->error = is_spent(c) ? SPENT_ERROR : 0;
    return true;
}

/* As many as can be counted in so many steps in all. */
static double room_in(const struct counting *c, double steps)
{
    return (steps - (double)c->steps) / c->found->mean;
}

/* Some first, then as many as the error takes, or as there is room for. */
static bool count_irregular(struct counting *c, struct error *e)
{
    double different = (double)neighbours_blocks(c->kernel);
    double room = room_in(c, IRREGULAR_STEPS);
    if (different <= DRAWN_FIRST && different <= room)
        return count_each(c, (uint64_t)different, e);
    if (room < DRAWN_FIRST)
        return true;
    if (!count_drawn(c, DRAWN_FIRST, c->seed, e))
        return false;
    double wanted = DRAWN_FIRST * pow(c->found->error / DRAWN_ERROR, 2);
    double most = fmin(wanted, room - DRAWN_FIRST);
    if (different <= fmin(2 * wanted, room - DRAWN_FIRST))
        return count_each(c, (uint64_t)different, e);
    return most <= DRAWN_FIRST ||
           count_drawn(c, (uint64_t)most, c->seed + DRAWN_FIRST, e);
}

/* Blocks that seem to be alike may have others among them: all are counted
 * where there is room, or some are drawn. *alike: there are none. */
static bool confirm(struct counting *c, bool *alike, struct error *e)
{
    double different = (double)neighbours_blocks(c->kernel);
    double room = room_in(c, COUNTED_STEPS);
    double parts = fmin(DRAWN_FIRST, CONFIRMED_SHARE * room);
    if (different <= room)
        return count_each(c, (uint64_t)different, e);
    if (parts < CONFIRMED_LEAST)
        return true;
    if (!count_drawn(c, (uint64_t)parts, c->seed, e))
        return false;
    *alike = c->found->error <= DRAWN_ERROR;
    return true;
}

static bool count_all(struct counting *c, struct error *e)
{
    bool done;
    if (!count_some(c, &done, e))
        return false;
    bool each = (uint64_t)c->found->count == c->kernel->blocks;
    if (c->found->count > 2 || each) {
        c->found->mean = sum(c->found) / (double)c->kernel->blocks;
        c->found->error = each || done ? 0 : rule_error(c->found);
    }
    if (c->found->mean <= 0 || each)
        return true;
    c->most = COUNTED_MOST;
    return (!done || confirm(c, &done, e)) && (done || count_irregular(c, e));
}

/* The mean of blocks' longest warps is as long, of all warps' instructions, as
 * by the trapezoidal rule. */
static void set_longest(struct counting *c)
{
    struct block_insts *f = c->found, paths = *f;
    for (int i = 0; i < f->count; i++)
        paths.of[i].insts = f->of[i].warp;
    double mean = f->count > 0 ? f->mean * sum(&paths) / sum(f) : 0;
    f->longest = mean > 0 ? c->longest / mean : 0;
}

bool block_insts_count(struct block_insts *out, const struct kernel *k,
                       uint64_t seed, struct error *e)
{
    struct counting c = {
        .kernel = k, .seed = seed, .most = UINT64_MAX, .found = out};
    *out = (struct block_insts){.mean = 0};
    c.stream = malloc(k->ops->state_size(k) + 1);
    bool ok = c.stream != NULL || error_no_memory(e);
    ok = ok && count_all(&c, e) && kernel_streams_check(k, e);
    set_longest(&c);
    free(c.stream);
    return ok;
}

/* ---- a stretch of them --------------------------------------------------- */

static double mean_of(const struct block_insts *b, double first, double last)
{
    return (sum_to(b, last) - sum_to(b, first)) / (last - first);
}

double block_insts_share(const struct block_insts *b, uint64_t first,
                         uint64_t count)
{
    double last = (double)(first + count) - 1, there = 0;
    if (b->count < 2 || count < 2)
        return 1;
    for (int i = 0; i < b->count; i++)
        there += b->of[i].block >= first && (double)b->of[i].block <= last;
    double end = (double)b->of[b->count - 1].block;
    double share = mean_of(b, (double)first, last) / mean_of(b, 0, end);
    double chance =
        CHANCE_ERRORS * rule_error(b) * sqrt(b->count / fmax(1, there));
    return fabs(log(share)) > chance ? share : 1;
}
