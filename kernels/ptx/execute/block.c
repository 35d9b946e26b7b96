/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/stop.h"
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/frame.h"

#include <stdlib.h>
#include <string.h>

#define SLICE 4096 /* instructions of a warp before the next one's turn */

/* Tests of mbarriers that fail in a row while no phase ends: a loop round one
 * never ends. */
#define FRUITLESS_MAX 65536

bool ptx_block_open(struct ptx_block *b, const struct ptx_launch *launch,
                    struct ptx_view view, struct error *e)
{
    uint64_t threads =
        (uint64_t)launch->block.x * launch->block.y * launch->block.z;
    *b = (struct ptx_block){.launch = launch, .view = view, .e = e};
    b->warps = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    b->warp = calloc(b->warps, sizeof(*b->warp));
    b->shared = calloc(launch->shared_bytes + 1, 1);
    if (b->warp != NULL && b->shared != NULL)
        return true;
    ptx_block_close(b);
    return error_no_memory(e);
}

void ptx_block_close(struct ptx_block *b)
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
    free(b->mbarrier);
    b->warp = NULL;
    b->shared = NULL;
}

static bool start_warp(struct ptx_block *b, uint32_t i, uint64_t threads)
{
    struct ptx_warp *w = &b->warp[i];
    uint64_t rest = threads - (uint64_t)i * WARP_LANES;
    w->index = i;
    w->live = rest >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << rest) - 1;
    w->state = WARP_READY;
    w->tests_once = false;
    w->steps = 0;
    w->paths = w->frames = 0;
    memset(w->async, 0, sizeof(w->async));
    if (w->local != NULL)
        memset(w->local, 0, WARP_LANES * w->local_bytes);
    return ptx_push_frame(b, w, b->launch->entry, NULL, w->live);
}

bool ptx_block_start(struct ptx_block *b, uint64_t number)
{
    const struct ptx_launch *l = b->launch;
    uint64_t threads = (uint64_t)l->block.x * l->block.y * l->block.z;
    ptx_view_reset(&b->view);
    b->page = NULL;
    b->number = number;
    b->steps_before = b->warp_steps;
    b->id = (struct dim3){(uint32_t)(number % l->grid.x),
                          (uint32_t)(number / l->grid.x % l->grid.y),
                          (uint32_t)(number / l->grid.x / l->grid.y)};
    memset(b->shared, 0, l->shared_bytes);
    memset(b->barrier, 0, sizeof(b->barrier));
    b->mbarriers = 0;
    b->signals = b->fruitless = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        if (!start_warp(b, i, threads))
            return false;
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
    for (int i = 0; i < SLICE && w->state == WARP_READY; i++) {
        if (!ptx_step(b, w))
            return false;
        if (visit != NULL && w->state != WARP_POLLING)
            visit(user, b, w);
    }
    return true;
}

bool ptx_block_let_fail(struct ptx_block *b)
{
    bool any = false;
    if (b->fruitless == FRUITLESS_MAX)
        return false;
    b->fruitless++;
    for (uint32_t i = 0; i < b->warps; i++) {
        struct ptx_warp *w = &b->warp[i];
        if (w->state != WARP_POLLING)
            continue;
        w->state = WARP_READY;
        w->tests_once = any = true;
    }
    return any;
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

bool ptx_block_run_visited(struct ptx_block *b, ptx_visit *visit, void *user)
{
    for (;;) {
        const struct ptx_warp *waiting = NULL;
        bool moved = false;
        if (b->patience != 0 && steps_of(b) >= b->patience)
            return true;
        for (uint32_t i = 0; i < b->warps; i++) {
            struct ptx_warp *w = &b->warp[i];
            if (w->state == WARP_READY) {
                moved = true;
                if (!run_slice(b, w, visit, user))
                    return false;
            }
            if (w->state == WARP_AT_BARRIER || w->state == WARP_POLLING)
                waiting = w;
        }
        if (moved || ptx_block_let_fail(b))
            continue;
        return waiting == NULL || ptx_block_stuck(b, waiting);
    }
}
