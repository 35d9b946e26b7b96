/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2_memory.h"

#include "base/bits.h"
#include "configs/gpu.h"

#include <assert.h>
#include <stdlib.h>

void l2_place(const struct l2_slice *s, struct packet *p)
{
    struct place at = address_locate(s->core->gpu, p->request.line);
    packet_place(p, &at);
    p->set = (uint32_t)cache_set(&s->tags, at.local_line);
}

/* ---- to the memory ------------------------------------------------------ */

bool l2_memory_full(const struct l2_slice *s)
{
    return s->core->at_doors[s->id] >= s->core->gpu->l2.memory_queue;
}

static bool send_to_memory(struct l2_slice *s, uint32_t id, double now)
{
    int channel = s->core->packet[id].channel;
    return controller_send(&s->to.controllers[channel], id, now);
}

bool l2_write_memory(struct l2_slice *s, uint64_t line, uint32_t sectors,
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
static enum l2_service serve_unit(struct l2_slice *s, int set, int way,
                                  uint32_t id, int unit, double now)
{
    const struct gpu *g = s->core->gpu;
    struct packet *p = &s->core->packet[id];
    struct cache_line *l = cache_at(&s->tags, set, way);
    uint32_t mask = unit_mask(s, unit), wanted = p->request.sectors & mask;
    if ((wanted & ~l->valid) == 0) {
        p->handled |= wanted;
        return L2_SERVED;
    }
    uint32_t missing = wanted & ~(l->valid | l->pending);
    if (missing != 0 && g->l2.fetch_whole)
        missing = mask & ~(l->valid | l->pending);
    bool fresh = (l->pending & mask) == 0;
    if (fresh && s->fetches == g->l2.mshr)
        return L2_WAITS;
    if (missing != 0 && l2_memory_full(s))
        return L2_WAITS;
    uint16_t *merged = waiting_for(s, set, way);
    if (merged[unit] >= g->l2.mshr_merge)
        return L2_WAITS;
    merged[unit]++;
    s->fetches += fresh;
    p->handled |= wanted;
    p->fetched |= missing != 0;
    if (missing == 0)
        return L2_SERVED;
    cache_set_pending(&s->tags, set, way, l->pending | missing);
    return fetch(s, id, l->mshr, missing, now) ? L2_SERVED : L2_NO_MEMORY;
}

enum l2_service l2_serve_units(struct l2_slice *s, int set, int way,
                               uint32_t id, double now)
{
    enum l2_service progress = L2_SERVED;
    for (int unit = 0; progress == L2_SERVED && unit < s->units; unit++) {
        const struct packet *p = &s->core->packet[id];
        uint32_t left = p->request.sectors & ~p->handled & unit_mask(s, unit);
        if (left != 0)
            progress = serve_unit(s, set, way, id, unit, now);
    }
    return progress;
}

void l2_wait_for_fill(struct l2_slice *s, const struct cache_line *l,
                      uint32_t id)
{
    struct memory_counts *counts = &s->core->counts;
    struct packet *p = &s->core->packet[id];
    *(p->fetched ? &counts->l2_misses : &counts->l2_merges) += 1;
    mem_count_served(p, &counts->served_memory);
    p->next = s->mshr[l->mshr].waiting;
    s->mshr[l->mshr].waiting = id;
}

/* ---- fills -------------------------------------------------------------- */

bool l2_answer(struct l2_slice *s, uint32_t id, double now)
{
    return network_answer(s->to.network, id, now + s->core->gpu->l2.staged);
}

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
        return l2_answer(s, id, now);
    bool first = packet_list_empty(&s->woken);
    packet_list_add(&s->woken, s->core->packet, id);
    return !first ||
           mem_schedule(s->core, now + s->cycle, L2_WOKEN, (uint32_t)s->id);
}

bool l2_woken(struct l2_slice *s, uint64_t now)
{
    uint32_t id = packet_list_take(&s->woken, s->core->packet);
    return l2_answer(s, id, (double)now) &&
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

bool l2_filled(struct l2_slice *s, const struct packet *fetch, uint64_t now)
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
    return true;
}

/* ---- life --------------------------------------------------------------- */

bool l2_init_mshrs(struct l2_slice *s, int count)
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

void l2_free_mshrs(struct l2_slice *s)
{
    free(s->mshr);
    free(s->merged);
    free(s->free_mshr);
}
