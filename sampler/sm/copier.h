/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies between global and shared memory that take no registers (bulk and
 * tensor copies): from the load/store unit, which spends a cycle on one, they
 * come here and go past the L1, in order, a line of the L2 a cycle. Such units'
 * rates are not published; one line a cycle is what the load/store unit sends
 * at most. Passes over shared memory are not counted. */
#ifndef SAMPLER_SM_COPIER_H
#define SAMPLER_SM_COPIER_H

#include "kernels/form/box.h"
#include "sampler/sm/core.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/port.h"

struct copy {
    uint32_t op;
    struct box_walk walk;
    struct transaction next;
};

/* With the pointers set, all else zero. */
struct copier {
    struct sm_core *core;
    struct memory_ops *ops;
    struct l1 *l1;
    struct copy *copy; /* ring */
    size_t capacity, head, count;
    enum refusal wait;
};

void copier_free(struct copier *c);

/* The copy of memory operation `op`, of a line at least. The run fails when
 * memory is out. */
void copier_add(struct copier *c, uint32_t op, const struct box_walk *walk);

static inline bool copier_has_work(const struct copier *c)
{
    return c->count > 0;
}

/* Send a line of the oldest copy. */
void copier_cycle(struct copier *c);
/* The cycle, after now, in which it goes on by itself, or UINT64_MAX. */
uint64_t copier_wake(const struct copier *c);
/* There is room at the port: whether it waited for that. */
bool copier_credit(struct copier *c);

#endif
