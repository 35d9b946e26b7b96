/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/l1_queue.h"

#include <stdlib.h>

int l1_bank(const struct gpu *g, const struct transaction *t)
{
    if (!g->ldst.banked)
        return 0;
    int n = g->l1.sector_bytes / l1_sector_bytes(g);
    uint64_t sectors = (uint64_t)(g->l1.line_bytes / g->l1.sector_bytes);
    uint64_t sector =
        t->line * sectors + (uint64_t)(__builtin_ctz(t->sectors) / n);
    return (int)(sector % (uint64_t)g->l1.accesses_per_cycle);
}

enum refusal l1_queue_add(struct l1_queue *q, uint32_t op,
                          const struct transaction *t)
{
    const struct gpu *g = q->core->gpu;
    struct bank_queue *b = &q->bank[l1_bank(g, t)];
    int length = g->l1.latency;
    if (b->count == length)
        return QUEUE_FULL;
    uint64_t due = q->core->now + (uint64_t)length;
    b->access[(b->head + b->count++) % length] =
        (struct queued_access){.due = due, .op = op, .transaction = *t};
    q->next = earliest(q->next, due);
    q->ops->op[op].outstanding++;
    return GO;
}

static enum refusal look_up(struct l1_queue *q, const struct queued_access *a)
{
    const struct inst *i = &q->core->kernel->inst[q->ops->op[a->op].inst];
    if (!l1_serves(q->core->gpu, i))
        return l1_bypass(q->l1, a->op, &a->transaction, 1);
    return l1_look_up(q->l1, a->op, &a->transaction);
}

/* The cycle, after now, of the next look-up, or UINT64_MAX. */
static uint64_t next_look_up(const struct l1_queue *q)
{
    uint64_t next = UINT64_MAX;
    for (int i = 0; i < q->banks; i++) {
        const struct bank_queue *b = &q->bank[i];
        if (b->count > 0 && b->wait == GO)
            next = earliest(next,
                            latest(b->access[b->head].due, q->core->now + 1));
    }
    return next;
}

bool l1_queue_cycle(struct l1_queue *q)
{
    bool moved = false;
    for (int i = 0; i < q->banks; i++) {
        struct bank_queue *b = &q->bank[i];
        const struct queued_access *a = &b->access[b->head];
        if (b->count == 0 || a->due > q->core->now || b->wait != GO)
            continue;
        enum refusal refusal = look_up(q, a);
        b->wait = refusal == NO_SLOT ? GO : refusal;
        if (refusal != GO)
            continue;
        uint32_t op = a->op;
        b->head = (b->head + 1) % q->core->gpu->l1.latency;
        b->count--;
        moved = true;
        q->answer(q->user, op);
    }
    q->core->active_cycle |= moved;
    q->next = next_look_up(q);
    return moved;
}

void l1_queue_filled(struct l1_queue *q)
{
    for (int i = 0; i < q->banks; i++)
        if (refusal_ends_with_fill(q->bank[i].wait)) {
            q->bank[i].wait = GO;
            q->next = 0;
        }
}

bool l1_queue_credit(struct l1_queue *q)
{
    bool waited = false;
    for (int i = 0; i < q->banks; i++)
        if (q->bank[i].wait == NO_CREDIT) {
            q->bank[i].wait = GO;
            q->next = 0;
            waited = true;
        }
    return waited;
}

/* ---- life --------------------------------------------------------------- */

bool l1_queue_init(struct l1_queue *q)
{
    const struct gpu *g = q->core->gpu;
    if (!g->ldst.late_tags)
        return true;
    int n = g->ldst.banked ? g->l1.accesses_per_cycle : 1;
    size_t length = (size_t)g->l1.latency;
    q->bank = calloc((size_t)n, sizeof(*q->bank));
    q->accesses = calloc((size_t)n * length, sizeof(*q->accesses));
    if (q->bank == NULL || q->accesses == NULL)
        return false;
    q->banks = n;
    for (int i = 0; i < n; i++)
        q->bank[i].access = &q->accesses[(size_t)i * length];
    return true;
}

void l1_queue_free(struct l1_queue *q)
{
    free(q->bank);
    free(q->accesses);
}
