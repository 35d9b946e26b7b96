/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2.h"

#include "configs/gpu.h"
#include "sampler/memory/l2_door.h"
#include "sampler/policy/l1/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* What became of serving a packet. */
enum service { SERVED, WAITS, NO_MEMORY };

static bool writes(const struct request *r)
{
    return r->kind == REQUEST_WRITE || r->kind == REQUEST_WRITEBACK;
}

void l2_place(const struct l2_slice *s, struct packet *p)
{
    struct place at = address_locate(s->core->gpu, p->request.line);
    packet_place(p, &at);
    p->set = (uint32_t)cache_set(&s->tags, at.local_line);
}

/* ---- to the memory ------------------------------------------------------ */

static bool memory_queue_full(const struct l2_slice *s)
{
    return s->core->at_doors[s->id] >= s->core->gpu->l2.memory_queue;
}

static bool send_to_memory(struct l2_slice *s, uint32_t id, double now)
{
    int channel = s->core->packet[id].channel;
    return controller_send(&s->to.controllers[channel], id, now);
}

static bool write_memory(struct l2_slice *s, uint64_t line, uint32_t sectors,
                         double now)
{
    uint32_t id = mem_new_packet(s->core);
    if (id == NO_PACKET)
        return false;
    struct packet *p = &s->core->packet[id];
    *p = (struct packet){.request = {.line = line,
                                     .sectors = sectors,
                                     .kind = REQUEST_DRAM_WRITE}};
    l2_place(s, p);
    return send_to_memory(s, id, now);
}

/* Some sectors of what packet `wants` wants, for the line of an MSHR. */
static bool fetch(struct l2_slice *s, uint32_t wants, uint32_t mshr,
                  uint32_t sectors, double now)
{
    uint32_t id = mem_new_packet(s->core);
    if (id == NO_PACKET)
        return false;
    const struct packet *p = &s->core->packet[wants];
    s->core->packet[id] = (struct packet){
        .request = {.line = p->request.line,
                    .sectors = sectors,
                    .owner = mshr,
                    .sm = p->request.sm,
                    .kind = REQUEST_DRAM_READ},
        .row = p->row,
        .slice = p->slice,
        .bank = p->bank,
        .channel = p->channel,
    };
    return send_to_memory(s, id, now);
}

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
           write_memory(s, victim.tag, victim.dirty, now);
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
    return write_memory(s, l->tag, sectors, now);
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

/* ---- misses ------------------------------------------------------------- */

static uint32_t unit_mask(const struct l2_slice *s, int unit)
{
    int n = s->unit_sectors;
    return (UINT32_MAX >> (32 - n)) << unit * n;
}

static uint16_t *merged_of(struct l2_slice *s, uint32_t mshr)
{
    return &s->merged[(size_t)mshr * (size_t)s->units];
}

/* The numbers of packets that wait for the line's units; the line gets an MSHR
 * if it has none. */
static uint16_t *waiting_for(struct l2_slice *s, int set, int way)
{
    struct cache_line *l = cache_at(&s->tags, set, way);
    if (l->mshr == NO_MSHR) {
        l->mshr = s->free_mshr[--s->free_count];
        s->mshr[l->mshr] = (struct l2_mshr){NO_PACKET, set, way};
        for (int i = 0; i < s->units; i++)
            merged_of(s, l->mshr)[i] = 0;
    }
    return merged_of(s, l->mshr);
}

/* Deal with what a packet wants of a unit of its line: it is there, or on its
 * way with room for one more to wait, or is fetched. */
static enum service serve_unit(struct l2_slice *s, int set, int way,
                               uint32_t id, int unit, double now)
{
    const struct gpu *g = s->core->gpu;
    struct packet *p = &s->core->packet[id];
    struct cache_line *l = cache_at(&s->tags, set, way);
    uint32_t mask = unit_mask(s, unit), wanted = p->request.sectors & mask;
    if ((wanted & ~l->valid) == 0) {
        p->handled |= wanted;
        return SERVED;
    }
    uint32_t missing = wanted & ~(l->valid | l->pending);
    if (missing != 0 && g->l2.fetch_whole)
        missing = mask & ~(l->valid | l->pending);
    bool fresh = (l->pending & mask) == 0;
    if (fresh && s->fetches == g->l2.mshr)
        return WAITS;
    if (missing != 0 && memory_queue_full(s))
        return WAITS;
    uint16_t *merged = waiting_for(s, set, way);
    if (merged[unit] >= g->l2.mshr_merge)
        return WAITS;
    merged[unit]++;
    s->fetches += fresh;
    p->handled |= wanted;
    p->fetched |= missing != 0;
    if (missing == 0)
        return SERVED;
    cache_set_pending(&s->tags, set, way, l->pending | missing);
    return fetch(s, id, l->mshr, missing, now) ? SERVED : NO_MEMORY;
}

static enum service serve_units(struct l2_slice *s, int set, int way,
                                uint32_t id, double now)
{
    enum service progress = SERVED;
    for (int unit = 0; progress == SERVED && unit < s->units; unit++) {
        const struct packet *p = &s->core->packet[id];
        uint32_t left = p->request.sectors & ~p->handled & unit_mask(s, unit);
        if (left != 0)
            progress = serve_unit(s, set, way, id, unit, now);
    }
    return progress;
}

static void wait_for_fill(struct l2_slice *s, const struct cache_line *l,
                          uint32_t id)
{
    struct memory_counts *counts = &s->core->counts;
    struct packet *p = &s->core->packet[id];
    *(p->fetched ? &counts->l2_misses : &counts->l2_merges) += 1;
    mem_count_served(p, &counts->served_memory);
    p->next = s->mshr[l->mshr].waiting;
    s->mshr[l->mshr].waiting = id;
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

/* The answer is ready at `now`; with l2.staged (GPGPU-Sim l2cache.cc,
 * memory_sub_partition::cache_cycle and gpgpu_sim::cycle) it passes a queue. */
static bool answer(struct l2_slice *s, uint32_t id, double now)
{
    return network_answer(s->to.network, id, now + s->core->gpu->l2.staged);
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
    return answer(s, id, now);
}

static bool read(struct l2_slice *s, struct cache_line *l, uint32_t id,
                 double now)
{
    struct memory_counts *counts = &s->core->counts;
    struct packet *p = &s->core->packet[id];
    if ((p->request.sectors & ~l->valid) != 0) {
        wait_for_fill(s, l, id);
        return true;
    }
    /* It may have waited at the head for what it fetched. */
    *(p->fetched ? &counts->l2_misses : &counts->l2_hits) += 1;
    mem_count_served(p,
                     p->fetched ? &counts->served_memory : &counts->served_l2);
    return answer(s, id, now);
}

/* Whether a packet that misses may take a way: there must be room for what that
 * writes back and for a fetch. */
static bool may_allocate(const struct l2_slice *s, const struct request *r)
{
    return !memory_queue_full(s) &&
           (writes(r) || s->fetches < s->core->gpu->l2.mshr);
}

static enum service serve_line(struct l2_slice *s, uint32_t id, double now)
{
    struct packet *p = &s->core->packet[id];
    const struct request r = p->request;
    int set = (int)p->set;
    int way = cache_find(&s->tags, set, r.line);
    bool may_go =
        way == NO_WAY
            ? may_allocate(s, &r)
            : !memory_queue_full(s) ||
                  !may_write_back(s, &r, cache_at(&s->tags, set, way));
    if (!may_go)
        return WAITS;
    if (way == NO_WAY)
        p->handled = 0;
    if (!use_way(s, set, r.line, now, &way))
        return NO_MEMORY;
    if (way == NO_WAY)
        return WAITS;
    enum service progress =
        writes(&r) ? SERVED : serve_units(s, set, way, id, now);
    if (progress != SERVED)
        return progress;
    struct cache_line *l = cache_at(&s->tags, set, way);
    s->core->counts.l2_accesses++;
    count_sectors(s, r.kind, r.sectors);
    bool changes = writes(&r) || r.kind == REQUEST_ATOMIC;
    bool ok = make_dirty(s, set, l, changes ? r.sectors : 0, now);
    ok = ok && (writes(&r) ? write(s, l, id, now) : read(s, l, id, now));
    return ok ? SERVED : NO_MEMORY;
}

/* With l2.staged nothing is served, not even a hit, while the queue to the
 * memory is full (GPGPU-Sim l2cache.cc, memory_sub_partition::cache_cycle). */
static bool may_not_miss(const struct l2_slice *s)
{
    return s->core->gpu->l2.staged && memory_queue_full(s);
}

static enum service serve(struct l2_slice *s, uint32_t id, double now)
{
    if (!network_slice_has_room(s->to.network, s->id) || may_not_miss(s))
        return WAITS;
    bool served = false;
    if (s->to.directory != NULL &&
        !directory_serve(s->to.directory, id, now, &served))
        return NO_MEMORY;
    return served ? SERVED : serve_line(s, id, now);
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
        return write_memory(s, line, sectors, now);
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

/* ---- the queue ---------------------------------------------------------- */

static bool schedule_access(struct l2_slice *s, double now)
{
    if (s->scheduled || s->blocked || packet_list_empty(&s->queue))
        return true;
    s->scheduled = true;
    return mem_schedule(s->core, s->free > now ? s->free : now,
                        s->core->gpu->l2.staged ? L2_LATE_ACCESS : L2_ACCESS,
                        (uint32_t)s->id);
}

/* L2 cycles for what it changes of sectors. */
static double changing_cycles(const struct gpu *g, const struct request *r)
{
    switch ((enum request_kind)r->kind) {
    case REQUEST_ATOMIC:
        return r->atomic_ops *
               (g->l2.atomic_cycles > 0 ? g->l2.atomic_cycles : 1);
    case REQUEST_WRITE:
        return r->partial * g->l2.partial_cycles;
    default:
        return 0;
    }
}

/* Cycles that a packet takes the slice. */
static double access_cycles(const struct l2_slice *s, const struct request *r)
{
    const struct gpu *g = s->core->gpu;
    double moving = request_bytes(g, r) / g->l2.port_bytes;
    return fmax(moving, changing_cycles(g, r)) * s->cycle;
}

/* Serve the first that waits. */
static bool serve_first(struct l2_slice *s, double now)
{
    uint32_t id = s->queue.first;
    const struct packet *p = &s->core->packet[id];
    uint32_t next = p->next;
    double cycles = access_cycles(s, &p->request);
    int sectors = p->space, space = l2_door_space(s, p);
    /* Parts of a cycle are not lost. */
    double start = s->free > now - 1 ? s->free : now;
    enum service progress = serve(s, id, now);
    if (progress == WAITS)
        s->blocked = network_slice_has_room(s->to.network, s->id)
                         ? SLICE_AWAITS_MEMORY
                         : SLICE_AWAITS_NETWORK;
    if (progress != SERVED)
        return progress == WAITS;
    s->free = start + cycles;
    s->queue.first = next;
    s->queued -= sectors;
    return s->core->gpu->l2.unreserved
               ? l2_door_room(s, now + s->cycle)
               : network_taken(s->to.network, s->id, space, now);
}

bool l2_access(struct l2_slice *s, uint64_t now)
{
    s->scheduled = false;
    return (s->blocked || packet_list_empty(&s->queue) ||
            serve_first(s, (double)now)) &&
           schedule_access(s, (double)now);
}

static void queue(struct l2_slice *s, uint32_t id)
{
    packet_list_add(&s->queue, s->core->packet, id);
    s->queued += s->core->packet[id].space;
}

/* A packet for each sector but the last, for which it stays. */
static bool part(struct l2_slice *s, uint32_t id)
{
    uint32_t left = s->core->packet[id].request.sectors;
    for (; (left & (left - 1)) != 0; left &= left - 1) {
        uint32_t first = mem_new_packet(s->core);
        if (first == NO_PACKET)
            return false;
        struct packet *packet = s->core->packet;
        packet[first] = packet[id];
        packet[first].request.sectors = left & -left;
        packet[first].space = 1;
        queue(s, first);
    }
    s->core->packet[id].request.sectors = left;
    s->core->packet[id].space = 1;
    return true;
}

bool l2_arrival(struct l2_slice *s, uint32_t id, uint64_t now)
{
    const struct request *r = &s->core->packet[id].request;
    if (r->parted) {
        l2_door_parted(s, count_bits(r->sectors), now);
        if (!part(s, id))
            return false;
    }
    queue(s, id);
    bool at_once = !s->scheduled && !s->blocked && s->free <= (double)now;
    return (!at_once || serve_first(s, (double)now)) &&
           schedule_access(s, (double)now);
}

bool l2_retry(struct l2_slice *s, double now)
{
    s->blocked = SLICE_GOES;
    return schedule_access(s, now);
}

/* ---- fills -------------------------------------------------------------- */

/* A list of waiters is newest first. */
static uint32_t reverse(struct packet *packet, uint32_t list)
{
    uint32_t reversed = NO_PACKET;
    while (list != NO_PACKET) {
        uint32_t next = packet[list].next;
        packet[list].next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

/* A waiter whose sectors have come; with l2.staged it stands behind those that
 * came before. */
static bool answer_waiter(struct l2_slice *s, uint32_t id, double now)
{
    if (!s->core->gpu->l2.staged)
        return answer(s, id, now);
    bool first = packet_list_empty(&s->woken);
    packet_list_add(&s->woken, s->core->packet, id);
    return !first ||
           mem_schedule(s->core, now + s->cycle, L2_WOKEN, (uint32_t)s->id);
}

bool l2_woken(struct l2_slice *s, uint64_t now)
{
    uint32_t id = packet_list_take(&s->woken, s->core->packet);
    return answer(s, id, (double)now) &&
           (packet_list_empty(&s->woken) ||
            mem_schedule(s->core, (double)now + s->cycle, L2_WOKEN,
                         (uint32_t)s->id));
}

/* Answer the waiters of a line whose sectors are all there. */
static bool wake_waiters(struct l2_slice *s, const struct cache_line *l,
                         double now)
{
    struct packet *packet = s->core->packet;
    uint32_t id = reverse(packet, s->mshr[l->mshr].waiting);
    s->mshr[l->mshr].waiting = NO_PACKET;
    while (id != NO_PACKET) {
        uint32_t next = packet[id].next;
        if ((packet[id].request.sectors & ~l->valid) != 0) {
            packet[id].next = s->mshr[l->mshr].waiting;
            s->mshr[l->mshr].waiting = id;
        } else if (!answer_waiter(s, id, now)) {
            return false;
        }
        id = next;
    }
    return true;
}

/* Give back the entries of units that are complete. */
static void release_units(struct l2_slice *s, const struct cache_line *l,
                          uint32_t filled)
{
    for (int unit = 0; unit < s->units; unit++) {
        uint32_t mask = unit_mask(s, unit);
        if ((filled & mask) == 0 || (l->pending & mask) != 0)
            continue;
        merged_of(s, l->mshr)[unit] = 0;
        s->fetches--;
    }
}

bool l2_fill(struct l2_slice *s, const struct packet *fetch, uint64_t now)
{
    uint32_t filled = fetch->request.sectors;
    const struct l2_mshr *m = &s->mshr[fetch->request.owner];
    struct cache_line *l = cache_at(&s->tags, m->set, m->way);
    assert(l->tag == fetch->request.line);
    l->valid |= filled;
    cache_set_pending(&s->tags, m->set, m->way, l->pending & ~filled);
    release_units(s, l, filled);
    if (!wake_waiters(s, l, (double)now))
        return false;
    if (l->pending == 0) {
        s->free_mshr[s->free_count++] = l->mshr;
        l->mshr = NO_MSHR;
    }
    return l2_retry(s, (double)now);
}

/* ---- life --------------------------------------------------------------- */

int l2_space(const struct gpu *g)
{
    if (g->l2.unreserved)
        return g->icnt.output_queue > 0 ? g->icnt.output_queue : 1;
    double cycles = g->l2.latency * g->clock.l2_mhz / g->clock.core_mhz;
    return g->l2.queue + g->icnt.output_queue + (int)ceil(cycles);
}

static bool init_mshrs(struct l2_slice *s, int count)
{
    size_t n = (size_t)count;
    s->mshr = malloc(n * sizeof(*s->mshr));
    s->merged = calloc(n * (size_t)s->units, sizeof(*s->merged));
    s->free_mshr = malloc(n * sizeof(*s->free_mshr));
    if (s->mshr == NULL || s->merged == NULL || s->free_mshr == NULL)
        return false;
    for (int i = 0; i < count; i++)
        s->free_mshr[s->free_count++] = (uint32_t)(count - 1 - i);
    return true;
}

bool l2_init(struct l2_slice *s, struct memory_core *core, int id,
             const struct l2_links *to)
{
    const struct gpu *g = core->gpu;
    const struct choice lru = choice_of(&cache_lru.info);
    int unit_bytes = g->l2.fetch_bytes < g->l2.line_bytes ? g->l2.fetch_bytes
                                                          : g->l2.line_bytes;
    *s = (struct l2_slice){
        .core = core,
        .to = *to,
        .id = id,
        .cycle = g->clock.core_mhz / g->clock.l2_mhz,
        .door.waiting = NO_PACKETS,
        .queue = NO_PACKETS,
        .woken = NO_PACKETS,
        .line_sectors = g->l2.line_bytes / g->l2.sector_bytes,
        .unit_sectors = unit_bytes / g->l2.sector_bytes,
        .most_dirty = (int)ceil(g->l2.dirty_share * g->l2.ways),
        .clean = malloc((size_t)g->l2.ways),
    };
    s->units = s->line_sectors / s->unit_sectors;
    bool ok = s->clean != NULL && init_mshrs(s, g->l2.mshr) &&
              cache_init(&s->tags, g->l2.size_kb / g->l2.banks, g->l2.ways,
                         g->l2.line_bytes, g->l2.hashed != 0, &lru);
    cache_hash_by(&s->tags, g->l2.set_hash);
    return ok;
}

void l2_free(struct l2_slice *s)
{
    cache_free(&s->tags);
    free(s->clean);
    free(s->mshr);
    free(s->merged);
    free(s->free_mshr);
}
