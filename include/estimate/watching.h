/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libestimate: what the only point of a study does while it runs in full
 * detail. */
#ifndef ESTIMATE_WATCHING_H
#define ESTIMATE_WATCHING_H

#include <estimate/studies.h>

/* What was counted in some cycles. */
struct estimate_interval {
    uint64_t from, to;      /* cycles */
    double warp_insts, ipc; /* ipc: a cycle and SM */
    struct {                /* shares of issue slots, their sum is 1 */
        double issued, idle, sb_mem, sb_alu, pipe_mem, pipe_alu;
    } stall;
    double l1_miss, l2_miss; /* shares, NAN: no access */
    double dram_gbps;
    uint64_t resident_warps; /* at its end, of all SMs */
};

/* One SM from the end of cycle `from` until that of cycle `to`: nothing changes
 * in between. Bit i of a mask is warp slot i, of scheduler i mod schedulers. A
 * warp that is live and in no other mask has no instruction to issue: it is
 * fetched, a branch is open, or the last is issued. */
struct estimate_moment {
    uint64_t from, to;
    int sm;
    const char *kernel;
    int slots, schedulers;
    uint64_t live;   /* resident */
    uint64_t issued; /* issued in cycle `from`, and in none that follows */
    uint64_t at_barrier;
    uint64_t waits_memory;      /* for a register that memory is to write */
    uint64_t waits_alu;         /* for another register */
    uint64_t ready;             /* for its unit or its turn */
    const uint64_t *block;      /* [slots] its block's number */
    const uint32_t *warp;       /* [slots] its own in the block */
    const uint32_t *phase;      /* [slots] of its next instruction */
    const char *const *stalled; /* [schedulers] "issued", "idle", "sb_mem" ...:
                                 * what issue slots are put down to */
};

struct estimate_watcher {
    size_t size; /* set by estimate_watcher_init() */
    void *user;
    const volatile int *cancel; /* not 0: stop; may be NULL */
    uint64_t period;            /* cycles of an interval */
    /* In order, their sums are those of the whole run; NULL: not told. */
    void (*interval)(void *user, const struct estimate_interval *i);
    int sm; /* whose moments are told, -1: all SMs' */
    /* Without gaps for an SM, until it returns false, which ends the run; NULL:
     * not told. */
    bool (*moment)(void *user, const struct estimate_moment *m);
};
ESTIMATE_API void estimate_watcher_init(struct estimate_watcher *w,
                                        size_t size);

/* Run the only point of a study. ESTIMATE_STOPPED when *cancel ended it. */
ESTIMATE_API bool estimate_watch(const struct estimate_study *s,
                                 const struct estimate_watcher *w,
                                 struct estimate_error *e);

/* Its intervals alone. */
ESTIMATE_API bool
estimate_over_time(const struct estimate_study *s, uint64_t period,
                   const volatile int *cancel,
                   void (*each)(void *user, const struct estimate_interval *i),
                   void *user, struct estimate_error *e);

#endif
