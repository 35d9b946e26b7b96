/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory.h"

#include "configs/gpu.h"
#include "sampler/address.h"
#include "sampler/coherence.h"
#include "sampler/l2.h"
#include "sampler/mesh.h"
#include "sampler/sampler.h"

#include <assert.h>
#include <math.h>
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

uint32_t memory_new_request(struct memory *m, const struct request *r)
{
    if (m->free_request == NO_REQUEST && !grow_requests(m)) {
        m->out_of_memory = true;
        return NO_REQUEST;
    }
    uint32_t id = m->free_request;
    m->free_request = m->request[id].next;
    m->request[id] = *r;
    m->request[id].next = NO_REQUEST;
    return id;
}

void memory_drop_request(struct memory *m, uint32_t id)
{
    m->request[id].next = m->free_request;
    m->free_request = id;
}

static void at(struct memory *m, double time, enum event_kind kind,
               uint32_t subject)
{
    if (!events_push(&m->events, (uint64_t)ceil(time), kind, subject))
        m->out_of_memory = true;
}

double memory_reserve(double *port, double from, double length)
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

/* What distance adds to a read of memory, beyond what it adds to an L2 hit: the
 * longer counts of the ways between SM and slice, slice and controller. */
static double memory_detour(const struct memory *m, int sm, int slice,
                            int channel)
{
    const struct gpu *g = m->gpu;
    if (!g->icnt.mesh)
        return 0;
    int near = 2 * links(m, sm, slice);
    int far = 2 * mesh_hops(mesh_node(slice), mesh_controller(channel));
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

/* Packets between slice and memory controller: on a mesh they share its links.
 */
static void count_memory_flits(struct memory *m, const struct request *r,
                               const struct place *p)
{
    if (!m->gpu->icnt.mesh)
        return;
    int bytes = __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes;
    int n = flits(m, bytes) + (r->kind == REQUEST_DRAM_READ ? flits(m, 0) : 0);
    count_flits(m, r, n,
                mesh_hops(mesh_node(p->slice), mesh_controller(p->channel)));
}

/* ---- DRAM --------------------------------------------------------------- */

static void wake_channel(struct memory *m, int channel, double now)
{
    struct dram_channel *c = &m->channel[channel];
    if (c->queued == 0 || m->channel_due[channel] >= 0)
        return;
    double due = ceil(dram_next_choice(c, now));
    m->channel_due[channel] = due;
    at(m, due, AT_CHANNEL, (uint32_t)channel);
}

static void enqueue_dram(struct memory *m, uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    struct place p = address_locate(m->gpu, r->line);
    struct dram_channel *c = &m->channel[p.channel];
    int bytes = __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes;
    int burst = m->gpu->dram.burst_bytes;
    dram_enqueue(c, &(struct dram_request){
                        .row = p.row,
                        .bank = p.bank,
                        .id = id,
                        .bursts = (uint32_t)((bytes + burst - 1) / burst),
                        .write = r->kind == REQUEST_DRAM_WRITE,
                        .arrival = now,
                    });
    wake_channel(m, p.channel, now);
}

void memory_to_dram(struct memory *m, const struct request *r, double now)
{
    uint32_t id = memory_new_request(m, r);
    if (id == NO_REQUEST)
        return;
    struct place p = address_locate(m->gpu, r->line);
    int channel = p.channel;
    count_memory_flits(m, r, &p);
    if (!dram_full(&m->channel[channel])) {
        enqueue_dram(m, id, now);
        return;
    }
    if (m->overflow_head[channel] == NO_REQUEST)
        m->overflow_head[channel] = id;
    else
        m->request[m->overflow_tail[channel]].next = id;
    m->overflow_tail[channel] = id;
}

static double read_detour(const struct memory *m, uint32_t id, int channel)
{
    const struct request *r = &m->request[id];
    int slice = address_locate(m->gpu, r->line).slice;
    return memory_detour(m, r->sm, slice, channel);
}

static void channel_ready(struct memory *m, int channel, uint64_t now)
{
    struct dram_channel *c = &m->channel[channel];
    m->channel_due[channel] = -1;
    double done;
    struct dram_request served = dram_serve(c, (double)now, &done);
    if (served.write)
        memory_drop_request(m, served.id);
    else
        at(m, done + m->gpu->dram.latency + read_detour(m, served.id, channel),
           AT_FILL, served.id);
    uint32_t waiting = m->overflow_head[channel];
    if (waiting != NO_REQUEST) {
        m->overflow_head[channel] = m->request[waiting].next;
        m->request[waiting].next = NO_REQUEST;
        enqueue_dram(m, waiting, (double)now);
    }
    wake_channel(m, channel, (double)now);
}

/* ---- interconnect ------------------------------------------------------- */

/* Bytes of data that go back to the SM. */
static int answer_bytes(const struct memory *m, const struct request *r)
{
    if (r->kind == REQUEST_FILL || r->kind == REQUEST_READ ||
        r->kind == REQUEST_OWN_FILL)
        return __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes;
    return r->kind == REQUEST_ATOMIC ? m->gpu->l2.sector_bytes : 0;
}

void memory_drop_writeback(struct memory *m, uint32_t id)
{
    m->writebacks--;
    memory_drop_request(m, id);
}

/* n flits leave by port `out` at `time`, and take `way` to their SM. */
static void answer(struct memory *m, uint32_t id, int n, double *out,
                   double time, double way)
{
    double length = n * m->flit_cycles;
    double sent = memory_reserve(out, time, length);
    double start =
        memory_reserve(&m->sm_in_free[m->request[id].sm], sent + way, length);
    at(m, start + length, AT_SM, id);
}

void memory_answer(struct memory *m, struct slice *s, uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    if (r->kind == REQUEST_WRITEBACK) {
        memory_drop_writeback(m, id);
        return;
    }
    int n = flits(m, answer_bytes(m, r)), slice = (int)(s - m->slice);
    count_flits(m, r, n, links(m, slice, r->sm));
    answer(m, id, n, &s->out_free, time, way(m, r->sm, slice));
}

/* The owner's data comes with it, for a write too: the new owner may have
 * written a part of the line. */
void memory_answer_from(struct memory *m, int owner, struct slice *s,
                        uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    int slice = (int)(s - m->slice), pass_on = flits(m, 0);
    int n = flits(m, __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes);
    count_flits(m, r, pass_on, links(m, slice, owner));
    count_flits(m, r, n, links(m, owner, r->sm));
    double sent = memory_reserve(&s->out_free, time, pass_on * m->flit_cycles);
    answer(m, id, n, &m->sm_out_free[owner], sent,
           m->gpu->icnt.latency + detour(m, r->sm, slice, owner));
}

/* ---- the SMs' side ------------------------------------------------------ */

int memory_send_wait(const struct memory *m, int sm, uint64_t line,
                     uint64_t now)
{
    double room = m->gpu->l1.miss_queue * m->flit_cycles;
    double backlog = m->sm_out_free[sm] - (double)now - room;
    if (backlog > 0)
        return (int)ceil(backlog);
    return m->slice[address_locate(m->gpu, line).slice].credits > 0
               ? 0
               : SEND_NO_CREDIT;
}

void memory_send(struct memory *m, const struct request *r, int data_bytes,
                 uint64_t now)
{
    uint32_t id = memory_new_request(m, r);
    if (id == NO_REQUEST)
        return;
    struct slice *s = &m->slice[address_locate(m->gpu, r->line).slice];
    s->credits--;
    int n = flits(m, data_bytes), slice = (int)(s - m->slice);
    m->writebacks += r->kind == REQUEST_WRITEBACK;
    count_flits(m, r, n, links(m, r->sm, slice));
    double length = n * m->flit_cycles;
    double sent = memory_reserve(&m->sm_out_free[r->sm], (double)now, length);
    double start =
        memory_reserve(&s->in_free, sent + way(m, r->sm, slice), length);
    at(m, start + length, AT_SLICE, id);
}

void memory_advance(struct memory *m, uint64_t now)
{
    while (events_next(&m->events) <= now) {
        struct event e = events_pop(&m->events);
        switch (e.kind) {
        case AT_SLICE:
            l2_arrival(m, e.subject, e.time);
            break;
        case AT_CHANNEL:
            channel_ready(m, (int)e.subject, e.time);
            break;
        case AT_FILL:
            l2_fill(m, e.subject, e.time);
            break;
        case AT_SM: {
            struct request r = m->request[e.subject];
            memory_drop_request(m, e.subject);
            m->reply(m->user, &r, e.time);
            break;
        }
        }
    }
}

uint64_t memory_next(const struct memory *m)
{
    return events_next(&m->events);
}

void memory_collect(struct memory *m)
{
    for (int i = 0; i < m->gpu->dram.channels; i++) {
        const struct dram_channel *c = &m->channel[i];
        m->counts->dram_reads += c->reads;
        m->counts->dram_writes += c->writes;
        m->counts->dram_row_hits += c->row_hits;
        m->counts->dram_row_misses += c->row_misses;
        m->counts->dram_bytes +=
            (c->reads + c->writes) * (uint64_t)m->gpu->dram.burst_bytes;
    }
}

/* ---- life --------------------------------------------------------------- */

static bool allocate(struct memory *m)
{
    const struct gpu *g = m->gpu;
    size_t channels = (size_t)g->dram.channels, sms = (size_t)g->sms;
    m->slice = calloc((size_t)g->l2.banks, sizeof(*m->slice));
    m->channel = calloc(channels, sizeof(*m->channel));
    m->channel_due = calloc(channels, sizeof(*m->channel_due));
    m->overflow_head = calloc(channels, sizeof(*m->overflow_head));
    m->overflow_tail = calloc(channels, sizeof(*m->overflow_tail));
    m->sm_out_free = calloc(sms, sizeof(*m->sm_out_free));
    m->sm_in_free = calloc(sms, sizeof(*m->sm_in_free));
    return m->slice && m->channel && m->channel_due && m->overflow_head &&
           m->overflow_tail && m->sm_out_free && m->sm_in_free;
}

bool memory_init(struct memory *m, const struct gpu *gpu,
                 struct sampler_counts *counts,
                 void (*reply)(void *user, const struct request *r,
                               uint64_t now),
                 void *user)
{
    *m = (struct memory){
        .gpu = gpu,
        .free_request = NO_REQUEST,
        .flit_cycles = gpu->clock.core_mhz / gpu->clock.icnt_mhz,
        .l2_cycle = gpu->clock.core_mhz / gpu->clock.l2_mhz,
        .counts = counts,
        .reply = reply,
        .user = user,
    };
    if (!allocate(m) || !coherence_init(m))
        return false;
    for (int i = 0; i < gpu->l2.banks; i++)
        if (!l2_init(&m->slice[i], gpu))
            return false;
    for (int i = 0; i < gpu->dram.channels; i++) {
        m->channel_due[i] = -1;
        m->overflow_head[i] = NO_REQUEST;
        if (!dram_init(&m->channel[i], gpu))
            return false;
    }
    return true;
}

void memory_free(struct memory *m)
{
    for (int i = 0; m->slice != NULL && i < m->gpu->l2.banks; i++)
        l2_free(&m->slice[i]);
    for (int i = 0; m->channel != NULL && i < m->gpu->dram.channels; i++)
        dram_free(&m->channel[i]);
    free(m->slice);
    free(m->channel);
    free(m->channel_due);
    free(m->overflow_head);
    free(m->overflow_tail);
    free(m->sm_out_free);
    free(m->sm_in_free);
    free(m->request);
    events_free(&m->events);
    owners_free(&m->owners);
    *m = (struct memory){0};
}
