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
    int slices = g->dram.clocked ? address_channel_slices(g) : 0;
    *c = (struct controller){
        .core = core,
        .network = network,
        .channel = channel,
        .latency = g->dram.latency,
        .stages = (int)ceil(clocks) + 2 * (slices > 0),
        .mesh_cycles = controller_mesh_cycles(g),
        .most = g->dram.in_flight,
        .due = NO_EVENT,
        .door = NO_PACKETS,
        .slices = slices,
        .last = slices - 1,
        .up = *up,
    };
    if (slices > 0 && !controller_clocked_init(c))
        return false;
    c->pipeline = malloc((size_t)(c->stages + 1) * sizeof(*c->pipeline));
    return c->pipeline != NULL && dram_init(&c->dram, g);
}

void controller_free(struct controller *c)
{
    free(c->slice);
    free(c->returning);
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
