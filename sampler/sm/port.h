/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An SM's port to the memory system, and how the lines of its caches lie in
 * those of the L2. */
#ifndef SAMPLER_SM_PORT_H
#define SAMPLER_SM_PORT_H

#include "configs/gpu.h"
#include "kernels/form/coalesce.h"
#include "sampler/memory/memory.h"
#include "sampler/sm/core.h"

#include <stdbool.h>
#include <stdint.h>

struct port {
    struct sm_core *core;
    struct memory *memory;
    uint64_t drained; /* cycle by which the miss queue is empty, one request a
                       * cycle leaving it */
};

/* Why a step of memory work is not done: what must come first. A step that is
 * refused has changed nothing and is tried again then. */
enum refusal {
    GO,         /* it is done */
    MSHRS_FULL, /* a fill: no MSHR is free, or the line's cannot merge more */
    NO_LINE,    /* a fill: all lines of the set wait for one */
    NO_CREDIT,  /* room at the port */
    QUEUE_FULL, /* room in the queue of an L1 bank */
    NO_SLOT,    /* the next cycle: one leaves the miss queue in each */
};

static inline bool refusal_ends_with_fill(enum refusal r)
{
    return r == MSHRS_FULL || r == NO_LINE;
}

/* Whether a request can go now. After a refusal the memory system says when
 * there is room again. */
static inline bool port_may_send(const struct port *p)
{
    return memory_may_send(p->memory, p->core->id);
}

/* Whether the L1 can send a request now that needs so many places in its miss
 * queue. */
static inline enum refusal port_miss(const struct port *p, int places)
{
    const struct gpu *g = p->core->gpu;
    uint64_t most = p->core->now + (uint64_t)g->l1.miss_queue;
    if (!port_may_send(p))
        return NO_CREDIT;
    bool waits = p->drained > p->core->now;
    bool full = waits && p->drained + (uint64_t)places > most;
    return g->ldst.one_miss && full ? NO_SLOT : GO;
}

/* Send *r now; its sm is filled in. */
void port_send(struct port *p, const struct request *r);
/* Send what the L1 misses: with ldst.one_miss by its miss queue, which one
 * request leaves a cycle, the next at the soonest (GPGPU-Sim shader.cc,
 * ldst_unit::cycle). */
void port_send_miss(struct port *p, const struct request *r);
/* Answers to a request for these L2 sectors, which the slice parts or not. */
static inline int port_answers(bool parted, uint32_t sectors)
{
    return parted ? count_bits(sectors) : 1;
}

/* What is valid, dirty and on its way in an L1 is told by its sectors; under
 * denovo by words, as it is owned. */
static inline int l1_sector_bytes(const struct gpu *g)
{
    return g->coherence == COHERENCE_DENOVO ? WORD_BYTES : g->l1.sector_bytes;
}

/* The L2 line and sectors that hold the given sectors of a first-level line,
 * which lies inside one L2 line. */
struct transaction port_to_l2(const struct gpu *g, uint64_t line,
                              uint32_t sectors, int line_bytes,
                              int sector_bytes);

#endif
