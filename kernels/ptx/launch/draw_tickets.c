/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/draw_tickets.h"

#include "base/arrays.h"

#include <stdlib.h>

/* Bytes of blocks that go on at the same time, what they have written among
 * them, and warp instructions of all blocks. Chosen: a grid that fills any GPU
 * of today has room, and they take a few seconds. */
#define DRAW_BYTES (UINT64_C(1) << 28)
#define DRAW_STEPS (UINT64_C(1) << 26)

struct place { /* of one that goes on */
    struct ptx_block block;
    struct error error; /* its own, for its stream to tell */
    bool free;
};

struct hall {
    const struct ptx_launch *launch;
    struct ptx_view view;
    struct place **place;
    size_t places, room;
    uint64_t next, blocks; /* the next block to begin */
};

static uint64_t bytes_of(const struct ptx_block *b)
{
    uint64_t bytes = ptx_shared_room(b->launch) + b->view.used * PTX_PAGE;
    for (uint32_t i = 0; i < b->warps; i++)
        bytes += b->warp[i].regs_room * sizeof(*b->warp[i].reg) +
                 b->warp[i].local_bytes * WARP_LANES;
    return sizeof(struct place) + bytes * b->peers;
}

static uint64_t bytes_of_all(const struct hall *h)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < h->places; i++)
        bytes += bytes_of(&h->place[i]->block);
    return bytes;
}

static uint64_t steps_of_all(const struct hall *h)
{
    uint64_t steps = 0;
    for (size_t i = 0; i < h->places; i++)
        steps += h->place[i]->block.warp_steps;
    return steps;
}

/* The first of the next cluster, from the next block on. */
static bool find_next(struct hall *h)
{
    while (h->next < h->blocks &&
           ptx_cluster_first(h->launch, h->next) != h->next)
        h->next++;
    return h->next < h->blocks;
}

/* False: no memory. */
static bool begin(struct hall *h, struct place *p)
{
    p->free = !find_next(h);
    if (p->free)
        return true;
    if (h->view.by_block)
        p->block.view.version = h->view.version + (uint32_t)h->next;
    p->block.failed = false;
    p->error.status = STATUS_OK;
    return ptx_block_start(&p->block, h->next++);
}

static bool add_place(struct hall *h)
{
    struct place *p = calloc(1, sizeof(*p));
    if (p == NULL || !array_reserve(&h->place, &h->room, h->places + 1)) {
        free(p);
        return false;
    }
    h->place[h->places++] = p;
    return ptx_block_open(&p->block, h->launch, h->view, &p->error) &&
           begin(h, p);
}

/* As many as there is room for, one at least. */
static bool fill(struct hall *h)
{
    for (uint64_t bytes = 0; bytes < DRAW_BYTES / 2 && find_next(h);
         bytes += bytes_of(&h->place[h->places - 1]->block))
        if (!add_place(h))
            return false;
    return true;
}

/* A turn of every block; false when the launch's stop is due, or for want of
 * memory, which e says. */
static bool go_on(struct hall *h, bool *rest, struct error *e)
{
    *rest = false;
    for (size_t i = 0; i < h->places; i++) {
        struct place *p = h->place[i];
        bool ended = false;
        if (p->free)
            continue;
        if (!ptx_block_take_turn(&p->block, &ended)) {
            if (p->error.status == STATUS_STOPPED ||
                p->error.status == STATUS_FAILED) {
                *e = p->error;
                return false;
            }
            ended = true;
        }
        if (ended && !begin(h, p))
            return error_no_memory(e);
        *rest |= !p->free;
    }
    return true;
}

static uint64_t going_on(const struct hall *h)
{
    uint64_t blocks = 0;
    for (size_t i = 0; i < h->places; i++)
        blocks += h->place[i]->free ? 0 : h->place[i]->block.peers;
    return blocks;
}

static bool run(struct hall *h, struct ptx_drawing *d, struct error *e)
{
    bool rest = true;
    if (!fill(h))
        return error_no_memory(e);
    while (rest && steps_of_all(h) < DRAW_STEPS && bytes_of_all(h) < DRAW_BYTES)
        if (!go_on(h, &rest, e))
            return false;
    d->tickets->at_once = going_on(h);
    d->tickets->complete = !rest;
    return !d->no_memory || error_no_memory(e);
}

bool ptx_tickets_draw(struct ptx_tickets *out, const struct ptx_launch *l,
                      struct ptx_view view, struct error *e)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    if (!ptx_tickets_open(out, blocks < DRAW_STEPS ? blocks : DRAW_STEPS))
        return error_no_memory(e);
    struct ptx_drawing d = {.tickets = out,
                            .common = {.memory = view.memory,
                                       .is_private = true,
                                       .version = view.version}};
    view.drawing = &d;
    struct hall h = {.launch = l, .view = view, .blocks = blocks};
    bool ok = run(&h, &d, e);
    for (size_t i = 0; i < h.places; i++) {
        ptx_block_close(&h.place[i]->block);
        free(h.place[i]);
    }
    free(h.place);
    ptx_view_reset(&d.common);
    if (!ok)
        ptx_tickets_free(out);
    return ok;
}
