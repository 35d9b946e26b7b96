/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one average warp asks of an SM and of its share of the rest. */
#ifndef MODEL_DEMAND_H
#define MODEL_DEMAND_H

#include "model/profile.h"

enum resource {
    RES_ISSUE,
    RES_UNIT,                       /* + enum exec_unit */
    RES_LDST = RES_UNIT + UNIT_MEM, /* the L1 and shared-memory ports */
    RES_MSHR = RES_UNIT + EXEC_UNITS,
    RES_ICNT,
    RES_L2,
    RES_DRAM,
    RESOURCES
};

/* Who shares the machine at a design point. */
struct sharing {
    double warps;      /* resident on an SM */
    double live;       /* of them, whose lines the scheduler lets into the L1 */
    double blocks;     /* resident on an SM */
    double active_sms; /* SMs that have work */
    double interference; /* exponent on live */
    double latency;      /* factor on waits for memory */
    double bandwidth;    /* factor on DRAM bandwidth */
};

struct demand {
    double use[RESOURCES]; /* busy cycles a warp; with `warps` warps a resource
                            * is busy warps * use of the time they take */
    double alone;          /* a warp alone */
    double critical;       /* longest path of a block alone */
    double compute;        /* of alone, what is not a wait for memory */
    double phases;         /* executions of phases */
    double shared_use;     /* of the load/store unit, for shared memory */
    double l1_wait;        /* share of sectors loaded that are not there yet */
    double dram_bytes;     /* moved to and from DRAM */
    /* What a warp asks of the L2, stores and atomics included, and what of it
     * misses there, in bytes. */
    double l2_bytes, l2_miss_bytes;
    /* The same without atomics, and all reads whose reuse is too far apart for
     * the L2, those that the L1 answers as well: what a fit compares. */
    double l2_plain_bytes, l2_fill_bytes;
    /* Of all executions of each phase: length without waits for memory, largest
     * use of issue slots and main units, largest use of slower units and of
     * what memory takes. */
    int kinds;
    double span[PROFILE_PHASES], alu[PROFILE_PHASES], slow[PROFILE_PHASES];
};

void demand_of(struct demand *d, const struct profile *p, const struct gpu *g,
               const struct sharing *s);

#endif
