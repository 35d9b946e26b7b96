/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2.h"

#include "base/bits.h"
#include "configs/gpu.h"
#include "sampler/memory/address.h"
#include "sampler/memory/coherence.h"
#include "sampler/memory/controller.h"
#include "sampler/policy/l1/table.h"
#include "sampler/sampler.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Cycles that a request takes the slice. */
static double access_cycles(const struct memory *m, const struct request *r)
{
    double cycles = memory_bytes(m, r) / m->gpu->l2.port_bytes;
    if (r->kind == REQUEST_ATOMIC && r->serial > cycles)
        cycles = r->serial;
    return cycles * m->l2_cycle;
}

static void write_memory(struct memory *m, const struct slice *s, uint64_t line,
                         uint32_t sectors, double now)
{
    uint32_t id = memory_new_request(m);
    if (id == NO_REQUEST)
        return;
    m->request[id] = (struct request){.line = line,
                                      .place = address_locate(m->gpu, line),
                                      .sectors = sectors,
                                      .slice = (uint16_t)s->id,
                                      .kind = REQUEST_DRAM_WRITE};
    controller_send(m, id, now);
}

static void write_back(struct memory *m, const struct slice *s,
                       const struct cache_line *victim, double now)
{
    if (victim->dirty == 0)
        return;
    write_memory(m, s, victim->tag, victim->dirty, now);
}

/* Find or allocate the line; NO_WAY when no way is free. */
static int line_way(struct memory *m, struct slice *s, int set, uint64_t line,
                    double now)
{
    struct cache_access a = {.line = line, .warp = -1};
    int way = cache_find(&s->tags, set, line);
    if (way != NO_WAY) {
        cache_touch(&s->tags, set, way, &a);
        return way;
    }
    struct cache_line victim;
    way = cache_allocate(&s->tags, set, &a, &victim);
    if (way != NO_WAY)
        write_back(m, s, &victim, now);
    return way;
}

/* ---- misses ------------------------------------------------------------- */

static int unit_sectors(const struct gpu *g)
{
    return g->l2.fetch_bytes < g->l2.line_bytes
               ? g->l2.fetch_bytes / g->l2.sector_bytes
               : g->l2.line_bytes / g->l2.sector_bytes;
}

static int units(const struct gpu *g)
{
    return g->l2.line_bytes / g->l2.sector_bytes / unit_sectors(g);
}

static uint32_t unit_mask(const struct gpu *g, int unit)
{
    int n = unit_sectors(g);
    return (UINT32_MAX >> (32 - n)) << unit * n;
}

/* The line's entry, a new one if it has none. */
static uint16_t *waiting_for(struct slice *s, struct cache_line *l,
                             const struct gpu *g)
{
    int n = units(g);
    if (l->mshr == NO_MSHR) {
        l->mshr = s->free_mshr[--s->free_count];
        s->waiters[l->mshr] = NO_REQUEST;
        for (int i = 0; i < n; i++)
            s->merged[(size_t)l->mshr * (size_t)n + (size_t)i] = 0;
    }
    return &s->merged[(size_t)l->mshr * (size_t)n];
}

/* Some sectors of what request `wants` wants. */
static void fetch(struct memory *m, struct slice *s, uint32_t wants,
                  uint32_t sectors, double now)
{
    uint32_t id = memory_new_request(m);
    if (id == NO_REQUEST)
        return;
    const struct request *r = &m->request[wants];
    m->request[id] = (struct request){.line = r->line,
                                      .place = r->place,
                                      .sectors = sectors,
                                      .sm = r->sm,
                                      .slice = (uint16_t)s->id,
                                      .kind = REQUEST_DRAM_READ};
    controller_send(m, id, now);
}

/* Deal with what request id wants of a unit of its line: it is there, or on its
 * way with room for one more to wait, or is fetched. */
static bool take_unit(struct memory *m, struct slice *s, int set, int way,
                      uint32_t id, int unit, double now)
{
    const struct gpu *g = m->gpu;
    struct request *r = &m->request[id];
    struct cache_line *l = cache_at(&s->tags, set, way);
    uint32_t mask = unit_mask(g, unit), wanted = r->sectors & mask;
    if ((wanted & ~l->valid) == 0) {
        r->taken |= wanted;
        return true;
    }
    uint32_t missing = wanted & ~(l->valid | l->pending);
    bool fresh = (l->pending & mask) == 0;
    if (fresh && s->fetches == g->l2.mshr)
        return false;
    if (missing != 0 && s->to_memory >= g->l2.memory_queue)
        return false;
    uint16_t *merged = waiting_for(s, l, g);
    if (merged[unit] >= g->l2.mshr_merge)
        return false;
    merged[unit]++;
    s->fetches += fresh;
    r->taken |= wanted;
    r->fetched |= missing != 0;
    if (missing != 0) {
        cache_set_pending(&s->tags, set, way, l->pending | missing);
        fetch(m, s, id, missing, now);
    }
    return true;
}

/* Deal with all that request id wants; false when it must wait to go on. */
static bool take_line(struct memory *m, struct slice *s, int set, int way,
                      uint32_t id, double now)
{
    for (int unit = 0; unit < units(m->gpu); unit++) {
        const struct request *r = &m->request[id];
        uint32_t left = r->sectors & ~r->taken & unit_mask(m->gpu, unit);
        if (left != 0 && !take_unit(m, s, set, way, id, unit, now))
            return false;
    }
    return true;
}

/* Request id waits for what is on its way. */
static void wait_for_fill(struct memory *m, struct slice *s,
                          const struct cache_line *l, uint32_t id)
{
    struct request *r = &m->request[id];
    *(r->fetched ? &m->counts->l2_misses : &m->counts->l2_merges) += 1;
    memory_count_served(m, id, &m->counts->served_memory);
    r->next = s->waiters[l->mshr];
    s->waiters[l->mshr] = id;
}

/* ---- accesses ----------------------------------------------------------- */

/* An atomic reads and writes. */
static void count_sectors(struct memory *m, const struct request *r)
{
    uint64_t n = (uint64_t)count_bits(r->sectors);
    if (r->kind != REQUEST_WRITE && r->kind != REQUEST_WRITEBACK)
        m->counts->l2_read_sectors += n;
    if (r->kind != REQUEST_FILL && r->kind != REQUEST_READ &&
        r->kind != REQUEST_OWN_FILL)
        m->counts->l2_write_sectors += n;
}

static void write(struct memory *m, struct slice *s, struct cache_line *l,
                  uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    l->dirty |= r->sectors;
    l->valid |= r->sectors;
    m->counts->l2_hits++;
    if (r->kind != REQUEST_WRITEBACK)
        memory_count_served(m, id, &m->counts->served_l2);
    memory_answer(m, s, id, now);
}

static void read(struct memory *m, struct slice *s, struct cache_line *l,
                 uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    if (r->kind == REQUEST_ATOMIC)
        l->dirty |= r->sectors;
    if ((r->sectors & ~l->valid) != 0) {
        wait_for_fill(m, s, l, id);
        return;
    }
    /* It may have waited at the head for what it fetched. */
    *(r->fetched ? &m->counts->l2_misses : &m->counts->l2_hits) += 1;
    memory_count_served(
        m, id, r->fetched ? &m->counts->served_memory : &m->counts->served_l2);
    memory_answer(m, s, id, now);
}

/* Serve request id at its slice; false when it must wait for room. */
static bool serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    if (memory_answers_full(m, s))
        return false;
    if (m->owners.entry != NULL && coherence_serve(m, s, id, now))
        return true;
    const struct request *r = &m->request[id];
    uint64_t line = r->line;
    int set = cache_set(&s->tags, r->place.local_line);
    bool writes = r->kind == REQUEST_WRITE || r->kind == REQUEST_WRITEBACK;
    int way = cache_find(&s->tags, set, line);
    if (way == NO_WAY && (s->to_memory >= m->gpu->l2.memory_queue ||
                          (!writes && s->fetches == m->gpu->l2.mshr)))
        return false;
    if (way == NO_WAY)
        m->request[id].taken = 0;
    way = line_way(m, s, set, line, now);
    if (way == NO_WAY || (!writes && !take_line(m, s, set, way, id, now)))
        return false;
    struct cache_line *l = cache_at(&s->tags, set, way);
    m->counts->l2_accesses++;
    count_sectors(m, &m->request[id]);
    if (writes)
        write(m, s, l, id, now);
    else
        read(m, s, l, id, now);
    return true;
}

void l2_take_in(struct memory *m, struct slice *s, uint64_t line,
                uint32_t sectors, double now)
{
    struct request r = {.sectors = sectors, .kind = REQUEST_WRITEBACK};
    int set = cache_set(&s->tags, address_locate(m->gpu, line).local_line);
    int way = line_way(m, s, set, line, now);
    if (way == NO_WAY) {
        write_memory(m, s, line, sectors, now);
        return;
    }
    struct cache_line *l = cache_at(&s->tags, set, way);
    l->valid |= sectors;
    l->dirty |= sectors;
    count_sectors(m, &r);
}

/* ---- turns -------------------------------------------------------------- */

static void schedule_turn(struct memory *m, struct slice *s, double now)
{
    if (s->scheduled || s->blocked || s->queue_head == NO_REQUEST)
        return;
    s->scheduled = true;
    memory_at(m, s->free > now ? s->free : now, AT_TURN, (uint32_t)s->id);
}

/* Serve the first that waits. */
static void serve_head(struct memory *m, struct slice *s, double now)
{
    uint32_t id = s->queue_head, next = m->request[id].next;
    double cycles = access_cycles(m, &m->request[id]);
    int room = m->request[id].room;
    /* Parts of a cycle are not lost. */
    double start = s->free > now - 1 ? s->free : now;
    m->request[id].next = NO_REQUEST;
    s->blocked = !serve(m, s, id, now);
    if (s->blocked) {
        m->request[id].next = next;
        return;
    }
    s->free = start + cycles;
    s->queue_head = next;
    crossbar_release(m, &m->to_slices, s->id, room, now);
}

void l2_turn(struct memory *m, int slice, uint64_t now)
{
    struct slice *s = &m->slice[slice];
    s->scheduled = false;
    if (!s->blocked && s->queue_head != NO_REQUEST)
        serve_head(m, s, (double)now);
    schedule_turn(m, s, (double)now);
}

void l2_arrival(struct memory *m, uint32_t id, uint64_t now)
{
    struct slice *s = &m->slice[m->request[id].slice];
    m->request[id].next = NO_REQUEST;
    if (s->queue_head != NO_REQUEST)
        m->request[s->queue_tail].next = id;
    else
        s->queue_head = id;
    s->queue_tail = id;
    if (!s->scheduled && !s->blocked && s->free <= (double)now)
        serve_head(m, s, (double)now);
    schedule_turn(m, s, (double)now);
}

void l2_room(struct memory *m, struct slice *s, double now)
{
    s->blocked = false;
    schedule_turn(m, s, now);
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
            r->next = NO_REQUEST;
            memory_answer(m, s, ordered, now);
        }
        ordered = next;
    }
    s->waiters[l->mshr] = kept;
}

/* Give back the entries of units that are complete. */
static void release_units(struct slice *s, const struct cache_line *l,
                          const struct gpu *g, uint32_t filled)
{
    int n = units(g);
    for (int unit = 0; unit < n; unit++) {
        uint32_t mask = unit_mask(g, unit);
        if ((filled & mask) == 0 || (l->pending & mask) != 0)
            continue;
        s->merged[(size_t)l->mshr * (size_t)n + (size_t)unit] = 0;
        s->fetches--;
    }
}

void l2_fill(struct memory *m, uint32_t id, uint64_t now)
{
    struct request r = m->request[id];
    memory_drop_request(m, id);
    controller_returned(m, &r, (double)now);
    struct slice *s = &m->slice[r.slice];
    int set = cache_set(&s->tags, r.place.local_line);
    int way = cache_find(&s->tags, set, r.line);
    assert(way != NO_WAY);
    struct cache_line *l = cache_at(&s->tags, set, way);
    l->valid |= r.sectors;
    cache_set_pending(&s->tags, set, way, l->pending & ~r.sectors);
    release_units(s, l, m->gpu, r.sectors);
    wake_waiters(m, s, l, (double)now);
    if (l->pending == 0) {
        s->free_mshr[s->free_count++] = l->mshr;
        l->mshr = NO_MSHR;
    }
    l2_room(m, s, (double)now);
}

/* ---- life --------------------------------------------------------------- */

int l2_room_for(const struct gpu *g)
{
    double cycles = g->l2.latency * g->clock.l2_mhz / g->clock.core_mhz;
    return g->l2.queue + g->icnt.output_queue + (int)ceil(cycles);
}

bool l2_init(struct slice *s, const struct gpu *g, int id)
{
    const struct choice lru = choice_of(&cache_lru.info);
    size_t mshrs = (size_t)g->l2.mshr;
    s->id = id;
    s->queue_head = s->queue_tail = NO_REQUEST;
    s->waiters = malloc(mshrs * sizeof(*s->waiters));
    s->merged = calloc(mshrs * (size_t)units(g), sizeof(*s->merged));
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
