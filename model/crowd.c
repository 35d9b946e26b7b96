/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/crowd.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/mix.h"
#include "configs/gpu.h"
#include "kernels/form/box.h"
#include "kernels/form/kernel.h"
#include "model/constants.h"
#include "model/lines.h"
#include "model/room.h"
#include "model/shared_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- who touched a line ------------------------------------------------- */

/* What a block touched of a line. */
struct touched {
    uint64_t line;
    uint32_t sectors;
    bool stored; /* to some of them */
};

/* Blocks are numbered from 1. */
struct place {
    uint64_t line;
    size_t touched;          /* by the last block that came, its record */
    uint32_t sent;           /* requests that store to it, of all blocks */
    uint16_t came;           /* that block; free: 0 */
    uint16_t blocks, stored; /* of those far before: touched some of it, or
                              * stored to it */
    uint16_t last;           /* the last of them that touched some */
};

/* First touches of a kind, and of the blocks far before theirs: how many there
 * were, how many of them touched the same; and pairs likewise. */
struct tally {
    double touches, others, met, other_pairs, met_pairs;
};

struct meeting {
    const struct kernel *kernel;
    struct line_sizes sizes;
    unsigned sectors;
    unsigned apart;  /* what lies far before a block is more than so many */
    unsigned blocks; /* so far; the last of them is walked */
    unsigned before; /* of them, those far before it */
    size_t capacity, used; /* of a hash table, a power of two */
    struct place *place;   /* [capacity] */
    uint16_t *of_sector;   /* [capacity][sectors]: blocks far before */
    size_t touches, touch_capacity;
    struct touched *touched; /* [touches], block after block ... */
    size_t end[CROWD + 1];   /* ... those of a block up to here */
    bool all;                /* blocks of all parts of the grid were walked */
    struct tally lines, stored; /* of all lines, of those that are stored to */
    struct tally *inst;         /* [inst_count], of sectors that are read */
    struct reach *reach;        /* [inst_count] */
    uint64_t met[CROWD / 64 + 1]; /* by the open block, a bit each */
    int pairs;                    /* of blocks that met */
    double sent;                  /* requests that no L1 keeps from the L2 */
};

static size_t find(const struct meeting *m, uint64_t line)
{
    size_t last = m->capacity - 1, at = mix(line) & last;
    while (m->place[at].came != 0 && m->place[at].line != line)
        at = (at + 1) & last;
    return at;
}

static uint16_t *of_sector(const struct meeting *m, size_t place, int sector)
{
    return &m->of_sector[place * m->sectors + (size_t)sector];
}

static bool set_capacity(struct meeting *m, size_t capacity)
{
    struct meeting old = *m;
    m->capacity = capacity;
    m->place = calloc(capacity, sizeof(*m->place));
    m->of_sector = calloc(capacity * m->sectors, sizeof(*m->of_sector));
    bool ok = m->place != NULL && m->of_sector != NULL;
    for (size_t i = 0; ok && i < old.capacity; i++) {
        size_t at;
        if (old.place[i].came == 0)
            continue;
        at = find(m, old.place[i].line);
        m->place[at] = old.place[i];
        memcpy(of_sector(m, at, 0), of_sector(&old, i, 0),
               m->sectors * sizeof(*m->of_sector));
    }
    free(old.place);
    free(old.of_sector);
    return ok;
}

/* A first touch of what so many of the blocks far before touched. */
static void tally(struct tally *t, double before, double touched)
{
    t->touches++;
    t->others += before;
    t->met += touched;
    t->other_pairs += before * (before - 1);
    t->met_pairs += touched * (touched - 1);
}

static bool record(struct meeting *m, uint64_t line)
{
    if (m->touches == m->touch_capacity) {
        size_t capacity = 2 * m->touch_capacity + CROWD_PLACES;
        struct touched *grown = realloc(m->touched, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        m->touched = grown;
        m->touch_capacity = capacity;
    }
    m->touched[m->touches++] = (struct touched){.line = line};
    return true;
}

/* The block comes to a line. */
static bool come_to(struct meeting *m, struct place *p, uint64_t line)
{
    m->used += p->came == 0;
    p->line = line;
    p->came = (uint16_t)m->blocks;
    p->touched = m->touches;
    tally(&m->lines, m->before, p->blocks);
    if (p->blocks > 0 && !mask_has(m->met, p->last)) {
        mask_set(m->met, p->last);
        m->pairs++;
    }
    return record(m, line);
}

/* The block touches sectors of a line with an instruction. */
static bool meet(struct meeting *m, const struct transaction *t, uint32_t inst)
{
    if (2 * m->used >= m->capacity && !set_capacity(m, 2 * m->capacity))
        return false;
    size_t at = find(m, t->line);
    struct place *p = &m->place[at];
    m->reach[inst].lines += p->came != m->blocks;
    reach_to(&m->reach[inst], t->line);
    if (p->came != m->blocks && !come_to(m, p, t->line))
        return false;
    struct touched *here = &m->touched[p->touched];
    enum op_class op = m->kernel->inst[inst].op;
    bool stores = op == OP_STORE || op == OP_ATOMIC;
    if (stores && !here->stored)
        tally(&m->stored, m->before, p->stored);
    here->stored |= stores;
    uint32_t fresh = t->sectors & ~here->sectors;
    p->sent += stores;
    m->sent += stores || fresh != 0;
    here->sectors |= fresh;
    for (uint64_t left = op == OP_STORE ? 0 : fresh; left != 0;)
        tally(&m->inst[inst], m->before, *of_sector(m, at, take_bit(&left)));
    return true;
}

/* A block lies far before the next one. */
static void leave_behind(struct meeting *m)
{
    unsigned block = ++m->before;
    for (size_t i = m->end[block - 1]; i < m->end[block]; i++) {
        const struct touched *t = &m->touched[i];
        size_t at = find(m, t->line);
        struct place *p = &m->place[at];
        p->blocks++;
        p->stored += t->stored;
        p->last = (uint16_t)block;
        for (uint64_t left = t->sectors; left != 0;)
            ++*of_sector(m, at, take_bit(&left));
    }
}

/* ---- walking ------------------------------------------------------------ */

static bool meet_all(struct meeting *m, const struct step *s)
{
    const struct inst *i = &m->kernel->inst[s->inst];
    struct transaction t[MAX_TRANSACTIONS], below[MAX_TRANSACTIONS];
    bool ok = true;
    if (inst_is_global(i) && s->form == ADDR_BOX) {
        struct box_walk walk = box_begin(s);
        while (ok && box_next(&walk, m->sizes.line, m->sizes.sector, &t[0]))
            ok = meet(m, &t[0], s->inst);
    } else if (inst_is_global(i)) {
        int n = lines_of_global(&m->sizes, i, s, t);
        for (int k = 0; ok && k < n; k++)
            ok = meet(m, &t[k], s->inst);
    } else if (inst_is_texture(i)) {
        int n = lines_of_texture(&m->sizes, i, s, t);
        n = lines_below(&m->sizes, t, n, below);
        for (int k = 0; ok && k < n; k++)
            ok = meet(m, &below[k], s->inst);
    }
    return ok;
}

/* Some steps of a warp of the open block; *steps counts on. */
static bool take_turn(struct meeting *m, void *stream, uint32_t warp,
                      uint64_t *steps, bool *ended, struct error *e)
{
    const struct kernel *k = m->kernel;
    struct step step;
    for (int n = 0; n < WALK_TURN; n++) {
        *ended = !kernel_skim(k, stream, warp, &step);
        if (*ended)
            return true;
        if (!meet_all(m, &step))
            return error_no_memory(e);
        if (!kernel_walk_goes_on(k, steps, e))
            return false;
    }
    return true;
}

/* The beginning of the open block, its warps in turn. */
static bool walk_beginning(struct meeting *m, void *stream, uint64_t *steps,
                           struct error *e)
{
    uint64_t end = *steps + BEGINNING_STEPS, running = 0;
    for (uint32_t warp = 0; warp < m->kernel->warps_per_block; warp++)
        running |= BIT(warp);
    while (running != 0 && *steps < end)
        for (uint64_t left = running; left != 0;) {
            uint32_t warp = (uint32_t)take_bit(&left);
            bool ended;
            if (!take_turn(m, stream, warp, steps, &ended, e))
                return false;
            running &= ended ? ~BIT(warp) : UINT64_MAX;
        }
    return true;
}

/* Block i of a crowd of `count`: one in each of as many equal parts. */
static uint64_t block_of(const struct kernel *k, uint64_t seed, uint64_t i,
                         uint64_t count)
{
    uint64_t blocks = neighbours_blocks(k);
    uint64_t first = blocks * i / count, end = blocks * (i + 1) / count;
    return first + mix(seed + i) % (end - first);
}

static bool walk_block(struct meeting *m, uint64_t block, void *stream,
                       uint64_t *steps, struct error *e)
{
    const struct kernel *k = m->kernel;
    m->blocks++;
    while (m->before + m->apart + 1 < m->blocks)
        leave_behind(m);
    memset(m->met, 0, sizeof(m->met));
    if (!k->ops->open(k, stream, block, e))
        return false;
    bool ok = walk_beginning(m, stream, steps, e);
    k->ops->close(k, stream);
    m->end[m->blocks] = m->touches;
    return ok;
}

static void forget(struct meeting *m)
{
    m->blocks = 0;
    m->used = m->touches = 0;
    m->sent = 0;
    m->lines = m->stored = (struct tally){0};
    memset(m->inst, 0, m->kernel->inst_count * sizeof(*m->inst));
    memset(m->reach, 0, m->kernel->inst_count * sizeof(*m->reach));
    memset(m->place, 0, m->capacity * sizeof(*m->place));
}

/* Blocks of a crowd, by what the one in the middle of the grid takes. */
static bool size_of(uint64_t *out, struct meeting *m, void *stream,
                    struct error *e)
{
    uint64_t blocks = neighbours_blocks(m->kernel), steps = 0;
    if (!walk_block(m, blocks / 2, stream, &steps, e))
        return false;
    double share =
        fmax((double)steps / STEP_BUDGET, (double)m->touches / CROWD_TOUCHES);
    double some = fmin(CROWD_SOME, 1 / share);
    double size = fmax(some, fmin(CROWD, CROWD_SHARE / share));
    *out = (uint64_t)fmin((double)blocks, fmax(CROWD_LEAST, size));
    forget(m);
    return true;
}

static bool walk(struct meeting *m, uint64_t seed, void *stream,
                 struct error *e)
{
    uint64_t steps = 0, count = 0;
    bool ok = size_of(&count, m, stream, e);
    m->apart = (unsigned)((double)count * CROWD_APART);
    for (uint64_t i = 0;
         ok && i < count && steps < STEP_BUDGET && m->touches < CROWD_TOUCHES;
         i++)
        ok = walk_block(m, block_of(m->kernel, seed, i, count), stream, &steps,
                        e);
    m->all = m->blocks == count;
    return ok && kernel_streams_check(m->kernel, e);
}

/* ---- counting ----------------------------------------------------------- */

void alike_add(struct alike *to, const struct alike *kind, double touches)
{
    if (kind->touches <= 0)
        return;
    to->touches += touches;
    to->once += touches * kind->once / kind->touches;
    to->twice += touches * kind->twice / kind->touches;
    to->room += touches * kind->room / kind->touches;
}

double alike_distinct(const struct alike *kind, double blocks)
{
    const double sum[SHARING_SUMS] = {[SHARED_COLD] = kind->touches,
                                      [SHARED_WIDE] = kind->once,
                                      [SHARED_WIDE_PAIRS] = kind->twice};
    double meet = shared_by_chance(sum, 1);
    if (meet <= 0)
        return 1;
    double of_several = kind->once / (kind->touches * meet);
    return 1 - of_several + of_several / (1 + meet * (blocks - 1));
}

/* What neighbours touch as any two blocks do, and the next block of the SM, is
 * chance as well. */
static void leave_to_chance(double *shared, double *by_all, double chance)
{
    double left = *shared > chance ? 1 - chance / *shared : 0;
    *shared *= left;
    *by_all *= left;
}

/* Of rows that are so long that the next one is far away, what a block of it
 * touches, one of `row` blocks. */
static double seen_in_rows(const double sum[SHARING_SUMS],
                           const struct grid_rows *of)
{
    return of->row < of->blocks && of->row > CROWD_APART * of->blocks
               ? sum[SHARED_FAR] / of->row
               : 0;
}

void alike_set_wide(const struct alike *kind, const struct grid_rows *of,
                    double sum[SHARING_SUMS])
{
    double rows = sum[SHARED_NEAR_ALL] + sum[SHARED_FAR_ALL];
    if (kind->touches <= 0)
        return;
    sum[SHARED_ROOM] = sum[SHARED_COLD] * kind->room / kind->touches;
    double seen = sum[SHARED_COLD] * kind->once / kind->touches;
    double once = fmax(0, seen - seen_in_rows(sum, of));
    if (rows > once)
        return;
    leave_to_chance(&sum[SHARED_NEAR], &sum[SHARED_NEAR_ALL], once);
    leave_to_chance(&sum[SHARED_FAR], &sum[SHARED_FAR_ALL], once);
    leave_to_chance(&sum[SHARED_PARTNER], &sum[SHARED_PARTNER_ALL], once);
    sum[SHARED_WIDE] = once;
    sum[SHARED_WIDE_PAIRS] =
        seen > 0 ? sum[SHARED_COLD] * kind->twice / kind->touches * once / seen
                 : 0;
}

/* Fewer pairs of blocks that met than CROWD_PAIRS say nothing. */
static struct alike alike_of(const struct tally *t, int pairs)
{
    struct alike a = {.touches = t->touches};
    if (pairs >= CROWD_PAIRS && t->other_pairs > 0) {
        a.once = t->touches * t->met / t->others;
        a.twice = t->touches * t->met_pairs / t->other_pairs;
    }
    return a;
}

/* False when out of memory. */
static bool find_rooms(struct crowd *c, const struct meeting *m)
{
    uint32_t insts = m->kernel->inst_count;
    const struct looked_at at = {m->blocks,
                                 (double)neighbours_blocks(m->kernel)};
    for (uint32_t i = 0; i < insts; i++)
        m->reach[i].sectors = c->inst[i].touches;
    if (!rooms_find(m->reach, insts, &at, m->sectors))
        return false;
    for (uint32_t i = 0; i < insts; i++) {
        const struct reach *r = &m->reach[i];
        c->inst[i].room = r->sectors * r->sectors_room;
        c->lines.room += r->lines * r->lines_room;
    }
    return true;
}

static bool is_hot(const struct meeting *m, const struct place *p)
{
    return p->stored > 0 && p->stored >= HOT_BLOCKS * m->before;
}

/* Too many to crowd somewhere are none. False when out of memory. */
static bool find_hot(struct hot_lines *hot, const struct meeting *m)
{
    size_t count = 0;
    for (size_t i = 0; i < m->capacity; i++)
        count += is_hot(m, &m->place[i]);
    if (count == 0 || count > HOT_LINES)
        return true;
    hot->line = malloc(count * sizeof(*hot->line));
    if (hot->line == NULL)
        return false;
    double sent = 0;
    for (size_t i = 0; i < m->capacity; i++)
        if (is_hot(m, &m->place[i])) {
            const struct place *p = &m->place[i];
            hot->line[hot->count++] = (struct hot_line){p->line, p->sent};
            sent += p->sent;
        }
    hot->share = sent / m->sent;
    return true;
}

static bool count_all(const struct meeting *m, struct crowd *c)
{
    if (m->all)
        along_set(&c->along, m->end, m->blocks);
    c->lines = alike_of(&m->lines, m->pairs);
    c->stored = alike_of(&m->stored, m->pairs);
    for (uint32_t i = 0; i < m->kernel->inst_count; i++)
        c->inst[i] = alike_of(&m->inst[i], m->pairs);
    return find_rooms(c, m) && find_hot(&c->hot, m);
}

struct crowd *crowd_create(const struct kernel *k, const struct gpu *g,
                           uint64_t seed, struct error *e)
{
    struct meeting m = {.kernel = k, .sizes = line_sizes_of(g)};
    struct crowd *c =
        calloc(1, sizeof(*c) + k->inst_count * sizeof(c->inst[0]));
    void *stream = malloc(k->ops->state_size(k) + 1);
    m.sectors = m.sizes.line / m.sizes.sector;
    m.inst = calloc(k->inst_count, sizeof(*m.inst));
    m.reach = calloc(k->inst_count, sizeof(*m.reach));
    bool ok = (c != NULL && m.inst != NULL && m.reach != NULL &&
               stream != NULL && set_capacity(&m, CROWD_PLACES)) ||
              error_no_memory(e);
    ok = ok && walk(&m, seed, stream, e) &&
         block_insts_count(&c->block_insts, k, seed, e);
    ok = ok &&
         (m.blocks < CROWD_LEAST || count_all(&m, c) || error_no_memory(e));
    free(stream);
    free(m.place);
    free(m.of_sector);
    free(m.touched);
    free(m.inst);
    free(m.reach);
    if (ok)
        return c;
    crowd_free(c);
    return NULL;
}

void crowd_free(struct crowd *c)
{
    if (c != NULL)
        free(c->hot.line);
    free(c);
}

uint64_t crowd_hash(const struct gpu *g)
{
    struct line_sizes z = line_sizes_of(g);
    unsigned of[] = {z.line, z.sector, z.per_l1_sector, z.texture, z.l1_global};
    return hash_bytes(HASH_START, of, sizeof(of));
}
