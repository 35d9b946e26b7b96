/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole machine of one run: SMs, memory system, the kernel now running, the
 * thread-block scheduler. */
#ifndef SAMPLER_MACHINE_H
#define SAMPLER_MACHINE_H

#include "kernels/form/read_only.h"
#include "sampler/memory/memory.h"
#include "sampler/oracle.h"
#include "sampler/policy/block/block_scheduler.h"
#include "sampler/sampler.h"
#include "sampler/sm/sm.h"

/* What the pipeline needs of a static instruction, looked up once. */
struct decoded {
    uint8_t unit;          /* enum exec_unit, EXEC_UNITS when it needs none */
    uint8_t exec;          /* enum exec_class */
    bool load;             /* global or local load */
    uint8_t reads, writes; /* register operands, predicates apart */
};

struct machine {
    const struct gpu *gpu;
    struct exec_table exec; /* of gpu */
    const struct policy_set *policies;
    const struct sampler_options *options;
    struct oracle *oracle; /* NULL: one pass */
    struct memory memory;
    struct address_ranges read_only; /* nothing unless under denovo */
    struct sm *sm;                   /* [gpu->sms] */
    int sms;

    const struct kernel *kernel;
    struct decoded *decoded; /* [kernel->inst_count] */

    struct block_scheduler blocks;
    bool dispatch; /* some SM may have room for a block */
    bool stopped;  /* by block_done */
    uint64_t now;
    uint64_t next_moment;     /* of the timeline, NO_EVENT when there is none */
    uint32_t *warps_in_phase; /* scratch of the timeline */
    struct sampler_counts counts; /* the SMs have their own */
    bool out_of_memory;           /* an SM's; the step ends the run */
    struct error *error;
};

/* Block `slot` of sm has ended (called by the SM). */
void machine_block_done(struct machine *m, struct sm *sm,
                        const struct block_slot *slot, uint64_t now);

/* timeline.c: begin a kernel's; false when memory is out. */
bool timeline_start(struct machine *m);
/* Tell the moments up to now: between two steps nothing changes. */
void timeline_tell(struct machine *m);
/* Warp `warp` of sm has ended (called by the SM). */
void machine_warp_done(const struct machine *m, const struct sm *sm, int warp);

/* counts.c: sum up all SMs, at the end of a run. */
void counts_collect(struct sampler_run *out, struct machine *m, bool partial);

#endif
