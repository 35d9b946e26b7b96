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

/* ---- lanes that leave loops ---------------------------------------------- */

/* The topmost path of the frame that does not end inside a loop which lanes of
 * the branch leave. */
static size_t path_around(const struct ptx_warp *w, const struct ptx_op *op)
{
    size_t i = w->paths - 1;
    while (i > w->frame[w->frames - 1].paths && w->path[i].depth > op->depth)
        i--;
    return i;
}

/* Take lanes out of all paths of the loops that they leave, whose other lanes
 * they meet behind them: *end is a path of theirs up to there. */
static bool take_out(struct ptx_block *b, struct ptx_warp *w,
                     const struct ptx_op *op, uint32_t mask,
                     struct ptx_path *end)
{
    size_t at = path_around(w, op);
    struct ptx_path all = w->path[at];
    *end = (struct ptx_path){
        .reconverge = all.reconverge, .mask = mask, .depth = all.depth};
    if (op->reconverge != PTX_NONE && op->reconverge != all.reconverge) {
        all.pc = op->reconverge;
        if (!ptx_insert_path(b, w, at++, all))
            return false;
        end->reconverge = w->path[at].reconverge = op->reconverge;
        end->depth = w->path[at].depth = op->depth;
    }
    ptx_drop_lanes(w, at, mask);
    return true;
}

/* Some lanes leave a loop to `to`, the others go on in it at `on`. */
static bool leave(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op, uint32_t mask, uint32_t to,
                  uint32_t on)
{
    struct ptx_path *p = ptx_top(w), out;
    bool alone = mask == p->mask && path_around(w, op) == w->paths - 1;
    p->pc = alone ? to : on;
    if (alone || mask == 0)
        return true;
    if (!take_out(b, w, op, mask, &out))
        return false;
    out.pc = to;
    return ptx_push_path(b, w, out);
}

/* ---- branches ----------------------------------------------------------- */

/* Lanes go on at two places; they meet where the branch says, or else where
 * this path does. */
static bool part(struct ptx_block *b, struct ptx_warp *w,
                 const struct ptx_op *op, uint32_t taken, uint32_t stay)
{
    struct ptx_path *p = ptx_top(w);
    struct ptx_path one = {op->target, p->reconverge, taken, p->depth};
    struct ptx_path other = {p->pc + 1, op->reconverge, stay, op->depth};
    if (op->reconverge == PTX_NONE) {
        p->pc = other.pc;
        p->mask = stay;
        return ptx_push_path(b, w, one);
    }
    p->pc = one.reconverge = op->reconverge;
    one.depth = op->depth;
    return ptx_push_path(b, w, other) && ptx_push_path(b, w, one);
}

bool ptx_execute_branch(struct ptx_block *b, struct ptx_warp *w,
                        const struct ptx_op *op, uint32_t taken)
{
    struct ptx_path *p = ptx_top(w);
    uint32_t stay = p->mask & ~taken, next = p->pc + 1;
    b->event.taken = taken;
    if (op->leaves == LEAVES_TAKEN)
        return leave(b, w, op, taken, op->target, next);
    if (op->leaves == LEAVES_REST)
        return leave(b, w, op, stay, next, op->target);
    if (stay != 0)
        return part(b, w, op, taken, stay);
    p->pc = op->target;
    return true;
}

/* The lanes of the mask that chose as the first of them did. */
static uint32_t alike(const uint64_t *chosen, uint32_t mask)
{
    uint32_t same = 0;
    for (int i = 0; i < WARP_LANES; i++)
        same |= (uint32_t)(chosen[i] == chosen[__builtin_ctz(mask)]) << i;
    return same & mask;
}

/* A path like `to` for every target that lanes of its mask chose; one that
 * there is not is a fault. */
static bool push_targets(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, struct ptx_path to)
{
    const struct ptx_program *program = b->launch->program;
    const struct ptx_targets *t = &program->module->targets[op->target];
    uint32_t first = program->code[w->frame[w->frames - 1].function].first;
    const uint64_t *index = ptx_slot(b, w, op->source[0]);
    uint32_t mask = to.mask;
    while (mask != 0) {
        int lane = __builtin_ctz(mask);
        to.mask = alike(index, mask);
        if (index[lane] >= t->count)
            return ptx_fault(b, w, op,
                             "found index %llu in lane %d, expected one of %zu",
                             (unsigned long long)index[lane], lane, t->count);
        mask &= ~to.mask;
        to.pc = first + t->label[index[lane]];
        if (!ptx_push_path(b, w, to))
            return false;
    }
    return true;
}

/* Where some of several targets are outside of a loop all lanes leave what
 * meets in it. */
bool ptx_execute_branch_index(struct ptx_block *b, struct ptx_warp *w,
                              const struct ptx_op *op, uint32_t mask)
{
    uint32_t all = ptx_top(w)->mask;
    struct ptx_path to, rest;
    b->event.taken = mask;
    rest.pc = ptx_top(w)->pc + 1;
    if (!take_out(b, w, op, all, &to))
        return false;
    rest = (struct ptx_path){rest.pc, to.reconverge, all & ~mask, to.depth};
    to.mask = mask;
    return (rest.mask == 0 || ptx_push_path(b, w, rest)) &&
           push_targets(b, w, op, to);
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

static bool enter(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op, uint32_t function, uint32_t mask)
{
    if (!ptx_push_frame(b, w, function, op, mask))
        return false;
    ptx_pass_arguments(b, w);
    return true;
}

/* Lanes that call something else do so before the caller goes on. */
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
               ptx_come_again(b, w, mask & ~same);
    return ptx_come_again(b, w, mask & ~same) &&
           enter(b, w, op, function, same);
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
