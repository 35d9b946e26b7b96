/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run in full detail, as `estimate simulate` makes it. */
#ifndef BENCH_CORRELATE_RUN_H
#define BENCH_CORRELATE_RUN_H

#include "kernels/kernel.h"

struct run_request {
    const char *trace; /* a trace or the folder that holds one */
    const char *gpu;   /* a name, or a configuration file */
    const char *scheduler;
    int block_limit; /* resident blocks of an SM, 0: what fits */
    struct launch_options launch;
};

/* Shares of 1, NAN where there were no accesses. */
struct run_outcome {
    double cycles, l1_miss, l2_miss, dram_util, warp_insts;
    int blocks;   /* resident blocks of an SM */
    double cpu_s; /* of this thread, reading the trace included */
};

bool run_point(struct run_outcome *out, const struct run_request *r,
               struct error *e);

#endif
