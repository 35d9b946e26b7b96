/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/memory/memory.h"

#include "configs/gpu.h"
#include "sampler/memory/l2_door.h"
#include "sampler/memory/l2_memory.h"

#include <stdlib.h>

/* ---- what goes up ------------------------------------------------------- */

static void on_sm_room(void *user, int sm)
{
    const struct memory *m = user;
    m->up.room(m->up.user, sm);
}

/* A slice has room towards SMs. */
static bool on_slice_room(void *user, int slice, double now)
{
    struct memory *m = user;
    struct l2_slice *s = &m->slice[slice];
    return s->blocked != SLICE_AWAITS_NETWORK || l2_retry(s, now);
}

/* Memory has taken a packet that it had no room for. */
static bool on_admitted(void *user, int slice, double now)
{
    struct memory *m = user;
    struct l2_slice *s = &m->slice[slice];
    return s->blocked != SLICE_AWAITS_MEMORY || l2_retry(s, now);
}

static bool on_write_back(void *user, int slice, uint64_t line,
                          uint32_t sectors, double now)
{
    struct memory *m = user;
    return l2_write_back(&m->slice[slice], line, sectors, now);
}

/* ---- events ------------------------------------------------------------- */

static struct l2_slice *slice_of(struct memory *m, const struct event *e)
{
    return &m->slice[m->core.packet[e->subject].slice];
}

static bool return_data(struct memory *m, const struct event *e)
{
    const struct packet p = m->core.packet[e->subject];
    mem_drop_packet(&m->core, e->subject);
    return controller_returned(&m->controller[p.channel], (double)e->time) &&
           l2_fill(&m->slice[p.slice], &p, e->time);
}

static bool reply(struct memory *m, const struct event *e)
{
    const struct request r = m->core.packet[e->subject].request;
    mem_drop_packet(&m->core, e->subject);
    return m->up.reply(m->up.user, &r, e->time);
}

static bool process(struct memory *m, const struct event *e)
{
    switch (e->kind) {
    case PORT_REQUEST:
    case PORT_GRANT:
    case ROUTER_STEP:
    case LINK_HEAD:
    case OWNER_ASKED:
        return network_event(&m->network, e);
    case L2_DOOR:
        return l2_at_door(slice_of(m, e), e->subject, e->time);
    case L2_LET_IN:
        return l2_let_in(&m->slice[e->subject], e->time);
    case L2_ARRIVAL:
    case L2_LATE_ARRIVAL:
        return l2_arrival(slice_of(m, e), e->subject, e->time);
    case L2_WOKEN:
        return l2_woken(&m->slice[e->subject], e->time);
    case L2_ACCESS:
    case L2_LATE_ACCESS:
        return l2_access(&m->slice[e->subject], e->time);
    case CONTROLLER_STEP:
        return controller_step(&m->controller[e->subject], e->time);
    case DRAM_RETURN:
        return return_data(m, e);
    case SM_REPLY:
        return reply(m, e);
    }
    return true;
}

bool memory_advance(struct memory *m, uint64_t now)
{
    while (memory_next(m) <= now) {
        struct event e;
        if (!events_pop(&m->core.events, &e) || !process(m, &e))
            return false;
    }
    return true;
}

bool memory_drain_writebacks(struct memory *m, uint64_t *now)
{
    while (m->core.writebacks > 0) {
        *now = memory_next(m);
        if (!memory_advance(m, *now))
            return false;
    }
    return true;
}

bool memory_send(struct memory *m, const struct request *r, int data_bytes,
                 uint64_t now)
{
    uint32_t id = mem_new_packet(&m->core);
    if (id == NO_PACKET)
        return false;
    struct packet *p = &m->core.packet[id];
    *p = (struct packet){.request = *r};
    l2_place(&m->slice[0], p);
    m->core.writebacks += r->kind == REQUEST_WRITEBACK;
    return network_send(&m->network, id, data_bytes, (double)now);
}

/* ---- life --------------------------------------------------------------- */

struct memory_counts memory_counts(const struct memory *m)
{
    struct memory_counts counts = m->core.counts;
    const struct gpu *g = m->core.gpu;
    for (int i = 0; i < g->dram.channels; i++) {
        const struct dram_channel *c = &m->controller[i].dram;
        counts.dram_reads += c->reads;
        counts.dram_writes += c->writes;
        counts.dram_row_hits += c->row_hits;
        counts.dram_row_misses += c->row_misses;
        counts.dram_bytes +=
            (c->reads + c->writes) * (uint64_t)g->dram.burst_bytes;
    }
    return counts;
}

double memory_lines(const struct memory *m)
{
    const struct cache *c = &m->slice[0].tags;
    return (double)c->sets * c->ways * m->core.gpu->l2.banks;
}

double memory_lines_held(const struct memory *m)
{
    double sum = 0;
    for (int i = 0; i < m->core.gpu->l2.banks; i++)
        for (int set = 0; set < m->slice[i].tags.sets; set++)
            sum += m->slice[i].tags.used[set];
    return sum;
}

double memory_sectors_held(const struct memory *m)
{
    double sum = 0;
    for (int i = 0; i < m->core.gpu->l2.banks; i++)
        sum += (double)cache_sectors_held(&m->slice[i].tags);
    return sum;
}

struct cache *memory_copy_tags(const struct memory *m)
{
    int banks = m->core.gpu->l2.banks;
    struct cache *out = calloc((size_t)banks, sizeof(*out));
    bool ok = out != NULL;
    for (int i = 0; ok && i < banks; i++)
        ok = cache_copy(&out[i], &m->slice[i].tags);
    if (ok)
        return out;
    memory_free_tags(out, banks);
    return NULL;
}

void memory_free_tags(struct cache *copies, int banks)
{
    for (int i = 0; copies != NULL && i < banks; i++)
        cache_free(&copies[i]);
    free(copies);
}

void memory_assign_tags(struct memory *m, const struct cache *copies)
{
    for (int i = 0; i < m->core.gpu->l2.banks; i++)
        cache_assign(&m->slice[i].tags, &copies[i]);
}

static bool init_network(struct memory *m)
{
    const struct network_callbacks up = {
        .user = m, .sm_room = on_sm_room, .slice_room = on_slice_room};
    return network_init(&m->network, &m->core, l2_space(m->core.gpu), &up);
}

static bool init_controllers(struct memory *m)
{
    const struct controller_callbacks up = {.user = m, .admitted = on_admitted};
    int n = m->core.gpu->dram.channels;
    m->controller = calloc((size_t)n, sizeof(*m->controller));
    for (int i = 0; m->controller != NULL && i < n; i++)
        if (!controller_init(&m->controller[i], &m->core, &m->network, i, &up))
            return false;
    return m->controller != NULL;
}

static bool init_directory(struct memory *m)
{
    const struct directory_callbacks up = {
        .user = m->up.user,
        .invalidate = m->up.invalidate,
        .expect_answer = m->up.expect_answer,
        .slices = m,
        .write_back = on_write_back,
    };
    return m->core.gpu->coherence != COHERENCE_DENOVO ||
           directory_init(&m->directory, &m->core, &m->network, &up);
}

static bool init_slices(struct memory *m)
{
    const struct gpu *g = m->core.gpu;
    m->slice = calloc((size_t)g->l2.banks, sizeof(*m->slice));
    for (int i = 0; m->slice != NULL && i < g->l2.banks; i++) {
        const struct l2_links to = {
            .network = &m->network,
            .controllers = m->controller,
            .directory =
                g->coherence == COHERENCE_DENOVO ? &m->directory : NULL};
        if (!l2_init(&m->slice[i], &m->core, i, &to))
            return false;
    }
    return m->slice != NULL;
}

bool memory_init(struct memory *m, const struct gpu *gpu,
                 const struct memory_callbacks *up)
{
    *m = (struct memory){.up = *up};
    return mem_init(&m->core, gpu) && init_network(m) && init_controllers(m) &&
           init_directory(m) && init_slices(m);
}

void memory_free(struct memory *m)
{
    const struct gpu *g = m->core.gpu;
    for (int i = 0; m->slice != NULL && i < g->l2.banks; i++)
        l2_free(&m->slice[i]);
    for (int i = 0; m->controller != NULL && i < g->dram.channels; i++)
        controller_free(&m->controller[i]);
    directory_free(&m->directory);
    network_free(&m->network);
    free(m->slice);
    free(m->controller);
    mem_free(&m->core);
}
