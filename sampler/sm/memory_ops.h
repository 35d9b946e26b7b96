/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory instructions in flight, from issue to their last answer. */
#ifndef SAMPLER_SM_MEMORY_OPS_H
#define SAMPLER_SM_MEMORY_OPS_H

#include "base/pool.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#define NO_OP NO_RECORD

struct memory_op {
    uint32_t next_free;
    uint32_t inst;
    uint32_t outstanding; /* transactions not answered */
    uint32_t signal;      /* count to raise when it is complete, 0: none */
    uint8_t warp;
    bool all_sent;
    bool load;   /* has a result: load or atomic */
    bool copies; /* between memories, without registers */
};

/* All zero is an empty table. */
struct memory_ops {
    struct memory_op *op;
    struct pool pool;
};

static inline void memory_ops_free(struct memory_ops *m)
{
    free(m->op);
}

/* Whether memory_ops_add will succeed; false when memory is out. */
static inline bool memory_ops_reserve(struct memory_ops *m)
{
    return pool_reserve(&m->pool, &m->op);
}

/* Room for it must have been reserved. */
static inline uint32_t memory_ops_add(struct memory_ops *m, int warp,
                                      uint32_t inst, bool load)
{
    uint32_t id = pool_take(&m->pool, &m->op);
    assert(id != NO_RECORD);
    m->op[id] =
        (struct memory_op){.inst = inst, .warp = (uint8_t)warp, .load = load};
    return id;
}

/* Returns what the operation was. */
static inline struct memory_op memory_ops_remove(struct memory_ops *m,
                                                 uint32_t id)
{
    struct memory_op op = m->op[id];
    pool_give(&m->pool, m->op, id);
    return op;
}

/* One transaction is answered: whether nothing of the operation is left. */
static inline bool memory_ops_answer(struct memory_ops *m, uint32_t id)
{
    struct memory_op *op = &m->op[id];
    assert(op->outstanding > 0);
    return --op->outstanding == 0 && op->all_sent;
}

#endif
