/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a point counts over time, by a run of its own in full detail. */
#ifndef CALIB_OVER_TIME_H
#define CALIB_OVER_TIME_H

#include "calib/calib.h"
#include "sampler/sampler.h"

struct interval {
    uint64_t from, to; /* cycles */
    double warp_insts, ipc;
    double stall[STALLS]; /* shares of its issue slots, sum 1 */
    double l1_miss, l2_miss, dram_gbps;
    uint64_t resident_warps; /* at its end, of all SMs */
};

/* Who is told what. */
struct watcher {
    void *user;
    const volatile int *cancel; /* may be NULL */
    uint64_t period;            /* of intervals, 0: none */
    void (*interval)(void *user, const struct interval *i);
    int sm; /* whose states are told, -1: of all */
    /* NULL: none; false stops the run. */
    bool (*state)(void *user, const struct sampler_state *s);
};

/* Run the study's first point and tell what it does while it goes on, the last
 * interval ending with the run. False with e set on failure and where *cancel
 * cut the run short. */
bool over_time(const struct study *s, const struct watcher *w, struct error *e);

#endif
