/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both engines say of a design point. */
#ifndef BASE_RESULT_H
#define BASE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

/* States of a scheduler's issue slot; the first that applies (section "counts"
 * of the manual). Their sum is cycles x schedulers. */
enum stall {
    STALL_ISSUED,
    STALL_IDLE,
    STALL_SB_MEM,
    STALL_SB_ALU,
    STALL_PIPE_MEM,
    STALL_PIPE_ALU,
    STALLS
};
extern const char *const stall_names[STALLS]; /* "issued", "idle", ... */

/* What holds a kernel back, for the `limiter` column. */
enum limiter {
    LIMITER_ISSUE,
    LIMITER_ALU,
    LIMITER_L1,
    LIMITER_SHARED,
    LIMITER_L2,
    LIMITER_DRAM,
    LIMITER_NETWORK,
    LIMITER_LATENCY,
    LIMITERS
};
extern const char *const limiter_names[LIMITERS];

/* What has a peak: the speed of light. */
enum use {
    USE_ISSUE, /* issue slots */
    USE_SP,    /* pipelines of a kind: the order of enum exec_unit */
    USE_INT,
    USE_SFU,
    USE_DP,
    USE_TENSOR,
    USE_L1,      /* accesses of the L1's ports */
    USE_SHARED,  /* passes over the banks of shared memory */
    USE_L2,      /* bytes through the slices' ports */
    USE_NETWORK, /* flits to SMs or from them, of what the crossbar passes */
    USE_DRAM,    /* bytes */
    USES
};
extern const char *const use_names[USES]; /* "issue", "alu_sp", ... */

/* The resource nearest to its peak; LIMITER_LATENCY where none is above
 * LIMITER_KNEE. use: shares of peak, NAN not known. The only place where a
 * limiter is decided. */
#define LIMITER_KNEE 0.6 /* queueing theory's: below it, waits are short */
enum limiter limiter_of(const double use[USES]);

/* What answered an access to global, local or texture memory: the SM's own L1
 * (joining a fill under way included), another SM's, the L2, or the memory
 * behind it. */
enum served {
    SERVED_L1,
    SERVED_REMOTE,
    SERVED_L2,
    SERVED_MEMORY,
    SERVED_CLASSES
};

/* Traffic of the interconnect: reads, writes with what ownership takes, data
 * written back. */
enum noc_class { NOC_READ, NOC_WRITE, NOC_WRITEBACK, NOC_CLASSES };

enum energy_part {
    ENERGY_CORE,   /* issue, execution, registers; instruction and constant
                    * caches */
    ENERGY_L1,     /* with the texture cache */
    ENERGY_SHARED, /* shared memory */
    ENERGY_L2,
    ENERGY_NETWORK,
    ENERGY_MEMORY,
    ENERGY_PARTS
};

/* Where the memory accesses of detailed runs and samples went; the model knows
 * nothing of it. */
struct memory_account {
    double served[SERVED_CLASSES];  /* shares of accesses, sum 1 */
    double crossings[NOC_CLASSES];  /* flits times links */
    double energy_uj[ENERGY_PARTS]; /* sum: the result's */
};
/* All NAN. */
void memory_account_unknown(struct memory_account *a);

/* Standard deviations of the normal distribution on either side of its mean
 * that hold 90 %: intervals of all results are of that kind. */
#define NORMAL_90 1.6448536269514722

/* Both engines return this. Shares are 0..1; NAN = not known to this engine. */
struct result {
    double cycles, cycles_lo, cycles_hi; /* 90 % interval */
    double warp_insts, thread_insts;     /* of the whole grid */
    double ipc;                          /* warp instructions a cycle and SM */
    double time_us;
    double occupancy; /* resident warps over warp slots */
    enum limiter limiter;
    double stall[STALLS]; /* shares of issue slots, sum 1 */
    double use[USES];     /* shares of peak */
    double l1_miss, l2_miss;
    /* Of the model: bytes that the L2 would fetch if all reads were made of it,
     * over the bytes asked of it. Above l2_miss, and no share, where an SM's
     * part of the L2 holds less than its L1. Fits compare it with samples. */
    double l2_fill;
    double dram_gbps;
    double energy_uj;
    struct memory_account memory;
    bool sampled; /* measured by a detailed run of this very point */
    bool partial; /* a limit cut it short */
};

/* Every number unknown (NAN), partial. */
void result_unknown(struct result *r);

#endif
