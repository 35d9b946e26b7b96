/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/crossbar.h"

#include "configs/gpu.h"

#include <assert.h>
#include <stdlib.h>

static size_t mask_words(const struct crossbar *x)
{
    return ((size_t)x->inputs + 63) / 64;
}

bool crossbar_init(struct crossbar *x, struct memory_core *core,
                   const struct crossbar_wiring *w)
{
    const struct gpu *g = core->gpu;
    *x = (struct crossbar){
        .core = core,
        .id = w->id,
        .inputs = w->inputs,
        .outputs = w->outputs,
        .flit_cycles = g->clock.core_mhz / g->clock.icnt_mhz,
        .passed = w->passed,
        .user = w->user,
    };
    size_t words = mask_words(x);
    x->in = calloc((size_t)x->inputs, sizeof(*x->in));
    x->out = calloc((size_t)x->outputs, sizeof(*x->out));
    x->masks = calloc((size_t)x->outputs * words, sizeof(*x->masks));
    if (x->in == NULL || x->out == NULL || x->masks == NULL)
        return false;
    for (int i = 0; i < x->inputs; i++)
        x->in[i].queue = NO_PACKETS;
    for (int i = 0; i < x->outputs; i++) {
        x->out[i].space = w->space;
        x->out[i].asking = &x->masks[(size_t)i * words];
    }
    return true;
}

void crossbar_free(struct crossbar *x)
{
    free(x->in);
    free(x->out);
    free(x->masks);
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

static uint32_t subject_of(const struct crossbar *x, int port)
{
    return x->id << 16 | (uint32_t)port;
}

static bool schedule_request(const struct crossbar *x, int in)
{
    return mem_schedule(x->core, x->in[in].free, PORT_REQUEST,
                        subject_of(x, in));
}

/* Let the port take a packet as soon as it may, if any asks. */
static bool schedule_grant(struct crossbar *x, int out, double now)
{
    struct port_out *o = &x->out[out];
    if (o->scheduled || o->waiting == 0 || o->space <= 0)
        return true;
    o->scheduled = true;
    return mem_schedule(x->core, later(o->free, now), PORT_GRANT,
                        subject_of(x, out));
}

/* The first packet of port `in` passes through the port it asks for. */
static bool pass(struct crossbar *x, int in)
{
    struct packet *packet = x->core->packet;
    struct port_in *i = &x->in[in];
    uint32_t id = packet_list_take(&i->queue, packet);
    struct packet *p = &packet[id];
    struct port_out *o = &x->out[p->port];
    double start = later(i->free, o->free);
    i->free = o->free = start + p->flits * x->flit_cycles;
    i->flits -= p->flits;
    o->space -= p->space;
    o->round_robin = in + 1 < x->inputs ? in + 1 : 0;
    p->next = NO_PACKET;
    return (packet_list_empty(&i->queue) || schedule_request(x, in)) &&
           x->passed(x->user, id, start);
}

bool crossbar_request(struct crossbar *x, int in)
{
    int out = x->core->packet[x->in[in].queue.first].port;
    struct port_out *o = &x->out[out];
    o->asking[in / 64] |= UINT64_C(1) << in % 64;
    o->waiting++;
    return schedule_grant(x, out, x->in[in].free);
}

/* The first port in, from the round-robin pointer on, that asks for a port. */
static int next_asking(const struct crossbar *x, const struct port_out *o)
{
    size_t words = mask_words(x), word = (size_t)o->round_robin / 64;
    uint64_t bits = o->asking[word] & ~UINT64_C(0) << o->round_robin % 64;
    for (size_t i = 0; bits == 0; i++) {
        assert(i <= words);
        word = word + 1 < words ? word + 1 : 0;
        bits = o->asking[word];
    }
    return (int)(word * 64) + __builtin_ctzll(bits);
}

bool crossbar_grant(struct crossbar *x, int out)
{
    struct port_out *o = &x->out[out];
    o->scheduled = false;
    if (o->waiting == 0 || o->space <= 0)
        return true;
    int in = next_asking(x, o);
    o->asking[in / 64] &= ~(UINT64_C(1) << in % 64);
    o->waiting--;
    return pass(x, in) && schedule_grant(x, out, 0);
}

bool crossbar_push(struct crossbar *x, int in, uint32_t id, double now)
{
    struct port_in *i = &x->in[in];
    struct packet *packet = x->core->packet;
    bool first = packet_list_empty(&i->queue);
    i->flits += packet[id].flits;
    packet_list_add(&i->queue, packet, id);
    if (!first)
        return true;
    if (i->free > now)
        return schedule_request(x, in);
    i->free = now;
    return crossbar_request(x, in);
}

bool crossbar_release(struct crossbar *x, int out, int space, double now)
{
    struct port_out *o = &x->out[out];
    if (o->space <= 0)
        o->free = later(o->free, now);
    o->space += space;
    return schedule_grant(x, out, now);
}
