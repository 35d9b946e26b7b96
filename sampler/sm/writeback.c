/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/writeback.h"

#include <stdlib.h>

/* From an answer at the SM to its register: the unit's response queue, the
 * write-back register (GPGPU-Sim, ldst_unit::cycle and ::writeback, which also
 * has a cycle between the cluster's queue and the unit's). */
#define ANSWER_CYCLES 3

static void complete(struct writeback *w, int warp, uint32_t inst)
{
    struct sm_core *core = w->core;
    const struct inst *i = &core->kernel->inst[inst];
    scoreboard_write(w->scoreboard, warp, i);
    core_inst_event(core, EVENT_COMMIT, warp, inst);
    frontend_written(w->frontend, warp);
    core->active_cycle = true;
    blocks_try_end_warp(w->blocks, warp);
}

void writeback_alu(struct writeback *w, int warp, uint32_t inst)
{
    struct warp *of = &w->core->warp[warp];
    of->alu--;
    if (w->core->kernel->inst[inst].sync == SYNC_RESULT) {
        w->core->results_ahead[warp_scheduler(w->core, warp)]--;
        blocks_raise(w->blocks, of->block_slot, of->result_count);
    }
    core_count_in_flight(w->core, -1, 0);
    register_banks_write(w->banks, warp, &w->core->kernel->inst[inst],
                         w->core->now);
    complete(w, warp, inst);
}

/* Its registers are written. */
static void complete_memory(struct writeback *w, uint32_t id)
{
    struct sm_core *core = w->core;
    struct memory_op op = memory_ops_remove(w->ops, id);
    struct warp *warp = &core->warp[op.warp];
    *(op.copies ? &warp->copies : op.load ? &warp->loads : &warp->stores) -= 1;
    core_count_in_flight(core, 0, -1);
    if (op.signal != 0)
        blocks_raise(w->blocks, warp->block_slot, op.signal);
    if (op.load)
        core_inst_event(core, EVENT_LOAD_RETURN, op.warp, op.inst);
    complete(w, op.warp, op.inst);
}

void writeback_memory(struct writeback *w, uint32_t id)
{
    const struct memory_op *op = &w->ops->op[id];
    register_banks_write(w->banks, op->warp, &w->core->kernel->inst[op->inst],
                         w->core->now);
    complete_memory(w, id);
}

void writeback_served(struct writeback *w, uint32_t op)
{
    if (memory_ops_answer(w->ops, op))
        writeback_memory(w, op);
}

/* ---- answers ------------------------------------------------------------ */

static bool grow(struct writeback *w)
{
    uint32_t old = w->capacity, capacity = old == 0 ? 64 : 2 * old;
    uint32_t *ring = malloc(capacity * sizeof(*ring));
    if (ring == NULL)
        return false;
    for (uint32_t i = 0; i < w->count; i++)
        ring[i] = w->queue[(w->head + i) % old];
    free(w->queue);
    w->queue = ring;
    w->capacity = capacity;
    w->head = 0;
    return true;
}

void writeback_queue(struct writeback *w, uint32_t op)
{
    if (w->count == w->capacity && !grow(w)) {
        core_no_memory(w->core);
        return;
    }
    w->queue[(w->head + w->count) % w->capacity] = op;
    w->count++;
}

void writeback_answer(struct writeback *w, uint32_t op)
{
    const struct gpu *g = w->core->gpu;
    uint64_t rest = (uint64_t)(ANSWER_CYCLES - g->icnt.answer_queue);
    if (g->ldst.write_back && w->ops->op[op].load)
        core_schedule(w->core, w->core->now + rest, DONE_ANSWER, 0, op);
    else
        writeback_served(w, op);
}

/* Write the registers of an answer's instruction that are left; whether their
 * banks took all. */
static bool write_registers(struct writeback *w, const struct memory_op *op)
{
    const struct inst *i = &w->core->kernel->inst[op->inst];
    for (; w->written < i->dst_count; w->written++)
        if (!register_bank_write(w->banks, op->warp, i, w->written,
                                 w->core->now))
            return false;
    w->written = 0;
    return true;
}

void writeback_cycle(struct writeback *w)
{
    uint32_t op = w->queue[w->head];
    w->core->active_cycle = true;
    if (!write_registers(w, &w->ops->op[op]))
        return;
    w->head = (w->head + 1) % w->capacity;
    w->count--;
    if (memory_ops_answer(w->ops, op))
        complete_memory(w, op);
}

void writeback_free(struct writeback *w)
{
    free(w->queue);
}
