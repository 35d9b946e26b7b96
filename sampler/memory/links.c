/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/links.h"

#include "configs/gpu.h"

void links_init(struct links *l, struct memory_core *core)
{
    const struct gpu *g = core->gpu;
    double cycle = g->clock.core_mhz / g->clock.icnt_mhz;
    *l = (struct links){.core = core};
    if (g->icnt.mesh && g->mesh.link_flits > 0)
        l->flit_cycles = cycle / g->mesh.link_flits;
}

void links_free(struct links *l)
{
    free(l->trip);
}

static double head(const struct trip *t)
{
    return t->since + t->spread * t->hops / MESH_LONGEST;
}

static bool arrive(struct links *l, const struct trip *t)
{
    return mem_schedule(l->core, head(t) + t->rest, t->arrival, t->subject);
}

/* Take the link that the head is at, as soon as it is free. */
static void take_link(struct links *l, struct trip *t)
{
    int at = t->at;
    double *link = &l->free[mesh_step(&at, t->to)];
    t->at = (uint8_t)at;
    if (*link > head(t)) {
        t->since = *link;
        t->hops = 0;
    }
    *link = head(t) + t->flits * l->flit_cycles;
    t->hops++;
}

bool links_send(struct links *l, const struct trip *message)
{
    if (l->flit_cycles == 0 || message->at == message->to) {
        struct trip all = *message;
        all.hops = mesh_hops(all.at, all.to);
        return arrive(l, &all);
    }
    uint32_t id = pool_take(&l->trips, &l->trip);
    if (id == NO_RECORD)
        return false;
    l->trip[id] = *message;
    return mem_schedule(l->core, message->since, LINK_HEAD, id);
}

bool links_head(struct links *l, uint32_t id)
{
    struct trip *t = &l->trip[id];
    take_link(l, t);
    if (t->at != t->to)
        return mem_schedule(l->core, head(t), LINK_HEAD, id);
    struct trip last = *t;
    pool_give(&l->trips, l->trip, id);
    return arrive(l, &last);
}
