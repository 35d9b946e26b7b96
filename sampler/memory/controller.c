/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/controller.h"

#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

double controller_mesh_cycles(const struct gpu *g)
{
    return g->icnt.mesh ? g->mesh.memory_near - g->mesh.l2_near -
                              g->dram.latency - dram_idle_cycles(g)
                        : 0;
}

bool controller_init(struct controller *c, struct memory_core *core,
                     struct network *network, int channel,
                     const struct controller_callbacks *up)
{
    const struct gpu *g = core->gpu;
    double clocks = g->dram.latency * g->clock.dram_mhz / g->clock.core_mhz;
    *c = (struct controller){
        .core = core,
        .network = network,
        .channel = channel,
        .latency = g->dram.latency,
        .stages = (int)ceil(clocks),
        .mesh_cycles = controller_mesh_cycles(g),
        .most = g->dram.in_flight,
        .waiting = calloc((size_t)g->l2.banks, sizeof(*c->waiting)),
        .due = NO_EVENT,
        .door = NO_PACKETS,
        .up = *up,
    };
    c->pipeline = malloc((size_t)(c->stages + 1) * sizeof(*c->pipeline));
    return c->waiting != NULL && c->pipeline != NULL && dram_init(&c->dram, g);
}

void controller_free(struct controller *c)
{
    free(c->waiting);
    free(c->pipeline);
    dram_free(&c->dram);
}

/* Be back at `time`; an event that is due later is then void. */
static bool wake(struct controller *c, double time)
{
    uint64_t due = whole_cycle(time);
    if (due >= c->due)
        return true;
    c->due = due;
    return mem_schedule(c->core, time, CONTROLLER_STEP, (uint32_t)c->channel);
}

/* ---- from the door into the pipeline ------------------------------------ */

/* Whether one more may come in: the pipeline takes one a command clock. */
static bool has_room(const struct controller *c)
{
    return c->piped <= c->stages && (c->most == 0 || c->under_way < c->most);
}

static bool enter(struct controller *c, uint32_t id, double now)
{
    double ready = now + c->latency;
    int at = c->first + c->piped;
    at -= at > c->stages ? c->stages + 1 : 0;
    c->pipeline[at] = (struct piped_packet){ready, id};
    c->under_way++;
    return c->piped++ > 0 || wake(c, ready);
}

bool controller_send(struct controller *c, uint32_t id, double now)
{
    struct packet *p = &c->core->packet[id];
    network_count_dram(c->network, p, c->channel);
    if (packet_list_empty(&c->door) && has_room(c))
        return enter(c, id, now);
    c->waiting[p->slice]++;
    packet_list_add(&c->door, c->core->packet, id);
    return true;
}

static bool let_in(struct controller *c, double now)
{
    while (!packet_list_empty(&c->door) && has_room(c)) {
        uint32_t id = packet_list_take(&c->door, c->core->packet);
        int slice = c->core->packet[id].slice;
        c->waiting[slice]--;
        if (!enter(c, id, now) || !c->up.admitted(c->up.user, slice, now))
            return false;
    }
    return true;
}

/* ---- from the pipeline to the channel ----------------------------------- */

static void queue_for_channel(struct controller *c, uint32_t id, double now)
{
    const struct gpu *g = c->core->gpu;
    const struct packet *p = &c->core->packet[id];
    uint64_t bytes = (uint64_t)request_bytes(g, &p->request);
    uint64_t burst = (uint64_t)g->dram.burst_bytes;
    dram_enqueue(&c->dram,
                 &(struct dram_request){
                     .row = p->row,
                     .bank = p->bank,
                     .id = id,
                     .bursts = (uint32_t)divide(bytes + burst - 1, burst),
                     .write = p->request.kind == REQUEST_DRAM_WRITE,
                 },
                 now);
}

/* When the oldest in the pipeline, if there is one, has come through. */
static double next_ready(const struct controller *c)
{
    return c->piped > 0 ? c->pipeline[c->first].ready : INFINITY;
}

/* What has come through the pipeline goes into the channel's queue. */
static void drain_pipeline(struct controller *c, double now)
{
    while (next_ready(c) <= now && !dram_full(&c->dram)) {
        uint32_t id = c->pipeline[c->first].id;
        c->first = c->first == c->stages ? 0 : c->first + 1;
        c->piped--;
        queue_for_channel(c, id, now);
    }
}

static bool finish(struct controller *c, uint32_t id, double done)
{
    const struct packet *p = &c->core->packet[id];
    if (p->request.kind == REQUEST_DRAM_WRITE) {
        c->under_way--;
        mem_drop_packet(c->core, id);
        return true;
    }
    double back =
        c->mesh_cycles + network_dram_cycles(c->network, p, c->channel);
    back = back > 0 ? back : 0;
    return mem_schedule(c->core, done + back, DRAM_RETURN, id);
}

bool controller_returned(struct controller *c, double now)
{
    c->under_way--;
    return let_in(c, now);
}

/* ---- steps -------------------------------------------------------------- */

static double sooner(double a, double b)
{
    return a < b ? a : b;
}

static bool schedule_step(struct controller *c)
{
    double next = dram_next(&c->dram);
    if (!dram_full(&c->dram))
        next = sooner(next, next_ready(c));
    return next == INFINITY || wake(c, next);
}

bool controller_step(struct controller *c, uint64_t now)
{
    if (now != c->due)
        return true;
    c->due = NO_EVENT;
    drain_pipeline(c, (double)now);
    while (dram_next(&c->dram) <= (double)now) {
        struct dram_request r;
        double done;
        if (dram_step(&c->dram, &r, &done) && !finish(c, r.id, done))
            return false;
        drain_pipeline(c, (double)now);
    }
    return let_in(c, (double)now) && schedule_step(c);
}
