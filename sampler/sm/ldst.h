/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The load/store unit: memory instructions in order, one step a cycle, through
 * shared memory, the constant and texture caches or the L1 and its MSHRs to the
 * interconnect. An instruction whose step is refused holds up those behind it.
 */
#ifndef SAMPLER_SM_LDST_H
#define SAMPLER_SM_LDST_H

#include "kernels/form/coalesce.h"
#include "sampler/memory/cache.h"
#include "sampler/sm/copier.h"
#include "sampler/sm/core.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/l1_queue.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/port.h"

#include <stdbool.h>
#include <stdint.h>

/* Instructions in the unit: one in work, one behind it, which with
 * stage.registers is still in its register. */
#define LDST_QUEUE 2

/* A memory instruction from issue until it leaves the unit. */
struct ldst_entry {
    uint32_t op;
    uint16_t count, next; /* transactions, the one to go next */
    uint16_t conflict;    /* shared memory: passes over the banks; constants:
                           * accesses of their cache */
    uint8_t space;
    uint8_t atomic_ops; /* atomics: operations on the busiest address */
    bool copies;        /* without registers: handed over to the copier */
    union {
        struct transaction transaction[MAX_TRANSACTIONS];
        struct box_walk walk;
    };
};

struct ldst {
    struct sm_core *core;
    struct l1_queue *l1_queue;
    struct ldst_entry *entry;
    uint64_t free;              /* cycle the unit takes its next step */
    enum refusal wait;          /* of its first instruction's step */
    uint16_t queue[LDST_QUEUE]; /* entries in the unit, in order */
    int queue_head, queue_count, queue_size;
    uint64_t constant_free; /* cycle the constant cache takes its next step */
    uint64_t texture_free;  /* cycle the texture units take an instruction */
    struct memory_ops *ops;
    struct port *port;
    struct l1 *l1;
    struct copier *copier;
    struct cache constant, texture;
    uint16_t *free_entry;
    int free_entries;
};

/* With the pointers set. outside: instructions that may be on their way from
 * issue to the unit. False when memory is out; ldst_free in any case. */
bool ldst_init(struct ldst *l, int outside);
void ldst_free(struct ldst *l);
/* Forget what the constant and texture caches hold; the latter is made for the
 * first kernel that uses it. False when memory is out. */
bool ldst_start_kernel(struct ldst *l);

/* Coalesce the step into a fresh entry and memory operation, for which there
 * must be room (memory_ops_reserve). */
uint16_t ldst_prepare(struct ldst *l, int warp, const struct step *s);

static inline bool ldst_has_room(const struct ldst *l)
{
    return l->queue_count < l->queue_size;
}

/* The instruction of a prepared entry comes to the unit, which has room. */
void ldst_accept(struct ldst *l, uint16_t entry);
/* A cycle of the unit and of the queues before the L1. */
void ldst_cycle(struct ldst *l);
/* The cycle, after now, in which memory work goes on by itself, or UINT64_MAX.
 */
uint64_t ldst_wake(const struct ldst *l);

/* An L1 fill has come: what waited for one goes on. */
void ldst_filled(struct ldst *l);
/* There is room at the port: whether anything waited for that. */
bool ldst_credit(struct ldst *l);

#endif
