/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One detailed run and how fast it advances. */
#ifndef CALIB_SAMPLE_H
#define CALIB_SAMPLE_H

#include "base/error.h"
#include "base/result.h"
#include "calib/steady.h"
#include "calib/window.h"
#include "sampler/policy/policy.h"

#include <stdint.h>
#include <stdio.h>

struct kernel;
struct gpu;
struct oracle;
struct warmed;

/* A sample has a run of its window, and may have one beside it: of the grid's
 * first wave, or of a slice. Each run of a policy of two passes has an oracle.
 */
enum { ORACLE_WINDOW, ORACLE_BESIDE, SAMPLE_ORACLES };

struct sample_request {
    struct kernel *const *kernel; /* one, or an application's launches */
    size_t kernels;
    const struct sampler_launch *before; /* as sampler_options.before ... */
    size_t befores;
    double before_share;
    const struct gpu *gpu;
    struct policy_set policies;
    int tb;
    uint64_t max_cycles;
    double time_limit_s;     /* 0 = none */
    FILE *explain;           /* as sampler_options.explain */
    struct warmed *warmed;   /* likewise */
    struct oracle *oracle;   /* likewise, [SAMPLE_ORACLES]; NULL: a first pass
                              * is run where there is one */
    struct learned *learned; /* likewise; set by the sample itself */
    const volatile int *cancel;
};

struct sample {
    /* what to run, the planner's */
    int tb, policy_index;
    int tb_index; /* of the study; -1 where it does not ask for this count */
    struct window window;
    /* what came of it */
    bool started;          /* run at all */
    bool done;             /* ... with something to show for it */
    bool partial;          /* cut short by a limit */
    uint64_t blocks;       /* done in the run */
    double insts;          /* warp instructions the run took */
    double longest;        /* cycles of the longest of its runs */
    struct steady steady;  /* of a part of the grid */
    struct steady planned; /* ... without what measuring went on for */
    struct steady start;   /* of its start, where window.start asks for it */
    double rest;           /* cycles that a slice takes of its share of the grid
                            * behind what the window measured; 0: no slice, or
                            * a start that went on without one */
    double slower;         /* ... and how many times as long the whole GPU takes
                            * of what the window, or its start, measured */
    double first_wave;     /* cycles of the grid's first wave behind a brief
                            * start (brief_sample.h); 0: it has none */
    double first_alone;    /* ... if behind the start the GPU took no longer
                            * than an SM */
    double later_wave;     /* ... and of one of those that follow it */
    double after_first;    /* ... of all of them to the grid's end, where an SM
                            * has run its share of the grid; 0: it has not */
    double lone_spread;    /* of the times of an SM's blocks in it, or of those
                            * of a slice's waves */
    double spread;         /* of its blocks' times (block_times.h) */
    double alike;          /* as block_times_alike() has it, of a start and of
                            * the slice, or the SM, beside it; NAN: not known */
    double apart;          /* deviation in cycles of when SMs end: of the n-th
                            * blocks to end on SMs of the slice, in its first
                            * wave, or by the start, behind a brief one; 0: not
                            * known */
    double long_cycles;    /* of the window's long block, by itself; 0: it has
                            * none */
    double uneven;         /* of the log instructions of a block, by how much
                            * those of the window are not the grid's; 0 where
                            * that may be chance */
    double issued;         /* of its resident blocks' instructions, the share
                            * that they have issued on average; NAN where it
                            * was not seen */
    bool departed;         /* its scheduler from the base (warp_policy.h) */
    struct result run;     /* of what was measured, not of the whole grid; of a
                            * start with a slice the slice's */
};

/* Whether its run tells what share of slots stalls, of accesses misses, and so
 * on: it is long enough, and where blocks share their lines on the whole GPU,
 * since a slice has too few of those that spare each other the L2's misses. */
bool sample_tells_shares(const struct sample *s, bool blocks_share_lines);

/* Run sample->window. True with done unset when a limit came before anything
 * could be measured. */
bool sample_run(struct sample *sample, const struct sample_request *request,
                struct error *e);

#endif
