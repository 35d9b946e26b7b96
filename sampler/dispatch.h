/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread-block dispatcher of a GPU: it hands the blocks of a kernel out to
 * SMs as its policy says, and lets the policy see what becomes of them. */
#ifndef SAMPLER_DISPATCH_H
#define SAMPLER_DISPATCH_H

#include "base/error.h"
#include "sampler/policy/block/block_scheduler.h"
#include "sampler/sampler.h"
#include "sampler/sm/sm.h"
#include "sampler/underway.h"
#include "sampler/warm.h"
#include "sampler/warmed.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct dispatch {
    const struct gpu *gpu;
    struct sm *sm;             /* [gpu->sms] */
    uint64_t first_block;      /* of the run, in the grid */
    struct underway underway;  /* blocks begun in their middle */
    struct memory *memory;     /* where they have been */
    struct warmed *warmed;     /* has them for other runs, too; NULL: nobody */
    struct warm_blocks before; /* what warmed the caches */
    const struct kernel *kernel;
    struct block_scheduler blocks; /* the policy, and what is left */
    bool pending;                  /* some SM may have room for a block */
    double due; /* cycle from which the next may be handed out */
};

/* With gpu, sm and first_block set. False when memory is out; dispatch_free in
 * any case. */
bool dispatch_init(struct dispatch *d, const struct choice *policy);
void dispatch_free(struct dispatch *d);
/* Have the first blocks of the kernel that is started next begin in their
 * middle, behind those that have warmed the caches. False without memory. */
bool dispatch_set_underway(struct dispatch *d,
                           const struct sampler_underway *underway,
                           const struct warm_blocks *before);
/* Begin to hand out a kernel's blocks, of which an SM holds max_blocks. */
void dispatch_start_kernel(struct dispatch *d, const struct kernel *k,
                           int index, uint64_t blocks, int max_blocks,
                           uint64_t now);

/* Let the policy look at the SMs whose counters it wants to see now; returns
 * the cycle of the next look, UINT64_MAX: none. */
uint64_t dispatch_sample(struct dispatch *d, uint64_t now);
/* Hand out what is due. False with e set when a block cannot be launched or
 * the policy names one, or an SM, that there is not. */
bool dispatch_cycle(struct dispatch *d, uint64_t now, struct error *e);
/* The cycle, after now, in which a block may be handed out by the time alone,
 * or UINT64_MAX. */
uint64_t dispatch_wake(const struct dispatch *d, uint64_t now);
/* A block of sm has ended. */
void dispatch_block_ended(struct dispatch *d, struct sm *sm,
                          const struct block_slot *slot, uint64_t now);

/* The policy's own account of the kernel, a few lines an SM. */
void dispatch_explain(const struct dispatch *d, FILE *out);
struct sampler_search dispatch_search(const struct dispatch *d);

#endif
