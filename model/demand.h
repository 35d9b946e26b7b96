/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one average warp asks of an SM and of its share of the rest. */
#ifndef MODEL_DEMAND_H
#define MODEL_DEMAND_H

#include "model/bursts.h"
#include "model/profile.h"
#include "model/rates.h"
#include "model/sharing.h"

enum resource {
    RES_ISSUE,
    RES_UNIT,                       /* + enum exec_unit */
    RES_LDST = RES_UNIT + UNIT_MEM, /* the L1 and shared-memory ports */
    RES_MSHR = RES_UNIT + EXEC_UNITS,
    RES_CONSTANT, /* cache */
    RES_REQUESTS, /* the interconnect to the slices ... */
    RES_ANSWERS,  /* ... and back */
    RES_L2,
    RES_DRAM,
    RESOURCES
};

/* Of a warp, from its start to its end. Times are core cycles. */
struct demand {
    double use[RESOURCES]; /* busy time: with `warps` warps a resource is busy
                            * warps * use of the time they take */
    double unloaded;       /* its time when nothing else runs */
    double critical;       /* the longest path of its block then */
    double compute;        /* of unloaded, what is not a wait for memory */
    double phases;         /* executions of phases */
    double shared_use;     /* of use[RES_LDST], for shared memory */
    double l1_wait;        /* share of sectors loaded that are not there yet */
    struct dram_use dram;
    /* Bytes that it asks of the L2, stores and atomics included, and of them
     * those that miss there. */
    double l2_bytes, l2_miss_bytes;
    /* The same without atomics, and all reads whose reuse is too far apart for
     * the L2, those that the L1 answers as well (result.l2_fill). */
    double l2_plain_bytes, l2_fill_bytes;
    /* Of all executions of each phase: time alone, time without waits for
     * memory, largest use of issue slots and main units, of slower units, and
     * of what memory takes in the SM and on the way out. */
    int phase_count;
    double phase_unloaded[PROFILE_PHASES]; /* parts of `unloaded` */
    double phase_runs[PROFILE_PHASES];     /* executions */
    double phase_compute[PROFILE_PHASES];
    double phase_alu[PROFILE_PHASES], phase_unit[PROFILE_PHASES];
    double phase_slow[PROFILE_PHASES];
    /* Of phase_unit and phase_slow, what comes at a time: of a unit of each set
     * (struct overlap) and of the load/store unit, and of what leaves the SM,
     * through a port that it has for itself. */
    struct burst phase_unit_burst[PROFILE_PHASES];
    struct burst phase_ldst_burst[PROFILE_PHASES];
    double phase_sent[PROFILE_PHASES];
};

void demand_of(struct demand *d, const struct profile *p, const struct gpu *g,
               const struct sharing *s);

#endif
