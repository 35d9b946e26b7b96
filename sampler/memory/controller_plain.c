/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/controller_plain.h"

#include <math.h>

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
    return c->piped++ > 0 || controller_wake(c, ready);
}

bool controller_plain_send(struct controller *c, uint32_t id, double now)
{
    if (packet_list_empty(&c->door) && has_room(c))
        return enter(c, id, now);
    c->core->at_doors[c->core->packet[id].slice]++;
    packet_list_add(&c->door, c->core->packet, id);
    return true;
}

static bool let_in(struct controller *c, double now)
{
    while (!packet_list_empty(&c->door) && has_room(c)) {
        uint32_t id = packet_list_take(&c->door, c->core->packet);
        int slice = c->core->packet[id].slice;
        c->core->at_doors[slice]--;
        if (!enter(c, id, now) || !c->up.admitted(c->up.user, slice, now))
            return false;
    }
    return true;
}

bool controller_plain_returned(struct controller *c, double now)
{
    c->under_way--;
    return let_in(c, now);
}

/* ---- from the pipeline to the channel ----------------------------------- */

/* What has come through the pipeline goes into the channel's queue. */
static void drain_pipeline(struct controller *c, double now)
{
    while (controller_next_ready(c) <= now && !dram_full(&c->dram)) {
        struct dram_request r = controller_come_through(c);
        dram_enqueue(&c->dram, &r, now);
    }
}

static bool finish(struct controller *c, uint32_t id, double done)
{
    if (c->core->packet[id].request.kind != REQUEST_DRAM_WRITE)
        return controller_answer(c, id, done);
    c->under_way--;
    mem_drop_packet(c->core, id);
    return true;
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
        next = sooner(next, controller_next_ready(c));
    return next == INFINITY || controller_wake(c, next);
}

bool controller_plain_step(struct controller *c, uint64_t now)
{
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
