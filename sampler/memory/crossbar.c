/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/crossbar.h"

#include "sampler/memory/memory.h"

#include <assert.h>
#include <stdlib.h>

static size_t mask_words(const struct crossbar *x)
{
    return ((size_t)x->inputs + 63) / 64;
}

bool crossbar_init(struct crossbar *x, uint32_t id, int inputs, int outputs,
                   int room,
                   void (*passed)(struct memory *m, uint32_t request,
                                  double time))
{
    *x = (struct crossbar){
        .id = id, .inputs = inputs, .outputs = outputs, .passed = passed};
    size_t words = mask_words(x);
    x->in = calloc((size_t)inputs, sizeof(*x->in));
    x->out = calloc((size_t)outputs, sizeof(*x->out));
    x->masks = calloc((size_t)outputs * words, sizeof(*x->masks));
    if (x->in == NULL || x->out == NULL || x->masks == NULL)
        return false;
    for (int i = 0; i < inputs; i++)
        x->in[i].head = x->in[i].tail = NO_REQUEST;
    for (int i = 0; i < outputs; i++) {
        x->out[i].room = room;
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

static void schedule_ask(struct memory *m, const struct crossbar *x, int in)
{
    memory_at(m, x->in[in].free, AT_IN, subject_of(x, in));
}

/* Let the port take a packet as soon as it may, if any asks. */
static void schedule_grant(struct memory *m, struct crossbar *x, int out,
                           double now)
{
    struct port_out *o = &x->out[out];
    if (o->scheduled || o->waiting == 0 || o->room <= 0)
        return;
    o->scheduled = true;
    memory_at(m, later(o->free, now), AT_OUT, subject_of(x, out));
}

/* The first packet of port `in` passes through the port it asks for. */
static void transfer(struct memory *m, struct crossbar *x, int in)
{
    struct port_in *i = &x->in[in];
    uint32_t id = i->head;
    struct request *r = &m->request[id];
    struct port_out *o = &x->out[r->out];
    double start = later(i->free, o->free);
    i->free = o->free = start + r->flits * m->flit_cycles;
    i->head = r->next;
    i->flits -= r->flits;
    o->room -= r->room;
    o->turn = in + 1 < x->inputs ? in + 1 : 0;
    r->next = NO_REQUEST;
    if (i->head != NO_REQUEST)
        schedule_ask(m, x, in);
    x->passed(m, id, start);
}

void crossbar_ask(struct memory *m, struct crossbar *x, int in)
{
    int out = m->request[x->in[in].head].out;
    struct port_out *o = &x->out[out];
    o->asking[in / 64] |= UINT64_C(1) << in % 64;
    o->waiting++;
    schedule_grant(m, x, out, x->in[in].free);
}

/* The first port in from `turn` on that asks for port `out`. */
static int next_asking(const struct crossbar *x, const struct port_out *o)
{
    size_t words = mask_words(x), word = (size_t)o->turn / 64;
    uint64_t bits = o->asking[word] & ~UINT64_C(0) << o->turn % 64;
    for (size_t i = 0; bits == 0; i++) {
        assert(i <= words);
        word = word + 1 < words ? word + 1 : 0;
        bits = o->asking[word];
    }
    return (int)(word * 64) + __builtin_ctzll(bits);
}

void crossbar_grant(struct memory *m, struct crossbar *x, int out)
{
    struct port_out *o = &x->out[out];
    o->scheduled = false;
    if (o->waiting == 0 || o->room <= 0)
        return;
    int in = next_asking(x, o);
    o->asking[in / 64] &= ~(UINT64_C(1) << in % 64);
    o->waiting--;
    transfer(m, x, in);
    schedule_grant(m, x, out, 0);
}

void crossbar_push(struct memory *m, struct crossbar *x, int in, uint32_t id,
                   double now)
{
    struct port_in *i = &x->in[in];
    struct request *r = &m->request[id];
    r->next = NO_REQUEST;
    i->flits += r->flits;
    if (i->head != NO_REQUEST) {
        m->request[i->tail].next = id;
        i->tail = id;
        return;
    }
    i->head = i->tail = id;
    if (i->free > now) {
        schedule_ask(m, x, in);
        return;
    }
    i->free = now;
    crossbar_ask(m, x, in);
}

void crossbar_release(struct memory *m, struct crossbar *x, int out, int room,
                      double now)
{
    struct port_out *o = &x->out[out];
    if (o->room <= 0)
        o->free = later(o->free, now);
    o->room += room;
    schedule_grant(m, x, out, now);
}
