/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/controller.h"

#include "configs/gpu.h"
#include "sampler/memory/controller_clocked.h"
#include "sampler/memory/controller_plain.h"

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
    if (slices > 0 && !controller_clocked_init(c))
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

/* ---- from door to channel and back --------------------------------------- */

bool controller_send(struct controller *c, uint32_t id, double now)
{
    network_count_dram(c->network, &c->core->packet[id], c->channel);
    return c->slices > 0 ? controller_clocked_send(c, id, now)
                         : controller_plain_send(c, id, now);
}

bool controller_returned(struct controller *c, double now)
{
    return c->slices > 0 || controller_plain_returned(c, now);
}

bool controller_step(struct controller *c, uint64_t now)
{
    if (now != c->due)
        return true;
    c->due = NO_EVENT;
    return c->slices > 0 ? controller_clocked_step(c, now)
                         : controller_plain_step(c, now);
}

/* ---- for the two machines ------------------------------------------------ */

bool controller_wake(struct controller *c, double time)
{
    uint64_t due = whole_cycle(time);
    if (due >= c->due)
        return true;
    c->due = due;
    return mem_schedule(c->core, time, CONTROLLER_STEP, (uint32_t)c->channel);
}

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

struct dram_request controller_come_through(struct controller *c)
{
    uint32_t id = c->pipeline[c->first].id;
    c->first = c->first == c->stages ? 0 : c->first + 1;
    c->piped--;
    return for_channel(c, id);
}

bool controller_answer(struct controller *c, uint32_t id, double done)
{
    const struct packet *p = &c->core->packet[id];
    double back =
        c->mesh_cycles + network_dram_cycles(c->network, p, c->channel);
    double at = done + (back > 0 ? back : 0) + c->core->gpu->l2.staged;
    return mem_schedule(c->core, at, DRAM_RETURN, id);
}
