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

static bool init_slices(struct controller *c)
{
    c->most_returning = c->core->gpu->dram.cl + 2;
    c->returning = calloc((size_t)c->most_returning, sizeof(*c->returning));
    c->slice = calloc((size_t)c->slices, sizeof(*c->slice));
    for (int i = 0; c->slice != NULL && i < c->slices; i++)
        c->slice[i].door = NO_PACKETS;
    return c->slice != NULL && c->returning != NULL;
}

bool controller_init(struct controller *c, struct memory_core *core,
                     struct network *network, int channel,
                     const struct controller_callbacks *up)
{
    const struct gpu *g = core->gpu;
    double clocks = g->dram.latency * g->clock.dram_mhz / g->clock.core_mhz;
    int slices = g->dram.clocked ? g->l2.banks / g->dram.channels : 0;
    *c = (struct controller){
        .core = core,
        .network = network,
        .channel = channel,
        .latency = g->dram.latency,
        .stages = (int)ceil(clocks) + 2 * (slices > 0),
        .mesh_cycles = controller_mesh_cycles(g),
        .most = g->dram.in_flight,
        .waiting = calloc((size_t)g->l2.banks, sizeof(*c->waiting)),
        .due = NO_EVENT,
        .door = NO_PACKETS,
        .slices = slices,
        .last = slices - 1,
        .up = *up,
    };
    if (slices > 0 && !init_slices(c))
        return false;
    c->pipeline = malloc((size_t)(c->stages + 1) * sizeof(*c->pipeline));
    return c->waiting != NULL && c->pipeline != NULL && dram_init(&c->dram, g);
}

void controller_free(struct controller *c)
{
    free(c->slice);
    free(c->returning);
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

static struct controller_slice *slice_of(const struct controller *c,
                                         const struct packet *p)
{
    return &c->slice[p->slice / c->core->gpu->dram.channels];
}

/* The packet has come to the door one cycle after the slice sent it, or after
 * the one before it. */
static bool come_to_door(struct controller *c, uint32_t id, double now)
{
    struct packet *p = &c->core->packet[id];
    struct controller_slice *s = slice_of(c, p);
    s->let_on = latest(whole_cycle(now), s->let_on) + 1;
    p->handled = (uint32_t)s->let_on;
    c->waiting[p->slice]++;
    packet_list_add(&s->door, c->core->packet, id);
    return wake(c, (double)(s->let_on + 1));
}

bool controller_send(struct controller *c, uint32_t id, double now)
{
    struct packet *p = &c->core->packet[id];
    network_count_dram(c->network, p, c->channel);
    if (c->slices > 0)
        return come_to_door(c, id, now);
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

static struct dram_request for_channel(const struct controller *c, uint32_t id)
{
    const struct gpu *g = c->core->gpu;
    const struct packet *p = &c->core->packet[id];
    uint64_t bytes = (uint64_t)request_bytes(g, &p->request);
    uint64_t burst = (uint64_t)g->dram.burst_bytes;
    return (struct dram_request){
        .row = p->row,
        .bank = p->bank,
        .id = id,
        .bursts = (uint32_t)divide(bytes + burst - 1, burst),
        .write = p->request.kind == REQUEST_DRAM_WRITE,
    };
}

/* The oldest leaves the pipeline. */
static struct dram_request come_through(struct controller *c)
{
    uint32_t id = c->pipeline[c->first].id;
    c->first = c->first == c->stages ? 0 : c->first + 1;
    c->piped--;
    return for_channel(c, id);
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
        struct dram_request r = come_through(c);
        dram_enqueue(&c->dram, &r, now);
    }
}

/* A place among those under way is free again. */
static void give_place_back(struct controller *c, int slice)
{
    c->under_way--;
    if (c->slices == 0)
        return;
    struct controller_slice *s = &c->slice[slice / c->core->gpu->dram.channels];
    c->shared -= !s->kept;
    s->kept = false;
}

/* A read's data leave the channel a clock after their latency. */
static void will_return(struct controller *c, int slice)
{
    int at = (c->first_returning + c->returns++) % c->most_returning;
    c->returning[at] = (struct returning){
        c->clock + 1 + (uint64_t)c->core->gpu->dram.cl, slice};
}

/* Places of reads whose data have left the channel by a clock. */
static void take_places_back(struct controller *c, uint64_t clock)
{
    while (c->returns > 0 && c->returning[c->first_returning].clock <= clock) {
        give_place_back(c, c->returning[c->first_returning].slice);
        c->first_returning = (c->first_returning + 1) % c->most_returning;
        c->returns--;
    }
}

/* When the slice has a read's data, which end at `done`: with l2.staged a cycle
 * later, since what waits for them passes the queue of the MSHRs. */
static double fill_cycle(struct controller *c, const struct packet *p,
                         double done)
{
    const struct gpu *g = c->core->gpu;
    struct controller_slice *s = slice_of(c, p);
    double next = s->filled + g->clock.core_mhz / g->clock.l2_mhz;
    double at = (double)whole_cycle(done);
    s->filled = at > next ? at : next;
    return s->filled + g->l2.staged;
}

static bool finish(struct controller *c, uint32_t id, double done)
{
    const struct packet *p = &c->core->packet[id];
    if (p->request.kind == REQUEST_DRAM_WRITE) {
        give_place_back(c, p->slice);
        mem_drop_packet(c->core, id);
        return true;
    }
    double back =
        c->mesh_cycles + network_dram_cycles(c->network, p, c->channel);
    back = back > 0 ? back : 0;
    if (c->slices > 0) {
        will_return(c, p->slice);
        done = fill_cycle(c, p, done);
    }
    return mem_schedule(c->core, done + back, DRAM_RETURN, id);
}

bool controller_returned(struct controller *c, double now)
{
    if (c->slices > 0)
        return true;
    c->under_way--;
    return let_in(c, now);
}

/* ---- command clocks ----------------------------------------------------- */

/* The core cycle that a command clock goes before, or with. */
static uint64_t cycle_of(const struct controller *c, uint64_t clock)
{
    return whole_cycle((double)clock * c->dram.clock_cycles);
}

/* The first command clock, after the last step, of that core cycle or later. */
static uint64_t clock_from(const struct controller *c, uint64_t cycle)
{
    double before = ((double)cycle - 1) / c->dram.clock_cycles;
    uint64_t clock = before > 1 ? (uint64_t)before : 1;
    while (cycle_of(c, clock) < cycle)
        clock++;
    return latest(clock, c->clock + 1);
}

static bool has_place(const struct controller *c,
                      const struct controller_slice *s)
{
    return !s->kept || c->most == 0 || c->shared < c->most - c->slices;
}

/* The cycle from which a slice's first packet may go in, or could with a place;
 * NO_EVENT: none. */
static uint64_t may_go_from(const struct controller *c,
                            const struct controller_slice *s)
{
    if (packet_list_empty(&s->door) || c->piped > c->stages)
        return NO_EVENT;
    uint32_t at_door = c->core->packet[s->door.first].handled;
    return s->let_on - ((uint32_t)s->let_on - at_door) + 1;
}

/* The first packet of a slice goes into the pipeline. */
static bool go_in(struct controller *c, int slice, uint64_t now)
{
    struct controller_slice *s = &c->slice[slice];
    uint32_t id = packet_list_take(&s->door, c->core->packet);
    int at = (c->first + c->piped) % (c->stages + 1);
    c->pipeline[at] = (struct piped_packet){(double)now + c->latency, id};
    c->piped++;
    c->under_way++;
    c->shared += s->kept;
    s->kept = true;
    c->last = slice;
    int of = c->core->packet[id].slice;
    c->waiting[of]--;
    return c->up.admitted(c->up.user, of, (double)now);
}

static bool let_one_in(struct controller *c, uint64_t now)
{
    for (int i = 1; i <= c->slices && !dram_full(&c->dram); i++) {
        int slice = (c->last + i) % c->slices;
        if (has_place(c, &c->slice[slice]) &&
            may_go_from(c, &c->slice[slice]) <= now)
            return go_in(c, slice, now);
    }
    return true;
}

/* What the channel, the door and the pipeline do in a command clock. */
static bool one_clock(struct controller *c, uint64_t clock)
{
    uint64_t now = cycle_of(c, clock);
    struct dram_request r;
    double done;
    c->clock = clock;
    take_places_back(c, clock);
    if (c->dram.due <= clock && dram_step(&c->dram, &r, &done) &&
        !finish(c, r.id, done))
        return false;
    if (!let_one_in(c, now))
        return false;
    if (next_ready(c) <= (double)now && !dram_full(&c->dram)) {
        r = come_through(c);
        dram_enqueue_clock(&c->dram, &r, clock + 1);
    }
    return true;
}

/* The command clock in which a slice's first packet may go in, or NO_EVENT. */
static uint64_t door_clock(const struct controller *c,
                           const struct controller_slice *s)
{
    uint64_t cycle = may_go_from(c, s);
    if (cycle == NO_EVENT)
        return NO_EVENT;
    if (has_place(c, s))
        return clock_from(c, cycle);
    return c->returns > 0 ? c->returning[c->first_returning].clock : NO_EVENT;
}

/* The next command clock in which something may be done, or NO_EVENT. */
static uint64_t next_clock(const struct controller *c)
{
    uint64_t next = c->dram.due;
    if (dram_full(&c->dram))
        return next;
    if (c->piped > 0)
        next = earliest(next,
                        clock_from(c, (uint64_t)c->pipeline[c->first].ready));
    for (int i = 0; i < c->slices; i++)
        next = earliest(next, door_clock(c, &c->slice[i]));
    return next;
}

static bool clocks_until(struct controller *c, uint64_t now)
{
    uint64_t clock = next_clock(c);
    for (; clock != NO_EVENT && cycle_of(c, clock) <= now;
         clock = next_clock(c))
        if (!one_clock(c, clock))
            return false;
    return clock == NO_EVENT || wake(c, (double)cycle_of(c, clock));
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
    if (c->slices > 0)
        return clocks_until(c, now);
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
