/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * With ldst.late_tags an access enters the queue of its L1 bank and is looked
 * up l1.latency cycles later, in order: a hit is answered then, a miss or a
 * store goes out, and one that cannot holds up those behind it until the queue,
 * as long as the latency, is full (GPGPU-Sim,
 * ldst_unit::L1_latency_queue_cycle). Without it there are no queues. */
#ifndef SAMPLER_SM_L1_QUEUE_H
#define SAMPLER_SM_L1_QUEUE_H

#include "kernels/form/coalesce.h"
#include "sampler/sm/core.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/port.h"

#include <stdbool.h>
#include <stdint.h>

/* An access on its way to the tags. */
struct queued_access {
    uint64_t due; /* cycle of its look-up */
    uint32_t op;
    struct transaction transaction;
};

/* Those of one bank. */
struct bank_queue {
    struct queued_access *access; /* ring of l1.latency */
    int head, count;
    enum refusal wait; /* of the first's look-up */
};

struct l1_queue {
    struct sm_core *core;
    struct memory_ops *ops;
    struct l1 *l1;
    struct bank_queue *bank;
    int banks;
    struct queued_access *accesses; /* of all banks */
    uint64_t next;                  /* no look-up is due before this cycle */
    /* Called when the look-up of a transaction of `op` is done. */
    void (*answer)(void *user, uint32_t op);
    void *user;
};

/* With core, ops, l1 and answer set. False when memory is out; l1_queue_free in
 * any case. */
bool l1_queue_init(struct l1_queue *q);
void l1_queue_free(struct l1_queue *q);

/* The L1 bank of an access, 0 unless banked. */
int l1_bank(const struct gpu *g, const struct transaction *t);
/* QUEUE_FULL when the bank's queue is. */
enum refusal l1_queue_add(struct l1_queue *q, uint32_t op,
                          const struct transaction *t);
/* Whether a look-up may be due. */
static inline bool l1_queue_has_work(const struct l1_queue *q)
{
    return q->core->now >= q->next;
}

/* Look up what is due, one access a bank; whether any left its queue. */
bool l1_queue_cycle(struct l1_queue *q);

/* The cycle, after now, of the next look-up, or UINT64_MAX. */
static inline uint64_t l1_queue_wake(const struct l1_queue *q)
{
    return latest(q->next, q->core->now + 1);
}

/* A fill has come. */
void l1_queue_filled(struct l1_queue *q);
/* There is room at the port: whether a look-up waited for that. */
bool l1_queue_credit(struct l1_queue *q);

#endif
