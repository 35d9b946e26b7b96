/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load/store unit: memory instructions in order, one step a cycle, through
 * shared memory, the constant and texture caches or the L1 and its MSHRs to the
 * interconnect. An instruction that finds no MSHR, way, merge slot or room on
 * the way out holds up those behind it. */
#include "base/bits.h"
#include "sampler/machine.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/l1_queue.h"
#include "sampler/sm/sm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Instructions in the unit: one in work, one behind it, which with
 * stage.registers is still in its register. */
#define LDST_QUEUE 2

static bool init_entries(struct sm *sm)
{
    sm->entries = sm->free_collector_count + LDST_QUEUE;
    sm->entry = malloc((size_t)sm->entries * sizeof(*sm->entry));
    sm->free_entry = malloc((size_t)sm->entries * sizeof(*sm->free_entry));
    sm->queue_size = sm->gpu->stage.registers ? 1 : LDST_QUEUE;
    sm->queue = malloc(LDST_QUEUE * sizeof(*sm->queue));
    if (sm->entry == NULL || sm->free_entry == NULL || sm->queue == NULL)
        return false;
    for (int i = 0; i < sm->entries; i++)
        sm->free_entry[sm->free_entry_count++] = (uint16_t)i;
    return true;
}

bool ldst_init(struct sm *sm)
{
    return init_entries(sm) && l1_queue_init(sm);
}

void ldst_free(struct sm *sm)
{
    l1_queue_free(sm);
    free(sm->answer);
    free(sm->op);
    free(sm->entry);
    free(sm->free_entry);
    free(sm->queue);
}

/* ---- from issue to the unit --------------------------------------------- */

/* Operations on the address that most lanes share, one after another at L2. */
static uint8_t busiest_address(const struct step *s)
{
    if (s->form == ADDR_STRIDE)
        return s->stride == 0 ? (uint8_t)count_bits(s->mask) : 1;
    int most = 1;
    for (int a = 0; a < WARP_LANES; a++) {
        int same = 0;
        for (int b = 0; b < WARP_LANES; b++)
            same += (s->mask >> a & s->mask >> b & 1) &&
                    s->lane_address[a] == s->lane_address[b];
        most = same > most ? same : most;
    }
    return (uint8_t)most;
}

static bool may_use_l1(const struct gpu *g, const struct inst *i)
{
    bool cached = i->space == SPACE_LOCAL || g->l1.caches_global;
    bool atomic = i->op == OP_ATOMIC && g->coherence != COHERENCE_DENOVO;
    return g->l1.size_kb > 0 && cached && !atomic;
}

bool ldst_in_l1(const struct gpu *g, const struct inst *i)
{
    return may_use_l1(g, i) &&
           (i->op == OP_LOAD || g->l1.write_policy == L1_WRITE_BACK);
}

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
            part[n++] = (struct transaction){t[i].line, one};
        }
    memcpy(t, part, (size_t)n * sizeof(*t));
    return n;
}

static int split(const struct sm *sm, const struct inst *i,
                 const struct step *s, struct ldst_entry *e)
{
    const struct gpu *g = sm->gpu;
    int line = g->l2.line_bytes, sector = g->l2.sector_bytes, group = 1;
    if (i->space == SPACE_CONST)
        line = sector = g->constant.line_bytes;
    else if (i->space == SPACE_TEXTURE)
        line = g->texture.line_bytes;
    else if (ldst_in_l1(g, i)) {
        line = g->l1.line_bytes;
        sector = l1_sector_bytes(g);
        group = g->l1.sector_bytes / sector;
    }
    int n = coalesce(s, i->width, (unsigned)line,
                     (unsigned)(sector < line ? sector : line), e->transaction);
    bool parts =
        g->ldst.sectors && i->space != SPACE_CONST && i->space != SPACE_TEXTURE;
    return parts ? part_sectors(e->transaction, n, group) : n;
}

uint16_t ldst_prepare(struct sm *sm, int warp, const struct step *s)
{
    const struct inst *i = &sm->kernel->inst[s->inst];
    uint32_t id = pool_take(&sm->ops, &sm->op);
    sm->op[id] = (struct memory_op){
        .inst = s->inst, .warp = (uint8_t)warp, .load = i->op != OP_STORE};
    uint16_t index = sm->free_entry[--sm->free_entry_count];
    struct ldst_entry *e = &sm->entry[index];
    e->op = id;
    e->next = 0;
    e->count = 0;
    e->conflict = 1;
    e->space = i->space;
    e->serial = 1;
    if (i->space == SPACE_SHARED) {
        const struct gpu *g = sm->gpu;
        int word = g->shared.bank_bytes;
        int width = g->shared.wide || i->width < word ? i->width : word;
        int degree = shared_conflict_degree(
            s, (unsigned)width, (unsigned)g->shared.banks, (unsigned)word);
        e->conflict = (uint16_t)(degree > 0 ? degree : 1);
        return index;
    }
    e->count = (uint16_t)split(sm, i, s, e);
    if (i->op == OP_ATOMIC)
        e->serial = busiest_address(s);
    return index;
}

bool ldst_has_entry(const struct sm *sm)
{
    return sm->free_entry_count > 0;
}

bool ldst_has_room(const struct sm *sm)
{
    return sm->queue_count < sm->queue_size;
}

void ldst_accept(struct sm *sm, uint16_t entry)
{
    int at = (sm->queue_head + sm->queue_count) % sm->queue_size;
    sm->queue[at] = entry;
    sm->queue_count++;
}

/* ---- one step of the head ----------------------------------------------- */

/* Leave the unit; the instruction ends after `latency` more cycles, or with the
 * last answer it waits for. */
static void leave(struct sm *sm, struct ldst_entry *e, int latency)
{
    struct memory_op *op = &sm->op[e->op];
    op->all_sent = true;
    if (op->outstanding == 0 && e->space == SPACE_SHARED && op->load &&
        sm->gpu->ldst.write_back) {
        op->outstanding++;
        sm_schedule(sm, sm->now + (uint64_t)latency, DONE_ANSWER, op->warp,
                    e->op);
    } else if (op->outstanding == 0)
        sm_schedule(sm, sm->now + (uint64_t)latency, DONE_MEMORY, op->warp,
                    e->op);
    sm->free_entry[sm->free_entry_count++] = sm->queue[sm->queue_head];
    sm->queue_head = (sm->queue_head + 1) % sm->queue_size;
    sm->queue_count--;
    sm->active_cycle = true;
}

bool ldst_may_send(struct sm *sm)
{
    sm->wait->credit = !memory_may_send(&sm->machine->memory, sm->id);
    return !sm->wait->credit;
}

void ldst_send(struct sm *sm, const struct request *r)
{
    const struct gpu *g = sm->gpu;
    int data = 0;
    if (r->kind == REQUEST_WRITEBACK)
        data = count_bits(r->l1_sectors) * l1_sector_bytes(g);
    else if (r->kind == REQUEST_WRITE)
        data = count_bits(r->sectors) * g->l2.sector_bytes;
    else if (r->kind == REQUEST_ATOMIC)
        data = g->l2.sector_bytes;
    struct request sent = *r;
    sent.sm = (uint16_t)sm->id;
    if (!memory_send(&sm->machine->memory, &sent, data, sm->now))
        sm->machine->out_of_memory = true;
}

struct cache_access ldst_access(const struct sm *sm, const struct memory_op *op,
                                uint64_t line)
{
    const struct inst *i = &sm->kernel->inst[op->inst];
    uint64_t line_bytes = (uint64_t)sm->gpu->l1.line_bytes;
    return (struct cache_access){.line = line,
                                 .address = line * line_bytes,
                                 .pc = op->inst,
                                 .warp = op->warp,
                                 .critical = sm_is_critical(sm, op->warp),
                                 .write = i->op != OP_LOAD};
}

enum progress ldst_past_l1(struct sm *sm, uint32_t op,
                           const struct transaction *t, uint8_t serial)
{
    const struct inst *i = &sm->kernel->inst[sm->op[op].inst];
    if (!ldst_may_send(sm))
        return STEP_BLOCKED;
    enum request_kind kind = i->op == OP_LOAD    ? REQUEST_READ
                             : i->op == OP_STORE ? REQUEST_WRITE
                                                 : REQUEST_ATOMIC;
    if (kind != REQUEST_READ)
        l1_written_through(sm, t);
    sm->op[op].outstanding++;
    ldst_send(sm, &(struct request){.line = t->line,
                                    .sectors = t->sectors,
                                    .owner = op,
                                    .kind = (uint8_t)kind,
                                    .serial = serial});
    return STEP_DONE;
}

struct transaction ldst_to_l2(const struct gpu *g, uint64_t line,
                              uint32_t sectors, int line_bytes,
                              int sector_bytes)
{
    uint64_t byte = line * (uint64_t)line_bytes;
    struct transaction t = {.line = byte / (uint64_t)g->l2.line_bytes};
    int base = (int)(byte % (uint64_t)g->l2.line_bytes);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        int first = (base + i * sector_bytes) / g->l2.sector_bytes;
        int last = (base + (i + 1) * sector_bytes - 1) / g->l2.sector_bytes;
        for (int b = first; b <= last; b++)
            t.sectors |= 1u << b;
    }
    return t;
}

/* A miss brings the whole line. */
static enum progress texture_load(struct sm *sm, struct ldst_entry *e,
                                  const struct transaction *t)
{
    const struct gpu *g = sm->gpu;
    int set = cache_set(&sm->texture, t->line);
    int way = cache_find(&sm->texture, set, t->line);
    struct cache_access a = ldst_access(sm, &sm->op[e->op], t->line);
    if (way != NO_WAY) {
        cache_touch(&sm->texture, set, way, &a);
        sm->counts.texture_accesses++;
        sm->counts.served_l1++;
        return STEP_DONE;
    }
    if (!ldst_may_send(sm))
        return STEP_BLOCKED;
    struct transaction below =
        ldst_to_l2(g, t->line, 1, g->texture.line_bytes, g->texture.line_bytes);
    struct cache_line old;
    cache_allocate(&sm->texture, set, &a, &old);
    sm->counts.texture_accesses++;
    sm->op[e->op].outstanding++;
    ldst_send(sm, &(struct request){.line = below.line,
                                    .sectors = below.sectors,
                                    .owner = e->op,
                                    .kind = REQUEST_READ,
                                    .serial = 1});
    return STEP_DONE;
}

/* Constant accesses: one line after another, misses at a fixed cost. */
static void constant_load(struct sm *sm, struct ldst_entry *e)
{
    const struct gpu *g = sm->gpu;
    int latency = g->constant.latency;
    sm->counts.constant_accesses += e->count;
    for (int i = 0; i < e->count; i++) {
        uint64_t line = e->transaction[i].line;
        int set = cache_set(&sm->constant, line);
        int way = cache_find(&sm->constant, set, line);
        struct cache_access a = ldst_access(sm, &sm->op[e->op], line);
        if (way != NO_WAY) {
            cache_touch(&sm->constant, set, way, &a);
            continue;
        }
        struct cache_line old;
        cache_allocate(&sm->constant, set, &a, &old);
        latency = g->constant.latency + g->constant.miss_latency;
    }
    int lines = e->count > 0 ? e->count : 1;
    sm->ldst_free = sm->now + (uint64_t)lines;
    leave(sm, e, latency + lines - 1);
}

/* The instruction stays in the unit until its last pass over the banks. */
static void shared_access(struct sm *sm, struct ldst_entry *e)
{
    uint64_t pass = (uint64_t)sm->gpu->interval.mem;
    if (e->conflict > 1) {
        uint64_t more = (e->conflict - 1u) * pass;
        sm->counts.shared_conflict_cycles += more;
        sm->counts.shared_passes += e->conflict - 1u;
        sm->ldst_free = sm->now + more;
        e->conflict = 1;
        return;
    }
    sm->ldst_free = sm->now + pass;
    sm->counts.shared_passes++;
    leave(sm, e, sm->gpu->shared.latency);
}

static enum progress one_transaction(struct sm *sm, struct ldst_entry *e)
{
    const struct transaction *t = &e->transaction[e->next];
    const struct inst *i = &sm->kernel->inst[sm->op[e->op].inst];
    if (e->space == SPACE_TEXTURE)
        return texture_load(sm, e, t);
    if (sm->gpu->ldst.late_tags && may_use_l1(sm->gpu, i))
        return l1_queue_add(sm, e->op, t);
    if (!ldst_in_l1(sm->gpu, i))
        return ldst_past_l1(sm, e->op, t, e->serial);
    return i->op == OP_LOAD ? l1_load(sm, e->op, t) : l1_write(sm, e->op, t);
}

/* Accesses of one cycle: with banks, one past the L1. */
static int accesses_a_cycle(const struct sm *sm, const struct ldst_entry *e)
{
    const struct gpu *g = sm->gpu;
    const struct inst *i = &sm->kernel->inst[sm->op[e->op].inst];
    return g->ldst.banked && !may_use_l1(g, i) ? 1 : g->l1.accesses_per_cycle;
}

int ldst_bank(const struct gpu *g, const struct transaction *t)
{
    int n = g->l1.sector_bytes / l1_sector_bytes(g);
    uint64_t sectors = (uint64_t)(g->l1.line_bytes / g->l1.sector_bytes);
    uint64_t sector =
        t->line * sectors + (uint64_t)(__builtin_ctz(t->sectors) / n);
    return g->ldst.banked ? (int)(sector % (uint64_t)g->l1.accesses_per_cycle)
                          : 0;
}

/* Cycles the unit is taken by a transaction: an atomic done in the L1 goes
 * through the lanes with one address one by one. */
static uint64_t transaction_cycles(const struct sm *sm,
                                   const struct ldst_entry *e)
{
    const struct inst *i = &sm->kernel->inst[sm->op[e->op].inst];
    int pass = sm->gpu->interval.mem;
    bool here = i->op == OP_ATOMIC && ldst_in_l1(sm->gpu, i);
    return (uint64_t)(here && e->serial > pass ? e->serial : pass);
}

static void cached_access(struct sm *sm, struct ldst_entry *e)
{
    const struct gpu *g = sm->gpu;
    uint64_t banks = 0;
    int most = accesses_a_cycle(sm, e);
    for (int n = 0; n < most && e->next < e->count; n++) {
        uint64_t bank = UINT64_C(1) << ldst_bank(g, &e->transaction[e->next]);
        if (g->ldst.banked && (banks & bank) != 0)
            break;
        banks |= bank;
        if (one_transaction(sm, e) == STEP_BLOCKED)
            return;
        e->next++;
        sm->ldst_free = sm->now + transaction_cycles(sm, e);
        sm->active_cycle = true;
    }
    if (e->next == e->count)
        leave(sm, e,
              e->space == SPACE_TEXTURE ? g->texture.latency : g->l1.latency);
}

void ldst_cycle(struct sm *sm)
{
    writeback_cycle(sm);
    l1_queue_cycle(sm);
    sm->wait = &sm->ldst_wait;
    if (sm->queue_count == 0 || sm->ldst_free > sm->now ||
        ldst_held_up(sm->wait))
        return;
    struct ldst_entry *e = &sm->entry[sm->queue[sm->queue_head]];
    if (e->space == SPACE_SHARED)
        shared_access(sm, e);
    else if (e->space == SPACE_CONST)
        constant_load(sm, e);
    else
        cached_access(sm, e);
}

uint64_t ldst_wake(const struct sm *sm)
{
    uint64_t next = sm->now + 1, wake = l1_queue_wake(sm);
    if (sm->answers > 0)
        return next;
    if (sm->queue_count == 0 || ldst_held_up(&sm->ldst_wait))
        return wake;
    uint64_t free = sm->ldst_free > next ? sm->ldst_free : next;
    return free < wake ? free : wake;
}

/* ---- answers ------------------------------------------------------------ */

void ldst_filled(struct sm *sm)
{
    sm->ldst_wait.fill = false;
    for (int i = 0; i < sm->l1_queues; i++)
        sm->l1_queue[i].wait.fill = false;
}

bool ldst_credit_returned(struct sm *sm)
{
    bool waited = sm->ldst_wait.credit;
    sm->ldst_wait.credit = false;
    for (int i = 0; i < sm->l1_queues; i++) {
        waited |= sm->l1_queue[i].wait.credit;
        sm->l1_queue[i].wait.credit = false;
    }
    return waited;
}

void ldst_answered(struct sm *sm, uint32_t id)
{
    struct memory_op *op = &sm->op[id];
    assert(op->outstanding > 0);
    if (--op->outstanding == 0 && op->all_sent)
        writeback_memory(sm, id);
}

void ldst_reply(struct sm *sm, const struct request *r)
{
    if (r->kind == REQUEST_FILL)
        l1_filled(sm, r);
    else if (r->kind == REQUEST_READ && r->owner >= CODE_OWNER)
        icache_filled(sm, r);
    else
        writeback_answer(sm, r->owner);
}
