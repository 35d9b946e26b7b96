/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/crossbar.h"

#include "base/bits.h"
#include "configs/gpu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define NO_PORT (-1)

static int queues_of_a_port(const struct crossbar *x)
{
    return x->virtual_queues ? x->outputs : 1;
}

static bool init_queues(struct crossbar *x)
{
    size_t each = (size_t)queues_of_a_port(x);
    size_t count = (size_t)x->inputs * each;
    x->queues = malloc(count * sizeof(*x->queues));
    if (x->queues == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        x->queues[i] = NO_PACKETS;
    for (int i = 0; i < x->inputs; i++)
        x->in[i].queue = &x->queues[(size_t)i * each];
    return true;
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
        .virtual_queues = g->icnt.virtual_queues != 0,
        .ahead = w->ahead,
        .flit_cycles = g->clock.core_mhz / g->clock.icnt_mhz,
        .passed = w->passed,
        .user = w->user,
    };
    size_t words = mask_words(x->inputs);
    x->in = calloc((size_t)x->inputs, sizeof(*x->in));
    x->out = calloc((size_t)x->outputs, sizeof(*x->out));
    x->masks = calloc((size_t)x->outputs * words, sizeof(*x->masks));
    if (x->in == NULL || x->out == NULL || x->masks == NULL || !init_queues(x))
        return false;
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
    free(x->queues);
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

static struct packet_list *queue_of(const struct crossbar *x, int in, int out)
{
    return &x->in[in].queue[x->virtual_queues ? out : 0];
}

/* The first packet of a queue of port `in` asks for port `out`. */
static bool ask(struct crossbar *x, int in, int out)
{
    struct port_out *o = &x->out[out];
    mask_set(o->asking, in);
    o->waiting++;
    return schedule_grant(x, out, x->in[in].free);
}

static void no_longer_asks(struct crossbar *x, int in, int out)
{
    struct port_out *o = &x->out[out];
    mask_clear(o->asking, in);
    o->waiting--;
}

/* Whether the queue of a packet that passes has a next one, which asks: for the
 * same port at once, for any when the port in is free. */
static bool next_asks(struct crossbar *x, int in, int out)
{
    bool empty = packet_list_empty(queue_of(x, in, out));
    if (empty || !x->virtual_queues)
        no_longer_asks(x, in, out);
    return empty || x->virtual_queues || schedule_request(x, in);
}

/* The first packet of port `in` that asks for port `out` passes. */
static bool pass(struct crossbar *x, int in, int out)
{
    struct packet *packet = x->core->packet;
    struct port_in *i = &x->in[in];
    struct port_out *o = &x->out[out];
    uint32_t id = packet_list_take(queue_of(x, in, out), packet);
    struct packet *p = &packet[id];
    double start = later(i->free, o->free);
    i->free = o->free = start + p->flits * x->flit_cycles;
    i->flits -= p->flits;
    o->space -= p->space;
    o->round_robin = in + 1 < x->inputs ? in + 1 : 0;
    p->next = NO_PACKET;
    return next_asks(x, in, out) && x->passed(x->user, id, start);
}

bool crossbar_request(struct crossbar *x, int in)
{
    return ask(x, in, x->core->packet[x->in[in].queue[0].first].port);
}

/* Of the ports in of one word of a mask the first that is free by `now`;
 * otherwise NO_PORT, and *free is when the first of them is. */
static int free_port(const struct crossbar *x, uint64_t bits, size_t word,
                     uint64_t now, double *free)
{
    for (; bits != 0; bits &= bits - 1) {
        int in = (int)(word * 64) + __builtin_ctzll(bits);
        if (x->in[in].free <= (double)now)
            return in;
        *free = fmin(*free, x->in[in].free);
    }
    return NO_PORT;
}

/* The first port in, from the round-robin pointer on, that asks for a port and
 * is free; NO_PORT as above. */
static int next_asking(const struct crossbar *x, const struct port_out *o,
                       uint64_t now, double *free)
{
    size_t words = mask_words(x->inputs), word;
    *free = INFINITY;
    for (size_t i = 0; i <= words; i++) {
        uint64_t asking =
            round_bits(o->asking, words, o->round_robin, i, &word);
        int in = free_port(x, asking, word, now, free);
        if (in != NO_PORT)
            return in;
    }
    return NO_PORT;
}

bool crossbar_grant(struct crossbar *x, int out, uint64_t now)
{
    struct port_out *o = &x->out[out];
    double free;
    o->scheduled = false;
    if (o->waiting == 0 || o->space <= 0)
        return true;
    int in = next_asking(x, o, now, &free);
    if (in == NO_PORT)
        return schedule_grant(x, out, free);
    return pass(x, in, out) && schedule_grant(x, out, 0);
}

bool crossbar_push(struct crossbar *x, int in, uint32_t id, double now)
{
    struct packet *packet = x->core->packet;
    struct port_in *i = &x->in[in];
    int out = packet[id].port;
    struct packet_list *queue = queue_of(x, in, out);
    bool first = packet_list_empty(queue);
    i->flits += packet[id].flits;
    packet_list_add(queue, packet, id);
    if (!first)
        return true;
    bool asks_later = (i->free > now || x->ahead) && !x->virtual_queues;
    i->free = later(i->free, now);
    if (asks_later)
        return schedule_request(x, in);
    return ask(x, in, out);
}

bool crossbar_release(struct crossbar *x, int out, int space, double now)
{
    struct port_out *o = &x->out[out];
    if (o->space <= 0)
        o->free = later(o->free, now);
    o->space += space;
    return schedule_grant(x, out, now);
}
