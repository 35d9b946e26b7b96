/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/network.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/memory/mesh.h"

#include <stdlib.h>

enum { TO_SLICES, TO_SMS }; /* the crossbars' ids */

/* ---- latencies ---------------------------------------------------------- */

/* Links between two nodes. Without a mesh any two are one apart. */
static int hops(const struct gpu *g, int a, int b)
{
    return g->icnt.mesh ? mesh_hops(mesh_node(a), mesh_node(b)) : 1;
}

static int slice_of(const struct packet *p)
{
    return p->place.slice;
}

static double not_negative(double cycles)
{
    return cycles > 0 ? cycles : 0;
}

/* What n hops add to a latency that distance spreads from near to far. */
static double hop_cycles(int near, int far, int n)
{
    return (double)(far - near) * n / MESH_LONGEST;
}

/* One-way latency between SM and slice: a round trip of 12 hops takes l2_far -
 * l2_near more than one of none (ikra Table 2: 29 to 61 cycles for an L2 hit).
 */
static double slice_cycles(const struct gpu *g, int sm, int slice)
{
    if (!g->icnt.mesh)
        return g->icnt.latency;
    return not_negative(g->icnt.latency + hop_cycles(g->mesh.l2_near,
                                                     g->mesh.l2_far,
                                                     hops(g, sm, slice)));
}

/* From the slice over the owner's L1 to the SM, beyond what an answer of the
 * slice takes without hops. All hops of the path count, less those that the
 * request has taken to the slice. */
static double owner_cycles(const struct gpu *g, int sm, int slice, int owner)
{
    if (!g->icnt.mesh)
        return g->icnt.latency;
    int there = hops(g, sm, slice);
    int path = there + hops(g, slice, owner) + hops(g, owner, sm);
    return g->mesh.remote_near - g->mesh.l2_near +
           hop_cycles(g->mesh.remote_near, g->mesh.remote_far, path) -
           hop_cycles(g->mesh.l2_near, g->mesh.l2_far, there);
}

/* The longer of the paths between SM and slice, slice and controller counts. */
double network_dram_cycles(const struct network *n, const struct packet *p,
                           int channel)
{
    const struct gpu *g = n->core->gpu;
    if (!g->icnt.mesh)
        return 0;
    int slice = slice_of(p);
    int to_sm = 2 * hops(g, p->request.sm, slice);
    int to_dram = 2 * mesh_hops(mesh_node(slice), mesh_controller(channel));
    return hop_cycles(g->mesh.memory_near, g->mesh.memory_far,
                      to_sm > to_dram ? to_sm : to_dram) -
           hop_cycles(g->mesh.l2_near, g->mesh.l2_far, to_sm);
}

/* ---- sizes and counts --------------------------------------------------- */

static int flits(const struct gpu *g, int bytes)
{
    int total = bytes + g->icnt.header_bytes;
    return (total + g->icnt.flit_bytes - 1) / g->icnt.flit_bytes;
}

/* Of all packets that carry `bytes` of data for a request, in one or in one a
 * sector. */
static int flits_for(const struct gpu *g, const struct request *r, int bytes,
                     bool sectors)
{
    if (!sectors)
        return flits(g, bytes);
    int packets = count_bits(r->sectors);
    return packets * flits(g, bytes > 0 ? g->l2.sector_bytes : 0);
}

/* Bytes of data that go back to the SM. */
static int answer_bytes(const struct gpu *g, const struct request *r)
{
    bool words = g->coherence == COHERENCE_DENOVO;
    if (words && (r->kind == REQUEST_FILL || r->kind == REQUEST_OWN_FILL))
        return __builtin_popcount(r->l1_sectors | r->l1_optional) * WORD_BYTES;
    if (r->kind == REQUEST_FILL || r->kind == REQUEST_READ ||
        r->kind == REQUEST_OWN_FILL)
        return request_bytes(g, r);
    return r->kind == REQUEST_ATOMIC ? g->l2.sector_bytes : 0;
}

/* What an owner gives back for an access past the L1 is charged as if it went
 * to the SM. */
static int owner_bytes(const struct gpu *g, const struct request *r)
{
    bool past = r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC;
    return past ? request_bytes(g, r) : answer_bytes(g, r);
}

static enum noc_class noc_class_of(const struct request *r)
{
    switch ((enum request_kind)r->kind) {
    case REQUEST_FILL:
    case REQUEST_READ:
    case REQUEST_DRAM_READ:
        return NOC_READ;
    case REQUEST_WRITEBACK:
    case REQUEST_DRAM_WRITE:
        return NOC_WRITEBACK;
    default:
        return NOC_WRITE;
    }
}

/* Count a packet of so many flits between two nodes. */
static void count_flits(struct network *n, const struct request *r, int count,
                        int links)
{
    struct memory_counts *c = &n->core->counts;
    c->noc_flits += (uint64_t)count;
    c->noc_crossings[noc_class_of(r)] += (uint64_t)(count * links);
}

void network_count_dram(struct network *n, const struct packet *p, int channel)
{
    const struct gpu *g = n->core->gpu;
    const struct request *r = &p->request;
    if (!g->icnt.mesh)
        return;
    int count = flits(g, request_bytes(g, r)) +
                (r->kind == REQUEST_DRAM_READ ? flits(g, 0) : 0);
    count_flits(n, r, count,
                mesh_hops(mesh_node(slice_of(p)), mesh_controller(channel)));
}

/* ---- from SM to slice --------------------------------------------------- */

bool network_send(struct network *n, uint32_t id, int data_bytes, double now)
{
    const struct gpu *g = n->core->gpu;
    struct packet *p = &n->core->packet[id];
    const struct request *r = &p->request;
    p->port = (uint16_t)slice_of(p);
    p->flits =
        (uint16_t)flits_for(g, r, data_bytes, g->icnt.sector_packets != 0);
    p->space = (uint16_t)count_bits(r->sectors);
    count_flits(n, r, p->flits, hops(g, r->sm, slice_of(p)));
    return crossbar_push(&n->to_slices, r->sm, id, now);
}

/* A packet starts to leave by its slice's port. */
static bool sent(void *user, uint32_t id, double time)
{
    struct network *n = user;
    const struct gpu *g = n->core->gpu;
    const struct packet *p = &n->core->packet[id];
    int sm = p->request.sm, flits = p->flits;
    double there =
        slice_cycles(g, sm, slice_of(p)) + flits * n->to_slices.flit_cycles;
    if (!mem_schedule(n->core, time + there + g->l2.latency, L2_ARRIVAL, id))
        return false;
    if (n->to_slices.in[sm].flits + flits >= n->sm_flits)
        n->up.sm_room(n->up.user, sm);
    return true;
}

/* ---- from slice to SM --------------------------------------------------- */

bool network_answer(struct network *n, uint32_t id, double time)
{
    const struct gpu *g = n->core->gpu;
    struct packet *p = &n->core->packet[id];
    const struct request *r = &p->request;
    p->flits = (uint16_t)flits_for(g, r, answer_bytes(g, r),
                                   g->icnt.sector_packets != 0 ||
                                       g->icnt.sector_answers != 0);
    p->space = 0;
    p->port = r->sm;
    count_flits(n, r, p->flits, hops(g, slice_of(p), r->sm));
    return crossbar_push(&n->to_sms, slice_of(p), id, time);
}

/* An answer starts to leave by its SM's port. */
static bool answered(void *user, uint32_t id, double time)
{
    struct network *n = user;
    const struct packet *p = &n->core->packet[id];
    int slice = slice_of(p);
    double there = slice_cycles(n->core->gpu, p->request.sm, slice) +
                   p->flits * n->to_sms.flit_cycles;
    return mem_schedule(n->core, time + there, SM_REPLY, id) &&
           n->up.slice_room(n->up.user, slice, time);
}

/* Take a port for so many cycles, `from` then on or when it is free; when that
 * begins. */
static double reserve(double *port, double from, double length)
{
    double start = *port > from ? *port : from;
    *port = start + length;
    return start;
}

bool network_answer_from(struct network *n, int owner, uint32_t id, double time)
{
    const struct gpu *g = n->core->gpu;
    const struct packet *p = &n->core->packet[id];
    const struct request *r = &p->request;
    double flit_cycles = n->to_sms.flit_cycles;
    int slice = slice_of(p);
    int forward = flits(g, 0), answer = flits(g, owner_bytes(g, r));
    count_flits(n, r, forward, hops(g, slice, owner));
    count_flits(n, r, answer, hops(g, owner, r->sm));
    double length = answer * flit_cycles;
    double at_owner =
        reserve(&n->forward_free[slice], time, forward * flit_cycles);
    double start = reserve(&n->l1_free[owner], at_owner, length);
    double there =
        not_negative(g->icnt.latency + owner_cycles(g, r->sm, slice, owner));
    return mem_schedule(n->core, start + there + length, SM_REPLY, id);
}

/* ---- events and life ---------------------------------------------------- */

bool network_event(struct network *n, const struct event *e)
{
    struct crossbar *x =
        crossbar_of(e->subject) == TO_SMS ? &n->to_sms : &n->to_slices;
    int port = crossbar_port(e->subject);
    return e->kind == PORT_REQUEST ? crossbar_request(x, port)
                                   : crossbar_grant(x, port);
}

bool network_init(struct network *n, struct memory_core *core, int slice_space,
                  const struct network_callbacks *up)
{
    const struct gpu *g = core->gpu;
    int sms = g->sms, slices = g->l2.banks;
    *n = (struct network){
        .core = core,
        .sm_flits = g->l1.miss_queue + g->icnt.input_queue,
        .slice_flits = g->l2.queue + g->icnt.input_queue,
        .l1_free = calloc((size_t)sms, sizeof(*n->l1_free)),
        .forward_free = calloc((size_t)slices, sizeof(*n->forward_free)),
        .up = *up,
    };
    const struct crossbar_wiring there = {.id = TO_SLICES,
                                          .inputs = sms,
                                          .outputs = slices,
                                          .space = slice_space,
                                          .passed = sent,
                                          .user = n};
    const struct crossbar_wiring back = {.id = TO_SMS,
                                         .inputs = slices,
                                         .outputs = sms,
                                         .space = 1,
                                         .passed = answered,
                                         .user = n};
    return n->l1_free != NULL && n->forward_free != NULL &&
           crossbar_init(&n->to_slices, core, &there) &&
           crossbar_init(&n->to_sms, core, &back);
}

void network_free(struct network *n)
{
    crossbar_free(&n->to_slices);
    crossbar_free(&n->to_sms);
    free(n->l1_free);
    free(n->forward_free);
}
