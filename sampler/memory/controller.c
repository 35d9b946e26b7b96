/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/controller.h"

#include "base/bits.h"
#include "configs/gpu.h"
#include "sampler/memory/l2.h"

#include <math.h>

bool controller_init(struct controller *c, const struct gpu *g)
{
    double clocks = g->dram.latency * g->clock.dram_mhz / g->clock.core_mhz;
    *c = (struct controller){.head = NO_REQUEST,
                             .tail = NO_REQUEST,
                             .outside_head = NO_REQUEST,
                             .outside_tail = NO_REQUEST,
                             .pipeline = (int)ceil(clocks),
                             .due = NO_EVENT};
    return dram_init(&c->channel, g);
}

/* Whether one more may come in: the pipeline takes one a command clock. */
static bool has_room(const struct memory *m, const struct controller *c)
{
    const struct gpu *g = m->gpu;
    return c->inside <= c->pipeline &&
           (g->dram.in_flight == 0 || c->under_way < g->dram.in_flight);
}

/* Be back at `time`; an event that is due later is then void. */
static void wake(struct memory *m, int channel, double time)
{
    struct controller *c = &m->controller[channel];
    uint64_t due = whole_cycle(time);
    if (due >= c->due)
        return;
    c->due = due;
    memory_at(m, time, AT_CHANNEL, (uint32_t)channel);
}

static void enter(struct memory *m, int channel, uint32_t id, double now)
{
    struct controller *c = &m->controller[channel];
    struct request *r = &m->request[id];
    r->time = now + m->gpu->dram.latency;
    r->next = NO_REQUEST;
    if (c->head == NO_REQUEST) {
        c->head = id;
        wake(m, channel, r->time);
    } else {
        m->request[c->tail].next = id;
    }
    c->tail = id;
    c->inside++;
    c->under_way++;
}

void controller_send(struct memory *m, uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    int channel = (int)modulo(r->slice, (uint64_t)m->gpu->dram.channels);
    struct controller *c = &m->controller[channel];
    memory_count_channel(m, r, channel);
    if (c->outside_head == NO_REQUEST && has_room(m, c)) {
        enter(m, channel, id, now);
        return;
    }
    m->slice[r->slice].to_memory++;
    m->request[id].next = NO_REQUEST;
    if (c->outside_head == NO_REQUEST)
        c->outside_head = id;
    else
        m->request[c->outside_tail].next = id;
    c->outside_tail = id;
}

static void let_in(struct memory *m, int channel, double now)
{
    struct controller *c = &m->controller[channel];
    while (c->outside_head != NO_REQUEST && has_room(m, c)) {
        uint32_t id = c->outside_head;
        struct slice *s = &m->slice[m->request[id].slice];
        c->outside_head = m->request[id].next;
        enter(m, channel, id, now);
        s->to_memory--;
        if (s->blocked)
            l2_room(m, s, now);
    }
}

static void queue_for_channel(struct memory *m, struct controller *c,
                              uint32_t id, double now)
{
    const struct request *r = &m->request[id];
    uint64_t bytes = (uint64_t)memory_bytes(m, r);
    uint64_t burst = (uint64_t)m->gpu->dram.burst_bytes;
    dram_enqueue(&c->channel,
                 &(struct dram_request){
                     .row = r->place.row,
                     .bank = r->place.bank,
                     .id = id,
                     .bursts = (uint32_t)divide(bytes + burst - 1, burst),
                     .write = r->kind == REQUEST_DRAM_WRITE,
                 },
                 now);
}

/* What has come through the pipeline goes into the channel's queue. */
static void drain_pipeline(struct memory *m, struct controller *c, double now)
{
    while (c->head != NO_REQUEST && m->request[c->head].time <= now &&
           !dram_full(&c->channel)) {
        uint32_t id = c->head;
        c->head = m->request[id].next;
        c->inside--;
        queue_for_channel(m, c, id, now);
    }
}

static void finish(struct memory *m, int channel, uint32_t id, double done)
{
    const struct request *r = &m->request[id];
    if (r->kind == REQUEST_DRAM_WRITE) {
        m->controller[channel].under_way--;
        memory_drop_request(m, id);
    } else
        memory_at(m, done + memory_detour(m, r, channel), AT_FILL, id);
}

void controller_returned(struct memory *m, const struct request *r, double now)
{
    int channel = (int)modulo(r->slice, (uint64_t)m->gpu->dram.channels);
    m->controller[channel].under_way--;
    let_in(m, channel, now);
}

static double sooner(double a, double b)
{
    return a < b ? a : b;
}

void controller_step(struct memory *m, int channel, uint64_t now)
{
    struct controller *c = &m->controller[channel];
    if (now != c->due)
        return;
    c->due = NO_EVENT;
    drain_pipeline(m, c, (double)now);
    while (dram_next(&c->channel) <= (double)now) {
        struct dram_request r;
        double done;
        if (dram_step(&c->channel, &r, &done))
            finish(m, channel, r.id, done);
        drain_pipeline(m, c, (double)now);
    }
    let_in(m, channel, (double)now);
    double next = dram_next(&c->channel);
    if (c->head != NO_REQUEST && !dram_full(&c->channel))
        next = sooner(next, m->request[c->head].time);
    if (next < INFINITY)
        wake(m, channel, next);
}
