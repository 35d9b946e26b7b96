/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cycle-level engine: a number of SMs over a shared memory system, run for
 * a kernel (or an application of several) under a set of policies. */
#ifndef SAMPLER_SAMPLER_H
#define SAMPLER_SAMPLER_H

#include "base/error.h"
#include "base/result.h"
#include "sampler/counters.h"
#include "sampler/energy.h"
#include "sampler/policy/policy.h"

#include <stdint.h>
#include <stdio.h>

struct kernel;
struct gpu;
struct inst;
struct warmed;

#define MAX_SCHEDULERS 8 /* of an SM */

/* One SM at one moment, for the papers' figures over time (paws Fig. 6, 7, 13).
 */
struct sampler_moment {
    uint64_t cycle;
    int sm;
    uint32_t active_warps;
    uint32_t alu_in_flight, mem_in_flight; /* instructions */
    const uint32_t *warps_in_phase;        /* [phase_count] */
    uint32_t phase_count;
};

/* One SM from the end of cycle `from` until that of cycle `to`: nothing changes
 * in between. Masks are of warp slots; a warp that is live and in no other mask
 * has no instruction to issue: it is fetched, a branch is open, or the last is
 * issued. Slot s belongs to scheduler s mod schedulers. */
struct sampler_state {
    uint64_t from, to;
    int sm, kernel; /* kernel: of the run, counted from 0 */
    int slots, schedulers;
    uint64_t live;   /* resident */
    uint64_t issued; /* issued in cycle `from`, and in none that follows */
    uint64_t at_barrier;
    uint64_t waits_memory;     /* for a register that memory is to write */
    uint64_t waits_alu;        /* for another register */
    uint64_t ready;            /* for its unit or its turn */
    const uint64_t *block;     /* [slots] id of a live warp's block */
    const uint32_t *warp;      /* [slots] its number in the block */
    const uint32_t *phase;     /* [slots] of its next instruction */
    const double *criticality; /* [slots], NULL where no predictor runs */
    const enum stall *stalled; /* [schedulers] what its slots are put down to */
};

/* A warp's life (cawa Fig. 1 and 4). */
struct sampler_warp {
    int kernel; /* of the run, counted from 0 */
    uint64_t block;
    uint32_t warp; /* in its block */
    int sm;
    uint64_t start, end; /* cycles */
    uint64_t insts;      /* warp instructions */
    uint64_t sched_wait; /* cycles its next instruction was free of hazards,
                          * past any barrier, and yet not issued */
};

/* A block's life. */
struct sampler_block {
    uint64_t block;
    int sm;
    uint64_t start, end; /* cycles */
    uint64_t insts;      /* warp instructions */
};

struct oracle;
struct learned;

/* What happens to a line of an SM's L1: a load finds it, does not find it, or
 * it is evicted. (cawa Fig. 8) */
struct sampler_line {
    enum { LINE_HIT, LINE_MISS, LINE_EVICTED } event;
    int sm, kernel;          /* kernel: of the run, counted from 0 */
    uint64_t line;           /* its address / l1.line_bytes */
    const struct inst *inst; /* that looks, NULL when it is evicted */
    /* Of a miss: the line is there or on its way, and not all of it is. */
    bool present;
    /* The warp that looks, or brought what is evicted, is critical (where a
     * predictor runs). */
    bool critical;
};

/* Parts of a block's time of which its course tells. Chosen. */
#define COURSE_PARTS 16

/* Blocks of a run, the first, that begin somewhere in their middle. */
struct sampler_underway {
    uint64_t blocks;
    double apart; /* deviation of where, in blocks, if they began together; 0:
                   * anywhere */
    double apart_on_sm; /* likewise, of the blocks of an SM from where these are
                         * on average; 0: as far as all blocks */
    /* Shares of a block's instructions that it has issued after each part of
     * its time, [COURSE_PARTS + 1], from 0 to 1; NULL: an even pace. */
    const double *course;
};

/* A launch that ran before the run's kernel. */
struct sampler_launch {
    const struct kernel *kernel;
    uint64_t blocks; /* of it, the last, that are looked at */
};

struct sampler_options {
    int block_limit;     /* resident blocks per SM at most, where so many of the
                          * kernel fit; 0 = occupancy */
    uint64_t max_cycles; /* 0 = no limit */
    double time_limit_s; /* 0 = no limit; wall clock of this run */
    /* Blocks to run, grid order from first_block; 0 = the whole grid. Samples
     * run a window of the grid. */
    uint64_t first_block, block_count;
    uint64_t warm; /* blocks before the first whose lines caches may have */
    /* [befores] launches before, the latest last, whose lines the L2 may have
     * where no block of the grid is before those of `warm`; and the share of
     * their blocks, the first ones, that this GPU ran, as a slice of another
     * one. */
    const struct sampler_launch *before;
    size_t befores;
    double before_share;
    struct warmed *warmed; /* of the kernel: shared with other runs of it; NULL:
                            * this run warms its caches by itself */
    struct sampler_underway underway;
    /* Called when a block has ended; may be NULL. Return false to stop the run
     * there. */
    bool (*block_done)(void *user, const struct sampler_block *b);
    /* Called with the warp instructions of all SMs so far, each
     * progress_period of them or a few more; may be NULL. Return false to stop
     * the run there. */
    bool (*progress)(void *user, uint64_t cycle, uint64_t insts);
    uint64_t progress_period;
    /* Warp instructions, or a few more, behind which the run's result begins;
     * 0: it is of all of the run. Its counts are in either case. */
    uint64_t measured_from;
    /* Warp instructions after which the first run of a policy of two passes
     * stops; a warp that has not ended by then takes as long as its steps so
     * far let expect, one that has not begun no time, as the policy sees it.
     * 0 = not at all. */
    uint64_t first_pass;
    /* Of a policy of two passes: what the first one recorded, which then is not
     * run; of lrr and one kernel: to be recorded, as that pass would. Where lrr
     * is stopped earlier it goes on as far, unheard and uncounted. NULL:
     * neither. */
    struct oracle *oracle;
    /* What the L1s' policy has learned, with which it begins; if that is
     * nothing yet, what it learns in this run on SM 0 is put there. NULL:
     * neither. */
    struct learned *learned;
    /* Called for every SM each timeline_period cycles; may be NULL. */
    void (*moment)(void *user, const struct sampler_moment *m);
    uint64_t timeline_period;
    /* Called with all that was counted so far every interval_period cycles, and
     * the warps that are resident then; may be NULL. */
    void (*interval)(void *user, const struct sampler_counts *so_far,
                     uint64_t resident_warps);
    uint64_t interval_period;
    /* Called with all that SM watched_sm (-1: each of them) does, one stretch
     * after another; may be NULL. Return false to stop the run there. */
    bool (*watch)(void *user, const struct sampler_state *s);
    int watched_sm;
    /* Called when a warp has ended; may be NULL. */
    void (*warp_done)(void *user, const struct sampler_warp *w);
    /* Called with what happens to the lines of the L1s; may be NULL. */
    void (*line)(void *user, const struct sampler_line *l);
    /* Gets the thread-block scheduler's own account of each kernel, a few
     * lines an SM; may be NULL. */
    FILE *explain;
    /* Run the criticality predictor for its counts, whatever the policies; its
     * accuracy is looked at every criticality_period cycles, 0 = 1000. */
    bool criticality;
    uint64_t criticality_period;
    void *user;                 /* for the callbacks */
    const volatile int *cancel; /* set to non-zero to stop; may be NULL */
    /* Visit every cycle and every SM in it, also those in which nothing can
     * happen: the slow reference for the jumps, with the same results. */
    bool tick_every_cycle;
};

/* The resident blocks a thread-block scheduler allowed at the end of the last
 * kernel. */
struct sampler_search {
    double blocks; /* mean over the SMs */
    int settled;   /* SMs whose search had ended; 0 for policies without one */
};

struct sampler_run {
    struct sampler_counts counts;
    struct sampler_search search;
    struct energy energy; /* sums to result.energy_uj */
    struct result result; /* of what was measured (measured_from) */
    bool departed;        /* the warp scheduler from its base (warp_policy.h) */
    double sm_spread;     /* deviation of the warp instructions that SMs have
                           * issued, as a share of their mean */
};

/* What is to be run, and how. */
struct sampler_job {
    struct kernel *const *kernel; /* [kernels], one after another */
    int kernels;
    const struct gpu *gpu; /* on all of its SMs */
    const struct policy_set *policies;
    const struct sampler_options *options; /* NULL: all of them zero */
};

/* Run a job. A warp scheduler that brings an L1 policy has it whatever the
 * job's policies say; of one of two passes the second is what is measured. On a
 * limit or a cancel, returns true with result.partial set; a run in which no
 * warp can ever issue again returns false, STATUS_LIMIT, naming the warps and
 * what they wait for. */
bool sampler_simulate(struct sampler_run *out, const struct sampler_job *job,
                      struct error *e);

#endif
