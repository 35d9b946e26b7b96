/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory.h"

#include "configs/gpu.h"
#include "sampler/cache/policies.h"
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

/* The new request's index, or NO_REQUEST with out_of_memory set. */
static uint32_t new_request(struct memory *m, const struct request *r)
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

static void drop_request(struct memory *m, uint32_t id)
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

static double reserve(double *port, double from, double length)
{
    double start = *port > from ? *port : from;
    *port = start + length;
    return start;
}

/* ---- address map -------------------------------------------------------- */

struct place {
    int slice, channel;
    uint64_t local_line; /* counts the lines of this slice */
    uint64_t row;
    uint32_t bank;
};

static struct place locate(const struct memory *m, uint64_t line)
{
    const struct gpu *g = m->gpu;
    uint64_t banks = (uint64_t)g->l2.banks;
    uint64_t per_chunk =
        (uint64_t)(g->dram.interleave_bytes / g->l2.line_bytes);
    if (per_chunk == 0)
        per_chunk = 1;
    uint64_t chunk = line / per_chunk, upper = chunk / banks;
    uint64_t rotate = 0;
    if (g->l2.hashed)
        for (uint64_t rest = upper; rest != 0; rest >>= 5)
            rotate += rest & 31;
    uint64_t slice = (chunk + rotate) % banks;
    uint64_t channels = (uint64_t)g->dram.channels;
    uint64_t slices_a_channel = (banks + channels - 1) / channels;
    uint64_t local = upper * per_chunk + line % per_chunk;
    uint64_t byte = (upper * slices_a_channel + slice % slices_a_channel) *
                        per_chunk * (uint64_t)g->l2.line_bytes +
                    line % per_chunk * (uint64_t)g->l2.line_bytes;
    uint64_t page = byte / (uint64_t)g->dram.row_bytes;
    uint64_t dram_banks = (uint64_t)g->dram.banks;
    uint64_t row = page / dram_banks;
    return (struct place){
        .slice = (int)slice,
        .channel = (int)(slice * channels / banks),
        .local_line = local,
        .row = row,
        .bank = (uint32_t)((page + row) % dram_banks),
    };
}

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

static int count_bits(uint32_t x)
{
    return __builtin_popcount(x);
}

static void enqueue_dram(struct memory *m, uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    struct place p = locate(m, r->line);
    struct dram_channel *c = &m->channel[p.channel];
    int bytes = count_bits(r->sectors) * m->gpu->l2.sector_bytes;
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

static void send_to_dram(struct memory *m, const struct request *r, double now)
{
    uint32_t id = new_request(m, r);
    if (id == NO_REQUEST)
        return;
    int channel = locate(m, r->line).channel;
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
        drop_request(m, served.id);
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

/* ---- L2 slices ---------------------------------------------------------- */

static int flits(const struct memory *m, int bytes)
{
    int total = bytes + m->gpu->icnt.header_bytes;
    return (total + m->gpu->icnt.flit_bytes - 1) / m->gpu->icnt.flit_bytes;
}

/* Send the answer to request id, ready at the slice at `time`. */
static void answer(struct memory *m, struct slice *s, uint32_t id, double time)
{
    const struct request *r = &m->request[id];
    if (r->kind == REQUEST_WRITEBACK) {
        drop_request(m, id);
        return;
    }
    int bytes = 0;
    if (r->kind == REQUEST_FILL || r->kind == REQUEST_READ)
        bytes = count_bits(r->sectors) * m->gpu->l2.sector_bytes;
    else if (r->kind == REQUEST_ATOMIC)
        bytes = m->gpu->l2.sector_bytes;
    int n = flits(m, bytes);
    m->counts->noc_flits += (uint64_t)n;
    double length = n * m->flit_cycles;
    double sent = reserve(&s->out_free, time, length);
    double start = reserve(&m->sm_in_free[r->sm],
                           sent + way(m, r->sm, (int)(s - m->slice)), length);
    at(m, start + length, AT_SM, id);
}

static double data_cycles(const struct memory *m, const struct request *r)
{
    double bytes = count_bits(r->sectors) * m->gpu->l2.sector_bytes;
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
    send_to_dram(m, &r, now);
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
    r->next = s->waiters[l->mshr];
    s->waiters[l->mshr] = id;
    s->merged[l->mshr]++;
    cache_set_pending(&s->tags, set, way, l->pending | fetch);
    if (fetch != 0)
        send_to_dram(m,
                     &(struct request){.line = r->line,
                                       .sectors = fetch,
                                       .kind = REQUEST_DRAM_READ},
                     now);
    return true;
}

/* Serve request id at its slice; false when it must wait for room. */
static bool serve(struct memory *m, struct slice *s, uint32_t id, double now)
{
    struct request *r = &m->request[id];
    int set = cache_set(&s->tags, locate(m, r->line).local_line);
    bool writes = r->kind == REQUEST_WRITE || r->kind == REQUEST_WRITEBACK;
    int way = cache_find(&s->tags, set, r->line);
    if (way == NO_WAY && !writes && s->free_count == 0)
        return false;
    way = line_way(m, s, set, r, now);
    if (way == NO_WAY)
        return false;
    struct cache_line *l = cache_at(&s->tags, set, way);
    bool present = (r->sectors & ~l->valid) == 0;
    if (!writes && !present && !wait_for_fill(m, s, set, way, id, now))
        return false;
    m->counts->l2_accesses++;
    if (writes || r->kind == REQUEST_ATOMIC)
        l->dirty |= r->sectors;
    if (writes)
        l->valid |= r->sectors;
    if (present || writes) {
        m->counts->l2_hits++;
        double start = reserve(&s->data_free, now, data_cycles(m, r));
        answer(m, s, id, start + m->gpu->l2.latency);
    }
    return true;
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

static void slice_arrival(struct memory *m, uint32_t id, uint64_t now)
{
    struct request *r = &m->request[id];
    struct slice *s = &m->slice[locate(m, r->line).slice];
    if (s->queue_head == NO_REQUEST && serve(m, s, id, (double)now)) {
        s->credits++;
        m->credit_returned = true;
        return;
    }
    r->next = NO_REQUEST;
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
            double start = reserve(&s->data_free, now, data_cycles(m, r));
            answer(m, s, ordered, start + m->gpu->l2.latency);
        }
        ordered = next;
    }
    s->waiters[l->mshr] = kept;
}

static void fill_slice(struct memory *m, uint32_t id, uint64_t now)
{
    struct request r = m->request[id];
    drop_request(m, id);
    struct place p = locate(m, r.line);
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

/* ---- the SMs' side ------------------------------------------------------ */

int memory_send_wait(const struct memory *m, int sm, uint64_t line,
                     uint64_t now)
{
    double room = m->gpu->l1.miss_queue * m->flit_cycles;
    double backlog = m->sm_out_free[sm] - (double)now - room;
    if (backlog > 0)
        return (int)ceil(backlog);
    return m->slice[locate(m, line).slice].credits > 0 ? 0 : SEND_NO_CREDIT;
}

void memory_send(struct memory *m, const struct request *r, int data_bytes,
                 uint64_t now)
{
    uint32_t id = new_request(m, r);
    if (id == NO_REQUEST)
        return;
    struct slice *s = &m->slice[locate(m, r->line).slice];
    s->credits--;
    int n = flits(m, data_bytes);
    m->counts->noc_flits += (uint64_t)n;
    double length = n * m->flit_cycles;
    double sent = reserve(&m->sm_out_free[r->sm], (double)now, length);
    double start =
        reserve(&s->in_free, sent + way(m, r->sm, (int)(s - m->slice)), length);
    at(m, start + length, AT_SLICE, id);
}

void memory_advance(struct memory *m, uint64_t now)
{
    while (events_next(&m->events) <= now) {
        struct event e = events_pop(&m->events);
        switch (e.kind) {
        case AT_SLICE:
            slice_arrival(m, e.subject, e.time);
            break;
        case AT_CHANNEL:
            channel_ready(m, (int)e.subject, e.time);
            break;
        case AT_FILL:
            fill_slice(m, e.subject, e.time);
            break;
        case AT_SM: {
            struct request r = m->request[e.subject];
            drop_request(m, e.subject);
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

static bool slice_init(struct slice *s, const struct gpu *g)
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
        if (!slice_init(&m->slice[i], gpu))
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
    for (int i = 0; m->slice != NULL && i < m->gpu->l2.banks; i++) {
        cache_free(&m->slice[i].tags);
        free(m->slice[i].waiters);
        free(m->slice[i].merged);
        free(m->slice[i].free_mshr);
    }
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
