/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is kept of a point's run. */
#ifndef PAPER_REPRO_RECORD_H
#define PAPER_REPRO_RECORD_H

#include "sampler/sampler.h"

/* SM 0 at a moment; phases past LAB_PHASES are left out, and what comes after
 * LAB_MOMENTS moments. */
#define LAB_PHASES  64
#define LAB_MOMENTS 40000
struct lab_moment {
    uint64_t cycle;
    uint32_t active_warps, alu_in_flight, mem_in_flight, phases;
    uint32_t warps_in_phase[LAB_PHASES];
};

/* A warp of an application. */
struct lab_warp {
    int launch; /* counted from 1; 0: none */
    uint64_t block;
    uint32_t warp; /* in its block */
};

/* The place of a warp among those of its block, 0: the least critical; what has
 * ended stands below all others. One a stretch of LAB_RANK_PERIOD cycles. */
#define LAB_RANK_PERIOD 50
struct lab_rank {
    uint64_t cycle; /* since the warp's block was there */
    uint32_t rank;
};

/* Lines that critical warps brought into the L1s with an instruction, and those
 * of them that loads found there, or on their way, before they were evicted or
 * the launch ended. */
struct lab_reuse {
    uint32_t line; /* of the kernel's file */
    uint64_t brought;
    uint64_t by_critical; /* found by a critical warp, .. */
    uint64_t by_others;   /* .. by others alone */
};

struct lab_record {
    struct sampler_run run;
    struct lab_moment *moment; /* [moments], in order of time */
    size_t moments;
    struct sampler_warp *warp; /* [warps], in the order of their ends */
    size_t warps;
    uint64_t *wait; /* [waits], of the same: cycles in which its next
                     * instruction waited for memory */
    size_t waits;
    struct lab_rank *rank; /* [ranks], in order of time */
    size_t ranks;
    struct lab_reuse *reuse; /* [reuses], by line */
    size_t reuses;
    double seconds; /* of one core, to run it */
};

#endif
