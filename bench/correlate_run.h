/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs in full detail, as `estimate simulate` makes them. */
#ifndef BENCH_CORRELATE_RUN_H
#define BENCH_CORRELATE_RUN_H

#include "kernels/form/load_options.h"

#include <stdio.h>

#define RUN_PATH 1024

struct run_request {
    char trace[RUN_PATH]; /* a trace or the folder that holds one */
    char gpu[RUN_PATH];   /* a name, or a configuration file */
    char scheduler[32];
    int block_limit; /* resident blocks of an SM, 0: what fits */
    struct load_options load;
};

/* Shares of 1, NAN where there were no accesses. */
struct run_outcome {
    double cycles, l1_miss, l2_miss, dram_util, warp_insts;
    int blocks;   /* resident blocks of an SM */
    double cpu_s; /* of this thread, reading the trace included */
};

/* out[i] of r[i], several at once; the results do not depend on how many. On
 * failure e is of the first request that failed. */
bool run_all(struct run_outcome *out, const struct run_request *r, size_t count,
             struct error *e);

/* "; the machine's load was ..." where the system tells: rates on a machine
 * that does other work too are lower, even by CPU time. */
void run_print_load(FILE *out);

#endif
