/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/l2.h"

#include "configs/gpu.h"
#include "sampler/address.h"
#include "sampler/cache/policies.h"
#include "sampler/coherence.h"
#include "sampler/sampler.h"

#include <assert.h>
#include <stdlib.h>

static double data_cycles(const struct memory *m, const struct request *r)
{
    double bytes = __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes;
    double cycles = bytes / m->gpu->l2.port_bytes;
    if (r->kind == REQUEST_ATOMIC && r->serial > cycles)
        cycles = r->serial;
    return cycles * m->l2_cycle;
}

static void write_back(struct memory *m, const struct cache_line *victim,
                       double now)
{
    if (victim->dirty == 0)
        return;
    struct request r = {.line = victim->tag,
                        .sectors = victim->dirty,
                        .kind = REQUEST_DRAM_WRITE};
    memory_to_dram(m, &r, now);
}

/* Find or allocate the line of request r; NO_WAY when no way is free. */
static int line_way(struct memory *m, struct slice *s, int set,
                    const struct request *r, double now)
{
    struct cache_access a = {.line = r->line, .warp = -1};
    int way = cache_find(&s->tags, set, r->line);
    if (way != NO_WAY) {
        cache_touch(&s->tags, set, way, &a);
        return way;
    }
    struct cache_line victim;
    way = cache_allocate(&s->tags, set, &a, &victim);
    if (way != NO_WAY)
        write_back(m, &victim, now);
    return way;
}

/* Make request id wait for the fill of its line; fetch what nobody fetches. */
static bool wait_for_fill(struct memory *m, struct slice *s, int set, int way,
                          uint32_t id, double now)
{
    const struct gpu *g = m->gpu;
    struct request *r = &m->request[id];
    struct cache_line *l = cache_at(&s->tags, set, way);
    uint32_t fetch = r->sectors & ~(l->valid | l->pending);
    if (l->mshr == NO_MSHR) {
        if (s->free_count == 0)
            return false;
        l->mshr = s->free_mshr[--s->free_count];
        s->waiters[l->mshr] = NO_REQUEST;
        s->merged[l->mshr] = 0;
    } else if (s->merged[l->mshr] >= g->l2.mshr_merge) {
        return false;
    }
    *(fetch != 0 ? &m->counts->l2_misses : &m->counts->l2_merges) += 1;
    m->counts->served_memory++;
    r->next = s->waiters[l->mshr];
    s->waiters[l->mshr] = id;
    s->merged[l->mshr]++;
    cache_set_pending(&s->tags, set, way, l->pending | fetch);
    if (fetch != 0)
        memory_to_dram(m,
                       &(struct request){.line = r->line,
                                         .sectors = fetch,
                                         .sm = r->sm,
                                         .kind = REQUEST_DRAM_READ},
                       now);
    return true;
}

/* An atomic reads and writes. */
static void count_sectors(struct memory *m, const struct request *r)
{
    uint64_t n = (uint64_t)__builtin_popcount(r->sectors);
    if (r->kind != REQUEST_WRITE && r->kind != REQUEST_WRITEBACK)
        m->counts->l2_read_sectors += n;
    if (r->kind != REQUEST_FILL && r->kind != REQUEST_READ &&
        r->kind != REQUEST_OWN_FILL)
        m->counts->l2_write_sectors += n;
}

/* Serve request id at its slice; false when it must wait for room. */
static bool serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    const struct request r = m->request[id]; /* the array moves as it grows */
    if (m->owners.entry != NULL && coherence_serve(m, s, id, now))
        return true;
    int set = cache_set(&s->tags, address_locate(m->gpu, r.line).local_line);
    bool writes = r.kind == REQUEST_WRITE || r.kind == REQUEST_WRITEBACK;
    int way = cache_find(&s->tags, set, r.line);
    if (way == NO_WAY && !writes && s->free_count == 0)
        return false;
    way = line_way(m, s, set, &r, now);
    if (way == NO_WAY)
        return false;
    struct cache_line *l = cache_at(&s->tags, set, way);
    bool present = (r.sectors & ~l->valid) == 0;
    if (!writes && !present && !wait_for_fill(m, s, set, way, id, now))
        return false;
    m->counts->l2_accesses++;
    count_sectors(m, &r);
    if (writes || r.kind == REQUEST_ATOMIC)
        l->dirty |= r.sectors;
    if (writes)
        l->valid |= r.sectors;
    if (present || writes) {
        m->counts->l2_hits++;
        m->counts->served_l2 += r.kind != REQUEST_WRITEBACK;
        double start = memory_reserve(&s->data_free, now, data_cycles(m, &r));
        memory_answer(m, s, id, start + m->gpu->l2.latency);
    }
    return true;
}

void l2_take_in(struct memory *m, struct slice *s, uint64_t line, double now)
{
    const struct gpu *g = m->gpu;
    uint32_t all = UINT32_MAX >> (32 - g->l2.line_bytes / g->l2.sector_bytes);
    struct request r = {
        .line = line, .sectors = all, .kind = REQUEST_WRITEBACK};
    int set = cache_set(&s->tags, address_locate(g, line).local_line);
    int way = line_way(m, s, set, &r, now);
    if (way == NO_WAY) {
        r.kind = REQUEST_DRAM_WRITE;
        memory_to_dram(m, &r, now);
        return;
    }
    struct cache_line *l = cache_at(&s->tags, set, way);
    l->valid |= all;
    l->dirty |= all;
    count_sectors(m, &r);
}

static void drain_queue(struct memory *m, struct slice *s, double now)
{
    while (s->queue_head != NO_REQUEST) {
        uint32_t id = s->queue_head, next = m->request[id].next;
        m->request[id].next = NO_REQUEST;
        if (!serve(m, s, id, now)) {
            m->request[id].next = next;
            return;
        }
        s->queue_head = next;
        s->credits++;
        m->credit_returned = true;
    }
}

void l2_arrival(struct memory *m, uint32_t id, uint64_t now)
{
    uint64_t line = m->request[id].line;
    struct slice *s = &m->slice[address_locate(m->gpu, line).slice];
    if (s->queue_head == NO_REQUEST && serve(m, s, id, (double)now)) {
        s->credits++;
        m->credit_returned = true;
        return;
    }
    m->request[id].next = NO_REQUEST;
    if (s->queue_head == NO_REQUEST)
        s->queue_head = id;
    else
        m->request[s->queue_tail].next = id;
    s->queue_tail = id;
}

/* Answer the waiters of l whose sectors are all there. */
static void wake_waiters(struct memory *m, struct slice *s,
                         const struct cache_line *l, double now)
{
    uint32_t waiting = s->waiters[l->mshr], kept = NO_REQUEST;
    uint32_t ordered = NO_REQUEST;
    while (waiting != NO_REQUEST) { /* the list is newest first: reverse it */
        uint32_t next = m->request[waiting].next;
        m->request[waiting].next = ordered;
        ordered = waiting;
        waiting = next;
    }
    while (ordered != NO_REQUEST) {
        uint32_t next = m->request[ordered].next;
        struct request *r = &m->request[ordered];
        if ((r->sectors & ~l->valid) != 0) {
            r->next = kept;
            kept = ordered;
        } else {
            s->merged[l->mshr]--;
            r->next = NO_REQUEST;
            double start =
                memory_reserve(&s->data_free, now, data_cycles(m, r));
            memory_answer(m, s, ordered, start + m->gpu->l2.latency);
        }
        ordered = next;
    }
    s->waiters[l->mshr] = kept;
}

void l2_fill(struct memory *m, uint32_t id, uint64_t now)
{
    struct request r = m->request[id];
    memory_drop_request(m, id);
    struct place p = address_locate(m->gpu, r.line);
    struct slice *s = &m->slice[p.slice];
    int set = cache_set(&s->tags, p.local_line);
    int way = cache_find(&s->tags, set, r.line);
    assert(way != NO_WAY);
    struct cache_line *l = cache_at(&s->tags, set, way);
    l->valid |= r.sectors;
    cache_set_pending(&s->tags, set, way, l->pending & ~r.sectors);
    wake_waiters(m, s, l, (double)now);
    if (l->pending == 0) {
        s->free_mshr[s->free_count++] = l->mshr;
        l->mshr = NO_MSHR;
    }
    drain_queue(m, s, (double)now);
}

/* ---- life --------------------------------------------------------------- */

bool l2_init(struct slice *s, const struct gpu *g)
{
    struct cache_choice lru = {.policy = &cache_lru};
    size_t mshrs = (size_t)g->l2.mshr;
    s->queue_head = s->queue_tail = NO_REQUEST;
    s->credits = g->l2.queue + g->icnt.latency; /* and those on the way */
    s->waiters = malloc(mshrs * sizeof(*s->waiters));
    s->merged = calloc(mshrs, sizeof(*s->merged));
    s->free_mshr = malloc(mshrs * sizeof(*s->free_mshr));
    if (s->waiters == NULL || s->merged == NULL || s->free_mshr == NULL)
        return false;
    for (int i = 0; i < g->l2.mshr; i++)
        s->free_mshr[s->free_count++] = (uint32_t)(g->l2.mshr - 1 - i);
    return cache_init(&s->tags, g->l2.size_kb / g->l2.banks, g->l2.ways,
                      g->l2.line_bytes, g->l2.hashed != 0, &lru);
}

void l2_free(struct slice *s)
{
    cache_free(&s->tags);
    free(s->waiters);
    free(s->merged);
    free(s->free_mshr);
}
