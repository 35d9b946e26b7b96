/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which block reads and writes which byte, of a few blocks. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/interblock.h"

#include "kernels/ptx/forms/fragment.h"

#include <stdlib.h>

#define BLOCKS    8                   /* as many as a byte has bits */
#define STEPS_MAX (UINT64_C(1) << 21) /* warp instructions: no block after */
#define PATIENCE  (UINT64_C(1) << 24) /* of one block: it is not ended */
/* A block that reads what the first one writes waits for it when it has made so
 * many times as many warp instructions, and so many more, without an end. */
#define WAITS_FACTOR UINT64_C(64)
#define WAITS_MORE   (UINT64_C(1) << 16)
#define PAGES_MAX    4096 /* further ones are not looked at */
#define PAGE_SLOTS   ((size_t)2 * PAGES_MAX)

/* A bit a block. */
struct page {
    uint64_t number;
    uint8_t written[PTX_PAGE], changed[PTX_PAGE] /* by atomics */,
        read[PTX_PAGE] /* before it had written it */;
};

struct search {
    struct ptx_interblock *out;
    const struct ptx_memory *memory;
    struct page *slot[PAGE_SLOTS], *last;
    unsigned pages;
    bool no_memory; /* a page could not be kept */
    uint8_t me;     /* the bit of the block that runs */
};

static struct page *page_of(struct search *s, uint64_t number)
{
    if (s->last != NULL && s->last->number == number)
        return s->last;
    size_t i = (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    while (s->slot[i % PAGE_SLOTS] != NULL &&
           s->slot[i % PAGE_SLOTS]->number != number)
        i++;
    struct page **slot = &s->slot[i % PAGE_SLOTS];
    if (*slot == NULL && s->pages < PAGES_MAX) {
        *slot = calloc(1, sizeof(**slot));
        if (*slot == NULL) {
            s->no_memory = true;
            return NULL;
        }
        (*slot)->number = number;
        s->pages++;
    }
    return s->last = *slot;
}

/* A load is told rather than a store. */
static void report(struct search *s, enum ptx_interblock_kind kind,
                   const struct ptx_op *op)
{
    if (s->out->kind != INTERBLOCK_LOAD)
        *s->out = (struct ptx_interblock){.kind = kind, .op = op};
}

static bool is_load(const struct ptx_op *op)
{
    return op->action == ACTION_LOAD || op->action == ACTION_COPY ||
           op->action == ACTION_LOAD_FRAGMENT || op->action == ACTION_TEXTURE ||
           op->action == ACTION_GATHER || op->action == ACTION_SURFACE_LOAD;
}

static bool is_store(const struct ptx_op *op)
{
    return op->action == ACTION_STORE || op->action == ACTION_STORE_FRAGMENT ||
           op->action == ACTION_SURFACE_STORE;
}

static void see_byte(struct search *s, const struct ptx_op *op, struct page *p,
                     uint64_t at)
{
    uint8_t others = (uint8_t)~s->me;
    bool loads = is_load(op);
    if (loads && (p->written[at] & s->me) == 0) {
        p->read[at] |= s->me;
        if (((p->written[at] | p->changed[at]) & others) != 0)
            report(s, INTERBLOCK_LOAD, op);
    }
    if (loads)
        return;
    if (is_store(op))
        p->written[at] |= s->me;
    else
        p->changed[at] |= s->me;
    if ((p->read[at] & others) != 0)
        report(s, INTERBLOCK_STORE, op);
}

static uint64_t bytes_of(const struct ptx_block *b, const struct ptx_warp *w,
                         const struct ptx_op *op, int lane)
{
    switch (op->action) {
    case ACTION_LOAD:
        return (uint64_t)op->bytes * op->results;
    case ACTION_STORE:
        return (uint64_t)op->bytes * op->sources;
    case ACTION_COPY:
        return ptx_slot(b, w, op->source[0])[lane];
    case ACTION_SURFACE_LOAD:
    case ACTION_SURFACE_STORE:
        return (uint64_t)op->bytes *
               ptx_vector_length(op->inst->modifier[GROUP_VECTOR]);
    case ACTION_TEXTURE: /* a texel's first */
    case ACTION_GATHER:
        return 1;
    default:
        return op->bytes;
    }
}

static bool is_seen(const struct ptx_op *op)
{
    bool is_global = op->space == PTX_GLOBAL || op->space == PTX_GENERIC;
    return op->action == ACTION_COPY || op->action == ACTION_TEXTURE ||
           op->action == ACTION_GATHER ||
           (is_global &&
            (is_load(op) || is_store(op) || op->action == ACTION_ATOMIC ||
             op->action == ACTION_REDUCE));
}

static void see_bytes(struct search *s, const struct ptx_op *op, uint64_t at,
                      uint64_t bytes)
{
    if (at < PTX_GLOBAL_BASE || at >= s->memory->end)
        return;
    struct page *p = page_of(s, at >> PTX_PAGE_BITS);
    for (uint64_t i = 0; p != NULL && i < bytes; i++)
        see_byte(s, op, p, (at + i) & (PTX_PAGE - 1));
}

/* All that the lanes of a whole warp hold. */
static void see_fragment(struct search *s, const struct ptx_event *event)
{
    struct ptx_fragment f;
    uint64_t address[WARP_LANES];
    if (!ptx_fragment_of(&f, event->op->inst, 0))
        return;
    for (unsigned n = 0; n < f.accesses; n++) {
        ptx_fragment_addresses(&f, n, event->address, event->stride, address);
        for (int lane = 0; lane < WARP_LANES; lane++)
            see_bytes(s, event->op, address[lane], f.bytes);
    }
}

static void see(void *user, const struct ptx_block *b, const struct ptx_warp *w)
{
    struct search *s = user;
    const struct ptx_event *event = &b->event;
    if (event->mask == 0 || !is_seen(event->op) ||
        s->out->kind == INTERBLOCK_LOAD)
        return;
    if (event->op->action == ACTION_LOAD_FRAGMENT ||
        event->op->action == ACTION_STORE_FRAGMENT) {
        see_fragment(s, event);
        return;
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        if ((event->mask >> lane & 1) != 0)
            see_bytes(s, event->op, event->address[lane],
                      bytes_of(b, w, event->op, lane));
}

/* Neighbours along x and along y, some in the middle, the last ones; each once,
 * the first and then from the last on: of blocks that read what a neighbour
 * writes, whichever side it is on, one then runs behind it. */
static unsigned choose(uint64_t out[BLOCKS], const struct ptx_launch *l)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    const uint64_t wanted[BLOCKS] = {0,
                                     1,
                                     l->grid.x,
                                     l->grid.x + UINT64_C(1),
                                     blocks / 2,
                                     blocks / 2 + 1,
                                     blocks - (blocks > 1 ? 2 : 1),
                                     blocks - 1};
    unsigned n = 0;
    for (unsigned i = 0; i < BLOCKS; i++) {
        unsigned at = n;
        while (at > 1 && out[at - 1] < wanted[i])
            at--;
        if (wanted[i] >= blocks || (at > 0 && out[at - 1] == wanted[i]) ||
            (n > 0 && out[0] == wanted[i]))
            continue;
        for (unsigned k = n++; k > at; k--)
            out[k] = out[k - 1];
        out[at] = wanted[i];
    }
    return n;
}

static uint64_t steps_of(const struct ptx_block *b)
{
    return b->warp_steps - b->steps_before;
}

/* The second block, which has the first before it whatever the grid:
 * cooperating ones mostly wait for the one before. */
static void see_whether_waits(struct search *s, struct ptx_block *b,
                              uint64_t first_steps)
{
    const struct dim3 *g = &b->launch->grid;
    uint64_t most = WAITS_FACTOR * first_steps + WAITS_MORE;
    if ((uint64_t)g->x * g->y * g->z < 2)
        return;
    b->patience = most < PATIENCE ? most : PATIENCE;
    b->failed = false;
    s->me = 2;
    bool ok = ptx_block_start(b, 1) && ptx_block_run_visited(b, see, s);
    s->out->waits =
        ok && steps_of(b) >= b->patience && s->out->kind == INTERBLOCK_LOAD;
}

/* The faults of blocks but the first are for whoever runs them to report. */
static bool run_blocks(struct search *s, struct ptx_block *b, struct error *e)
{
    uint64_t block[BLOCKS], first_steps = 0;
    struct ptx_launch shorter = *b->launch;
    struct error ignored = {.status = STATUS_OK};
    unsigned count = choose(block, b->launch);
    bool ok = true;
    if (shorter.steps_max > STEPS_MAX)
        shorter.steps_max = STEPS_MAX;
    for (unsigned i = 0; ok && i < count && s->out->kind != INTERBLOCK_LOAD &&
                         b->warp_steps < STEPS_MAX;
         i++) {
        s->me = (uint8_t)(1u << i);
        b->patience = PATIENCE;
        ok = ptx_block_start(b, block[i]) && ptx_block_run_visited(b, see, s);
        if (!ok && i == 0)
            return false;
        if (i == 0)
            first_steps = steps_of(b);
        b->launch = &shorter;
        b->e = &ignored;
    }
    if (!ok || s->out->kind == INTERBLOCK_LOAD)
        see_whether_waits(s, b, first_steps);
    return (!s->no_memory && ignored.status != STATUS_FAILED) ||
           error_no_memory(e);
}

bool ptx_interblock_run(struct ptx_interblock *out, const struct ptx_launch *l,
                        const struct ptx_view *view, struct error *e)
{
    struct ptx_block b;
    struct search *s = calloc(1, sizeof(*s));
    *out = (struct ptx_interblock){.kind = INTERBLOCK_NONE};
    if (s == NULL)
        return error_no_memory(e);
    s->out = out;
    s->memory = view->memory;
    bool ok = ptx_block_open(&b, l, *view, e);
    if (ok) {
        ok = run_blocks(s, &b, e);
        ptx_block_close(&b);
    }
    for (size_t i = 0; i < PAGE_SLOTS; i++)
        free(s->slot[i]);
    free(s);
    return ok;
}
