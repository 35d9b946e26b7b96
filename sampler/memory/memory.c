/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/memory.h"

#include "base/bits.h"
#include "configs/gpu.h"
#include "sampler/memory/coherence.h"
#include "sampler/memory/controller.h"
#include "sampler/memory/l2.h"
#include "sampler/memory/mesh.h"
#include "sampler/sampler.h"

#include <assert.h>
#include <stdlib.h>

/* ---- requests ----------------------------------------------------------- */

static bool grow_requests(struct memory *m)
{
    uint32_t old = m->request_capacity;
    uint32_t capacity = old == 0 ? 1024 : 2 * old;
    struct request *r = realloc(m->request, capacity * sizeof(*r));
    if (r == NULL)
        return false;
    for (uint32_t i = old; i < capacity; i++)
        r[i].next = i + 1 < capacity ? i + 1 : m->free_request;
    m->request = r;
    m->request_capacity = capacity;
    m->free_request = old;
    return true;
}

uint32_t memory_new_request(struct memory *m)
{
    if (m->free_request == NO_REQUEST && !grow_requests(m)) {
        m->out_of_memory = true;
        return NO_REQUEST;
    }
    uint32_t id = m->free_request;
    m->free_request = m->request[id].next;
    return id;
}

void memory_drop_request(struct memory *m, uint32_t id)
{
    m->request[id].next = m->free_request;
    m->free_request = id;
}

void memory_at(struct memory *m, double time, enum event_kind kind,
               uint32_t subject)
{
    if (!events_push(&m->events, whole_cycle(time), kind, subject))
        m->out_of_memory = true;
}

static double reserve(double *port, double from, double length)
{
    double start = *port > from ? *port : from;
    *port = start + length;
    return start;
}

/* ---- latencies ---------------------------------------------------------- */

/* Links between two nodes. Without a mesh any two are one apart. */
static int links(const struct memory *m, int a, int b)
{
    return m->gpu->icnt.mesh ? mesh_hops(mesh_node(a), mesh_node(b)) : 1;
}

/* What `hops` add to a latency that distance spreads from near to far. */
static double spread(int near, int far, int hops)
{
    return (double)(far - near) * hops / MESH_LONGEST;
}

/* One-way latency between SM and slice: a round trip of 12 hops takes l2_far -
 * l2_near more than one of none (ikra Table 2: 29 to 61 cycles for an L2 hit).
 */
static double way(const struct memory *m, int sm, int slice)
{
    const struct gpu *g = m->gpu;
    if (!g->icnt.mesh)
        return g->icnt.latency;
    return g->icnt.latency +
           spread(g->mesh.l2_near, g->mesh.l2_far, links(m, sm, slice));
}

/* From the slice over the owner's L1 to the SM, beyond what an answer of the
 * slice takes without hops; the hops of the whole way count, less what the
 * request's part has taken. */
static double detour(const struct memory *m, int sm, int slice, int owner)
{
    const struct gpu *g = m->gpu;
    if (!g->icnt.mesh)
        return g->icnt.latency;
    int there = links(m, sm, slice);
    int hops = there + links(m, slice, owner) + links(m, owner, sm);
    return g->mesh.remote_near - g->mesh.l2_near +
           spread(g->mesh.remote_near, g->mesh.remote_far, hops) -
           spread(g->mesh.l2_near, g->mesh.l2_far, there);
}

/* The longer counts of the ways between SM and slice, slice and controller. */
double memory_detour(const struct memory *m, const struct request *r,
                     int channel)
{
    const struct gpu *g = m->gpu;
    if (!g->icnt.mesh)
        return 0;
    int near = 2 * links(m, r->sm, r->slice);
    int far = 2 * mesh_hops(mesh_node(r->slice), mesh_controller(channel));
    return spread(g->mesh.memory_near, g->mesh.memory_far,
                  near > far ? near : far) -
           spread(g->mesh.l2_near, g->mesh.l2_far, near);
}

/* ---- traffic ------------------------------------------------------------ */

static int flits(const struct memory *m, int bytes)
{
    int total = bytes + m->gpu->icnt.header_bytes;
    return (total + m->gpu->icnt.flit_bytes - 1) / m->gpu->icnt.flit_bytes;
}

int memory_bytes(const struct memory *m, const struct request *r)
{
    return count_bits(r->sectors) * m->gpu->l2.sector_bytes;
}

/* Of all packets that carry `bytes` of data for r. */
static int packet_flits(const struct memory *m, const struct request *r,
                        int bytes)
{
    if (!m->gpu->icnt.sector_packets)
        return flits(m, bytes);
    int packets = count_bits(r->sectors);
    return packets * flits(m, bytes > 0 ? m->gpu->l2.sector_bytes : 0);
}

static enum noc_class noc_class_of(const struct request *r)
{
    switch ((enum request_kind)r->kind) {
    case REQUEST_FILL:
    case REQUEST_READ:
    case REQUEST_DRAM_READ:
        return NOC_READ;
    case REQUEST_WRITEBACK:
    case REQUEST_DRAM_WRITE:
        return NOC_WRITEBACK;
    default:
        return NOC_WRITE;
    }
}

/* Count a packet of n flits between two nodes. */
static void count_flits(struct memory *m, const struct request *r, int n,
                        int hops)
{
    m->counts->noc_flits += (uint64_t)n;
    m->counts->noc_crossings[noc_class_of(r)] += (uint64_t)(n * hops);
}

void memory_count_channel(struct memory *m, const struct request *r,
                          int channel)
{
    if (!m->gpu->icnt.mesh)
        return;
    int n = flits(m, memory_bytes(m, r)) +
            (r->kind == REQUEST_DRAM_READ ? flits(m, 0) : 0);
    count_flits(m, r, n,
                mesh_hops(mesh_node(r->slice), mesh_controller(channel)));
}

/* ---- interconnect ------------------------------------------------------- */

/* Bytes of data that go back to the SM. */
static int answer_bytes(const struct memory *m, const struct request *r)
{
    bool words = m->owners.entry != NULL;
    if (words && (r->kind == REQUEST_FILL || r->kind == REQUEST_OWN_FILL))
        return __builtin_popcount(r->l1_sectors | r->extra) * WORD_BYTES;
    if (r->kind == REQUEST_FILL || r->kind == REQUEST_READ ||
        r->kind == REQUEST_OWN_FILL)
        return memory_bytes(m, r);
    return r->kind == REQUEST_ATOMIC ? m->gpu->l2.sector_bytes : 0;
}

void memory_drop_writeback(struct memory *m, uint32_t id)
{
    m->writebacks--;
    memory_drop_request(m, id);
}

void memory_answer(struct memory *m, struct slice *s, uint32_t id, double time)
{
    struct request *r = &m->request[id];
    if (r->kind == REQUEST_WRITEBACK) {
        memory_drop_writeback(m, id);
        return;
    }
    r->flits = (uint16_t)packet_flits(m, r, answer_bytes(m, r));
    r->room = 0;
    r->out = r->sm;
    count_flits(m, r, r->flits, links(m, s->id, r->sm));
    crossbar_push(m, &m->to_sms, s->id, id, time);
}

/* An answer starts to leave by its SM's port. */
static void answered(struct memory *m, uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    double there = way(m, r->sm, r->slice) + r->flits * m->flit_cycles;
    memory_at(m, time + there, AT_SM, id);
    struct slice *s = &m->slice[r->slice];
    if (s->blocked)
        l2_room(m, s, time);
}

bool memory_answers_full(const struct memory *m, const struct slice *s)
{
    return m->to_sms.in[s->id].flits >=
           m->gpu->l2.queue + m->gpu->icnt.input_queue;
}

/* What is called in for an access past the L1 is charged as if it went there.
 */
static int owner_bytes(const struct memory *m, const struct request *r)
{
    bool past = r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
    return past ? memory_bytes(m, r) : answer_bytes(m, r);
}

void memory_answer_from(struct memory *m, int owner, struct slice *s,
                        uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    int pass_on = flits(m, 0), n = flits(m, owner_bytes(m, r));
    count_flits(m, r, pass_on, links(m, s->id, owner));
    count_flits(m, r, n, links(m, owner, r->sm));
    double length = n * m->flit_cycles;
    double sent = reserve(&s->pass_free, time, pass_on * m->flit_cycles);
    double start = reserve(&m->pass_free[owner], sent, length);
    double there = m->gpu->icnt.latency + detour(m, r->sm, s->id, owner);
    memory_at(m, start + there + length, AT_SM, id);
}

/* ---- the SMs' side ------------------------------------------------------ */

/* Flits that wait at an SM's port, its L1's miss queue among them. */
static int port_room(const struct memory *m)
{
    return m->gpu->l1.miss_queue + m->gpu->icnt.input_queue;
}

bool memory_may_send(const struct memory *m, int sm)
{
    return m->to_slices.in[sm].flits < port_room(m);
}

void memory_send(struct memory *m, uint32_t id, int data_bytes, uint64_t now)
{
    struct request *sent = &m->request[id];
    sent->place = address_locate(m->gpu, sent->line);
    sent->slice = sent->out = (uint16_t)sent->place.slice;
    sent->flits = (uint16_t)packet_flits(m, sent, data_bytes);
    sent->room = (uint16_t)count_bits(sent->sectors);
    m->writebacks += sent->kind == REQUEST_WRITEBACK;
    count_flits(m, sent, sent->flits, links(m, sent->sm, sent->slice));
    crossbar_push(m, &m->to_slices, sent->sm, id, (double)now);
}

/* A request starts to leave by its slice's port. */
static void requested(struct memory *m, uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    double there = way(m, r->sm, r->slice) + r->flits * m->flit_cycles;
    memory_at(m, time + there + m->gpu->l2.latency, AT_SLICE, id);
    if (m->to_slices.in[r->sm].flits + r->flits >= port_room(m))
        m->up.room(m->up.user, r->sm);
}

static void port_event(struct memory *m, const struct event *e)
{
    struct crossbar *x =
        e->subject >> 16 == m->to_sms.id ? &m->to_sms : &m->to_slices;
    int port = (int)(e->subject & UINT16_MAX);
    if (e->kind == AT_IN)
        crossbar_ask(m, x, port);
    else
        crossbar_grant(m, x, port);
}

static void answer_arrives(struct memory *m, const struct event *e)
{
    struct request r = m->request[e->subject];
    memory_drop_request(m, e->subject);
    m->up.reply(m->up.user, &r, e->time);
}

void memory_advance(struct memory *m, uint64_t now)
{
    while (events_next(&m->events) <= now) {
        struct event e;
        if (!events_pop(&m->events, &e)) {
            m->out_of_memory = true;
            return;
        }
        switch (e.kind) {
        case AT_IN:
        case AT_OUT:
            port_event(m, &e);
            break;
        case AT_SLICE:
            l2_arrival(m, e.subject, e.time);
            break;
        case AT_TURN:
            l2_turn(m, (int)e.subject, e.time);
            break;
        case AT_CHANNEL:
            controller_step(m, (int)e.subject, e.time);
            break;
        case AT_FILL:
            l2_fill(m, e.subject, e.time);
            break;
        case AT_SM:
            answer_arrives(m, &e);
            break;
        }
    }
}

uint64_t memory_next(const struct memory *m)
{
    return events_next(&m->events);
}

uint64_t memory_drain_writebacks(struct memory *m, uint64_t now)
{
    for (uint64_t next; m->writebacks > 0; now = next) {
        next = memory_next(m);
        if (next == NO_EVENT) /* memory is out: the caller looks */
            break;
        memory_advance(m, next);
    }
    return now;
}

void memory_count_served(struct memory *m, uint32_t id, uint64_t *where)
{
    *where += !m->request[id].counted;
    m->request[id].counted = true;
}

void memory_collect(struct memory *m)
{
    for (int i = 0; i < m->gpu->dram.channels; i++) {
        const struct dram_channel *c = &m->controller[i].channel;
        m->counts->dram_reads += c->reads;
        m->counts->dram_writes += c->writes;
        m->counts->dram_row_hits += c->row_hits;
        m->counts->dram_row_misses += c->row_misses;
        m->counts->dram_bytes +=
            (c->reads + c->writes) * (uint64_t)m->gpu->dram.burst_bytes;
    }
}

/* ---- life --------------------------------------------------------------- */

static bool init_parts(struct memory *m)
{
    const struct gpu *g = m->gpu;
    for (int i = 0; i < g->l2.banks; i++)
        if (!l2_init(&m->slice[i], g, i))
            return false;
    for (int i = 0; i < g->dram.channels; i++)
        if (!controller_init(&m->controller[i], g))
            return false;
    return crossbar_init(&m->to_slices, 0, g->sms, g->l2.banks, l2_room_for(g),
                         requested) &&
           crossbar_init(&m->to_sms, 1, g->l2.banks, g->sms, 1, answered);
}

bool memory_init(struct memory *m, const struct gpu *gpu,
                 struct sampler_counts *counts,
                 const struct memory_callbacks *up)
{
    *m = (struct memory){
        .gpu = gpu,
        .free_request = NO_REQUEST,
        .flit_cycles = gpu->clock.core_mhz / gpu->clock.icnt_mhz,
        .l2_cycle = gpu->clock.core_mhz / gpu->clock.l2_mhz,
        .counts = counts,
        .up = *up,
        .slice = calloc((size_t)gpu->l2.banks, sizeof(*m->slice)),
        .controller =
            calloc((size_t)gpu->dram.channels, sizeof(*m->controller)),
        .pass_free = calloc((size_t)gpu->sms, sizeof(*m->pass_free)),
    };
    return m->slice != NULL && m->controller != NULL && m->pass_free != NULL &&
           coherence_init(m) && init_parts(m);
}

void memory_free(struct memory *m)
{
    for (int i = 0; m->slice != NULL && i < m->gpu->l2.banks; i++)
        l2_free(&m->slice[i]);
    for (int i = 0; m->controller != NULL && i < m->gpu->dram.channels; i++)
        dram_free(&m->controller[i].channel);
    crossbar_free(&m->to_slices);
    crossbar_free(&m->to_sms);
    free(m->slice);
    free(m->controller);
    free(m->pass_free);
    free(m->request);
    events_free(&m->events);
    owners_free(&m->owners);
    *m = (struct memory){0};
}
