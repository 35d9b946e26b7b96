/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1.h"

#include "sampler/machine.h"

#include <stdlib.h>

/* ---- going down --------------------------------------------------------- */

static void cache_event(struct sm *sm, enum sched_event_type type, int warp,
                        uint32_t inst, uint64_t line)
{
    sm_event(sm,
             &(struct sched_event){.type = type,
                                   .cycle = sm->now,
                                   .warp = warp,
                                   .block_slot = (int)sm->warp[warp].block_slot,
                                   .inst = &sm->kernel->inst[inst],
                                   .inst_index = inst,
                                   .line = line});
}

static struct transaction l1_to_l2(const struct gpu *g, uint64_t line,
                                   uint32_t sectors)
{
    return ldst_to_l2(g, line, sectors, g->l1.line_bytes, l1_sector_bytes(g));
}

/* Words are to come with the others of their l1.sector_bytes. */
static uint32_t fetched_with(const struct gpu *g, uint32_t words)
{
    int n = g->l1.sector_bytes / l1_sector_bytes(g);
    uint32_t all = 0, one = UINT32_MAX >> (32 - n);
    for (int i = 0; n > 1 && i < LINE_WORDS; i += n)
        all |= (words & one << i) != 0 ? one << i : 0;
    return n > 1 ? all : words;
}

static void add_waiter(struct sm *sm, uint32_t mshr, uint32_t op,
                       uint32_t sectors)
{
    uint32_t id = pool_take(&sm->waiters, &sm->waiter);
    if (id == NO_RECORD) {
        sm->machine->out_of_memory = true;
        return;
    }
    sm->waiter[id] = (struct l1_waiter){sm->mshr[mshr].waiting, op, sectors};
    sm->mshr[mshr].waiting = id;
    sm->mshr[mshr].merged++;
    sm->op[op].outstanding++;
}

void l1_write_back(struct sm *sm, const struct cache_line *l)
{
    struct transaction t = l1_to_l2(sm->gpu, l->tag, l->dirty);
    ldst_send(sm, &(struct request){.line = t.line,
                                    .sectors = t.sectors,
                                    .l1_sectors = l->dirty,
                                    .owner = NO_OP,
                                    .kind = REQUEST_WRITEBACK,
                                    .serial = 1});
}

/* Make way for a line in the L1; its dirty victim goes to L2. */
static int allocate_line(struct sm *sm, int set, const struct cache_access *a)
{
    struct cache_line old;
    int way = cache_allocate(&sm->l1, set, a, &old);
    if (way == NO_WAY || old.tag == UINT64_MAX)
        return way;
    sm->counts.l1_evictions++;
    sm->counts.l1_evictions_unused += !old.reused;
    sm->counts.l1_critical_evictions += old.critical;
    sm->counts.l1_critical_evictions_unused += old.critical && !old.reused;
    if (sm->machine->options->criticality &&
        !line_set_add(&sm->evicted, old.tag))
        sm->machine->out_of_memory = true;
    sm_event(sm, &(struct sched_event){.type = EVENT_L1_EVICT,
                                       .cycle = sm->now,
                                       .warp = (int)old.warp,
                                       .block_slot = -1,
                                       .line = old.tag});
    if (old.dirty != 0)
        l1_write_back(sm, &old);
    return way;
}

/* Operations that wait for the sectors, as far as they count for merging. */
static int merged_with(const struct sm *sm, uint32_t mshr, uint32_t sectors)
{
    const struct l1_mshr *m = &sm->mshr[mshr];
    if (!sm->gpu->ldst.sectors)
        return m->merged;
    int n = 0;
    for (uint32_t w = m->waiting; w != NO_RECORD; w = sm->waiter[w].next)
        n += (sm->waiter[w].need & sectors) != 0;
    return n;
}

/* Whether no entry is left for a miss that sends a request, or no room to merge
 * with one under way. Where accesses are sectors, so are entries. */
static bool lacks_mshr(const struct sm *sm, uint32_t mshr, uint32_t sectors,
                       uint32_t fetch)
{
    const struct gpu *g = sm->gpu;
    if (mshr == NO_MSHR)
        return sm->free_mshr_count == 0 ||
               (g->ldst.sectors && sm->fills >= g->l1.mshr);
    return merged_with(sm, mshr, sectors) >= g->l1.mshr_merge ||
           (g->ldst.sectors && fetch != 0 && sm->fills >= g->l1.mshr);
}

/* Send for the sectors of a line that an operation needs, and for what is to
 * come with them; `counted`: as an access it is counted already. */
static void send_fill(struct sm *sm, uint32_t mshr, const struct cache_line *l,
                      uint32_t need, bool counted)
{
    const struct l1_mshr *m = &sm->mshr[mshr];
    uint32_t all = fetched_with(sm->gpu, need) & ~(l->valid | l->pending);
    struct transaction below = l1_to_l2(sm->gpu, l->tag, all);
    cache_set_pending(&sm->l1, m->set, m->way, l->pending | all);
    ldst_send(sm, &(struct request){.line = below.line,
                                    .sectors = below.sectors,
                                    .l1_sectors = need,
                                    .extra = all & ~need,
                                    .owner = mshr,
                                    .kind = REQUEST_FILL,
                                    .serial = 1,
                                    .counted = counted});
    sm->fills++;
}

/* A load's transaction misses in the L1: join a fill under way or send one. */
static enum progress l1_miss(struct sm *sm, uint32_t id, int set, int way,
                             const struct transaction *t)
{
    const struct memory_op *op = &sm->op[id];
    struct cache_line *l = way == NO_WAY ? NULL : cache_at(&sm->l1, set, way);
    uint32_t mshr = l == NULL ? NO_MSHR : l->mshr;
    uint32_t have = l == NULL ? 0 : l->valid | l->pending;
    uint32_t fetch = t->sectors & ~have;
    sm->wait->fill = lacks_mshr(sm, mshr, t->sectors, fetch);
    if (sm->wait->fill)
        return STEP_BLOCKED;
    if (fetch != 0 && !ldst_may_send(sm))
        return STEP_BLOCKED;
    if (way == NO_WAY) {
        struct cache_access a = ldst_access(sm, op, t->line);
        way = allocate_line(sm, set, &a);
        sm->wait->fill = way == NO_WAY;
        if (way == NO_WAY)
            return STEP_BLOCKED;
        l = cache_at(&sm->l1, set, way);
    }
    if (mshr == NO_MSHR) {
        mshr = sm->free_mshr[--sm->free_mshr_count];
        sm->mshr[mshr] = (struct l1_mshr){NO_RECORD, 0, set, way};
        l->mshr = mshr;
    }
    if (fetch != 0)
        send_fill(sm, mshr, l, fetch, false);
    add_waiter(sm, mshr, id, t->sectors & l->pending);
    *(fetch != 0 ? &sm->counts.l1_misses : &sm->counts.l1_merges) += 1;
    sm->counts.served_l1 += fetch == 0;
    cache_event(sm, EVENT_L1_MISS, op->warp, op->inst, t->line);
    return STEP_DONE;
}

/* A line is used again, by a critical warp for the first time or not. */
static void count_found(struct sm *sm, struct cache_line *l, bool critical)
{
    sm->counts.l1_critical_found += critical && !l->critical_reuse;
    l->critical_reuse |= critical;
}

enum progress l1_load(struct sm *sm, uint32_t id, const struct transaction *t)
{
    const struct memory_op *op = &sm->op[id];
    int set = cache_set(&sm->l1, t->line);
    int way = cache_find(&sm->l1, set, t->line);
    bool hit = way != NO_WAY &&
               (t->sectors & ~cache_at(&sm->l1, set, way)->valid) == 0;
    if (!hit && l1_miss(sm, id, set, way, t) == STEP_BLOCKED)
        return STEP_BLOCKED;
    struct cache_access a = ldst_access(sm, op, t->line);
    sm->counts.l1_accesses++;
    sm->counts.l1_critical_accesses += a.critical;
    if (a.critical && way == NO_WAY)
        sm->counts.l1_critical_lost += line_set_has(&sm->evicted, t->line);
    if (way != NO_WAY) /* a line on its way is used too (GPGPU-Sim) */
        cache_touch(&sm->l1, set, way, &a);
    if (hit) {
        sm->counts.l1_hits++;
        sm->counts.served_l1++;
        sm->counts.l1_critical_hits += a.critical;
        count_found(sm, cache_at(&sm->l1, set, way), a.critical);
        cache_event(sm, EVENT_L1_HIT, op->warp, op->inst, t->line);
    }
    return STEP_DONE;
}

/* Ask for the ownership of words; the write is done when it has come. */
static void take_ownership(struct sm *sm, uint32_t op, uint64_t line,
                           uint32_t words, bool fetch)
{
    struct transaction below = l1_to_l2(sm->gpu, line, words);
    sm->op[op].outstanding++;
    enum request_kind kind = fetch ? REQUEST_OWN_FILL : REQUEST_OWN;
    ldst_send(sm, &(struct request){.line = below.line,
                                    .sectors = below.sectors,
                                    .l1_sectors = words,
                                    .owner = op,
                                    .kind = (uint8_t)kind,
                                    .serial = 1});
}

enum progress l1_write(struct sm *sm, uint32_t id, const struct transaction *t)
{
    int set = cache_set(&sm->l1, t->line);
    int way = cache_find(&sm->l1, set, t->line);
    struct cache_access a = ldst_access(sm, &sm->op[id], t->line);
    uint32_t owned = way != NO_WAY ? cache_at(&sm->l1, set, way)->dirty : 0;
    bool ask =
        sm->gpu->coherence == COHERENCE_DENOVO && (t->sectors & ~owned) != 0;
    if ((way == NO_WAY || ask) && !ldst_may_send(sm))
        return STEP_BLOCKED;
    if (way == NO_WAY) {
        way = allocate_line(sm, set, &a);
        sm->wait->fill = way == NO_WAY;
        if (way == NO_WAY)
            return STEP_BLOCKED;
    } else {
        cache_touch(&sm->l1, set, way, &a);
    }
    struct cache_line *l = cache_at(&sm->l1, set, way);
    bool atomic = sm->kernel->inst[sm->op[id].inst].op == OP_ATOMIC;
    l->valid |= t->sectors;
    l->dirty |= t->sectors;
    sm->counts.l1_writes++;
    sm->counts.l1_atomics += atomic;
    sm->counts.served_l1 += !ask;
    if (ask)
        take_ownership(sm, id, t->line, t->sectors & ~owned, atomic);
    return STEP_DONE;
}

/* A store that goes through: the L1's copy is dropped or kept up to date. */
void l1_written_through(struct sm *sm, const struct transaction *t)
{
    const struct gpu *g = sm->gpu;
    if (g->l1.size_kb <= 0 || g->l1.write_policy == L1_WRITE_UPDATE)
        return;
    uint64_t line =
        t->line * (uint64_t)g->l2.line_bytes / (uint64_t)g->l1.line_bytes;
    int set = cache_set(&sm->l1, line);
    int way = cache_find(&sm->l1, set, line);
    if (way != NO_WAY && cache_at(&sm->l1, set, way)->pending == 0)
        cache_at(&sm->l1, set, way)->valid = 0;
}

/* ---- coming back -------------------------------------------------------- */

/* Words came for the waiters of an MSHR, others will not with this request:
 * those of them that a waiter needs. */
static uint32_t serve_waiters(struct sm *sm, struct l1_mshr *mshr,
                              uint32_t came, uint32_t absent)
{
    uint32_t list = mshr->waiting, kept = NO_RECORD, again = 0;
    while (list != NO_RECORD) {
        struct l1_waiter *w = &sm->waiter[list];
        uint32_t next = w->next;
        w->need &= ~came;
        again |= w->need & absent;
        if (w->need != 0) {
            w->next = kept;
            kept = list;
        } else {
            uint32_t op = w->op;
            pool_give(&sm->waiters, sm->waiter, list);
            mshr->merged--;
            writeback_answer(sm, op);
        }
        list = next;
    }
    mshr->waiting = kept;
    return again;
}

void l1_filled(struct sm *sm, const struct request *r)
{
    struct l1_mshr *mshr = &sm->mshr[r->owner];
    struct cache_line *l = cache_at(&sm->l1, mshr->set, mshr->way);
    uint32_t came = r->l1_sectors | r->extra;
    l->valid |= came;
    cache_set_pending(&sm->l1, mshr->set, mshr->way,
                      l->pending & ~(came | r->absent));
    uint32_t again =
        serve_waiters(sm, mshr, came | (r->absent & l->valid), r->absent);
    if (again != 0)
        send_fill(sm, r->owner, l, again, true);
    if (l->pending == 0) {
        l->mshr = NO_MSHR;
        sm->free_mshr[sm->free_mshr_count++] = r->owner;
    }
    sm->fills--;
    ldst_filled(sm);
}

/* ---- life --------------------------------------------------------------- */

bool l1_init(struct sm *sm)
{
    int n = sm->gpu->l1.mshr;
    sm->mshr = calloc((size_t)n, sizeof(*sm->mshr));
    sm->free_mshr = malloc((size_t)n * sizeof(*sm->free_mshr));
    if (sm->mshr == NULL || sm->free_mshr == NULL)
        return false;
    for (int i = 0; i < n; i++)
        sm->free_mshr[sm->free_mshr_count++] = (uint32_t)(n - 1 - i);
    return true;
}

void l1_free(struct sm *sm)
{
    line_set_free(&sm->evicted);
    free(sm->waiter);
    free(sm->mshr);
    free(sm->free_mshr);
}
