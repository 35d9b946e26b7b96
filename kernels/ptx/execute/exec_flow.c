/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Branches, calls and returns over the stacks of frame.h. A path ends where it
 * meets the one below, or when its lanes are gone. A call is a frame with paths
 * of its own above those of the caller. These instructions move the warp on
 * themselves. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/frame.h"

/* ---- where paths end ---------------------------------------------------- */

static bool end_warp(struct ptx_block *b, struct ptx_warp *w)
{
    w->state = WARP_ENDED;
    ptx_block_wake(b);
    ptx_release_barriers(b);
    return true;
}

bool ptx_reconverge(struct ptx_block *b, struct ptx_warp *w)
{
    for (;;) {
        struct ptx_frame *f = &w->frame[w->frames - 1];
        while (
            w->paths > f->paths &&
            (ptx_top(w)->mask == 0 || ptx_top(w)->pc == ptx_top(w)->reconverge))
            w->paths--;
        if (w->paths > f->paths)
            return true;
        if (f->call == NULL)
            return end_warp(b, w);
        ptx_pass_results(b, w);
        w->frames--;
    }
}

/* ---- branches ----------------------------------------------------------- */

bool ptx_execute_branch(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t taken)
{
    struct ptx_path *p = ptx_top(w);
    uint32_t stay = p->mask & ~taken, next = p->pc + 1;
    uint32_t reconverge = op->reconverge;
    b->event.taken = taken;
    if (stay == 0) {
        p->pc = op->target;
        return true;
    }
    if (reconverge == PTX_NONE) { /* they meet where this path does */
        reconverge = p->reconverge;
        p->pc = next;
        p->mask = stay;
        return ptx_push_path(b, w, op->target, reconverge, taken);
    }
    p->pc = reconverge;
    return ptx_push_path(b, w, next, reconverge, stay) &&
           ptx_push_path(b, w, op->target, reconverge, taken);
}

/* The lanes of the mask that chose as the first of them did. */
static uint32_t alike(const uint64_t *chosen, uint32_t mask)
{
    uint32_t same = 0;
    for (int i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(chosen[i] == chosen[__builtin_ctz(mask)]) << i;
    return same & mask;
}

/* A path for every target that lanes of the mask chose; one that there is not
 * is a fault. */
static bool push_targets(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask,
                         uint32_t reconverge)
{
    const struct ptx_program *program = b->launch->program;
    const struct ptx_targets *t = &program->module->targets[op->target];
    uint32_t first = program->code[w->frame[w->frames - 1].function].first;
    const uint64_t *index = ptx_slot(b, w, op->source[0]);
    while (mask != 0) {
        int lane = __builtin_ctz(mask);
        uint32_t same = alike(index, mask);
        if (index[lane] >= t->count)
            return ptx_fault(b, w, op,
                             "found index %llu in lane %d, expected one of %zu",
                             (unsigned long long)index[lane], lane, t->count);
        mask &= ~same;
        if (!ptx_push_path(b, w, first + t->label[index[lane]], reconverge,
                           same))
            return false;
    }
    return true;
}

bool ptx_execute_branch_index(struct ptx_block *b, struct ptx_warp *w,
                              const struct ptx_op *op, uint32_t mask)
{
    struct ptx_path from = *ptx_top(w);
    bool meets = op->reconverge != PTX_NONE;
    uint32_t reconverge = meets ? op->reconverge : from.reconverge;
    uint32_t stay = from.mask & ~mask;
    b->event.taken = mask;
    *ptx_top(w) = (struct ptx_path){meets ? reconverge : from.pc + 1,
                                    from.reconverge, meets ? from.mask : stay};
    return (!meets || stay == 0 ||
            ptx_push_path(b, w, from.pc + 1, reconverge, stay)) &&
           push_targets(b, w, op, mask, reconverge);
}

/* ---- calls -------------------------------------------------------------- */

/* The function that the lanes call; of several, that of the first lane, and
 * *mask becomes its lanes. */
static uint32_t called(const struct ptx_block *b, const struct ptx_warp *w,
                       const struct ptx_op *op, uint32_t *mask)
{
    if (op->target != PTX_NONE)
        return op->target;
    const uint64_t *address = ptx_slot(b, w, op->source[0]);
    uint64_t chosen = address[__builtin_ctz(*mask)];
    *mask = alike(address, *mask);
    uint64_t index = (chosen - PTX_FUNCTION_WINDOW) / 16;
    return index < b->launch->program->module->functions ? (uint32_t)index
                                                         : PTX_NONE;
}

/* The caller goes on behind the call; lanes that call something else come to
 * it once more before, on a path of their own. */
static bool call_in_turn(struct ptx_block *b, struct ptx_warp *w, uint32_t rest)
{
    uint32_t from = ptx_top(w)->pc;
    ptx_top(w)->pc = from + 1;
    return rest == 0 || ptx_push_path(b, w, from, from + 1, rest);
}

static bool enter(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op, uint32_t function, uint32_t mask)
{
    if (!ptx_push_frame(b, w, function, op, mask))
        return false;
    ptx_pass_arguments(b, w);
    return true;
}

bool ptx_execute_call(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_module *m = b->launch->program->module;
    uint32_t same = mask, function = called(b, w, op, &same);
    if (function == PTX_NONE)
        return ptx_fault(b, w, op, "found no function at this address");
    const struct ptx_function *f = &m->function[function];
    b->event.taken = same;
    if (!f->has_body)
        return ptx_execute_library(b, w, op, function, same) &&
               call_in_turn(b, w, mask & ~same);
    return call_in_turn(b, w, mask & ~same) && enter(b, w, op, function, same);
}

bool ptx_execute_return(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t mask)
{
    const struct ptx_frame *f = &w->frame[w->frames - 1];
    (void)b;
    (void)op;
    ptx_top(w)->pc++;
    if (f->call == NULL)
        w->live &= ~mask;
    ptx_drop_lanes(w, f->paths, mask);
    return true;
}

bool ptx_execute_exit(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    (void)b;
    (void)op;
    ptx_top(w)->pc++;
    w->live &= ~mask;
    ptx_drop_lanes(w, 0, mask);
    return true;
}

bool ptx_execute_trap(struct ptx_block *b, struct ptx_warp *w,
                      const struct ptx_op *op, uint32_t mask)
{
    (void)mask;
    return ptx_fault(b, w, op, "found a trap");
}
