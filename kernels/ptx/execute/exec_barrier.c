/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Barriers of a block (PTX ISA 9.0, section 9.7.13.1): they count warps, each
 * as 32 threads whether all its lanes are there or not. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"

/* Of a waiting warp: the barrier's number. */
static uint64_t number_of(const struct ptx_block *b, const struct ptx_warp *w,
                          const struct ptx_op *op, uint32_t mask)
{
    return ptx_slot(b, w, op->source[0])[__builtin_ctz(mask)];
}

static uint32_t threads_alive(const struct ptx_block *b)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < b->warps; i++)
        n += b->warp[i].state != WARP_ENDED ? WARP_LANES : 0;
    return n;
}

/* .popc: how many predicates hold; .and: whether all do; .or: any. */
static uint64_t reduced(const struct ptx_barrier *at, const struct ptx_op *op)
{
    switch (op->inst->modifier[GROUP_OPERATION]) {
    case MOD_AND:
        return at->holds == at->joined;
    case MOD_OR:
        return at->holds != 0;
    default:
        return at->holds;
    }
}

static void open_barrier(struct ptx_block *b, uint32_t number)
{
    struct ptx_barrier *at = &b->barrier[number];
    b->epoch++;
    for (uint32_t i = 0; i < b->warps; i++) {
        struct ptx_warp *w = &b->warp[i];
        if (w->state != WARP_AT_BARRIER ||
            number_of(b, w, w->waiting, w->waiting_mask) != number)
            continue;
        if (w->waiting->results > 0) {
            uint64_t value[WARP_LANES];
            for (int lane = 0; lane < WARP_LANES; lane++)
                value[lane] = reduced(at, w->waiting);
            ptx_write(b, w, w->waiting->result[0], w->waiting_mask, value);
        }
        w->state = WARP_READY;
    }
    *at = (struct ptx_barrier){0};
}

static bool is_complete(const struct ptx_block *b, const struct ptx_barrier *at)
{
    if (at->arrived == 0)
        return false;
    return at->arrived >= (at->expected != 0 ? at->expected : threads_alive(b));
}

void ptx_release_barriers(struct ptx_block *b)
{
    for (uint32_t i = 0; i < PTX_BARRIERS; i++)
        if (is_complete(b, &b->barrier[i]))
            open_barrier(b, i);
}

/* The predicates that the lanes bring to a reduction. */
static void bring_predicates(struct ptx_block *b, const struct ptx_warp *w,
                             const struct ptx_op *op, uint32_t mask,
                             struct ptx_barrier *at)
{
    const uint64_t *p = ptx_slot(b, w, op->source[op->sources - 1]);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!ptx_lane_is_in(mask, lane))
            continue;
        at->joined++;
        at->holds += (p[lane] & 1) != op->source_negated;
    }
}

/* Whether not all warps of the block wait here. */
static bool is_of_some(const struct ptx_block *b, const struct ptx_barrier *at)
{
    return b->launch->program->has_arrivals ||
           at->expected != b->warps * WARP_LANES;
}

static void note_some(struct ptx_block *b, const struct ptx_op *op,
                      struct ptx_barrier *at)
{
    if (at->signal == 0)
        at->signal = ++b->signals;
    b->event.signal = at->signal;
    if (op->inst->modifier[GROUP_SYNC] == MOD_ARRIVE)
        return;
    b->event.await = at->signal;
    b->event.await_count = at->expected / WARP_LANES;
}

bool ptx_execute_barrier(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    uint64_t number = number_of(b, w, op, mask);
    int first = __builtin_ctz(mask);
    bool reduces = op->results > 0;
    bool counted = op->sources > (reduces ? 2 : 1);
    if (number >= PTX_BARRIERS)
        return ptx_fault(b, w, op, "found barrier %llu, expected 0 to 15",
                         (unsigned long long)number);
    struct ptx_barrier *at = &b->barrier[number];
    if (counted)
        at->expected = (uint32_t)ptx_slot(b, w, op->source[1])[first];
    if (counted && (at->expected == 0 || at->expected % WARP_LANES != 0))
        return ptx_fault(b, w, op,
                         "found %u threads, expected a multiple of "
                         "32",
                         at->expected);
    at->arrived += WARP_LANES;
    if (reduces)
        bring_predicates(b, w, op, mask, at);
    if (counted && is_of_some(b, at)) {
        b->orders_all = false;
        note_some(b, op, at);
    }
    if (op->inst->modifier[GROUP_SYNC] != MOD_ARRIVE) {
        w->state = WARP_AT_BARRIER;
        w->waiting = op;
        w->waiting_mask = mask;
    }
    if (is_complete(b, at))
        open_barrier(b, (uint32_t)number);
    return true;
}
