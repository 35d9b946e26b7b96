/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/router.h"

#include "base/bits.h"
#include "configs/gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Flits of a port out's room that are on their way there and back. */
#define UNDER_WAY 2
/* Of a time over a cycle. */
#define ROUNDING 1e-9

/* Masks of ports in, those of the ports out first, and of ports out. */
static bool init_masks(struct router *x)
{
    size_t in = mask_words(x->inputs), out = mask_words(x->outputs);
    x->masks =
        calloc(((size_t)x->outputs + 3) * in + 2 * out, sizeof(*x->masks));
    if (x->masks == NULL)
        return false;
    uint64_t *mask = x->masks;
    for (int i = 0; i < x->outputs; i++, mask += in)
        x->out[i].asking = mask;
    x->awaiting = mask;
    x->crossing = x->awaiting + in;
    x->moving = x->crossing + in;
    x->asked = x->moving + in;
    x->emptied = x->asked + out;
    return true;
}

bool router_init(struct router *x, struct memory_core *core,
                 const struct crossbar_wiring *w)
{
    const struct gpu *g = core->gpu;
    *x = (struct router){.core = core,
                         .id = w->id,
                         .inputs = w->inputs,
                         .outputs = w->outputs,
                         .whole = g->icnt.router == ROUTER_PACKETS,
                         .speedup = g->icnt.speedup,
                         .due = NO_EVENT,
                         .drains = w->drains,
                         .cycle = g->clock.core_mhz / g->clock.icnt_mhz,
                         .passed = w->passed,
                         .user = w->user};
    x->in = calloc((size_t)x->inputs, sizeof(*x->in));
    x->out = calloc((size_t)x->outputs, sizeof(*x->out));
    if (x->in == NULL || x->out == NULL || !init_masks(x))
        return false;
    for (int i = 0; i < x->inputs; i++) {
        x->in[i].queue = NO_PACKETS;
        x->in[i].later = NO_PACKETS;
    }
    for (int i = 0; i < x->outputs; i++)
        x->out[i].space = w->space;
    return true;
}

void router_free(struct router *x)
{
    free(x->in);
    free(x->out);
    free(x->masks);
}

/* Its next step is in `cycle`, or in the first whose step is to come. */
static bool schedule(struct router *x, uint64_t cycle)
{
    cycle = latest(cycle, x->next);
    if (x->due <= cycle)
        return true;
    x->due = cycle;
    return mem_schedule(x->core, (double)cycle * x->cycle, ROUTER_STEP,
                        x->id << 16);
}

static uint64_t cycle_of(const struct router *x, double now)
{
    return (uint64_t)ceil(now / x->cycle);
}

static bool is_before(const struct packet *a, const struct packet *b)
{
    return (int32_t)(a->handled - b->handled) < 0;
}

/* To those that come later, by their cycles, which few are. */
static void add(struct router *x, struct router_in *i, uint32_t id)
{
    struct packet *packet = x->core->packet;
    if (packet_list_empty(&i->later) ||
        !is_before(&packet[id], &packet[i->later.last])) {
        packet_list_add(&i->later, packet, id);
        return;
    }
    uint32_t *link = &i->later.first;
    while (!is_before(&packet[id], &packet[*link]))
        link = &packet[*link].next;
    packet[id].next = *link;
    *link = id;
}

bool router_push(struct router *x, int in, uint32_t id, double now)
{
    struct router_in *i = &x->in[in];
    struct packet *p = &x->core->packet[id];
    uint64_t cycle = cycle_of(x, now);
    if (x->whole && x->drains > 0) {
        cycle = latest(cycle, i->next);
        i->next = cycle + 1;
    }
    p->handled = (uint32_t)cycle;
    add(x, i, id);
    mask_set(x->awaiting, in);
    i->flits += p->flits;
    return schedule(x, cycle);
}

bool router_release(struct router *x, int out, int flits, double now)
{
    struct router_out *o = &x->out[out];
    uint64_t cycle = cycle_of(x, now) + x->whole;
    if (o->back_from != cycle) {
        o->space += o->back;
        o->back = 0;
        o->back_from = cycle;
    }
    o->back += flits;
    mask_set(x->emptied, out);
    return schedule(x, cycle);
}

/* The first packet of a queue, whose first flit is in the router, asks. */
static void ask(struct router *x, int in)
{
    struct router_in *i = &x->in[in];
    const struct packet *p = &x->core->packet[i->queue.first];
    struct router_out *o = &x->out[p->port];
    i->out = p->port;
    i->left = p->flits;
    i->asks = true;
    mask_set(o->asking, in);
    mask_set(x->asked, p->port);
}

/* Packets whose cycle has come; whether there are others. */
static bool come_late(struct router *x, struct router_in *i)
{
    struct packet *packet = x->core->packet;
    while (!packet_list_empty(&i->later)) {
        struct packet *p = &packet[i->later.first];
        if ((int32_t)(p->handled - (uint32_t)x->now) > 0)
            return true;
        uint32_t id = packet_list_take(&i->later, packet);
        p->handled = 0;
        i->coming += p->flits;
        packet_list_add(&i->queue, packet, id);
    }
    return false;
}

/* ---- flits --------------------------------------------------------------- */

/* A flit comes to each port in that awaits some. */
static bool come(struct router *x)
{
    bool any = false;
    EACH_BIT (in, x->awaiting, x->inputs) {
        any = true;
        struct router_in *i = &x->in[in];
        bool later = come_late(x, i);
        if (i->coming > 0) {
            i->coming--;
            i->here++;
            if (!i->asks && !mask_has(x->crossing, in))
                ask(x, in);
        }
        if (!later && i->coming == 0)
            mask_clear(x->awaiting, in);
    }
    return any;
}

/* Room behind ports out; whether there is more to come. */
static bool come_back(struct router *x)
{
    bool more = false;
    EACH_BIT (out, x->emptied, x->outputs) {
        struct router_out *o = &x->out[out];
        if (o->back_from > x->now) {
            more = true;
            continue;
        }
        o->space += o->back;
        o->back = 0;
        mask_clear(x->emptied, out);
    }
    return more;
}

/* A packet that has begun to cross goes on: its receiver takes whole ones. */
static bool has_room(const struct router *x, const struct router_in *i)
{
    const struct router_out *o = &x->out[i->out];
    if (x->drains > 0)
        return o->free < x->now + (uint64_t)(x->drains - UNDER_WAY);
    return o->space > 0 || i->left < x->core->packet[i->queue.first].flits;
}

static int next_asking(const struct router *x, const struct router_out *o)
{
    int in = mask_next(o->asking, o->round_robin, x->inputs);
    return in != NO_BIT ? in : mask_next(o->asking, 0, o->round_robin);
}

static void take_channel(struct router *x, int in, int out)
{
    struct router_in *i = &x->in[in];
    struct router_out *o = &x->out[out];
    i->asks = false;
    mask_set(x->crossing, in);
    mask_clear(o->asking, in);
    if (next_asking(x, o) == NO_BIT)
        mask_clear(x->asked, out);
    o->taken = true;
    o->round_robin = in + 1 < x->inputs ? in + 1 : 0;
}

/* All of a port's first packet has crossed; when it starts to leave its port
 * out, in cycles. */
static bool leave(struct router *x, int in, double start)
{
    struct router_in *i = &x->in[in];
    struct router_out *o = &x->out[i->out];
    struct packet *packet = x->core->packet;
    uint32_t id = packet_list_take(&i->queue, packet);
    packet[id].next = NO_PACKET;
    i->flits -= packet[id].flits;
    mask_clear(x->crossing, in);
    o->taken = false;
    if (i->here > 0)
        ask(x, in);
    return x->passed(x->user, id, start * x->cycle);
}

static bool cross(struct router *x, int in, int step)
{
    struct router_in *i = &x->in[in];
    struct router_out *o = &x->out[i->out];
    uint64_t there = x->now + (step == x->speedup - 1);
    o->free = latest(o->free, there) + 1;
    o->space--;
    i->here--;
    i->left--;
    int flits = x->core->packet[i->queue.first].flits;
    return i->left > 0 || leave(x, in, (double)o->free - flits - 1);
}

/* Ports in whose first packet has a flit to move and room for it. */
static void find_moving(struct router *x)
{
    memcpy(x->moving, x->crossing, mask_words(x->inputs) * sizeof(*x->moving));
    EACH_BIT (in, x->moving, x->inputs)
        if (x->in[in].here == 0 || !has_room(x, &x->in[in]))
            mask_clear(x->moving, in);
}

/* Each port out that is asked for and not taken is given to one. */
static bool give_channels(struct router *x)
{
    bool any = false;
    EACH_BIT (out, x->asked, x->outputs) {
        if (x->out[out].taken)
            continue;
        any = true;
        take_channel(x, next_asking(x, &x->out[out]), out);
    }
    return any;
}

/* One step; what is decided in it is so by what was before it. */
static bool step(struct router *x, int number, bool *moved)
{
    find_moving(x);
    *moved = give_channels(x) || *moved;
    EACH_BIT (in, x->moving, x->inputs) {
        *moved = true;
        if (!cross(x, in, number))
            return false;
    }
    return true;
}

/* Some packet asks or crosses. */
static bool is_blocked(const struct router *x)
{
    return mask_next(x->asked, 0, x->outputs) != NO_BIT ||
           mask_next(x->crossing, 0, x->inputs) != NO_BIT;
}

static bool steps(struct router *x)
{
    bool moved = come_back(x);
    moved = come(x) || moved;
    for (int i = 0; i < x->speedup; i++)
        if (!step(x, i, &moved))
            return false;
    if (!moved && !(x->drains > 0 && is_blocked(x)))
        return true;
    return schedule(x, x->now + 1);
}

/* ---- whole packets ------------------------------------------------------- */

/* All packets that are there ask at once. */
static bool come_whole(struct router *x)
{
    bool any = false;
    EACH_BIT (in, x->awaiting, x->inputs) {
        struct router_in *i = &x->in[in];
        if (come_late(x, i))
            any = true;
        else
            mask_clear(x->awaiting, in);
        i->here += i->coming;
        i->coming = 0;
        if (i->here > 0 && !i->asks)
            ask(x, in);
    }
    return any;
}

static bool pass_whole(struct router *x, int in, int out)
{
    struct router_in *i = &x->in[in];
    take_channel(x, in, out);
    int flits = i->left;
    i->here -= flits;
    x->out[out].space -= flits;
    return leave(x, in, (double)x->now - flits + 1);
}

/* (GPGPU-Sim, xbar_router::iSLIP_Advance) */
static bool step_whole(struct router *x)
{
    bool moved = come_back(x);
    moved = come_whole(x) || moved;
    EACH_BIT (out, x->asked, x->outputs) {
        struct router_out *o = &x->out[out];
        if (x->drains == 0 && o->space <= 0)
            continue;
        moved = true;
        if (!pass_whole(x, next_asking(x, o), out))
            return false;
    }
    return !moved || schedule(x, x->now + 1);
}

bool router_step(struct router *x, uint64_t now)
{
    if (x->due > (uint64_t)floor((double)now / x->cycle + ROUNDING))
        return true;
    x->now = x->due;
    x->next = x->now + 1;
    x->due = NO_EVENT;
    return x->whole ? step_whole(x) : steps(x);
}
