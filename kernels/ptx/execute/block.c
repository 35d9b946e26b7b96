/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/stop.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/check.h"
#include "kernels/ptx/execute/frame.h"

#include <stdlib.h>
#include <string.h>

/* Instructions of a warp before the next one's turn. Few, so that warps go on
 * together as on a GPU: programs are written, and leave barriers out, where
 * that is so. */
#define SLICE 64

static uint32_t blocks_of_cluster(const struct ptx_launch *l)
{
    return l->cluster.x == 0 ? 1 : l->cluster.x * l->cluster.y * l->cluster.z;
}

static bool open_one(struct ptx_block *b, const struct ptx_launch *launch,
                     struct ptx_view view, struct error *e)
{
    uint64_t threads =
        (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    *b = (struct ptx_block){.launch = launch, .view = view, .e = e};
    b->warps = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    b->warp = calloc(b->warps, sizeof(*b->warp));
    b->shared = calloc(ptx_shared_room(launch) + 1, 1);
    if (launch->checks != NULL)
        b->shadow = calloc(ptx_shared_room(launch) + 1, sizeof(*b->shadow));
    return b->warp != NULL && b->shared != NULL &&
           (launch->checks == NULL || b->shadow != NULL);
}

static void close_one(struct ptx_block *b)
{
    for (uint32_t i = 0; b->warp != NULL && i < b->warps; i++) {
        free(b->warp[i].reg);
        free(b->warp[i].path);
        free(b->warp[i].frame);
        free(b->warp[i].local);
    }
    ptx_view_reset(&b->view);
    free(b->warp);
    free(b->shared);
    free(b->shadow);
    free(b->mbarrier);
    b->warp = NULL;
    b->shared = NULL;
}

bool ptx_block_open(struct ptx_block *b, const struct ptx_launch *launch,
                    struct ptx_view view, struct error *e)
{
    bool ok = open_one(b, launch, view, e);
    b->peers = blocks_of_cluster(launch);
    b->peer = calloc(b->peers, sizeof(struct ptx_block *));
    b->others = calloc(b->peers, sizeof(*b->others));
    ok = ok && b->peer != NULL && b->others != NULL;
    for (uint32_t i = 0; ok && i + 1 < b->peers; i++)
        ok = open_one(&b->others[i], launch, view, e);
    if (ok)
        return true;
    ptx_block_close(b);
    return error_no_memory(e);
}

void ptx_block_close(struct ptx_block *b)
{
    for (uint32_t i = 0; b->others != NULL && i + 1 < b->peers; i++)
        close_one(&b->others[i]);
    close_one(b);
    free(b->peer);
    free(b->others);
    b->peer = NULL;
    b->others = NULL;
}

static bool start_warp(struct ptx_block *b, uint32_t i, uint64_t threads)
{
    struct ptx_warp *w = &b->warp[i];
    uint64_t rest = threads - (uint64_t)i * WARP_LANES;
    w->index = i;
    w->live = rest >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << rest) - 1;
    w->state = WARP_READY;
    w->tests_once = false;
    w->cluster_arrivals = 0;
    w->steps = 0;
    w->ticket = 0;
    w->in_vain = 0;
    w->paths = w->frames = 0;
    memset(w->async, 0, sizeof(w->async));
    if (w->local != NULL)
        memset(w->local, 0, WARP_LANES * w->local_bytes);
    return ptx_push_frame(b, w, b->launch->entry, NULL, w->live);
}

static bool start_one(struct ptx_block *b, uint64_t number)
{
    const struct ptx_launch *l = b->launch;
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    ptx_view_reset(&b->view);
    ptx_forget_stretches(b);
    b->number = number;
    b->steps_before = b->warp_steps;
    b->id = (struct dim3){(uint32_t)(number % l->grid.x),
                          (uint32_t)(number / l->grid.x % l->grid.y),
                          (uint32_t)(number / l->grid.x / l->grid.y)};
    memset(b->workspace, 0, sizeof(b->workspace));
    memset(b->shared, 0, ptx_shared_room(l));
    if (b->shadow != NULL)
        memset(b->shadow, 0, ptx_shared_room(l) * sizeof(*b->shadow));
    b->epoch = 0;
    b->orders_all = true;
    memset(b->barrier, 0, sizeof(b->barrier));
    memset(b->cluster_phase, 0, sizeof(b->cluster_phase));
    b->mbarriers = 0;
    b->signals = b->fruitless = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        if (!start_warp(b, i, threads))
            return false;
    return true;
}

/* The number in the grid of the block of a rank in the cluster of another. */
static uint64_t number_of(const struct ptx_launch *l, uint64_t of,
                          uint32_t rank)
{
    const struct dim3 *g = &l->grid, *c = &l->cluster;
    uint64_t x = of % g->x, y = of / g->x % g->y, z = of / g->x / g->y;
    x += rank % c->x - x % c->x;
    y += rank / c->x % c->y - y % c->y;
    z += rank / c->x / c->y - z % c->z;
    return (z * g->y + y) * g->x + x;
}

uint64_t ptx_cluster_first(const struct ptx_launch *l, uint64_t block)
{
    return l->cluster.x == 0 ? block : number_of(l, block, 0);
}

bool ptx_block_start(struct ptx_block *b, uint64_t number)
{
    struct ptx_block *other = b->others;
    for (uint32_t rank = 0; rank < b->peers; rank++) {
        uint64_t at =
            b->peers == 1 ? number : number_of(b->launch, number, rank);
        struct ptx_block *p = b->peer[rank] = at == number ? b : other++;
        p->rank = rank;
        p->peers = b->peers;
        p->peer = b->peer;
        p->e = b->e;
        p->launch = b->launch;
        p->view.version = b->view.version;
        if (!start_one(p, at))
            return false;
    }
    return true;
}

static bool stopped(struct ptx_block *b)
{
    const struct ptx_launch *l = b->launch;
    b->failed = true;
    return error_set(b->e, STATUS_STOPPED,
                     "%s: a limit came while block %llu of '%s' was executed",
                     l->program->module->path, (unsigned long long)b->number,
                     l->program->module->function[l->entry].name);
}

static uint64_t steps_of(const struct ptx_block *b)
{
    return b->warp_steps - b->steps_before;
}

static bool endless(struct ptx_block *b, const struct ptx_warp *w)
{
    const struct ptx_op *op = &b->launch->program->op[ptx_top(w)->pc];
    return op->inst == NULL ||
           ptx_fault(b, w, op,
                     "found no end of the block after %llu instructions",
                     (unsigned long long)steps_of(b));
}

static bool run_slice(struct ptx_block *b, struct ptx_warp *w, ptx_visit *visit,
                      void *user)
{
    if (stop_due(b->launch->stop))
        return stopped(b);
    if (steps_of(b) >= PTX_BLOCK_STEPS_MAX && !endless(b, w))
        return false;
    b->looked = false;
    for (int i = 0; i < SLICE && w->state == WARP_READY && !b->looked; i++) {
        if (!ptx_step(b, w))
            return false;
        if (visit != NULL && w->state != WARP_POLLING)
            visit(user, b, w);
    }
    return true;
}

bool ptx_block_stuck(struct ptx_block *b, const struct ptx_warp *w)
{
    return ptx_fault(b, w, w->waiting,
                     "found that no warp of the block can go on: this one "
                     "waits here for others");
}

bool ptx_block_run(struct ptx_block *b)
{
    return ptx_block_run_visited(b, NULL, NULL);
}

/* A turn of every warp of one of the cluster's blocks, whose writes the others
 * may have to see. */
static bool run_turn(struct ptx_block *b, ptx_visit *visit, void *user,
                     bool *moved, const struct ptx_warp **waiting)
{
    if (b->peers > 1)
        ptx_forget_stretches(b);
    for (uint32_t i = 0; i < b->warps; i++) {
        struct ptx_warp *w = &b->warp[i];
        if (w->state == WARP_READY) {
            *moved = true;
            if (!run_slice(b, w, visit, user))
                return false;
        }
        if (w->state == WARP_AT_BARRIER || w->state == WARP_POLLING)
            *waiting = w;
    }
    return true;
}

bool ptx_block_run_visited(struct ptx_block *b, ptx_visit *visit, void *user)
{
    for (;;) {
        const struct ptx_warp *waiting = NULL;
        struct ptx_block *of = b;
        bool moved = false;
        if (b->patience != 0 && steps_of(b) >= b->patience)
            return true;
        for (uint32_t p = 0; p < b->peers; p++) {
            const struct ptx_warp *before = waiting;
            if (!run_turn(b->peer[p], visit, user, &moved, &waiting))
                return false;
            of = waiting != before ? b->peer[p] : of;
        }
        if (moved || ptx_block_let_fail(b))
            continue;
        return waiting == NULL || ptx_block_stuck(of, waiting);
    }
}

bool ptx_block_take_turn(struct ptx_block *b, bool *ended)
{
    b->patience = steps_of(b) + 1;
    if (!ptx_block_run(b))
        return false;
    *ended = true;
    for (uint32_t p = 0; p < b->peers; p++)
        for (uint32_t i = 0; i < b->warps; i++)
            *ended &= b->peer[p]->warp[i].state == WARP_ENDED;
    return true;
}
