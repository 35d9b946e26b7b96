/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One detailed run and what it says of the whole grid. */
#ifndef CALIB_SAMPLE_H
#define CALIB_SAMPLE_H

#include "base/error.h"
#include "base/result.h"
#include "calib/throughput.h"
#include "calib/window.h"

#include <stdint.h>
#include <stdio.h>

struct kernel;
struct gpu;

struct sample_request {
    struct kernel *const *kernel; /* one, or an application's launches */
    size_t kernels;
    const struct gpu *gpu; /* the whole one */
    const struct policy_set *policies;
    int tb;
    double private_share; /* of a block's lines, those of no other block */
    double precision;     /* relative half-width at which a stream may stop */
    uint64_t max_cycles;
    double time_limit_s; /* 0 = none */
    FILE *explain;       /* as sampler_options.explain */
    const volatile int *cancel;
};

struct sample {
    /* what to run, the planner's */
    int tb_index, policy_index;
    struct window window;
    /* what came of it */
    bool started;      /* run at all */
    bool done;         /* ... with a time of the whole grid to show for it */
    bool partial;      /* cut short by a limit */
    double log_cycles; /* of the whole grid, as this slice sees it */
    double log_se;     /* its sampling error; 0 when nothing is extrapolated */
    uint64_t blocks;   /* done in the run */
    double insts;      /* warp instructions the run took */
    double bytes_per_inst; /* DRAM bytes per warp instruction */
    struct throughput throughput;
    struct result run; /* of the run itself, not of the whole grid */
};

/* Run sample->window. True with done unset when a limit came before the first
 * whole wave. */
bool sample_run(struct sample *sample, const struct sample_request *request,
                struct error *e);

#endif
