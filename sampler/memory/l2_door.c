/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/l2_door.h"

#include "configs/gpu.h"

/* Of the parts that packets have come in so many are not in the queue, to which
 * one goes a cycle. */
static int behind(const struct l2_slice *s, uint64_t now)
{
    uint64_t cycles = now - s->door.behind_at;
    return cycles < (uint64_t)s->door.behind ? s->door.behind - (int)cycles : 0;
}

void l2_door_parted(struct l2_slice *s, int parts, uint64_t now)
{
    int before = behind(s, now);
    s->door.behind = before + parts - (before == 0);
    s->door.behind_at = now;
}

static bool door_is_open(const struct l2_slice *s, uint64_t now)
{
    const struct gpu *g = s->core->gpu;
    int queued = s->queued - behind(s, now);
    return queued <= 0 || queued + s->line_sectors <= g->l2.queue;
}

int l2_door_space(const struct l2_slice *s, const struct packet *p)
{
    bool routed = s->core->gpu->icnt.router != ROUTER_NONE;
    return routed ? p->flits : p->space;
}

/* A packet starts on the way to the queue. */
static bool come_in(struct l2_slice *s, uint32_t id, double now)
{
    const struct gpu *g = s->core->gpu;
    int space = l2_door_space(s, &s->core->packet[id]);
    s->door.came_in = (uint64_t)now;
    return mem_schedule(s->core, now + g->l2.latency,
                        g->l2.staged ? L2_LATE_ARRIVAL : L2_ARRIVAL, id) &&
           network_taken(s->to.network, s->id, space, now);
}

bool l2_door_room(struct l2_slice *s, double time)
{
    if (s->door.lets_in || packet_list_empty(&s->door.waiting) ||
        !door_is_open(s, (uint64_t)time))
        return true;
    s->door.lets_in = true;
    return mem_schedule(s->core, time, L2_LET_IN, (uint32_t)s->id);
}

bool l2_at_door(struct l2_slice *s, uint32_t id, uint64_t now)
{
    bool first = packet_list_empty(&s->door.waiting) && s->door.came_in != now;
    if (first && door_is_open(s, now))
        return come_in(s, id, (double)now);
    packet_list_add(&s->door.waiting, s->core->packet, id);
    return first || l2_door_room(s, (double)now + s->cycle);
}

bool l2_let_in(struct l2_slice *s, uint64_t now)
{
    s->door.lets_in = false;
    if (packet_list_empty(&s->door.waiting) || !door_is_open(s, now))
        return true;
    uint32_t id = packet_list_take(&s->door.waiting, s->core->packet);
    return come_in(s, id, (double)now) &&
           l2_door_room(s, (double)now + s->cycle);
}
