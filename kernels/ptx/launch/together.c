/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/together.h"

#include "kernels/ptx/execute/apart.h"

#include <stdatomic.h>
#include <stdlib.h>

/* All of these decide how long it takes, never what comes out. In instructions
 * of warps, of which a core executes some millions a second. */
#define LAUNCH_MIN   20000               /* of a launch that is worth it */
#define BATCH_STEPS  (UINT64_C(1) << 21) /* of a batch, as far as foreseen */
#define BATCH_MIN    4                   /* blocks a worker */
#define BATCH_MAX    64
#define PATIENCE     (UINT64_C(1) << 20) /* of a block while others end .. */
#define PATIENCE_FOR 16                  /* .. so many times earlier */
#define IN_ORDER_MAX 1024

struct one { /* block of a batch */
    struct ptx_apart apart;
    uint64_t warp_steps, lane_steps;
    bool ended;
};

struct worker {
    struct ptx_block block;
    struct error error;
};

struct run {
    const struct ptx_launch *launch;
    struct ptx_memory *memory;
    struct worker *worker;
    unsigned workers;
    struct one *one;
    uint64_t first;        /* block of the batch */
    size_t size, room;     /* of `one` */
    atomic_size_t next;    /* of the batch, to be run */
    atomic_ullong longest; /* instructions of one that ended */
    struct ptx_apart written;
    struct ptx_totals *out;
};

/* ---- a block apart ------------------------------------------------------- */

static bool has_ended(const struct ptx_block *b)
{
    for (uint32_t i = 0; i < b->warps; i++)
        if (b->warp[i].state != WARP_ENDED)
            return false;
    return true;
}

/* One that goes on and on may wait for a block before it. */
static bool run_patiently(struct run *r, struct ptx_block *b)
{
    uint64_t before = b->warp_steps;
    for (b->patience = PATIENCE;; b->patience *= 2) {
        if (!ptx_block_run(b))
            return false;
        if (has_ended(b))
            break;
        uint64_t longest = atomic_load(&r->longest);
        if (longest != 0 && b->patience > PATIENCE_FOR * longest)
            return false;
    }
    uint64_t steps = b->warp_steps - before;
    unsigned long long longest = atomic_load(&r->longest);
    while (longest < steps &&
           !atomic_compare_exchange_weak(&r->longest, &longest, steps))
        continue;
    return true;
}

/* Run block `index` of the batch as it finds the buffers; with patience when it
 * is not its turn. */
static bool run_one(struct run *r, struct worker *w, size_t index,
                    bool is_its_turn)
{
    struct one *o = &r->one[index];
    struct ptx_block *b = &w->block;
    uint64_t warp_steps = b->warp_steps, lane_steps = b->lane_steps;
    b->view.apart = &o->apart;
    b->view.failure = NULL;
    b->failed = false;
    b->patience = 0;
    o->apart.defers = !is_its_turn;
    o->ended = ptx_apart_reset(&o->apart, r->memory) &&
               ptx_block_start(b, r->first + index) &&
               (is_its_turn ? ptx_block_run(b) : run_patiently(r, b));
    o->warp_steps = b->warp_steps - warp_steps;
    o->lane_steps = b->lane_steps - lane_steps;
    return o->ended;
}

static void run_some(void *user, unsigned worker)
{
    struct run *r = user;
    for (;;) {
        size_t index = atomic_fetch_add(&r->next, 1);
        if (index >= r->size)
            return;
        run_one(r, &r->worker[worker], index, false);
    }
}

/* ---- in turn ------------------------------------------------------------- */

/* Buffers that the batch both read and wrote are watched from here on. */
static void watch_both(struct run *r)
{
    const unsigned both = PTX_USE_UNNOTED | PTX_USE_WRITTEN;
    for (size_t i = 0; i < r->memory->buffers; i++)
        if ((r->written.use[i] & both) == both)
            r->memory->buffer[i].both = true;
}

/* Take over what the blocks of the batch wrote, one after another; *again is
 * how many had to be run again. */
static bool take_turns(struct run *r, size_t *again, struct error *e)
{
    struct worker *w = &r->worker[0];
    if (!ptx_apart_reset(&r->written, r->memory))
        return error_no_memory(e);
    for (size_t i = 0; i < r->size; i++) {
        struct one *o = &r->one[i];
        bool alone = !o->ended || ptx_apart_conflicts(&o->apart, &r->written);
        *again += alone;
        if (alone && !run_one(r, w, i, true)) {
            *e = w->error;
            return false;
        }
        if (!ptx_apart_commit(&o->apart, r->memory, &r->written))
            return error_no_memory(e);
        r->out->warp_steps += o->warp_steps;
        r->out->lane_steps += o->lane_steps;
    }
    watch_both(r);
    return true;
}

static bool reach_batch(struct run *r, size_t size)
{
    if (size > r->room) {
        struct one *grown = realloc(r->one, size * sizeof(*grown));
        if (grown == NULL)
            return false;
        for (size_t i = r->room; i < size; i++)
            grown[i] = (struct one){.ended = false};
        r->one = grown;
        r->room = size;
    }
    r->size = size;
    return true;
}

static bool run_batch(struct run *r, struct ptx_crew *crew, uint64_t rest,
                      uint64_t wanted, size_t *again, struct error *e)
{
    if (!reach_batch(r, (size_t)(wanted < rest ? wanted : rest)))
        return error_no_memory(e);
    atomic_store(&r->next, 0);
    ptx_crew_run(crew, run_some, r);
    return take_turns(r, again, e);
}

/* ---- a launch ------------------------------------------------------------ */

/* Blocks from r->first on in order, each over the buffers themselves. */
static bool run_in_order(struct run *r, uint64_t end, struct error *e)
{
    struct ptx_block *b = &r->worker[0].block;
    uint64_t warp_steps = b->warp_steps, lane_steps = b->lane_steps;
    b->view.apart = NULL;
    b->failed = false;
    b->patience = 0;
    for (; r->first < end; r->first++) {
        if (!ptx_block_start(b, r->first) || !ptx_block_run(b)) {
            *e = r->worker[0].error;
            return false;
        }
    }
    r->out->warp_steps += b->warp_steps - warp_steps;
    r->out->lane_steps += b->lane_steps - lane_steps;
    return true;
}

static uint64_t batch_of(const struct run *r, uint64_t steps)
{
    uint64_t blocks = BATCH_STEPS / (steps + 1), workers = r->workers;
    uint64_t most = BATCH_MAX * workers, least = BATCH_MIN * workers;
    return blocks > most ? most : blocks < least ? least : blocks;
}

static void be_of_no_use(struct ptx_together *t)
{
    t->again = t->again == 0             ? 1
               : t->again < IN_ORDER_MAX ? 2 * t->again
                                         : t->again;
    t->in_order = t->again;
}

/* Batches while they are of use: two in a row of which a quarter had to be run
 * again are not. */
static bool run_batches(struct run *r, struct ptx_crew *crew,
                        struct ptx_together *t, uint64_t steps, struct error *e)
{
    uint64_t blocks = r->out->blocks;
    uint64_t wanted = (uint64_t)BATCH_MIN * r->workers;
    unsigned bad = 0;
    while (r->first < blocks && bad < 2) {
        size_t again = 0;
        if (!run_batch(r, crew, blocks - r->first, wanted, &again, e))
            return false;
        bad = 4 * again > r->size ? bad + 1 : 0;
        r->first += r->size;
        wanted = bad > 0 ? wanted : batch_of(r, steps);
    }
    if (bad == 2)
        be_of_no_use(t);
    else if (bad == 0)
        t->again = 0;
    return run_in_order(r, blocks, e);
}

static void close_run(struct run *r)
{
    for (unsigned i = 0; i < r->workers; i++)
        ptx_block_close(&r->worker[i].block);
    for (size_t i = 0; i < r->room; i++)
        ptx_apart_free(&r->one[i].apart);
    ptx_apart_free(&r->written);
    free(r->one);
    free(r->worker);
}

static bool open_run(struct run *r, unsigned workers, struct error *e)
{
    const struct ptx_view view = {.memory = r->memory};
    r->worker = calloc(workers, sizeof(*r->worker));
    if (r->worker == NULL) {
        error_no_memory(e);
        return false;
    }
    for (; r->workers < workers; r->workers++) {
        struct worker *w = &r->worker[r->workers];
        if (!ptx_block_open(&w->block, r->launch, view, &w->error)) {
            *e = w->error;
            close_run(r);
            return false;
        }
    }
    return true;
}

bool ptx_launch_run_together(const struct ptx_launch *l, struct ptx_memory *m,
                             struct ptx_crew *crew, struct ptx_together *t,
                             struct ptx_totals *out, struct error *e)
{
    uint64_t blocks = (uint64_t)l->grid.x * l->grid.y * l->grid.z;
    struct run r = {.launch = l, .memory = m, .out = out};
    const struct ptx_view view = {.memory = m};
    bool is_tried = ptx_crew_workers(crew) > 1 && blocks > 1 &&
                    l->cluster.x == 0 && t->in_order == 0;
    t->in_order -= t->in_order > 0;
    if (!is_tried)
        return ptx_launch_run(l, view, out, e);
    *out = (struct ptx_totals){.blocks = blocks};
    if (!open_run(&r, ptx_crew_workers(crew), e))
        return false;
    bool ok = run_in_order(&r, 1, e);
    if (ok && out->warp_steps * blocks < LAUNCH_MIN)
        ok = run_in_order(&r, blocks, e);
    else if (ok)
        ok = run_batches(&r, crew, t, out->warp_steps, e);
    close_run(&r);
    return ok;
}
