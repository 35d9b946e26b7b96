/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of an instruction: its registers are there. */
#include "sampler/machine.h"
#include "sampler/sm/sm.h"

#include <stdlib.h>

/* From an answer at the SM to its register: the unit's response queue, the
 * write-back register (GPGPU-Sim, ldst_unit::cycle and ::writeback, which also
 * has a cycle between the cluster's queue and the unit's). */
#define ANSWER_CYCLES 3

static void clear_pending(struct warp *w, const struct inst *i)
{
    for (int r = 0; r < i->dst_count; r++) {
        uint64_t bit = UINT64_C(1) << (i->dst[r] % 64);
        w->pending[i->dst[r] / 64] &= ~bit;
        w->long_pending[i->dst[r] / 64] &= ~bit;
    }
}

static void commit(struct sm *sm, int warp, uint32_t index,
                   enum sched_event_type type)
{
    sm_event(sm,
             &(struct sched_event){.type = type,
                                   .cycle = sm->now,
                                   .warp = warp,
                                   .block_slot = (int)sm->warp[warp].block_slot,
                                   .inst = &sm->kernel->inst[index],
                                   .inst_index = index});
}

static void finish(struct sm *sm, int warp, uint32_t index)
{
    const struct inst *i = &sm->kernel->inst[index];
    clear_pending(&sm->warp[warp], i);
    collect_mark_write(sm, warp, i);
    commit(sm, warp, index, EVENT_COMMIT);
    if (sm->cpl != NULL && i->op != OP_BRANCH)
        cpl_commit(sm->cpl, &sm->table, warp, sm->now);
    front_refresh(sm, warp);
    sm->active_cycle = true;
    sm_try_end_warp(sm, warp);
}

void writeback_alu(struct sm *sm, int warp, uint32_t inst)
{
    sm->warp[warp].alu--;
    sm_count_flying(sm, -1, 0);
    finish(sm, warp, inst);
}

void writeback_memory(struct sm *sm, uint32_t id)
{
    struct memory_op op = sm->op[id];
    pool_give(&sm->ops, sm->op, id);
    struct warp *w = &sm->warp[op.warp];
    *(op.load ? &w->loads : &w->stores) -= 1;
    sm_count_flying(sm, 0, -1);
    if (op.load)
        commit(sm, op.warp, op.inst, EVENT_LOAD_RETURN);
    finish(sm, op.warp, op.inst);
}

/* ---- answers ------------------------------------------------------------ */

static bool grow_answers(struct sm *sm)
{
    uint32_t old = sm->answer_capacity, capacity = old == 0 ? 64 : 2 * old;
    uint32_t *ring = malloc(capacity * sizeof(*ring));
    if (ring == NULL)
        return false;
    for (uint32_t i = 0; i < sm->answers; i++)
        ring[i] = sm->answer[(sm->answer_head + i) % old];
    free(sm->answer);
    sm->answer = ring;
    sm->answer_capacity = capacity;
    sm->answer_head = 0;
    return true;
}

void writeback_queue(struct sm *sm, uint32_t op)
{
    if (sm->answers == sm->answer_capacity && !grow_answers(sm)) {
        sm->machine->out_of_memory = true;
        return;
    }
    sm->answer[(sm->answer_head + sm->answers) % sm->answer_capacity] = op;
    sm->answers++;
}

void writeback_answer(struct sm *sm, uint32_t op)
{
    if (sm->gpu->ldst.write_back && sm->op[op].load)
        sm_schedule(sm, sm->now + ANSWER_CYCLES, DONE_ANSWER, 0, op);
    else
        ldst_answered(sm, op);
}

void writeback_cycle(struct sm *sm)
{
    if (sm->answers == 0)
        return;
    uint32_t op = sm->answer[sm->answer_head];
    sm->answer_head = (sm->answer_head + 1) % sm->answer_capacity;
    sm->answers--;
    sm->active_cycle = true;
    ldst_answered(sm, op);
}
