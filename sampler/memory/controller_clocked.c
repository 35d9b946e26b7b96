/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/controller_clocked.h"

#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>

bool controller_clocked_init(struct controller *c)
{
    c->most_returning = c->core->gpu->dram.cl + 2;
    c->returning = calloc((size_t)c->most_returning, sizeof(*c->returning));
    c->slice = calloc((size_t)c->slices, sizeof(*c->slice));
    for (int i = 0; c->slice != NULL && i < c->slices; i++)
        c->slice[i].door = NO_PACKETS;
    clock_edges_init(&c->edges, c->core->gpu->clock.core_mhz,
                     c->core->gpu->clock.dram_mhz);
    return c->slice != NULL && c->returning != NULL;
}

static struct controller_slice *slice_of(const struct controller *c, int slice)
{
    return &c->slice[slice / c->core->gpu->dram.channels];
}

/* ---- to the door --------------------------------------------------------- */

/* It has come to the door one cycle after the slice sent it, or after the one
 * before it. */
bool controller_clocked_send(struct controller *c, uint32_t id, double now)
{
    struct packet *p = &c->core->packet[id];
    struct controller_slice *s = slice_of(c, p->slice);
    s->let_on = latest(whole_cycle(now), s->let_on) + 1;
    p->handled = (uint32_t)s->let_on;
    c->core->at_doors[p->slice]++;
    packet_list_add(&s->door, c->core->packet, id);
    return controller_wake(c, (double)(s->let_on + 1));
}

/* ---- back from the channel ----------------------------------------------- */

/* A place among those under way is free again. */
static void give_place_back(struct controller *c, int slice)
{
    c->under_way--;
    struct controller_slice *s = slice_of(c, slice);
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

/* When the slice has a read's data, which end at `done`. */
static double fill_cycle(struct controller *c, int slice, double done)
{
    const struct gpu *g = c->core->gpu;
    struct controller_slice *s = slice_of(c, slice);
    double next = s->filled + g->clock.core_mhz / g->clock.l2_mhz;
    uint64_t clock = (uint64_t)llround(done / c->edges.clock_cycles);
    double at = (double)clock_edges_cycle(&c->edges, clock);
    s->filled = at > next ? at : next;
    return s->filled;
}

static bool finish(struct controller *c, uint32_t id, double done)
{
    const struct packet *p = &c->core->packet[id];
    if (p->request.kind != REQUEST_DRAM_WRITE) {
        will_return(c, p->slice);
        return controller_answer(c, id, fill_cycle(c, p->slice, done));
    }
    give_place_back(c, p->slice);
    mem_drop_packet(c->core, id);
    return true;
}

/* ---- from the door into the pipeline ------------------------------------- */

/* The first command clock, after the last step, of that core cycle or later. */
static uint64_t clock_from(struct controller *c, uint64_t cycle)
{
    double before = ((double)cycle - 1) / c->dram.clock_cycles;
    uint64_t clock = before > 1 ? (uint64_t)before : 1;
    while (clock_edges_cycle(&c->edges, clock) < cycle)
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
    c->core->at_doors[of]--;
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

/* ---- command clocks ------------------------------------------------------ */

/* What the channel, the door and the pipeline do in a command clock. */
static bool one_clock(struct controller *c, uint64_t clock)
{
    uint64_t now = clock_edges_cycle(&c->edges, clock);
    struct dram_request r;
    double done;
    c->clock = clock;
    take_places_back(c, clock);
    if (c->dram.due <= clock && dram_step(&c->dram, &r, &done) &&
        !finish(c, r.id, done))
        return false;
    if (!let_one_in(c, now))
        return false;
    if (controller_next_ready(c) <= (double)now && !dram_full(&c->dram)) {
        r = controller_come_through(c);
        dram_enqueue_clock(&c->dram, &r, clock + 1);
    }
    return true;
}

/* The command clock in which a slice's first packet may go in, or NO_EVENT. */
static uint64_t door_clock(struct controller *c,
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
static uint64_t next_clock(struct controller *c)
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

bool controller_clocked_step(struct controller *c, uint64_t now)
{
    uint64_t clock = next_clock(c);
    for (; clock != NO_EVENT && clock_edges_cycle(&c->edges, clock) <= now;
         clock = next_clock(c))
        if (!one_clock(c, clock))
            return false;
    return clock == NO_EVENT ||
           controller_wake(c, (double)clock_edges_cycle(&c->edges, clock));
}
