/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/draw_tickets.h"

#include "base/arrays.h"

#include <stdlib.h>

/* Bytes of blocks that go on at the same time, what they have written among
 * them, and warp instructions of all blocks. Chosen: a grid that fills any GPU
 * of today has room, and they take a few seconds. */
#define DRAW_BYTES (UINT64_C(1) << 28)
#define DRAW_STEPS (UINT64_C(1) << 26)
/* ... and of what they draw. Chosen: 128 MB. */
#define DRAW_WORDS (UINT64_C(1) << 25)

struct slot { /* of one that goes on */
    struct ptx_block block;
    struct error error; /* its own, for its stream to tell */
    bool free;
};

struct side_by_side {
    const struct ptx_launch *launch;
    struct ptx_view view;
    struct slot **slot;
    size_t slots, room;
    size_t most;           /* slots */
    uint64_t bytes;        /* of all that has gone on */
    uint64_t next, blocks; /* the next block to begin */
};

/* How blocks are to go on. */
struct terms {
    bool claims;
    size_t most; /* at the same time */
};

static uint64_t bytes_of(const struct ptx_block *b)
{
    uint64_t bytes = ptx_shared_room(b->launch) + b->view.used * PTX_PAGE;
    for (uint32_t i = 0; i < b->warps; i++)
        bytes += b->warp[i].regs_room * sizeof(*b->warp[i].reg) +
                 b->warp[i].local_bytes * WARP_LANES;
    return sizeof(struct slot) + bytes * b->peers;
}

static uint64_t steps_of_all(const struct side_by_side *r)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < r->slots; i++)
        steps += r->slot[i]->block.warp_steps;
    return steps;
}

/* The first of the next cluster, from the next block on. */
static bool find_next(struct side_by_side *r)
{
    while (r->next < r->blocks &&
           ptx_cluster_first(r->launch, r->next) != r->next)
        r->next++;
    return r->next < r->blocks;
}

/* False: no memory. */
static bool begin(struct side_by_side *r, struct slot *s)
{
    s->free = !find_next(r);
    if (s->free)
        return true;
    if (r->view.by_block)
        s->block.view.version = r->view.version + (uint32_t)r->next;
    s->block.failed = false;
    s->error.status = STATUS_OK;
    return ptx_block_start(&s->block, r->next++);
}

static bool add_slot(struct side_by_side *r)
{
    struct slot *s = calloc(1, sizeof(*s));
    if (s == NULL || !array_reserve(&r->slot, &r->room, r->slots + 1)) {
        free(s);
        return false;
    }
    r->slot[r->slots++] = s;
    return ptx_block_open(&s->block, r->launch, r->view, &s->error) &&
           begin(r, s);
}

/* As many as there is room for, one at least. */
static bool fill(struct side_by_side *r)
{
    while (r->bytes < DRAW_BYTES / 2 && r->slots < r->most && find_next(r)) {
        if (!add_slot(r))
            return false;
        r->bytes += bytes_of(&r->slot[r->slots - 1]->block);
    }
    return true;
}

/* A turn of a block, and the next one where it ends. False when the launch's
 * stop is due, or for want of memory, which e says. */
static bool go_on(struct side_by_side *r, struct slot *s, struct error *e)
{
    bool ended = false;
    uint64_t before = bytes_of(&s->block);
    if (!ptx_block_take_turn(&s->block, &ended)) {
        if (s->error.status == STATUS_STOPPED ||
            s->error.status == STATUS_FAILED) {
            *e = s->error;
            return false;
        }
        ended = true;
    }
    if (ended && !begin(r, s))
        return error_no_memory(e);
    r->bytes += bytes_of(&s->block) - before;
    return true;
}

/* ... of all; *rest: some have not ended. */
static bool all_go_on(struct side_by_side *r, bool *rest, struct error *e)
{
    *rest = false;
    for (size_t i = 0; i < r->slots; i++) {
        struct slot *s = r->slot[i];
        if (s->free || r->bytes >= DRAW_BYTES)
            continue;
        if (!go_on(r, s, e))
            return false;
        *rest |= !s->free;
    }
    *rest |= r->bytes >= DRAW_BYTES;
    return true;
}

static uint64_t going_on(const struct side_by_side *r)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < r->slots; i++)
        blocks += r->slot[i]->free ? 0 : r->slot[i]->block.peers;
    return blocks;
}

static bool has_room(const struct side_by_side *r, const struct ptx_tickets *t)
{
    return steps_of_all(r) < DRAW_STEPS && r->bytes < DRAW_BYTES &&
           t->words < DRAW_WORDS;
}

/* *better: terms on which they can go on, where they cannot on these: a warp
 * waits for a lock, which cas or exch take, or what they write at once is too
 * much for so many. */
static bool run(struct side_by_side *r, struct ptx_drawing *d,
                struct terms *better, struct error *e)
{
    bool rest = true, first = true;
    if (!fill(r))
        return error_no_memory(e);
    for (; rest && !d->waits && has_room(r, d->tickets); first = false) {
        if (!all_go_on(r, &rest, e))
            return false;
        if (first && r->bytes >= DRAW_BYTES)
            better->most = (r->slots + 1) / 2;
    }
    better->claims &= !d->waits;
    d->tickets->at_once = going_on(r);
    d->tickets->complete = !rest;
    return !d->no_memory || error_no_memory(e);
}

static bool draw(struct ptx_tickets *out, const struct ptx_launch *l,
                 struct ptx_view view, struct terms *terms, struct error *e)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    if (!ptx_tickets_open(out, blocks < DRAW_STEPS ? blocks : DRAW_STEPS))
        return error_no_memory(e);
    struct ptx_drawing d = {.tickets = out,
                            .common = {.memory = view.memory,
                                       .is_private = true,
                                       .version = view.version}};
    out->claims = terms->claims;
    view.drawing = &d;
    struct side_by_side r = {
        .launch = l, .view = view, .blocks = blocks, .most = terms->most};
    bool ok = run(&r, &d, terms, e);
    for (size_t i = 0; i < r.slots; i++) {
        ptx_block_close(&r.slot[i]->block);
        free(r.slot[i]);
    }
    free(r.slot);
    ptx_view_reset(&d.common);
    if (!ok)
        ptx_tickets_free(out);
    return ok;
}

bool ptx_tickets_draw(struct ptx_tickets *out, const struct ptx_launch *l,
                      struct ptx_view view, struct error *e)
{
    struct terms terms = {.claims = true, .most = SIZE_MAX}, tried;
    for (;;) {
        tried = terms;
        if (!draw(out, l, view, &terms, e))
            return false;
        if (terms.claims == tried.claims && terms.most == tried.most)
            return true;
        ptx_tickets_free(out);
    }
}
