/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1_queue.h"

#include "sampler/machine.h"
#include "sampler/sm/l1.h"

#include <stdlib.h>

bool l1_queue_init(struct sm *sm)
{
    const struct gpu *g = sm->gpu;
    if (!g->ldst.late_tags)
        return true;
    int n = g->ldst.banked ? g->l1.accesses_per_cycle : 1;
    size_t length = (size_t)g->l1.latency;
    sm->l1_queues = n;
    sm->l1_queue = calloc((size_t)n, sizeof(*sm->l1_queue));
    sm->l1_accesses = calloc((size_t)n * length, sizeof(*sm->l1_accesses));
    if (sm->l1_queue == NULL || sm->l1_accesses == NULL)
        return false;
    for (int i = 0; i < n; i++)
        sm->l1_queue[i].access = &sm->l1_accesses[(size_t)i * length];
    return true;
}

void l1_queue_free(struct sm *sm)
{
    free(sm->l1_queue);
    free(sm->l1_accesses);
}

enum progress l1_queue_add(struct sm *sm, uint32_t op,
                           const struct transaction *t)
{
    struct l1_queue *q = &sm->l1_queue[ldst_bank(sm->gpu, t)];
    int length = sm->gpu->l1.latency;
    sm->wait->queue = q->count == length;
    if (sm->wait->queue)
        return STEP_BLOCKED;
    q->access[(q->head + q->count++) % length] = (struct l1_access){
        .due = sm->now + (uint64_t)length, .op = op, .transaction = *t};
    sm->op[op].outstanding++;
    return STEP_DONE;
}

static enum progress look_up(struct sm *sm, const struct l1_access *a)
{
    const struct inst *i = &sm->kernel->inst[sm->op[a->op].inst];
    if (i->op == OP_LOAD)
        return l1_load(sm, a->op, &a->transaction);
    if (ldst_in_l1(sm->gpu, i))
        return l1_write(sm, a->op, &a->transaction);
    return ldst_past_l1(sm, a->op, &a->transaction, 1);
}

void l1_queue_cycle(struct sm *sm)
{
    for (int i = 0; i < sm->l1_queues; i++) {
        struct l1_queue *q = &sm->l1_queue[i];
        const struct l1_access *a = &q->access[q->head];
        if (q->count == 0 || a->due > sm->now || ldst_held_up(&q->wait))
            continue;
        sm->wait = &q->wait;
        if (look_up(sm, a) == STEP_BLOCKED)
            continue;
        uint32_t op = a->op;
        q->head = (q->head + 1) % sm->gpu->l1.latency;
        q->count--;
        sm->ldst_wait.queue = false;
        sm->active_cycle = true;
        ldst_answered(sm, op);
    }
}

uint64_t l1_queue_wake(const struct sm *sm)
{
    uint64_t wake = NO_EVENT;
    for (int i = 0; i < sm->l1_queues; i++) {
        const struct l1_queue *q = &sm->l1_queue[i];
        if (q->count == 0 || ldst_held_up(&q->wait))
            continue;
        uint64_t at = q->access[q->head].due;
        at = at > sm->now ? at : sm->now + 1;
        wake = at < wake ? at : wake;
    }
    return wake;
}
