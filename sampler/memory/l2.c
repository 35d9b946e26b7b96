/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2.h"

#include "configs/gpu.h"
#include "sampler/memory/l2_door.h"
#include "sampler/memory/l2_memory.h"
#include "sampler/memory/l2_serve.h"
#include "sampler/policy/l1/table.h"

#include <math.h>
#include <stdlib.h>

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
    enum l2_service progress = l2_serve(s, id, now);
    if (progress == L2_WAITS)
        s->blocked = network_slice_has_room(s->to.network, s->id)
                         ? SLICE_AWAITS_MEMORY
                         : SLICE_AWAITS_NETWORK;
    if (progress != L2_SERVED)
        return progress == L2_WAITS;
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

bool l2_fill(struct l2_slice *s, const struct packet *fetch, uint64_t now)
{
    return l2_filled(s, fetch, now) && l2_retry(s, (double)now);
}

/* ---- life --------------------------------------------------------------- */

int l2_space(const struct gpu *g)
{
    if (g->l2.unreserved)
        return g->icnt.output_queue > 0 ? g->icnt.output_queue : 1;
    double cycles = g->l2.latency * g->clock.l2_mhz / g->clock.core_mhz;
    return g->l2.queue + g->icnt.output_queue + (int)ceil(cycles);
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
    bool ok = s->clean != NULL && l2_init_mshrs(s, g->l2.mshr) &&
              cache_init(&s->tags, g->l2.size_kb / g->l2.banks, g->l2.ways,
                         g->l2.line_bytes, g->l2.hashed != 0, &lru);
    cache_hash_by(&s->tags, g->l2.set_hash);
    return ok;
}

void l2_free(struct l2_slice *s)
{
    cache_free(&s->tags);
    free(s->clean);
    l2_free_mshrs(s);
}
