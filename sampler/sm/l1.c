/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1.h"

#include "sampler/policy/l1/table.h"
#include "sampler/sm/criticality.h"

#include <math.h>
#include <stdlib.h>

/* ---- accesses ----------------------------------------------------------- */

bool l1_is_used_by(const struct gpu *g, const struct inst *i)
{
    bool cached = i->space == SPACE_LOCAL || g->l1.caches_global;
    bool atomic = i->op == OP_ATOMIC && g->coherence != COHERENCE_DENOVO;
    return g->l1.size_kb > 0 && cached && !atomic && !i->past_l1;
}

bool l1_serves(const struct gpu *g, const struct inst *i)
{
    bool kept = i->op == OP_LOAD || g->l1.write_policy == L1_WRITE_BACK ||
                (i->op == OP_STORE && g->l1.write_policy == L1_WRITE_ALLOCATE);
    return kept && l1_is_used_by(g, i);
}

struct cache_access l1_access(const struct sm_core *core,
                              const struct memory_op *op, uint64_t line)
{
    return (struct cache_access){
        .line = line,
        .address = line * (uint64_t)core->gpu->l1.line_bytes,
        .pc = op->inst,
        .warp = op->warp,
        .critical = core->criticality != NULL &&
                    criticality_is_critical(core->criticality, op->warp),
        .write = core->kernel->inst[op->inst].op != OP_LOAD};
}

static struct transaction l1_to_l2(const struct gpu *g, uint64_t line,
                                   uint32_t sectors)
{
    return port_to_l2(g, line, sectors, g->l1.line_bytes, l1_sector_bytes(g));
}

/* Under denovo words come with the others of their l1.sector_bytes. */
static uint32_t whole_sectors(const struct gpu *g, uint32_t words)
{
    int n = g->l1.sector_bytes / l1_sector_bytes(g);
    uint32_t all = 0, one = UINT32_MAX >> (32 - n);
    for (int i = 0; n > 1 && i < LINE_WORDS; i += n)
        all |= (words & one << i) != 0 ? one << i : 0;
    return n > 1 ? all : words;
}

/* ---- going down --------------------------------------------------------- */

/* Nobody hears of a line that no warp of the run has brought. */
static void tell_evicted(const struct l1 *l1, const struct cache_line *old)
{
    if (old->warp >= 0 && core_is_observed(l1->core, EVENT_L1_EVICT))
        core_tell(l1->core, &(struct sched_event){.type = EVENT_L1_EVICT,
                                                  .cycle = l1->core->now,
                                                  .warp = old->warp,
                                                  .block_slot = -1,
                                                  .line = old->tag,
                                                  .critical = old->critical,
                                                  .reused = old->reused});
}

void l1_write_back(struct l1 *l1, const struct cache_line *line)
{
    struct transaction t = l1_to_l2(l1->core->gpu, line->tag, line->dirty);
    port_send(l1->port, &(struct request){.line = t.line,
                                          .sectors = t.sectors,
                                          .l1_sectors = line->dirty,
                                          .owner = NO_OP,
                                          .kind = REQUEST_WRITEBACK});
}

void l1_write_oldest(struct l1 *l1)
{
    uint64_t line = store_buffer_take(&l1->stores);
    int set = cache_set(&l1->tags, line);
    int way = cache_find(&l1->tags, set, line);
    struct cache_line *l = way == NO_WAY ? NULL : cache_at(&l1->tags, set, way);
    if (l == NULL || l->dirty == 0)
        return;
    l1_write_back(l1, l);
    l->dirty = 0;
}

/* Make way for a line; its dirty victim goes to the L2. NO_WAY: all await a
 * fill. */
static int allocate_line(struct l1 *l1, int set, const struct cache_access *a)
{
    struct cache_line old;
    int way = cache_allocate(&l1->tags, set, a, &old);
    if (way == WRONG_WAY) {
        core_fail(l1->core,
                  "L1 policy %s: chose a line of set %d that is locked or not "
                  "there",
                  l1->tags.policy->info.name, set);
        return NO_WAY;
    }
    if (way == NO_WAY || old.tag == UINT64_MAX)
        return way;
    l1->core->counts.l1_evictions++;
    l1->core->counts.l1_evictions_unused += !old.reused;
    tell_evicted(l1, &old);
    if (old.dirty != 0)
        l1_write_back(l1, &old);
    return way;
}

/* Operations that wait for the sectors, as far as they count for merging. */
static int merged_with(const struct l1 *l1, uint32_t mshr, uint32_t sectors)
{
    const struct l1_mshr *m = &l1->mshr[mshr];
    if (!l1->core->gpu->ldst.sectors)
        return m->merged;
    int n = 0;
    for (uint32_t w = m->waiting; w != NO_RECORD; w = l1->waiter[w].next)
        n += (l1->waiter[w].need & sectors) != 0;
    return n;
}

/* Whether no entry is left for a miss that sends a request, or no room to merge
 * with one under way. Where accesses are sectors, so are entries. */
static bool lacks_mshr(const struct l1 *l1, uint32_t mshr, uint32_t sectors,
                       uint32_t fetch)
{
    const struct gpu *g = l1->core->gpu;
    bool full = g->ldst.sectors && l1->fills >= g->l1.mshr;
    if (mshr == NO_MSHR)
        return l1->free_mshrs == 0 || full;
    return merged_with(l1, mshr, sectors) >= g->l1.mshr_merge ||
           (full && fetch != 0);
}

/* Send for the sectors of a line that an operation needs, and for what is to
 * come with them; `counted`: as an access it is counted already. */
static void send_fill(struct l1 *l1, uint32_t mshr, const struct cache_line *l,
                      uint32_t need, bool counted)
{
    const struct gpu *g = l1->core->gpu;
    const struct l1_mshr *m = &l1->mshr[mshr];
    uint32_t all = whole_sectors(g, need) & ~(l->valid | l->pending);
    struct transaction below = l1_to_l2(g, l->tag, all);
    bool whole_line = l1_sector_bytes(g) == g->l1.line_bytes;
    bool parted = whole_line && g->icnt.sector_answers != 0;
    l1->mshr[mshr].answers = (uint16_t)port_answers(parted, below.sectors);
    cache_set_pending(&l1->tags, m->set, m->way, l->pending | all);
    cache_set_written(&l1->tags, m->set, m->way, l->written & ~all);
    port_send_miss(l1->port, &(struct request){.line = below.line,
                                               .sectors = below.sectors,
                                               .l1_sectors = need,
                                               .l1_optional = all & ~need,
                                               .owner = mshr,
                                               .kind = REQUEST_FILL,
                                               .parted = parted,
                                               .counted = counted});
    l1->fills++;
}

static void add_waiter(struct l1 *l1, uint32_t mshr, uint32_t op,
                       uint32_t sectors)
{
    uint32_t id = pool_take(&l1->waiters, &l1->waiter);
    if (id == NO_RECORD) {
        core_no_memory(l1->core);
        return;
    }
    l1->waiter[id] = (struct l1_waiter){l1->mshr[mshr].waiting, op, sectors};
    l1->mshr[mshr].waiting = id;
    l1->mshr[mshr].merged++;
    l1->ops->op[op].outstanding++;
}

static uint32_t take_mshr(struct l1 *l1, int set, int way)
{
    uint32_t id = l1->free_mshr[--l1->free_mshrs];
    l1->mshr[id] = (struct l1_mshr){NO_RECORD, 0, 0, set, way};
    cache_at(&l1->tags, set, way)->mshr = id;
    return id;
}

/* A load's transaction misses: join a fill under way or send one. */
static enum refusal miss(struct l1 *l1, uint32_t op,
                         const struct transaction *t, int set, int way,
                         const struct cache_access *a)
{
    struct cache_line *l = way == NO_WAY ? NULL : cache_at(&l1->tags, set, way);
    uint32_t mshr = l == NULL ? NO_MSHR : l->mshr;
    uint32_t have = l == NULL ? 0 : l->valid | l->pending;
    uint32_t fetch = t->sectors & ~have;
    if (lacks_mshr(l1, mshr, t->sectors, fetch))
        return MSHRS_FULL;
    /* With a queue of misses one that joins a fill needs room there, too. */
    bool asks = fetch != 0 || l1->core->gpu->ldst.one_miss;
    enum refusal sends = asks ? port_miss(l1->port, 2) : GO;
    if (sends != GO)
        return sends;
    if (l == NULL) {
        way = allocate_line(l1, set, a);
        if (way == NO_WAY)
            return NO_LINE;
        l = cache_at(&l1->tags, set, way);
    }
    if (mshr == NO_MSHR)
        mshr = take_mshr(l1, set, way);
    if (fetch != 0)
        send_fill(l1, mshr, l, fetch, false);
    add_waiter(l1, mshr, op, t->sectors & l->pending);
    struct sampler_counts *c = &l1->core->counts;
    *(fetch != 0 ? &c->l1_misses : &c->l1_merges) += 1;
    c->served_l1 += fetch == 0;
    return GO;
}

/* `present`: the line was there or on its way; `reused`: a critical warp hit
 * it before. */
static void tell_access(const struct l1 *l1, enum sched_event_type type,
                        const struct cache_access *a, bool present, bool reused)
{
    if (!core_is_observed(l1->core, type))
        return;
    struct sched_event e = inst_event(l1->core, type, a->warp, a->pc);
    e.line = a->line;
    e.critical = a->critical;
    e.present = present;
    e.reused = reused;
    core_tell(l1->core, &e);
}

static enum refusal load(struct l1 *l1, uint32_t op,
                         const struct transaction *t)
{
    int set = cache_set(&l1->tags, t->line);
    int way = cache_find(&l1->tags, set, t->line);
    bool hit = way != NO_WAY &&
               (t->sectors & ~cache_at(&l1->tags, set, way)->valid) == 0;
    struct cache_access a = l1_access(l1->core, &l1->ops->op[op], t->line);
    if (!hit) {
        enum refusal refusal = miss(l1, op, t, set, way, &a);
        if (refusal != GO)
            return refusal;
        tell_access(l1, EVENT_L1_MISS, &a, way != NO_WAY, false);
    }
    l1->core->counts.l1_accesses++;
    if (way != NO_WAY) /* a line on its way is used too (GPGPU-Sim) */
        cache_touch(&l1->tags, set, way, &a);
    if (hit) {
        struct cache_line *l = cache_at(&l1->tags, set, way);
        l1->core->counts.l1_hits++;
        l1->core->counts.served_l1++;
        tell_access(l1, EVENT_L1_HIT, &a, true, l->critical_reuse);
        l->critical_reuse |= a.critical;
    }
    return GO;
}

/* Ask for the ownership of words; the write is done when it has come. */
static void take_ownership(struct l1 *l1, uint32_t op, uint64_t line,
                           uint32_t words, bool fetch)
{
    struct transaction below = l1_to_l2(l1->core->gpu, line, words);
    enum request_kind kind = fetch ? REQUEST_OWN_FILL : REQUEST_OWN;
    l1->ops->op[op].outstanding++;
    port_send(l1->port, &(struct request){.line = below.line,
                                          .sectors = below.sectors,
                                          .l1_sectors = words,
                                          .owner = op,
                                          .kind = (uint8_t)kind});
}

/* Sectors that the store fills can be read from now on. */
static enum refusal write_through(struct l1 *l1, uint32_t op,
                                  const struct transaction *t)
{
    int set = cache_set(&l1->tags, t->line);
    int way = cache_find(&l1->tags, set, t->line);
    struct cache_access a = l1_access(l1->core, &l1->ops->op[op], t->line);
    enum refusal sends = port_miss(l1->port, 1);
    if (sends != GO)
        return sends;
    if (way == NO_WAY)
        way = allocate_line(l1, set, &a);
    else
        cache_touch(&l1->tags, set, way, &a);
    if (way == NO_WAY)
        return NO_LINE;
    struct cache_line *l = cache_at(&l1->tags, set, way);
    l->valid |= t->whole;
    l1->core->counts.l1_writes++;
    cache_set_written(&l1->tags, set, way, l->written | t->sectors);
    struct transaction below = l1_to_l2(l1->core->gpu, t->line, t->sectors);
    bool parted = l1->core->gpu->icnt.sector_answers != 0;
    l1->ops->op[op].outstanding += port_answers(parted, below.sectors);
    port_send_miss(l1->port, &(struct request){.line = below.line,
                                               .sectors = below.sectors,
                                               .l1_sectors = t->sectors,
                                               .owner = op,
                                               .parted = parted,
                                               .kind = REQUEST_WRITE});
    return GO;
}

static enum refusal write_back(struct l1 *l1, uint32_t id,
                               const struct transaction *t)
{
    struct sm_core *core = l1->core;
    const struct memory_op *op = &l1->ops->op[id];
    int set = cache_set(&l1->tags, t->line);
    int way = cache_find(&l1->tags, set, t->line);
    struct cache_access a = l1_access(core, op, t->line);
    uint32_t owned = way != NO_WAY ? cache_at(&l1->tags, set, way)->dirty : 0;
    bool ask =
        core->gpu->coherence == COHERENCE_DENOVO && (t->sectors & ~owned) != 0;
    bool first = owned == 0 && l1->stores.room > 0;
    bool full = first && store_buffer_is_full(&l1->stores);
    if ((way == NO_WAY || ask || full) && !port_may_send(l1->port))
        return NO_CREDIT;
    if (way == NO_WAY)
        way = allocate_line(l1, set, &a);
    else
        cache_touch(&l1->tags, set, way, &a);
    if (way == NO_WAY)
        return NO_LINE;
    if (full)
        l1_write_oldest(l1);
    if (first)
        store_buffer_put(&l1->stores, t->line);
    struct cache_line *l = cache_at(&l1->tags, set, way);
    bool atomic = core->kernel->inst[op->inst].op == OP_ATOMIC;
    l->valid |= t->sectors;
    l->dirty |= t->sectors;
    core->counts.l1_writes++;
    core->counts.l1_atomics += atomic;
    core->counts.served_l1 += !ask;
    if (ask)
        take_ownership(l1, id, t->line, t->sectors & ~owned, atomic);
    return GO;
}

enum refusal l1_look_up(struct l1 *l1, uint32_t op, const struct transaction *t)
{
    const struct sm_core *core = l1->core;
    if (core->kernel->inst[l1->ops->op[op].inst].op == OP_LOAD)
        return load(l1, op, t);
    return core->gpu->l1.write_policy == L1_WRITE_ALLOCATE
               ? write_through(l1, op, t)
               : write_back(l1, op, t);
}

/* A store that goes through: the L1's copy is dropped or kept up to date. */
static void written_through(struct cache *tags, const struct gpu *g,
                            const struct transaction *t)
{
    if (g->l1.size_kb <= 0 || g->l1.write_policy == L1_WRITE_UPDATE ||
        g->l1.write_policy == L1_WRITE_ALLOCATE)
        return;
    uint64_t line =
        t->line * (uint64_t)g->l2.line_bytes / (uint64_t)g->l1.line_bytes;
    int set = cache_set(tags, line);
    int way = cache_find(tags, set, line);
    if (way != NO_WAY && cache_at(tags, set, way)->pending == 0)
        cache_at(tags, set, way)->valid = 0;
}

enum refusal l1_bypass(struct l1 *l1, uint32_t op, const struct transaction *t,
                       uint8_t atomic_ops)
{
    const struct inst *inst = &l1->core->kernel->inst[l1->ops->op[op].inst];
    enum request_kind kind = inst->op == OP_LOAD    ? REQUEST_READ
                             : inst->op == OP_STORE ? REQUEST_WRITE
                                                    : REQUEST_ATOMIC;
    /* A store that goes through an L1 does so by its miss queue. */
    bool through = kind == REQUEST_WRITE && l1_is_used_by(l1->core->gpu, inst);
    if (!port_may_send(l1->port))
        return NO_CREDIT;
    if (through && port_miss(l1->port, 1) != GO)
        return NO_SLOT;
    if (kind != REQUEST_READ)
        written_through(&l1->tags, l1->core->gpu, t);
    bool parted =
        l1->core->gpu->icnt.sector_answers != 0 && kind != REQUEST_ATOMIC;
    l1->ops->op[op].outstanding += port_answers(parted, t->sectors);
    struct request r = {.line = t->line,
                        .sectors = t->sectors,
                        .owner = op,
                        .kind = (uint8_t)kind,
                        .parted = parted};
    if (kind == REQUEST_WRITE)
        r.partial = (uint8_t)count_bits(t->sectors & ~t->whole);
    else
        r.atomic_ops = atomic_ops;
    if (through)
        port_send_miss(l1->port, &r);
    else
        port_send(l1->port, &r);
    return GO;
}

/* ---- before a run ------------------------------------------------------- */

struct cache *l1_to_warm(struct l1 *l1)
{
    const struct gpu *g = l1->core->gpu;
    bool follows = l1->tags.policy == &cache_lru &&
                   g->coherence == COHERENCE_GPU &&
                   g->l1.write_policy != L1_WRITE_BACK;
    return follows ? &l1->tags : NULL;
}

void l1_warm(struct cache *tags, const struct gpu *g, const struct inst *i,
             const struct transaction *t)
{
    if (i->op != OP_LOAD) {
        written_through(tags, g, t);
        return;
    }
    struct cache_access a = {.line = t->line, .warp = -1};
    struct cache_line old;
    int set = cache_set(tags, t->line), way = cache_find(tags, set, t->line);
    if (way != NO_WAY)
        cache_touch(tags, set, way, &a);
    else
        way = cache_allocate(tags, set, &a, &old);
    cache_at(tags, set, way)->valid |= t->sectors;
}

/* ---- coming back -------------------------------------------------------- */

/* A list of waiters is newest first. */
static uint32_t reversed(struct l1 *l1, uint32_t list)
{
    uint32_t first = NO_RECORD;
    while (list != NO_RECORD) {
        uint32_t next = l1->waiter[list].next;
        l1->waiter[list].next = first;
        first = list;
        list = next;
    }
    return first;
}

/* Words came for the waiters of an MSHR, others will not with this request:
 * those of them that a waiter needs. */
static uint32_t serve_waiters(struct l1 *l1, struct l1_mshr *mshr,
                              uint32_t came, uint32_t absent)
{
    uint32_t list = mshr->waiting, kept = NO_RECORD, again = 0;
    if (l1->core->gpu->ldst.one_miss)
        list = reversed(l1, list);
    while (list != NO_RECORD) {
        struct l1_waiter *w = &l1->waiter[list];
        uint32_t next = w->next;
        w->need &= ~came;
        again |= w->need & absent;
        if (w->need != 0) {
            w->next = kept;
            kept = list;
        } else {
            uint32_t op = w->op;
            pool_give(&l1->waiters, l1->waiter, list);
            mshr->merged--;
            l1->taken = latest(l1->taken, l1->core->now) + 1;
            l1->answer(l1->user, op);
        }
        list = next;
    }
    mshr->waiting = kept;
    return again;
}

void l1_fill(struct l1 *l1, const struct request *r)
{
    struct l1_mshr *mshr = &l1->mshr[r->owner];
    if (r->parted && --mshr->answers > 0)
        return;
    struct cache_line *l = cache_at(&l1->tags, mshr->set, mshr->way);
    uint32_t came = r->l1_sectors | r->l1_optional;
    l->valid |= came;
    cache_set_pending(&l1->tags, mshr->set, mshr->way,
                      l->pending & ~(came | r->l1_absent));
    uint32_t again =
        serve_waiters(l1, mshr, came | (r->l1_absent & l->valid), r->l1_absent);
    if (again != 0)
        send_fill(l1, r->owner, l, again, true);
    l1->fills--;
    if (l->pending != 0)
        return;
    l->mshr = NO_MSHR;
    if (l1->core->gpu->ldst.one_miss)
        core_schedule(l1->core, l1->taken, DONE_FILL, 0, r->owner);
    else
        l1_release(l1, r->owner);
}

void l1_release(struct l1 *l1, uint32_t mshr)
{
    l1->free_mshr[l1->free_mshrs++] = mshr;
}

/* ---- life --------------------------------------------------------------- */

bool l1_init(struct l1 *l1, const struct choice *policy)
{
    const struct gpu *g = l1->core->gpu;
    double size_kb = g->l1.size_kb > 0 ? g->l1.size_kb : 1;
    int n = g->l1.mshr;
    l1->mshr = calloc((size_t)n, sizeof(*l1->mshr));
    l1->free_mshr = malloc((size_t)n * sizeof(*l1->free_mshr));
    if (l1->mshr == NULL || l1->free_mshr == NULL)
        return false;
    while (l1->free_mshrs < n) {
        l1->free_mshr[l1->free_mshrs] = (uint32_t)(n - 1 - l1->free_mshrs);
        l1->free_mshrs++;
    }
    if (!cache_init(&l1->tags, size_kb, g->l1.ways, g->l1.line_bytes,
                    g->l1.hashed != 0, policy))
        return false;
    cache_hash_by(&l1->tags, g->l1.set_hash);
    bool buffers = g->coherence == COHERENCE_GPU;
    if (!store_buffer_init(&l1->stores, buffers ? g->l1.store_buffer : 0))
        return false;
    double lines = (double)l1->tags.sets * l1->tags.ways;
    l1->tags.written_most = (int)ceil(lines * g->l1.written_percent / 100);
    return true;
}

void l1_free(struct l1 *l1)
{
    cache_free(&l1->tags);
    store_buffer_free(&l1->stores);
    free(l1->waiter);
    free(l1->mshr);
    free(l1->free_mshr);
}
