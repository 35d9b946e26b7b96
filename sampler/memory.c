/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory.h"

#include "configs/gpu.h"
#include "sampler/address.h"
#include "sampler/l2.h"
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

/* One-way latency between SM and slice. On the 4 x 4 mesh node n holds SM n and
 * slice n, and a round trip of 12 hops takes l2_far - l2_near more than one of
 * none (ikra Table 2: 29 to 61 cycles for an L2 hit). */
static double way(const struct memory *m, int sm, int slice)
{
    const struct gpu *g = m->gpu;
    if (!g->icnt.mesh)
        return g->icnt.latency;
    int a = sm % 16, b = slice % 16;
    int hops = abs(a % 4 - b % 4) + abs(a / 4 - b / 4);
    return g->icnt.latency +
           (double)(g->mesh.l2_far - g->mesh.l2_near) * hops / 12;
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
    int channel = address_locate(m->gpu, r->line).channel;
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

static void channel_ready(struct memory *m, int channel, uint64_t now)
{
    struct dram_channel *c = &m->channel[channel];
    m->channel_due[channel] = -1;
    double done;
    struct dram_request served = dram_serve(c, (double)now, &done);
    if (served.write)
        memory_drop_request(m, served.id);
    else
        at(m, done + m->gpu->dram.latency, AT_FILL, served.id);
    uint32_t waiting = m->overflow_head[channel];
    if (waiting != NO_REQUEST) {
        m->overflow_head[channel] = m->request[waiting].next;
        m->request[waiting].next = NO_REQUEST;
        enqueue_dram(m, waiting, (double)now);
    }
    wake_channel(m, channel, (double)now);
}

/* ---- interconnect ------------------------------------------------------- */

static int flits(const struct memory *m, int bytes)
{
    int total = bytes + m->gpu->icnt.header_bytes;
    return (total + m->gpu->icnt.flit_bytes - 1) / m->gpu->icnt.flit_bytes;
}

void memory_answer(struct memory *m, struct slice *s, uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    if (r->kind == REQUEST_WRITEBACK) {
        memory_drop_request(m, id);
        return;
    }
    int bytes = 0;
    if (r->kind == REQUEST_FILL || r->kind == REQUEST_READ)
        bytes = __builtin_popcount(r->sectors) * m->gpu->l2.sector_bytes;
    else if (r->kind == REQUEST_ATOMIC)
        bytes = m->gpu->l2.sector_bytes;
    int n = flits(m, bytes);
    m->counts->noc_flits += (uint64_t)n;
    double length = n * m->flit_cycles;
    double sent = memory_reserve(&s->out_free, time, length);
    double start =
        memory_reserve(&m->sm_in_free[r->sm],
                       sent + way(m, r->sm, (int)(s - m->slice)), length);
    at(m, start + length, AT_SM, id);
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
    int n = flits(m, data_bytes);
    m->counts->noc_flits += (uint64_t)n;
    double length = n * m->flit_cycles;
    double sent = memory_reserve(&m->sm_out_free[r->sm], (double)now, length);
    double start = memory_reserve(
        &s->in_free, sent + way(m, r->sm, (int)(s - m->slice)), length);
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
    if (!allocate(m))
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
    *m = (struct memory){0};
}
