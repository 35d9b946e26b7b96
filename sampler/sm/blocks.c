/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/blocks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ------------------------------------------------------------- */

const struct block_slot *blocks_launch(struct blocks *b, uint64_t id,
                                       struct error *e)
{
    struct sm_core *core = b->core;
    uint32_t slot = 0;
    while (core->block[slot].used)
        slot++;
    assert(slot < (uint32_t)b->slots);
    struct block_slot *s = &core->block[slot];
    void *stream = s->stream;
    uint32_t *raised = s->raised, counts = s->counts;
    if (!core->kernel->ops->open(core->kernel, stream, id, e))
        return NULL;
    uint32_t warps = core->kernel->warps_per_block;
    *s = (struct block_slot){.used = true,
                             .id = id,
                             .warps_running = warps,
                             .warps_left = warps,
                             .raised = raised,
                             .counts = counts,
                             .stream = stream};
    if (counts > 0)
        memset(raised, 0, counts * sizeof(*raised));
    b->resident++;
    core->table.block_insts[slot] = 0;
    core_schedule(core, core->now + (uint64_t)core->gpu->launch.block_cycles,
                  DONE_START, 0, slot);
    return s;
}

static void start_warp(struct blocks *b, uint32_t slot, uint32_t in_block)
{
    struct sm_core *core = b->core;
    struct block_slot *s = &core->block[slot];
    struct warp_table *t = &core->table;
    int warp = (int)(slot * core->kernel->warps_per_block + in_block);
    core->warp[warp] = (struct warp){
        .block_slot = slot, .in_block = in_block, .launched = core->now};
    scoreboard_reset(b->scoreboard, warp);
    t->live |= BIT(warp);
    t->age[warp] = b->ages++;
    t->block_slot[warp] = slot;
    t->block_id[warp] = s->id;
    t->warp_in_block[warp] = in_block;
    s->warps |= BIT(warp);
    frontend_start_warp(b->frontend, warp);
    core_warp_event(core, EVENT_WARP_LAUNCH, warp);
}

void blocks_start(struct blocks *b, uint32_t slot)
{
    struct sm_core *core = b->core;
    core->block[slot].launched = core->now;
    core_block_event(core, EVENT_BLOCK_LAUNCH, (int)slot);
    for (uint32_t i = 0; i < core->kernel->warps_per_block; i++)
        start_warp(b, slot, i);
    core->active_cycle = true;
}

static void end_block(struct blocks *b, uint32_t slot)
{
    struct sm_core *core = b->core;
    struct block_slot *s = &core->block[slot];
    core->kernel->ops->close(core->kernel, s->stream);
    s->used = false;
    b->resident--;
    core_block_event(core, EVENT_BLOCK_END, (int)slot);
    b->ended(b->user, s);
}

/* ---- barriers ----------------------------------------------------------- */

static void release(struct sm_core *core, uint64_t warps)
{
    core->table.at_barrier &= ~warps;
    while (warps != 0)
        core->warp[take_bit(&warps)].ready_since = core->now + 1;
    core->active_cycle = true;
}

/* Let the block's warps go when all that have not exited have come. */
static void try_release(struct blocks *b, uint32_t slot)
{
    struct sm_core *core = b->core;
    struct block_slot *s = &core->block[slot];
    if (s->warps_at_barrier == 0 || s->warps_at_barrier < s->warps_running)
        return;
    s->warps_at_barrier = 0;
    release(core, core->table.at_barrier & s->warps & ~s->awaiting);
    core_block_event(core, EVENT_BARRIER_RELEASE, (int)slot);
}

void blocks_wait_at_barrier(struct blocks *b, int warp)
{
    struct sm_core *core = b->core;
    uint32_t slot = core->warp[warp].block_slot;
    core->table.at_barrier |= BIT(warp);
    core->block[slot].warps_at_barrier++;
    core_warp_event(core, EVENT_BARRIER_WAIT, warp);
    try_release(b, slot);
}

/* ---- counts ------------------------------------------------------------- */

/* The entry of a count; NULL: no memory. */
static uint32_t *raised(struct block_slot *s, uint32_t count)
{
    if (count < s->counts)
        return &s->raised[count];
    uint32_t counts = s->counts == 0 ? 64 : 2 * s->counts;
    counts = counts > count ? counts : count + 1;
    uint32_t *grown = realloc(s->raised, counts * sizeof(*grown));
    if (grown == NULL)
        return NULL;
    memset(grown + s->counts, 0, (counts - s->counts) * sizeof(*grown));
    s->raised = grown;
    s->counts = counts;
    return &grown[count];
}

void blocks_raise(struct blocks *b, uint32_t slot, uint32_t count)
{
    struct sm_core *core = b->core;
    struct block_slot *s = &core->block[slot];
    uint32_t *now = raised(s, count);
    uint64_t go = 0;
    if (now == NULL) {
        core_no_memory(core);
        return;
    }
    ++*now;
    for (uint64_t left = s->awaiting; left != 0;) {
        int warp = take_bit(&left);
        const struct warp *w = &core->warp[warp];
        if (w->await == count && w->await_count <= *now)
            go |= BIT(warp);
    }
    s->awaiting &= ~go;
    if (go != 0)
        release(core, go);
}

void blocks_await(struct blocks *b, int warp, uint32_t count, uint32_t times)
{
    struct sm_core *core = b->core;
    struct warp *w = &core->warp[warp];
    struct block_slot *s = &core->block[w->block_slot];
    const uint32_t *now = raised(s, count);
    if (now == NULL) {
        core_no_memory(core);
        return;
    }
    if (*now >= times)
        return;
    w->await = count;
    w->await_count = times;
    s->awaiting |= BIT(warp);
    core->table.at_barrier |= BIT(warp);
}

/* ---- warps -------------------------------------------------------------- */

void blocks_warp_exits(struct blocks *b, int warp)
{
    struct sm_core *core = b->core;
    struct warp *w = &core->warp[warp];
    w->exited = true;
    core->table.finished |= BIT(warp);
    core_warp_event(core, EVENT_WARP_EXIT, warp);
    core->block[w->block_slot].warps_running--;
    try_release(b, w->block_slot);
    blocks_try_end_warp(b, warp);
}

void blocks_try_end_warp(struct blocks *b, int warp)
{
    struct sm_core *core = b->core;
    struct warp *w = &core->warp[warp];
    if (!w->exited || w->alu + w->loads + w->stores > 0 ||
        !(core->table.live & BIT(warp)))
        return;
    core->table.live &= ~BIT(warp);
    core->table.finished &= ~BIT(warp);
    frontend_end_warp(b->frontend, warp);
    core->counts.warp_cycles_resident += core->now - w->launched;
    core_warp_event(core, EVENT_WARP_END, warp);
    if (--core->block[w->block_slot].warps_left == 0)
        end_block(b, w->block_slot);
}

/* ---- life --------------------------------------------------------------- */

bool blocks_init(struct blocks *b)
{
    b->core->block = calloc((size_t)b->slots, sizeof(*b->core->block));
    return b->core->block != NULL;
}

bool blocks_start_kernel(struct blocks *b)
{
    const struct kernel *k = b->core->kernel;
    size_t size = k->ops->state_size(k);
    for (int i = 0; i < b->slots; i++) {
        struct block_slot *s = &b->core->block[i];
        free(s->stream);
        s->stream = malloc(size > 0 ? size : 1);
        if (s->stream == NULL)
            return false;
    }
    return true;
}

void blocks_free(struct blocks *b)
{
    struct block_slot *block = b->core->block;
    for (int i = 0; block != NULL && i < b->slots; i++) {
        if (block[i].used) /* the run was given up */
            b->core->kernel->ops->close(b->core->kernel, block[i].stream);
        free(block[i].stream);
        free(block[i].raised);
    }
    free(block);
}
