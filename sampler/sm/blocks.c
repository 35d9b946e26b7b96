/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/blocks.h"

#include "base/arrays.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- blocks ------------------------------------------------------------- */

static uint32_t first_slot(const struct blocks *b, uint32_t warps)
{
    bool turn = b->core->gpu->sm.turn_blocks != 0;
    return turn ? (uint32_t)(b->launched % warps) : 0;
}

const struct block_slot *blocks_launch(struct blocks *b, uint64_t id,
                                       struct error *e)
{
    struct sm_core *core = b->core;
    uint32_t slot = 0;
    while (core->block[slot].used)
        slot++;
    assert(slot < (uint32_t)b->slots);
    struct block_slot *s = &core->block[slot];
    struct block_slot before = *s;
    if (!core->kernel->ops->open(core->kernel, before.stream, id, e))
        return NULL;
    uint32_t warps = core->kernel->warps_per_block;
    *s = (struct block_slot){.used = true,
                             .id = id,
                             .warps_running = warps,
                             .warps_left = warps,
                             .first = first_slot(b, warps),
                             .raised = before.raised,
                             .counts = before.counts,
                             .later = before.later,
                             .stream = before.stream};
    if (s->counts > 0)
        memset(s->raised, 0, s->counts * sizeof(*s->raised));
    b->resident++;
    b->launched++;
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
    uint32_t warps = core->kernel->warps_per_block;
    int warp = (int)(slot * warps + (s->first + in_block) % warps);
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

static void release_waiting(struct sm_core *core, struct block_slot *s,
                            uint32_t count, uint32_t times)
{
    uint64_t go = 0;
    for (uint64_t left = s->awaiting; left != 0;) {
        int warp = take_bit(&left);
        const struct warp *w = &core->warp[warp];
        if (w->await == count && w->await_count <= times)
            go |= BIT(warp);
    }
    s->awaiting &= ~go;
    if (go != 0)
        release(core, go);
}

/* One raise that waited for a count, taken off; 0: there is none. */
static uint32_t take_later(struct block_slot *s, uint32_t count, uint32_t times)
{
    for (size_t i = 0; i < s->laters; i++) {
        struct raise_later l = s->later[i];
        if (l.await != count || l.await_count > times)
            continue;
        s->later[i] = s->later[--s->laters];
        return l.signal;
    }
    return 0;
}

void blocks_raise(struct blocks *b, uint32_t slot, uint32_t count)
{
    struct sm_core *core = b->core;
    struct block_slot *s = &core->block[slot];
    uint32_t *now = raised(s, count);
    if (now == NULL) {
        core_no_memory(core);
        return;
    }
    uint32_t times = ++*now, next;
    release_waiting(core, s, count, times);
    while ((next = take_later(s, count, times)) != 0)
        blocks_raise(b, slot, next);
}

/* Whether what a step waits for has been raised; also when memory is out, which
 * ends the run. */
static bool is_raised(struct blocks *b, struct block_slot *s,
                      const struct step *step)
{
    const uint32_t *now = raised(s, step->await);
    if (now == NULL)
        core_no_memory(b->core);
    return now == NULL || *now >= step->await_count;
}

void blocks_await(struct blocks *b, int warp, const struct step *s)
{
    struct sm_core *core = b->core;
    struct warp *w = &core->warp[warp];
    struct block_slot *slot = &core->block[w->block_slot];
    if (is_raised(b, slot, s))
        return;
    w->await = s->await;
    w->await_count = s->await_count;
    slot->awaiting |= BIT(warp);
    core->table.at_barrier |= BIT(warp);
}

void blocks_raise_after(struct blocks *b, uint32_t slot, const struct step *s)
{
    struct block_slot *of = &b->core->block[slot];
    if (is_raised(b, of, s))
        blocks_raise(b, slot, s->signal);
    else if (!array_room(&of->later, of->laters, 1))
        core_no_memory(b->core);
    else
        of->later[of->laters++] =
            (struct raise_later){s->signal, s->await, s->await_count};
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
    if (!w->exited || w->alu + w->loads + w->stores + w->copies > 0 ||
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
        free(block[i].later);
    }
    free(block);
}
