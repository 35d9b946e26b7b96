/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contract of a thread-block scheduler: which SM gets which block, and how
 * many of them. It is one file with a const struct block_policy and one line in
 * table.h. Engines run it as a block_scheduler (block_scheduler.h). */
#ifndef SAMPLER_POLICY_BLOCK_BLOCK_POLICY_H
#define SAMPLER_POLICY_BLOCK_BLOCK_POLICY_H

#include "base/result.h"
#include "sampler/policy/policy.h"

#include <stdint.h>
#include <stdio.h>

struct block_policy;

struct block_context {
    const struct block_policy *policy; /* for one that has data of its own
                                        * behind it */
    int sms;
    int max_blocks;  /* resident blocks an SM has room for, after tb= */
    uint64_t blocks; /* of the kernel now launched */
    uint32_t grid_x, grid_y, grid_z;
    int kernel_index; /* position in the application, 0 first */
    const double *param;
    const int *resident; /* [sms] blocks that each SM holds */
    uint64_t handed_out; /* blocks of this kernel, so far */
    int next_sm;         /* successor of the SM that took or finished a block
                          * last, in this kernel or the one before; 0 first */
};

/* Whether no block of the kernel is left to hand out. */
static inline bool block_grid_over(const struct block_context *context)
{
    return context->handed_out == context->blocks;
}

enum block_event_type {
    BLOCK_EVENT_START,
    BLOCK_EVENT_END,
    BLOCK_EVENT_SAMPLE /* the cycle asked for by sample_at has come */
};

struct block_event {
    enum block_event_type type;
    uint64_t cycle;
    int sm;
    uint64_t block;
    uint64_t block_insts; /* warp instructions of the block (END) */
    uint64_t sm_insts;    /* warp instructions of the SM since the launch */
    /* Issue slots of the SM since the launch, all schedulers together. */
    const uint64_t *stalls; /* [STALLS] */
};

/* Every callback may be left out. Without any a policy hands out blocks in grid
 * order to the SMs in turn, as rr does. */
struct block_policy {
    struct policy_info info;
    /* What it does in a kernel follows from those before it, or is done for
     * those that follow. */
    bool across_kernels;
    /* Bytes of state, zeroed before the first kernel: once, and behind it for
     * each SM. It lives through all kernels of an application. */
    size_t state_size, sm_state_size;
    void (*kernel_start)(void *state, const struct block_context *context);
    /* The SM to be served first when blocks are handed out this cycle
     * (default: context->next_sm). */
    int (*first_sm)(void *state, const struct block_context *context);
    /* The block SM `sm`, which has room for one more, is to launch now, or -1:
     * nothing for this SM at present. Asked while blocks are left; every one is
     * handed out once (default: the next in grid order). */
    int64_t (*next)(void *state, const struct block_context *context, int sm);
    /* How many blocks may be resident on sm now (default: max_blocks). */
    int (*limit)(void *state, const struct block_context *context, int sm);
    /* The next cycle at which sm's counters are to be looked at, UINT64_MAX:
     * none (default). BLOCK_EVENT_SAMPLE then moves it on. */
    uint64_t (*sample_at)(const void *state, int sm);
    void (*event)(void *state, const struct block_context *context,
                  const struct block_event *event);
    /* A search for the number of resident blocks that comes to an end: whether
     * sm's has (default: there is none). */
    bool (*settled)(const void *state, int sm);
    /* Lines on what was decided for sm in this kernel, and why. */
    void (*explain)(const void *state, const struct block_context *context,
                    int sm, FILE *out);
};

#endif
