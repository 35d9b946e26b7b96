/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2_serve.h"

#include "base/bits.h"
#include "configs/gpu.h"

static bool writes(const struct request *r)
{
    return r->kind == REQUEST_WRITE || r->kind == REQUEST_WRITEBACK;
}

/* ---- lines -------------------------------------------------------------- */

/* The line, which is in *way, is used; NO_WAY: allocate one, NO_WAY again when
 * none is free. A dirty line that makes way is written back. */
static bool use_way(struct l2_slice *s, int set, uint64_t line, double now,
                    int *way)
{
    struct cache_access a = {.line = line, .warp = -1};
    if (*way != NO_WAY) {
        cache_touch(&s->tags, set, *way, &a);
        return true;
    }
    struct cache_line victim;
    *way = cache_allocate(&s->tags, set, &a, &victim);
    return *way == NO_WAY || victim.dirty == 0 ||
           l2_write_memory(s, victim.tag, victim.dirty, now);
}

/* ---- dirty lines -------------------------------------------------------- */

/* One more line of the set is dirty: the least recently used of them if those
 * are too many now, else NULL. */
static struct cache_line *one_too_many(struct l2_slice *s, int set)
{
    int dirty = 0;
    for (int way = 0; way < s->tags.ways; way++) {
        s->clean[way] = cache_way_is_free(&s->tags, set, way) ||
                        cache_at(&s->tags, set, way)->dirty == 0;
        dirty += !s->clean[way];
    }
    if (dirty <= s->most_dirty)
        return NULL;
    int way = s->tags.policy->victim(s->tags.state, set, s->clean, NULL);
    return cache_at(&s->tags, set, way);
}

/* What is one too many is written back and stays. */
static bool limit_dirty(struct l2_slice *s, int set, double now)
{
    struct cache_line *l = one_too_many(s, set);
    if (l == NULL)
        return true;
    uint32_t sectors = l->dirty;
    l->dirty = 0;
    return l2_write_memory(s, l->tag, sectors, now);
}

/* A line has these sectors written. */
static bool make_dirty(struct l2_slice *s, int set, struct cache_line *l,
                       uint32_t sectors, double now)
{
    bool more = l->dirty == 0 && sectors != 0;
    l->dirty |= sectors;
    return !more || s->most_dirty == s->tags.ways || limit_dirty(s, set, now);
}

/* Whether an access to a line that is there may write another one back. */
static bool may_write_back(const struct l2_slice *s, const struct request *r,
                           const struct cache_line *l)
{
    return l->dirty == 0 && s->most_dirty < s->tags.ways &&
           (writes(r) || r->kind == REQUEST_ATOMIC);
}

/* ---- accesses ----------------------------------------------------------- */

/* An atomic reads and writes. */
static void count_sectors(struct l2_slice *s, uint8_t kind, uint32_t sectors)
{
    struct memory_counts *counts = &s->core->counts;
    uint64_t n = (uint64_t)count_bits(sectors);
    if (kind != REQUEST_WRITE && kind != REQUEST_WRITEBACK)
        counts->l2_read_sectors += n;
    if (kind != REQUEST_FILL && kind != REQUEST_READ &&
        kind != REQUEST_OWN_FILL)
        counts->l2_write_sectors += n;
}

static bool write(struct l2_slice *s, struct cache_line *l, uint32_t id,
                  double now)
{
    struct memory_counts *counts = &s->core->counts;
    struct packet *p = &s->core->packet[id];
    l->valid |= p->request.sectors;
    counts->l2_hits++;
    if (p->request.kind == REQUEST_WRITEBACK) {
        mem_drop_writeback(s->core, id);
        return true;
    }
    mem_count_served(p, &counts->served_l2);
    return l2_answer(s, id, now);
}

static bool read(struct l2_slice *s, struct cache_line *l, uint32_t id,
                 double now)
{
    struct memory_counts *counts = &s->core->counts;
    struct packet *p = &s->core->packet[id];
    if ((p->request.sectors & ~l->valid) != 0) {
        l2_wait_for_fill(s, l, id);
        return true;
    }
    /* It may have waited at the head for what it fetched. */
    *(p->fetched ? &counts->l2_misses : &counts->l2_hits) += 1;
    mem_count_served(p,
                     p->fetched ? &counts->served_memory : &counts->served_l2);
    return l2_answer(s, id, now);
}

/* Whether a packet that misses may take a way: there must be room for what that
 * writes back and for a fetch. */
static bool may_allocate(const struct l2_slice *s, const struct request *r)
{
    return !l2_memory_full(s) &&
           (writes(r) || s->fetches < s->core->gpu->l2.mshr);
}

static enum l2_service serve_line(struct l2_slice *s, uint32_t id, double now)
{
    struct packet *p = &s->core->packet[id];
    const struct request r = p->request;
    int set = (int)p->set;
    int way = cache_find(&s->tags, set, r.line);
    bool may_go =
        way == NO_WAY
            ? may_allocate(s, &r)
            : !l2_memory_full(s) ||
                  !may_write_back(s, &r, cache_at(&s->tags, set, way));
    if (!may_go)
        return L2_WAITS;
    if (way == NO_WAY)
        p->handled = 0;
    if (!use_way(s, set, r.line, now, &way))
        return L2_NO_MEMORY;
    if (way == NO_WAY)
        return L2_WAITS;
    enum l2_service progress =
        writes(&r) ? L2_SERVED : l2_serve_units(s, set, way, id, now);
    if (progress != L2_SERVED)
        return progress;
    struct cache_line *l = cache_at(&s->tags, set, way);
    s->core->counts.l2_accesses++;
    count_sectors(s, r.kind, r.sectors);
    bool changes = writes(&r) || r.kind == REQUEST_ATOMIC;
    bool ok = make_dirty(s, set, l, changes ? r.sectors : 0, now);
    ok = ok && (writes(&r) ? write(s, l, id, now) : read(s, l, id, now));
    return ok ? L2_SERVED : L2_NO_MEMORY;
}

/* With l2.staged nothing is served, not even a hit, while the queue to the
 * memory is full (GPGPU-Sim l2cache.cc, memory_sub_partition::cache_cycle). */
static bool may_not_miss(const struct l2_slice *s)
{
    return s->core->gpu->l2.staged && l2_memory_full(s);
}

enum l2_service l2_serve(struct l2_slice *s, uint32_t id, double now)
{
    if (!network_slice_has_room(s->to.network, s->id) || may_not_miss(s))
        return L2_WAITS;
    bool served = false;
    if (s->to.directory != NULL &&
        !directory_serve(s->to.directory, id, now, &served))
        return L2_NO_MEMORY;
    return served ? L2_SERVED : serve_line(s, id, now);
}

bool l2_write_back(struct l2_slice *s, uint64_t line, uint32_t sectors,
                   double now)
{
    uint64_t local = address_locate(s->core->gpu, line).local_line;
    int set = cache_set(&s->tags, local);
    int way = cache_find(&s->tags, set, line);
    if (!use_way(s, set, line, now, &way))
        return false;
    if (way == NO_WAY)
        return l2_write_memory(s, line, sectors, now);
    struct cache_line *l = cache_at(&s->tags, set, way);
    l->valid |= sectors;
    count_sectors(s, REQUEST_WRITEBACK, sectors);
    return make_dirty(s, set, l, sectors, now);
}

void l2_warm(struct l2_slice *s, uint64_t line, uint32_t sectors, bool writes)
{
    struct cache_access a = {.line = line, .warp = -1};
    int set =
        cache_set(&s->tags, address_locate(s->core->gpu, line).local_line);
    int way = cache_find(&s->tags, set, line);
    struct cache_line victim;
    if (way != NO_WAY)
        cache_touch(&s->tags, set, way, &a);
    else
        way = cache_allocate(&s->tags, set, &a, &victim);
    if (way == NO_WAY)
        return;
    struct cache_line *l = cache_at(&s->tags, set, way);
    bool more = writes && l->dirty == 0;
    l->valid |= sectors;
    l->dirty |= writes ? sectors : 0;
    l = more && s->most_dirty < s->tags.ways ? one_too_many(s, set) : NULL;
    if (l != NULL)
        l->dirty = 0;
}
