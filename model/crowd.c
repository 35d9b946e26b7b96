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
#include "model/shared_lines.h"

#include <stdlib.h>

/* ---- who touched a line ------------------------------------------------- */

/* A line, the blocks that touched some of it, a bit each, the sectors that the
 * last of them touched, and whether any stored to it. */
struct place {
    uint64_t line, blocks;
    uint32_t seen;
    bool stored;
};

/* First touches of sectors that are read. */
struct touch {
    uint64_t line;
    uint32_t sectors, inst;
};

struct meeting {
    const struct kernel *kernel;
    struct line_sizes sizes;
    unsigned blocks; /* so far; the last of them is walked */
    unsigned sectors;
    size_t capacity, used; /* of a hash table, a power of two */
    struct place *place;   /* [capacity], free where no block was */
    uint8_t *of_sector;    /* [capacity][sectors]: blocks that touched it */
    size_t touches, touch_capacity;
    struct touch *touch;
};

static size_t find(const struct meeting *m, uint64_t line)
{
    size_t last = m->capacity - 1, at = mix(line) & last;
    while (m->place[at].blocks != 0 && m->place[at].line != line)
        at = (at + 1) & last;
    return at;
}

static bool set_capacity(struct meeting *m, size_t capacity)
{
    struct meeting old = *m;
    m->capacity = capacity;
    m->place = calloc(capacity, sizeof(*m->place));
    m->of_sector = calloc(capacity, m->sectors);
    bool ok = m->place != NULL && m->of_sector != NULL;
    for (size_t i = 0; ok && i < old.capacity; i++) {
        size_t at;
        if (old.place[i].blocks == 0)
            continue;
        at = find(m, old.place[i].line);
        m->place[at] = old.place[i];
        for (unsigned s = 0; s < m->sectors; s++)
            m->of_sector[at * m->sectors + s] =
                old.of_sector[i * m->sectors + s];
    }
    free(old.place);
    free(old.of_sector);
    return ok;
}

static bool remember(struct meeting *m, const struct touch *t)
{
    if (m->touches == m->touch_capacity) {
        size_t capacity = m->touch_capacity > 0 ? 2 * m->touch_capacity : 4096;
        struct touch *grown = realloc(m->touch, capacity * sizeof(*grown));
        if (grown == NULL)
            return false;
        m->touch = grown;
        m->touch_capacity = capacity;
    }
    m->touch[m->touches++] = *t;
    return true;
}

/* The block touches sectors of a line with an instruction. */
static bool meet(struct meeting *m, const struct transaction *t, uint32_t inst)
{
    if (2 * m->used >= m->capacity && !set_capacity(m, 2 * m->capacity))
        return false;
    size_t at = find(m, t->line);
    struct place *p = &m->place[at];
    m->used += p->blocks == 0;
    uint64_t block = BIT(m->blocks - 1);
    if ((p->blocks & block) == 0) {
        p->line = t->line;
        p->blocks |= block;
        p->seen = 0;
    }
    enum op_class op = m->kernel->inst[inst].op;
    p->stored |= op == OP_STORE || op == OP_ATOMIC;
    uint32_t fresh = t->sectors & ~p->seen;
    p->seen |= fresh;
    for (uint32_t left = fresh; left != 0; left &= left - 1)
        m->of_sector[at * m->sectors + (unsigned)__builtin_ctz(left)]++;
    return fresh == 0 || op == OP_STORE ||
           remember(m, &(struct touch){t->line, fresh, inst});
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
    for (int n = 0; n < CROWD_TURN; n++) {
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

static bool walk(struct meeting *m, uint64_t seed, void *stream,
                 struct error *e)
{
    const struct kernel *k = m->kernel;
    uint64_t blocks = neighbours_blocks(k), steps = 0;
    uint64_t count = blocks < CROWD ? blocks : CROWD;
    bool ok = true;
    for (uint64_t i = 0;
         ok && i < count && steps < STEP_BUDGET && m->touches < CROWD_TOUCHES;
         i++) {
        m->blocks++;
        if (!k->ops->open(k, stream, block_of(k, seed, i, count), e))
            return false;
        ok = walk_beginning(m, stream, &steps, e);
        k->ops->close(k, stream);
    }
    return ok && kernel_streams_check(k, e);
}

/* ---- counting ----------------------------------------------------------- */

void alike_add(struct alike *to, const struct alike *kind, double touches)
{
    if (kind->touches <= 0)
        return;
    to->touches += touches;
    to->once += touches * kind->once / kind->touches;
    to->twice += touches * kind->twice / kind->touches;
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

void alike_set_wide(const struct alike *kind, double sum[SHARING_SUMS])
{
    double rows = sum[SHARED_NEAR_ALL] + sum[SHARED_FAR_ALL];
    if (kind->touches <= 0 ||
        rows * kind->touches > sum[SHARED_COLD] * kind->once)
        return;
    double once = sum[SHARED_COLD] * kind->once / kind->touches;
    leave_to_chance(&sum[SHARED_NEAR], &sum[SHARED_NEAR_ALL], once);
    leave_to_chance(&sum[SHARED_FAR], &sum[SHARED_FAR_ALL], once);
    leave_to_chance(&sum[SHARED_PARTNER], &sum[SHARED_PARTNER_ALL], once);
    sum[SHARED_WIDE] = once;
    sum[SHARED_WIDE_PAIRS] = sum[SHARED_COLD] * kind->twice / kind->touches;
}

/* So many first touches of what `blocks` of `all` blocks touch. */
static void count(struct alike *a, double touches, double blocks, double all)
{
    a->touches += touches;
    a->once += touches * (blocks - 1) / (all - 1);
    a->twice += touches * (blocks - 1) * (blocks - 2) / ((all - 1) * (all - 2));
}

/* Pairs of blocks that have a line in common. */
static int meeting_pairs(const struct meeting *m)
{
    uint64_t met[CROWD] = {0};
    int both = 0;
    for (size_t i = 0; i < m->capacity; i++) {
        uint64_t blocks = m->place[i].blocks, left = blocks;
        while (left != 0)
            met[take_bit(&left)] |= blocks;
    }
    for (int i = 0; i < CROWD; i++)
        both += __builtin_popcountll(met[i] & ~BIT(i));
    return both / 2;
}

static void count_all(const struct meeting *m, struct crowd *c)
{
    bool few = meeting_pairs(m) < CROWD_PAIRS;
    for (size_t i = 0; i < m->capacity; i++) {
        double blocks = __builtin_popcountll(m->place[i].blocks);
        count(&c->lines, blocks, few ? 1 : blocks, m->blocks);
        if (m->place[i].stored)
            count(&c->stored, blocks, few ? 1 : blocks, m->blocks);
    }
    for (size_t i = 0; i < m->touches; i++) {
        const struct touch *t = &m->touch[i];
        const uint8_t *blocks = &m->of_sector[find(m, t->line) * m->sectors];
        for (uint32_t left = t->sectors; left != 0; left &= left - 1)
            count(&c->inst[t->inst], 1, few ? 1 : blocks[__builtin_ctz(left)],
                  m->blocks);
    }
}

struct crowd *crowd_create(const struct kernel *k, const struct gpu *g,
                           uint64_t seed, struct error *e)
{
    struct meeting m = {.kernel = k, .sizes = line_sizes_of(g)};
    struct crowd *c =
        calloc(1, sizeof(*c) + k->inst_count * sizeof(c->inst[0]));
    void *stream = malloc(k->ops->state_size(k) + 1);
    m.sectors = m.sizes.line / m.sizes.sector;
    bool ok = (c != NULL && stream != NULL && set_capacity(&m, CROWD_PLACES)) ||
              error_no_memory(e);
    ok = ok && walk(&m, seed, stream, e) &&
         block_insts_count(&c->block_insts, k, seed, e);
    if (ok && m.blocks >= CROWD_LEAST)
        count_all(&m, c);
    free(stream);
    free(m.place);
    free(m.of_sector);
    free(m.touch);
    if (ok)
        return c;
    free(c);
    return NULL;
}

void crowd_free(struct crowd *c)
{
    free(c);
}

uint64_t crowd_hash(const struct gpu *g)
{
    struct line_sizes z = line_sizes_of(g);
    unsigned of[] = {z.line, z.sector, z.per_l1_sector, z.texture, z.l1_global};
    return hash_bytes(HASH_START, of, sizeof(of));
}
