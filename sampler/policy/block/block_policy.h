/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contract of a thread-block scheduler: which SM gets which block, and how
 * many of them. It is one file with a const struct block_policy and one line in
 * table.c.
 */
#ifndef SAMPLER_POLICY_BLOCK_BLOCK_POLICY_H
#define SAMPLER_POLICY_BLOCK_BLOCK_POLICY_H

#include "base/result.h"
#include "sampler/policy/policy.h"

#include <stdint.h>
#include <stdio.h>

struct block_context {
    int sms;
    int max_blocks;  /* resident blocks an SM has room for, after tb= */
    uint64_t blocks; /* of the kernel now launched */
    uint32_t grid_x, grid_y, grid_z;
    int kernel_index; /* position in the application, 0 first */
    const double *param;
};

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

struct block_policy {
    struct policy_info info;
    /* Bytes of state for a GPU of context->sms SMs. State lives through all
     * kernels of an application. */
    size_t (*state_size)(const struct block_context *context);
    void (*kernel_start)(void *state, const struct block_context *context);
    /* The SM to be served first when blocks are handed out this cycle. */
    int (*first_sm)(void *state, const struct block_context *context);
    /* The block SM `sm`, which has room for one more, is to launch now, or -1:
     * nothing for this SM at present. */
    int64_t (*next)(void *state, const struct block_context *context, int sm);
    /* How many blocks may be resident on sm now (optional: max_blocks). */
    int (*limit)(void *state, const struct block_context *context, int sm);
    /* The next cycle at which sm's counters are to be looked at, UINT64_MAX:
     * none (optional). BLOCK_EVENT_SAMPLE then moves it on. */
    uint64_t (*sample_at)(const void *state, int sm);
    void (*event)(void *state, const struct block_context *context,
                  const struct block_event *event); /* optional */
    /* A search for the number of resident blocks that comes to an end: whether
     * sm's has (optional). */
    bool (*settled)(const void *state, int sm);
    /* Lines on what was decided for sm in this kernel, and why (optional). */
    void (*explain)(const void *state, const struct block_context *context,
                    int sm, FILE *out);
};

#endif
