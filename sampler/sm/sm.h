/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One streaming multiprocessor: its parts, how they are joined, and what a
 * cycle is. A cycle (sm_tick) goes backwards through the pipeline so that what
 * a stage frees the stage before it sees in the next cycle:
 *
 *   1. completions due now: results written back, instructions decoded, blocks
 *      that begin (writeback.h, frontend.h, blocks.h)
 *   2. load/store unit: one step of the oldest memory instruction (ldst.h), and
 *      a line of the oldest copy (copier.h)
 *   3. operand collectors: dispatch what is complete, read registers
 *      (collectors.h)
 *   4. issue: every scheduler picks a warp (schedulers.h, issue.h)
 *   5. fetch: instructions for warps whose buffer is empty (frontend.h)
 *
 * Dependent instructions issue latency + 1 cycles apart: the one is spent in
 * the collector. */
#ifndef SAMPLER_SM_SM_H
#define SAMPLER_SM_SM_H

#include "kernels/form/read_only.h"
#include "sampler/policy/policy.h"
#include "sampler/sm/blocks.h"
#include "sampler/sm/collectors.h"
#include "sampler/sm/copier.h"
#include "sampler/sm/core.h"
#include "sampler/sm/criticality.h"
#include "sampler/sm/frontend.h"
#include "sampler/sm/icache.h"
#include "sampler/sm/issue.h"
#include "sampler/sm/l1.h"
#include "sampler/sm/l1_queue.h"
#include "sampler/sm/ldst.h"
#include "sampler/sm/memory_ops.h"
#include "sampler/sm/port.h"
#include "sampler/sm/schedulers.h"
#include "sampler/sm/scoreboard.h"
#include "sampler/sm/writeback.h"

#include <stdbool.h>
#include <stdint.h>

struct sm;

/* What an SM tells the machine it is a part of. */
struct sm_callbacks {
    void *user;
    void (*block_ended)(void *user, struct sm *sm,
                        const struct block_slot *slot);
    void (*warp_ended)(void *user, const struct sm *sm, int warp);
    /* A load hits or misses in the L1, or a line is evicted. */
    void (*line_event)(void *user, const struct sm *sm,
                       const struct sched_event *e);
};

/* What an SM is made from; all outlives it. */
struct sm_setup {
    const struct gpu *gpu;
    const struct exec_table *exec; /* of gpu */
    const struct policy_set *policies;
    struct memory *memory;
    int id, block_slots;
    uint64_t *wake;   /* the SM keeps it: its next cycle with work, UINT64_MAX:
                       * only a reply wakes it */
    bool criticality; /* run the predictor whatever the policies */
    uint64_t criticality_period;
    struct sm_callbacks up;
    struct error *error; /* of a failure while it runs */
};

/* What it runs next. */
struct sm_kernel {
    const struct kernel *kernel;
    const struct decoded *decoded;          /* [kernel->inst_count] */
    int index;                              /* in the application */
    const struct address_ranges *read_only; /* stay in the L1 under denovo */
    const uint32_t *warp_cycles; /* of a two-pass policy's first run, or NULL */
    uint64_t first_block;        /* of the run */
};

struct sm {
    uint64_t *wake; /* see sm_setup */
    struct sm_core core;
    struct port port;
    struct memory_ops ops;
    struct scoreboard scoreboard;
    struct icache icache;
    struct frontend frontend;
    struct l1 l1;
    struct l1_queue l1_queue;
    struct copier copier;
    struct ldst ldst;
    struct collectors collectors;
    struct blocks blocks;
    struct writeback writeback;
    struct issue issue;
    struct schedulers schedulers;
    struct criticality *criticality; /* NULL: nobody asks for it */
    struct sm_callbacks up;
    uint64_t insts_before; /* warp instructions issued in earlier kernels */
};

/* *sm being all zero. False with *setup->error set; sm_free in any case. */
bool sm_init(struct sm *sm, const struct sm_setup *setup);
void sm_free(struct sm *sm);
/* Before each kernel: streams for the block slots, the policies' state. False
 * when memory is out. */
bool sm_start_kernel(struct sm *sm, const struct sm_kernel *next);
/* Between the last block of a kernel and the next kernel, see l1_end_kernel.
 * False with the error set when memory is out. */
bool sm_end_kernel(struct sm *sm, uint64_t now);

/* Place block `id` in a free slot; it begins after launch.block_cycles. NULL
 * with e, the SM's error, set when its stream cannot be opened or memory is
 * out. */
const struct block_slot *sm_launch(struct sm *sm, uint64_t id, uint64_t now,
                                   struct error *e);
/* Raise a count of a block, as a step of it does. */
void sm_raise(struct sm *sm, const struct block_slot *slot, uint32_t count);
/* The kernel's last block was launched somewhere. */
void sm_tell_last_block(struct sm *sm, uint64_t now);
/* A cycle; a reply from the memory system. False with the error set when the
 * run cannot go on. */
bool sm_tick(struct sm *sm, uint64_t now);
bool sm_reply(struct sm *sm, const struct request *r, uint64_t now);
/* There is room at the port again, after a refusal. */
void sm_credit(struct sm *sm, uint64_t now);

/* Bring stall and load counters up to `now`; sm_rest: idle from then on. */
void sm_settle(struct sm *sm, uint64_t now);
void sm_rest(struct sm *sm, uint64_t now);
/* Cycles since the launch of the warps that are resident, summed up. */
uint64_t sm_resident_cycles(const struct sm *sm, uint64_t now);
/* Warp instructions issued: of the block, and of the kernel. */
uint64_t sm_block_insts(const struct sm *sm, const struct block_slot *slot);
uint64_t sm_insts(const struct sm *sm);

#endif
