/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/retention.h"

#include "configs/gpu.h"

#include <math.h>

/* ---- blocks that are spread over their time ----------------------------- */

enum line_class {
    LINES_NEAR,
    LINES_FAR,
    LINES_WIDE,
    LINES_CRAMMED,
    LINES_FEW,
    LINE_CLASSES
};

/* What several of the blocks that run at a time touch: how many of them, and in
 * how many groups that go together. Blocks that follow each other start on
 * different SMs, where each has as many older ones before it as the others. */
struct shared_class {
    double share, sharers, groups;
};

/* What `blocks` blocks that run at a time touch, each as many `lines`. */
struct running {
    double blocks, lines;
    struct shared_class of[LINE_CLASSES];
    double own; /* share of a block alone */
};

static void add_class(struct running *r, enum line_class c, double share,
                      double sharers, double groups)
{
    if (sharers <= 1)
        return;
    r->of[c] = (struct shared_class){fmin(share, r->own), sharers,
                                     fmin(sharers, fmax(1, groups))};
    r->own -= r->of[c].share;
}

/* (1 - part)^n */
static double none_of(double part, double n)
{
    if (part >= 1)
        return 0;
    return n == 1 ? 1 - part : exp(n * log1p(-part));
}

/* Different lines that are touched while every block goes a part of its way,
 * from wherever it is: of n groups at random places that share a line some one
 * touches it with a chance of 1 - (1 - part)^n. */
static double lines_touched(const struct running *r, double part)
{
    double share = r->own * part;
    for (int i = 0; i < LINE_CLASSES; i++) {
        const struct shared_class *c = &r->of[i];
        if (c->share > 0)
            share += c->share * (1 - none_of(part, c->groups)) / c->sharers;
    }
    return r->blocks * r->lines * share;
}

static double slope_at(const struct running *r, double part)
{
    double share = r->own;
    for (int i = 0; i < LINE_CLASSES; i++) {
        const struct shared_class *c = &r->of[i];
        if (c->share > 0)
            share += c->share * c->groups / c->sharers *
                     none_of(part, c->groups - 1);
    }
    return r->blocks * r->lines * share;
}

/* Of the blocks that touch a line after the first, those that find it: of each
 * group one may not. */
static double found_of(const struct shared_class *c, double part)
{
    if (c->sharers <= 1)
        return 0;
    double missing = (c->groups - 1) * none_of(part, c->groups - 1);
    return 1 - missing / (c->sharers - 1);
}

/* Of Newton's method, from below: lines_touched() is concave. */
#define STEPS 6

/* How far blocks go until a cache of `capacity` lines has seen as many others:
 * 1 when it holds all. */
static double part_held(const struct running *r, double capacity)
{
    double part = 0;
    if (lines_touched(r, 1) <= capacity)
        return 1;
    for (int i = 0; i < STEPS; i++) {
        double left = capacity - lines_touched(r, part);
        if (left <= 0.01 * capacity)
            break;
        part = fmin(1, part + left / slope_at(r, part));
    }
    return part;
}

/* A kind of lines: what a block finds of them when blocks are spread over their
 * time; what the one that is ahead finds when they go together, from those that
 * ended before; and what the others find then. */
struct kind {
    double spread, ahead, behind;
};

static double mix_of(double spread, double together, double part)
{
    return (1 - part) * spread + part * together;
}

/* Blocks go `together` on a part of their way. */
static void set_kind(double *brought, double *ready, const struct kind *k,
                     double together)
{
    *ready = mix_of(k->spread, k->ahead, together);
    *brought =
        mix_of(k->spread, k->ahead + (1 - k->ahead) * k->behind, together);
}

static void set_kinds(struct retention *brought, struct retention *ready,
                      const struct kind *few, const struct kind *all,
                      double together)
{
    set_kind(&brought->few, &ready->few, few, together);
    set_kind(&brought->all, &ready->all, all, together);
}

/* Of `sharers` blocks, of which `running` run at a time, those that come after
 * the first that do, when what they leave stays. */
static double later_ones(double sharers, double running, double part)
{
    return part >= 1 && sharers > running ? 1 - running / sharers : 0;
}

/* Of what each of `blocks` blocks touches with a chance q: block i finds it
 * unless none of the `held` blocks before it, or none of all, did. The mean
 * over them. */
static double retained_by_chance(double q, double held, double blocks)
{
    if (q <= 0)
        return 0;
    double missed = exp(-q * held);
    double begin = held - (1 - missed) / q;
    return (begin + (blocks - held) * (1 - missed)) / blocks;
}

/* The same where blocks go together as well: what all touch they touch in the
 * order of the code, `running` of them at the same time, so that a block finds
 * there only what those left that ended before. */
static double ready_by_chance(double q, double held, double blocks,
                              double running, double together)
{
    double spread = retained_by_chance(q, held, blocks);
    double after = blocks - running;
    double left = fmin(after, fmax(0, held - running));
    double ended =
        after > 0 ? after / blocks * retained_by_chance(q, left, after) : 0;
    return mix_of(spread, fmin(spread, ended), fmin(1, q) * together);
}

/* ---- the L1 ------------------------------------------------------------- */

/* A block finds by chance what other blocks of the SM left, when the cache
 * holds the lines of `held` blocks: one that runs has as large a part of them
 * as the others, on average half its own. These are the lines that all blocks
 * touch now and then; and all, where the block does what one of `period` blocks
 * does. What all touch in the same order comes but once where they go
 * together. */
static void set_l1_by_chance(struct retentions *out, const struct profile *p,
                             const struct sharing *s, double held,
                             double together)
{
    double n = s->blocks, of_sm = p->blocks / s->active_sms;
    double own = fmin(0.5, held / n);
    double others = fmax(0, fmin(held - own, of_sm - 1));
    struct found *f = &out->brought;
    double q = p->sectors_by_chance,
           left = retained_by_chance(q, others, of_sm);
    f->l1_wide = mix_of(left, fmax(left, 1 - 1 / n),
                        fmin(1, q) * p->in_order * together);
    if (p->period < p->blocks)
        f->l1_again = 1 - exp(-others / p->period);
    out->ready.l1_wide = left;
    out->ready.l1_again = f->l1_again;
}

/* A block alone on its SM finds what the one before it left when the cache
 * holds all lines of a block. */
static void set_l1(struct retentions *out, const struct profile *p,
                   const struct gpu *g, const struct sharing *s,
                   double together)
{
    const double *share = p->shared.share;
    double lines = g->l1.size_kb * 1024 / g->l1.line_bytes, n = s->blocks;
    double few = share[SHARED_PARTNER] - share[SHARED_PARTNER_ALL];
    struct running r = {.blocks = n, .lines = p->block_lines, .own = 1};
    if (!g->l1.caches_global)
        return;
    set_l1_by_chance(out, p, s,
                     shared_lines_apart(&p->shared, p->block_lines, lines),
                     together);
    if (share[SHARED_PARTNER] <= 0)
        return;
    add_class(&r, LINES_NEAR, share[SHARED_PARTNER_ALL], n, n);
    add_class(&r, LINES_FEW, few, fmin(2, n), 2);
    double part = part_held(&r, lines);
    double of_sm = p->blocks / s->active_sms;
    double later = later_ones(of_sm, n, part), not_first = 1 - 1 / of_sm;
    double one_of = n > 1 ? 1 - none_of(part, n - 1) : part >= 1;
    double other = n > 1 ? part : part >= 1;
    struct kind two = {other * not_first, later, 1 - 1 / fmin(2, n)};
    struct kind all = {one_of * not_first, later, 1 - 1 / n};
    set_kinds(&out->brought.l1, &out->ready.l1, &two, &all, together);
}

/* ---- the L2 ------------------------------------------------------------- */

/* The share of lines of which the one that counts them as shared by all has
 * taken 1 / all away. */
static double share_of_all(double shared, double all)
{
    return all > 1 ? shared / (1 - 1 / all) : 0;
}

/* Blocks of the grid whose lines an L2 of `lines` lines holds. */
static double blocks_held(const struct profile *p, const struct running *r,
                          double part, double lines)
{
    double blocks = part * r->blocks;
    for (int i = 0; i < 2 && part >= 1; i++)
        blocks = lines /
                 fmax(1, p->block_lines * shared_lines_own(&p->shared, blocks));
    return fmin(p->blocks, blocks);
}

/* Of lines that a block shares with one `distance` blocks on. These are that
 * far apart, give or take as many as run at a time. */
static double retained_over(double distance, double running, double held)
{
    double least = fmax(0, distance - running);
    return fmin(1, fmax(0, held - least) / (running + fmin(running, distance)));
}

/* Of what a block touches where those in the middle do, in so many of the
 * grid's blocks before it: one block of all that touch it is the first. */
static double retained_in_middle(double q, double held, double blocks)
{
    return fmin(-expm1(-shared_in_middle(q, held)),
                shared_again_in_middle(q, blocks));
}

/* Of what another block came to first, as a share. */
static double retained_crammed(double q, double held, double blocks)
{
    double all = retained_by_chance(q, blocks, blocks);
    return all > 0 ? retained_by_chance(q, held, blocks) / all : 0;
}

/* Classes tell when blocks touch their lines; how many different ones these are
 * the blocks' neighbours may know better, where more than two share a line. */
static void count_lines(struct running *r, const struct profile *p)
{
    double counted =
        r->blocks * r->lines * shared_lines_own(&p->shared, r->blocks);
    r->lines *= fmin(1, counted / lines_touched(r, 1));
}

static void set_l2(struct retentions *out, const struct profile *p,
                   const struct sharing *s, double lines, double together)
{
    const double *share = p->shared.share;
    double running = s->active_sms * s->blocks;
    double row = p->shared.row, rows = p->blocks / row;
    double near = fmin(row, running), far = fmin(rows, running / row);
    double by_chance = 1 + p->shared.by_chance * (running - 1);
    double crammed = 1 + p->shared.crammed * (running - 1);
    struct running r = {
        .blocks = fmin(running, p->period), .lines = p->block_lines, .own = 1};
    add_class(&r, LINES_NEAR, share_of_all(share[SHARED_NEAR_ALL], row), near,
              near / s->active_sms);
    add_class(&r, LINES_FAR, share_of_all(share[SHARED_FAR_ALL], rows), far,
              s->blocks);
    add_class(&r, LINES_WIDE, share[SHARED_WIDE], by_chance, by_chance);
    add_class(&r, LINES_CRAMMED, share[SHARED_ROOM], crammed, crammed);
    add_class(&r, LINES_FEW, 2 * (share[SHARED_NEAR] - share[SHARED_NEAR_ALL]),
              2, 1);
    count_lines(&r, p);
    bool all_fit = p->private_lines * p->period <= lines;
    double part = all_fit ? 1 : part_held(&r, lines);
    double held = blocks_held(p, &r, part, lines);
    double next_row = retained_over(row, running, held);
    double of_row = found_of(&r.of[LINES_NEAR], part);
    double of_rows = found_of(&r.of[LINES_FAR], part);
    /* That one of the blocks finds nothing is in the phases' sums. */
    struct kind few = {found_of(&r.of[LINES_FEW], part), 0, 1};
    /* Of rows that are longer than what runs none are there together. */
    double at_once = fmax(next_row, fmin(1, fmax(0, running / row - 1)));
    double stay = row > running ? next_row : 1;
    struct kind few_below = {next_row, 0, at_once};
    struct kind all = {of_row, later_ones(row, running, part), 1};
    struct kind all_below = {fmax(next_row, of_rows),
                             later_ones(rows, running / row, part) * stay,
                             at_once};
    set_kinds(&out->brought.near, &out->ready.near, &few, &all, together);
    set_kinds(&out->brought.far, &out->ready.far, &few_below, &all_below,
              together);
    double q = p->sectors_by_chance;
    out->brought.wide = retained_by_chance(q, held, p->blocks);
    out->ready.wide =
        ready_by_chance(q, held, p->blocks, fmin(running, p->blocks), together);
    out->brought.crammed = out->ready.crammed =
        retained_crammed(p->sectors_crammed, held, p->blocks);
    out->brought.middle = out->ready.middle =
        retained_in_middle(p->sectors_in_middle, held, p->blocks);
    /* Blocks of several periods that run at a time may go together. */
    double left = all_fit ? 1 : retained_over(p->period, running, held);
    double beside = p->period < running ? mix_of(left, 1, together) : left;
    out->ready.again = left * (1 - p->period / p->blocks);
    out->brought.again = beside * (1 - p->period / p->blocks);
}

void retention_set(struct retentions *out, const struct profile *p,
                   const struct gpu *g, const struct sharing *s,
                   double l2_lines, double together)
{
    *out = (struct retentions){.brought.wide = 0};
    set_l1(out, p, g, s, together);
    set_l2(out, p, s, l2_lines, together);
}
