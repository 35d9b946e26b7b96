/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/network.h"

#include "configs/gpu.h"
#include "kernels/form/kernel.h"
#include "sampler/memory/mesh.h"

#include <stdlib.h>

enum { TO_SLICES, TO_SMS }; /* the crossbars' ids */

/* Flits that an SM's port out of a router holds: vc_buf_size of GPGPU-Sim's
 * configurations. */
#define ANSWER_ROOM 64

/* ---- one direction ------------------------------------------------------- */

static bool way_init(struct way *w, struct memory_core *core,
                     const struct crossbar_wiring *wiring)
{
    w->routed = core->gpu->icnt.router != ROUTER_NONE;
    return w->routed ? router_init(&w->router, core, wiring)
                     : crossbar_init(&w->ports, core, wiring);
}

static void way_free(struct way *w)
{
    crossbar_free(&w->ports);
    router_free(&w->router);
}

static bool way_push(struct way *w, int in, uint32_t id, double now)
{
    return w->routed ? router_push(&w->router, in, id, now)
                     : crossbar_push(&w->ports, in, id, now);
}

/* ---- latencies ---------------------------------------------------------- */

/* Links between two nodes. Without a mesh any two are one apart. */
static int hops(const struct gpu *g, int a, int b)
{
    return g->icnt.mesh ? mesh_hops(mesh_node(a), mesh_node(b)) : 1;
}

static int slice_of(const struct packet *p)
{
    return p->slice;
}

static double not_negative(double cycles)
{
    return cycles > 0 ? cycles : 0;
}

/* What distance adds over MESH_LONGEST hops to a latency that goes from near to
 * far (ikra Table 2: 29 to 61 cycles for an L2 hit). */
static double spread(int near, int far)
{
    return not_negative(far - near);
}

static double l2_spread(const struct gpu *g)
{
    return g->icnt.mesh ? spread(g->mesh.l2_near, g->mesh.l2_far) : 0;
}

static double remote_spread(const struct gpu *g)
{
    return g->icnt.mesh ? spread(g->mesh.remote_near, g->mesh.remote_far) : 0;
}

static double hop_cycles(double spread, int n)
{
    return spread * n / MESH_LONGEST;
}

/* The rest of the way of what an owner answers: from its slice over the owner's
 * L1 to the SM, beyond what an answer of the slice takes without hops. Hops
 * that the request has taken to the slice count, too. */
static double owner_rest(const struct gpu *g, int sm, int slice)
{
    if (!g->icnt.mesh)
        return 2 * g->icnt.latency;
    int there = hops(g, sm, slice);
    return not_negative(g->icnt.latency + g->mesh.remote_near -
                        g->mesh.l2_near + hop_cycles(remote_spread(g), there) -
                        hop_cycles(l2_spread(g), there));
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
    return hop_cycles(spread(g->mesh.memory_near, g->mesh.memory_far),
                      to_sm > to_dram ? to_sm : to_dram) -
           hop_cycles(l2_spread(g), to_sm);
}

/* ---- ways --------------------------------------------------------------- */

/* A message from `time` on that without load and distance takes rest + after
 * cycles, over the mesh's links if there is one. */
static bool travel(struct network *n, const struct trip *message, double time,
                   double rest, double after)
{
    struct trip t = *message;
    if (!n->core->gpu->icnt.mesh)
        return mem_schedule(n->core, time + rest + after, t.arrival, t.subject);
    t.since = time;
    t.rest = rest + after;
    return links_send(&n->links, &t);
}

/* ---- sizes and counts --------------------------------------------------- */

/* A router moves no packet that has none. */
static int flits(const struct gpu *g, int bytes)
{
    int total = bytes + g->icnt.header_bytes;
    int count = (total + g->icnt.flit_bytes - 1) / g->icnt.flit_bytes;
    return count == 0 && g->icnt.router != ROUTER_NONE ? 1 : count;
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
    p->port = (uint16_t)n->slice_port[slice_of(p)];
    p->flits = (uint16_t)flits_for(g, r, data_bytes,
                                   g->icnt.sector_packets != 0 && !r->parted);
    p->space = (uint16_t)count_bits(r->sectors);
    count_flits(n, r, p->flits, hops(g, r->sm, slice_of(p)));
    return way_push(&n->to_slices, r->sm, id, now + g->icnt.next_step);
}

/* A packet starts to leave by its slice's port. */
static bool sent(void *user, uint32_t id, double time)
{
    struct network *n = user;
    const struct gpu *g = n->core->gpu;
    const struct packet *p = &n->core->packet[id];
    int sm = p->request.sm, flits = p->flits;
    bool door = g->l2.unreserved;
    const struct trip message = {.subject = id,
                                 .arrival = door ? L2_DOOR : L2_ARRIVAL,
                                 .spread = l2_spread(g),
                                 .flits = p->flits,
                                 .at = mesh_node(sm),
                                 .to = mesh_node(slice_of(p))};
    if (!travel(n, &message, time, g->icnt.latency + flits * n->flit_cycles,
                door ? 0 : g->l2.latency))
        return false;
    if (way_flits(&n->to_slices, sm) + flits >= n->sm_flits)
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
    n->core->counts.noc_flits_to_sms += p->flits;
    count_flits(n, r, p->flits, hops(g, slice_of(p), r->sm));
    return way_push(&n->to_sms, n->slice_port[slice_of(p)], id, time);
}

/* An answer starts to leave by its SM's port, with icnt.answer_queue to wait a
 * cycle behind it (GPGPU-Sim, simt_core_cluster::icnt_cycle). */
static bool answered(void *user, uint32_t id, double time)
{
    struct network *n = user;
    const struct gpu *g = n->core->gpu;
    const struct packet *p = &n->core->packet[id];
    int slice = slice_of(p);
    const struct trip message = {.subject = id,
                                 .arrival = SM_REPLY,
                                 .spread = l2_spread(g),
                                 .flits = p->flits,
                                 .at = mesh_node(slice),
                                 .to = mesh_node(p->request.sm)};
    return travel(n, &message, time,
                  g->icnt.latency + p->flits * n->flit_cycles,
                  g->icnt.answer_queue) &&
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

/* The slice's request has reached the owner that the packet's port names. */
static bool owner_asked(struct network *n, uint32_t id, double time)
{
    const struct gpu *g = n->core->gpu;
    const struct packet *p = &n->core->packet[id];
    int owner = p->port, sm = p->request.sm;
    double length = p->flits * n->flit_cycles;
    double start = reserve(&n->l1_free[owner], time, length);
    const struct trip message = {.subject = id,
                                 .arrival = SM_REPLY,
                                 .spread = remote_spread(g),
                                 .flits = p->flits,
                                 .at = mesh_node(owner),
                                 .to = mesh_node(sm)};
    return travel(n, &message, start, owner_rest(g, sm, slice_of(p)), length);
}

bool network_answer_from(struct network *n, int owner, uint32_t id, double time)
{
    const struct gpu *g = n->core->gpu;
    struct packet *p = &n->core->packet[id];
    const struct request *r = &p->request;
    int slice = slice_of(p);
    int forward = flits(g, 0), answer = flits(g, owner_bytes(g, r));
    count_flits(n, r, forward, hops(g, slice, owner));
    count_flits(n, r, answer, hops(g, owner, r->sm));
    p->port = (uint16_t)owner;
    p->flits = (uint16_t)answer;
    double start =
        reserve(&n->forward_free[slice], time, forward * n->flit_cycles);
    if (!g->icnt.mesh)
        return owner_asked(n, id, start);
    const struct trip message = {.subject = id,
                                 .arrival = OWNER_ASKED,
                                 .spread = remote_spread(g),
                                 .flits = (uint16_t)forward,
                                 .at = mesh_node(slice),
                                 .to = mesh_node(owner)};
    return travel(n, &message, start, 0, 0);
}

/* ---- events and life ---------------------------------------------------- */

bool network_event(struct network *n, const struct event *e)
{
    if (e->kind == LINK_HEAD)
        return links_head(&n->links, e->subject);
    if (e->kind == OWNER_ASKED)
        return owner_asked(n, e->subject, (double)e->time);
    struct way *w =
        crossbar_of(e->subject) == TO_SMS ? &n->to_sms : &n->to_slices;
    struct crossbar *x = &w->ports;
    int port = crossbar_port(e->subject);
    if (e->kind == ROUTER_STEP)
        return router_step(&w->router, e->time);
    return e->kind == PORT_REQUEST ? crossbar_request(x, port)
                                   : crossbar_grant(x, port, e->time);
}

static bool init_ports(struct network *n)
{
    const struct gpu *g = n->core->gpu;
    int slices = g->l2.banks, channels = g->dram.channels;
    int neighbours = address_channel_slices(g);
    n->slice_port = calloc((size_t)slices, sizeof(*n->slice_port));
    for (int i = 0; n->slice_port != NULL && i < slices; i++)
        n->slice_port[i] =
            g->icnt.by_channel ? i % channels * neighbours + i / channels : i;
    return n->slice_port != NULL;
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
        .flit_cycles = g->clock.core_mhz / g->clock.icnt_mhz,
        .l1_free = calloc((size_t)sms, sizeof(*n->l1_free)),
        .forward_free = calloc((size_t)slices, sizeof(*n->forward_free)),
        .up = *up,
    };
    links_init(&n->links, core);
    const struct crossbar_wiring there = {.id = TO_SLICES,
                                          .inputs = sms,
                                          .outputs = slices,
                                          .space = slice_space,
                                          .ahead = g->icnt.next_step != 0,
                                          .passed = sent,
                                          .user = n};
    const struct crossbar_wiring back = {.id = TO_SMS,
                                         .inputs = slices,
                                         .outputs = sms,
                                         .space = 1,
                                         .drains = ANSWER_ROOM,
                                         .ahead = g->l2.staged != 0,
                                         .passed = answered,
                                         .user = n};
    return n->l1_free != NULL && n->forward_free != NULL && init_ports(n) &&
           way_init(&n->to_slices, core, &there) &&
           way_init(&n->to_sms, core, &back);
}

void network_free(struct network *n)
{
    way_free(&n->to_slices);
    way_free(&n->to_sms);
    links_free(&n->links);
    free(n->slice_port);
    free(n->l1_free);
    free(n->forward_free);
}
