/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole machine of one run: SMs, memory system, thread-block dispatcher,
 * and the kernel it runs; and how they are joined. */
#ifndef SAMPLER_MACHINE_H
#define SAMPLER_MACHINE_H

#include "configs/exec.h"
#include "kernels/form/read_only.h"
#include "sampler/dispatch.h"
#include "sampler/memory/memory.h"
#include "sampler/oracle.h"
#include "sampler/sampler.h"
#include "sampler/sm/sm.h"
#include "sampler/timeline.h"

#include <stdbool.h>
#include <stdint.h>

struct machine {
    const struct gpu *gpu;
    struct exec_table exec; /* of gpu */
    const struct policy_set *policies;
    const struct sampler_options *options;
    struct oracle *oracle; /* NULL: one pass */
    struct error *error;
    struct memory memory;
    struct dispatch dispatch;
    struct sm *sm; /* [gpu->sms] */
    int sms;
    uint64_t *wake; /* [gpu->sms] next cycle with work for each, UINT64_MAX:
                     * only the memory wakes it */
    struct address_ranges read_only; /* nothing unless under denovo */
    struct timeline timeline;
    uint64_t next_interval; /* cycle of the next one, UINT64_MAX: none */

    const struct kernel *kernel;
    int kernel_index;
    uint64_t blocks_left;    /* of it, that have not ended */
    struct decoded *decoded; /* [kernel->inst_count] */
    struct kernel narrow;    /* it without sm.wide_operands */

    uint64_t now;
    uint64_t steps;                   /* of the kernel's clock */
    uint64_t next_progress;           /* warp instructions */
    bool stopped;                     /* by block_done or progress */
    struct sampler_counts counts;     /* of what is not an SM's */
    struct sampler_counts unmeasured; /* before measuring began; 0: it has not,
                                       * or with the run */
};

/* Build the machine for all kernels of a run, its gpu, policies, options,
 * oracle and error being set. False with the error set; machine_free in any
 * case. */
bool machine_init(struct machine *m, struct kernel *const *kernels, int count);
void machine_free(struct machine *m);
/* Launch kernel `index` of the run. */
bool machine_start_kernel(struct machine *m, const struct kernel *k, int index);
/* A first pass is over: warps that run still are recorded by how far they have
 * come. */
void machine_end_recording(struct machine *m);
/* Its last block has ended: L1s write back what they have to. */
bool machine_end_kernel(struct machine *m);

#endif
