/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/ldst.h"

#include "base/bits.h"
#include "sampler/policy/l1/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- from issue to the unit --------------------------------------------- */

/* Make every `group` of sectors, aligned, a transaction of its own. A lane
 * touches at most two, so that MAX_TRANSACTIONS are enough. */
static int part_sectors(struct transaction *t, int count, int group)
{
    struct transaction part[MAX_TRANSACTIONS];
    int n = 0;
    for (int i = 0; i < count; i++)
        for (uint32_t left = t[i].sectors, one; left != 0; left &= ~one) {
            int first = __builtin_ctz(left) / group * group;
            one = left & UINT32_MAX >> (32 - group) << first;
            part[n++] = (struct transaction){
                .line = t[i].line, .sectors = one, .whole = t[i].whole & one};
        }
    memcpy(t, part, (size_t)n * sizeof(*t));
    return n;
}

static void sort_lines(struct transaction *t, int count)
{
    for (int i = 1; i < count; i++) {
        struct transaction one = t[i];
        int at = i;
        for (; at > 0 && t[at - 1].line > one.line; at--)
            t[at] = t[at - 1];
        t[at] = one;
    }
}

static void reverse(struct transaction *t, int count)
{
    for (int i = 0; i < count / 2; i++) {
        struct transaction one = t[i];
        t[i] = t[count - 1 - i];
        t[count - 1 - i] = one;
    }
}

static int split(const struct gpu *g, const struct inst *i,
                 const struct step *s, struct transaction *t)
{
    int line = g->l2.line_bytes, sector = g->l2.sector_bytes, group = 1;
    if (i->space == SPACE_CONST)
        line = sector = g->constant.line_bytes;
    else if (i->space == SPACE_TEXTURE)
        line = g->texture.line_bytes;
    else if (l1_serves(g, i)) {
        line = g->l1.line_bytes;
        sector = l1_sector_bytes(g);
        group = g->l1.sector_bytes / sector;
    }
    unsigned part = (unsigned)(sector < line ? sector : line);
    int n = coalesce(s, i->width, (unsigned)line, part, t);
    if (i->op == OP_STORE &&
        (g->l1.write_policy == L1_WRITE_ALLOCATE || g->l2.partial_cycles > 0))
        coalesce_whole(s, i->width, (unsigned)line, part, t, n);
    bool parts =
        g->ldst.sectors && i->space != SPACE_CONST && i->space != SPACE_TEXTURE;
    if (g->ldst.last_first)
        sort_lines(t, n);
    n = parts ? part_sectors(t, n, group) : n;
    if (i->op == OP_ATOMIC && g->l2.atomic_cycles > 0)
        coalesce_serial(s, (unsigned)line, part, t, n);
    if (g->ldst.last_first)
        reverse(t, n);
    return n;
}

/* Passes over the banks of shared memory, at least one. */
static uint16_t shared_passes(const struct gpu *g, const struct inst *i,
                              const struct step *s)
{
    int word = g->shared.bank_bytes;
    if (s->form == ADDR_BOX)
        return (uint16_t)earliest(UINT16_MAX,
                                  1 + box_bytes(&s->box) /
                                          (uint64_t)(word * g->shared.banks));
    int width = g->shared.wide || i->width < word ? i->width : word;
    int degree = shared_conflict_degree(
        s, (unsigned)width, (unsigned)g->shared.banks, (unsigned)word,
        g->shared.pairs && i->op == OP_LOAD);
    return (uint16_t)(degree > 0 ? degree : 1);
}

/* Of the constant cache, at least one. */
static uint16_t constant_accesses(const struct gpu *g, const struct step *s,
                                  int lines)
{
    int n = g->constant.by_address ? distinct_addresses(s) : lines;
    return (uint16_t)(n > 0 ? n : 1);
}

uint16_t ldst_prepare(struct ldst *l, int warp, const struct step *s)
{
    const struct gpu *g = l->core->gpu;
    const struct inst *i = &l->core->kernel->inst[s->inst];
    assert(l->free_entries > 0);
    uint16_t index = l->free_entry[--l->free_entries];
    struct ldst_entry *e = &l->entry[index];
    e->copies = s->form == ADDR_BOX;
    e->op =
        memory_ops_add(l->ops, warp, s->inst, i->op != OP_STORE && !e->copies);
    l->ops->op[e->op].copies = e->copies;
    e->next = 0;
    e->count = 0;
    e->conflict = 1;
    e->space = i->space;
    e->atomic_ops = 1;
    if (e->copies && i->space == SPACE_GLOBAL) {
        e->walk = box_begin(s);
        return index;
    }
    if (i->space == SPACE_SHARED) {
        e->conflict = shared_passes(g, i, s);
        return index;
    }
    e->count = (uint16_t)split(g, i, s, e->transaction);
    if (i->space == SPACE_CONST)
        e->conflict = constant_accesses(g, s, e->count);
    if (i->op == OP_ATOMIC)
        e->atomic_ops = (uint8_t)busiest_address(s);
    return index;
}

void ldst_accept(struct ldst *l, uint16_t entry)
{
    int at = (l->queue_head + l->queue_count) % l->queue_size;
    l->queue[at] = entry;
    l->queue_count++;
}

/* ---- one step of the first ---------------------------------------------- */

static const struct inst *inst_of(const struct ldst *l,
                                  const struct ldst_entry *e)
{
    return &l->core->kernel->inst[l->ops->op[e->op].inst];
}

/* Leave the unit; the instruction ends after `latency` more cycles, or with the
 * last answer it waits for, unless the copier goes on with it. */
static void leave(struct ldst *l, struct ldst_entry *e, int latency)
{
    struct sm_core *core = l->core;
    struct memory_op *op = &l->ops->op[e->op];
    bool goes_on = e->copies && e->space == SPACE_GLOBAL;
    op->all_sent = !goes_on;
    if (op->outstanding == 0 && !goes_on) {
        bool answer =
            e->space == SPACE_SHARED && op->load && core->gpu->ldst.write_back;
        op->outstanding += answer;
        core_schedule(core, core->now + (uint64_t)latency,
                      answer ? DONE_ANSWER : DONE_MEMORY, op->warp, e->op);
    }
    l->free_entry[l->free_entries++] = l->queue[l->queue_head];
    l->queue_head = (l->queue_head + 1) % l->queue_size;
    l->queue_count--;
    core->active_cycle = true;
}

/* A miss brings the whole line. */
static enum refusal texture_load(struct ldst *l, struct ldst_entry *e,
                                 const struct transaction *t)
{
    struct sm_core *core = l->core;
    int bytes = core->gpu->texture.line_bytes;
    struct memory_op *op = &l->ops->op[e->op];
    int set = cache_set(&l->texture, t->line);
    int way = cache_find(&l->texture, set, t->line);
    struct cache_access a = l1_access(core, op, t->line);
    if (way != NO_WAY) {
        cache_touch(&l->texture, set, way, &a);
        core->counts.texture_accesses++;
        core->counts.served_l1++;
        return GO;
    }
    if (!port_may_send(l->port))
        return NO_CREDIT;
    struct transaction below = port_to_l2(core->gpu, t->line, 1, bytes, bytes);
    struct cache_line old;
    cache_allocate(&l->texture, set, &a, &old);
    core->counts.texture_accesses++;
    op->outstanding++;
    port_send(l->port, &(struct request){.line = below.line,
                                         .sectors = below.sectors,
                                         .owner = e->op,
                                         .kind = REQUEST_READ});
    return GO;
}

/* Bring in the lines of a constant access; returns the latency of the slowest,
 * misses at a fixed cost. */
static int constant_lines(struct ldst *l, const struct ldst_entry *e)
{
    const struct gpu *g = l->core->gpu;
    int latency = g->constant.latency;
    for (int i = 0; i < e->count; i++) {
        uint64_t line = e->transaction[i].line;
        int set = cache_set(&l->constant, line);
        int way = cache_find(&l->constant, set, line);
        struct cache_access a = l1_access(l->core, &l->ops->op[e->op], line);
        if (way != NO_WAY) {
            cache_touch(&l->constant, set, way, &a);
            continue;
        }
        struct cache_line old;
        cache_allocate(&l->constant, set, &a, &old);
        latency = g->constant.latency + g->constant.miss_latency;
    }
    return latency;
}

/* Constant accesses: one address or line after another. */
static void constant_load(struct ldst *l, struct ldst_entry *e)
{
    int interval = l->core->gpu->constant.interval, n = e->conflict;
    int latency = constant_lines(l, e);
    l->core->counts.constant_accesses += e->conflict;
    l->constant_free = l->core->now + (uint64_t)(n * interval);
    l->free =
        l->core->gpu->constant.apart ? l->core->now + 1 : l->constant_free;
    leave(l, e, latency + (n - 1) * interval);
}

/* The copier takes it over, with the end of it. */
static void hand_over(struct ldst *l, struct ldst_entry *e)
{
    struct box_walk walk = e->walk;
    l->free = l->core->now + (uint64_t)l->core->gpu->interval.mem;
    leave(l, e, 0);
    copier_add(l->copier, e->op, &walk);
}

/* The instruction stays in the unit until its last pass over the banks. */
static void shared_access(struct ldst *l, struct ldst_entry *e)
{
    struct sm_core *core = l->core;
    uint64_t pass = (uint64_t)core->gpu->interval.mem;
    if (e->conflict > 1) {
        uint64_t more = (e->conflict - 1u) * pass;
        core->counts.shared_conflict_cycles += more;
        core->counts.shared_passes += e->conflict - 1u;
        l->free = core->now + more;
        e->conflict = 1;
        return;
    }
    l->free = core->now + pass;
    core->counts.shared_passes++;
    leave(l, e, core->gpu->shared.latency);
}

/* What a slice does one by one of an atomic's transaction: by sector where that
 * was counted (split()). */
static uint8_t slice_ops(const struct gpu *g, const struct ldst_entry *e,
                         const struct transaction *t)
{
    return g->l2.atomic_cycles > 0 ? (uint8_t)t->serial : e->atomic_ops;
}

static enum refusal one_transaction(struct ldst *l, struct ldst_entry *e)
{
    const struct gpu *g = l->core->gpu;
    const struct transaction *t = &e->transaction[e->next];
    const struct inst *i = inst_of(l, e);
    if (e->space == SPACE_TEXTURE)
        return texture_load(l, e, t);
    if (g->ldst.late_tags && l1_is_used_by(g, i))
        return l1_queue_add(l->l1_queue, e->op, t);
    if (!l1_serves(g, i))
        return l1_bypass(l->l1, e->op, t, slice_ops(g, e, t));
    return l1_look_up(l->l1, e->op, t);
}

/* Accesses of one cycle: with banks, one past the L1. */
static int accesses_a_cycle(const struct ldst *l, const struct ldst_entry *e)
{
    const struct gpu *g = l->core->gpu;
    bool past = g->ldst.banked && !l1_is_used_by(g, inst_of(l, e));
    return past ? 1 : g->l1.accesses_per_cycle;
}

/* Cycles the unit is taken by a transaction: an atomic done in the L1 goes
 * through the lanes with one address one by one. */
static uint64_t transaction_cycles(const struct ldst *l,
                                   const struct ldst_entry *e)
{
    const struct gpu *g = l->core->gpu;
    const struct inst *i = inst_of(l, e);
    int pass = g->interval.mem;
    bool here = i->op == OP_ATOMIC && l1_serves(g, i);
    return (uint64_t)(here && e->atomic_ops > pass ? e->atomic_ops : pass);
}

static void cached_access(struct ldst *l, struct ldst_entry *e)
{
    struct sm_core *core = l->core;
    const struct gpu *g = core->gpu;
    uint64_t banks = 0;
    int most = accesses_a_cycle(l, e);
    for (int n = 0; n < most && e->next < e->count; n++) {
        uint64_t bank = BIT(l1_bank(g, &e->transaction[e->next]));
        if (g->ldst.banked && (banks & bank) != 0)
            break;
        banks |= bank;
        enum refusal refusal = one_transaction(l, e);
        l->wait = refusal == NO_SLOT ? GO : refusal;
        if (refusal != GO)
            return;
        if (e->space == SPACE_TEXTURE && e->next == 0)
            l->texture_free = core->now + (uint64_t)g->texture.interval;
        e->next++;
        l->free = core->now + transaction_cycles(l, e);
        core->active_cycle = true;
    }
    if (e->next == e->count)
        leave(l, e,
              e->space == SPACE_TEXTURE ? g->texture.latency : g->l1.latency);
}

/* ---- a cycle ------------------------------------------------------------ */

/* When the first instruction can take its next step, beside `wait`. */
static uint64_t next_step(const struct ldst *l)
{
    const struct ldst_entry *e = &l->entry[l->queue[l->queue_head]];
    if (e->space == SPACE_CONST)
        return latest(l->free, l->constant_free);
    if (e->space == SPACE_TEXTURE && e->next == 0)
        return latest(l->free, l->texture_free);
    return l->free;
}

void ldst_cycle(struct ldst *l)
{
    if (l1_queue_has_work(l->l1_queue) && l1_queue_cycle(l->l1_queue) &&
        l->wait == QUEUE_FULL)
        l->wait = GO;
    if (l->queue_count == 0 || l->wait != GO || next_step(l) > l->core->now)
        return;
    struct ldst_entry *e = &l->entry[l->queue[l->queue_head]];
    if (e->space == SPACE_SHARED)
        shared_access(l, e);
    else if (e->space == SPACE_CONST)
        constant_load(l, e);
    else if (e->copies)
        hand_over(l, e);
    else
        cached_access(l, e);
}

uint64_t ldst_wake(const struct ldst *l)
{
    uint64_t wake = l1_queue_wake(l->l1_queue);
    if (l->queue_count == 0 || l->wait != GO)
        return wake;
    return earliest(wake, latest(next_step(l), l->core->now + 1));
}

void ldst_filled(struct ldst *l)
{
    if (refusal_ends_with_fill(l->wait))
        l->wait = GO;
    l1_queue_filled(l->l1_queue);
}

bool ldst_credit(struct ldst *l)
{
    bool waited = l->wait == NO_CREDIT;
    if (waited)
        l->wait = GO;
    return l1_queue_credit(l->l1_queue) || waited;
}

/* ---- life --------------------------------------------------------------- */

static bool uses_textures(const struct kernel *k)
{
    for (uint32_t i = 0; i < k->inst_count; i++)
        if (k->inst[i].space == SPACE_TEXTURE)
            return true;
    return false;
}

bool ldst_start_kernel(struct ldst *l)
{
    const struct gpu *g = l->core->gpu;
    const struct choice lru = choice_of(&cache_lru.info);
    bool made = l->texture.line != NULL;
    cache_invalidate(&l->constant);
    if (made)
        cache_invalidate(&l->texture);
    return made || !uses_textures(l->core->kernel) ||
           cache_init(&l->texture, g->texture.size_kb, g->texture.ways,
                      g->texture.line_bytes, false, &lru);
}

bool ldst_init(struct ldst *l, int outside)
{
    const struct gpu *g = l->core->gpu;
    const struct choice lru = choice_of(&cache_lru.info);
    int entries = outside + LDST_QUEUE;
    l->queue_size = g->stage.registers ? 1 : LDST_QUEUE;
    l->entry = malloc((size_t)entries * sizeof(*l->entry));
    l->free_entry = malloc((size_t)entries * sizeof(*l->free_entry));
    if (l->entry == NULL || l->free_entry == NULL)
        return false;
    for (int i = 0; i < entries; i++)
        l->free_entry[l->free_entries++] = (uint16_t)i;
    return cache_init(&l->constant, g->constant.size_kb, g->constant.ways,
                      g->constant.line_bytes, false, &lru);
}

void ldst_free(struct ldst *l)
{
    cache_free(&l->constant);
    cache_free(&l->texture);
    free(l->entry);
    free(l->free_entry);
}
