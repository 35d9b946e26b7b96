/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a controller's two machines have in common (controller.h). */
#include "configs/gpu.h"
#include "sampler/memory/controller.h"

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
    return mem_schedule(c->core, done + (back > 0 ? back : 0), DRAM_RETURN, id);
}
