/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What would change a point's time: other block counts, schedulers, launches
 * and GPUs, each estimated as the point is. */
#ifndef CLI_WHAT_IF_H
#define CLI_WHAT_IF_H

#include "cli/points.h"

#define CHANGE_MAX 96

/* Kinds of change, by how well their gains are foreseen. */
enum change_kind {
    CHANGE_SERVICE, /* latencies, pipelines, MSHRs, the L1 */
    CHANGE_TRAFFIC, /* what the SMs share: L2, interconnect, DRAM */
    CHANGE_EXTENT,  /* how many SMs, and their clock */
    CHANGE_LAUNCH,
    CHANGE_SCHEDULER,
    CHANGE_KINDS
};

struct what_if {
    enum change_kind kind;
    char change[CHANGE_MAX]; /* "DRAM bandwidth 900 -> 1125 GB/s" */
    const char *key;         /* "dram.gbps", "tb", "sched", "regs", ... */
    char value[32];
    const char *whose; /* who can change it: "launch", "scheduler" or
                        * "hardware" */
    /* Its time against the point's, percent and 90 % interval; below 0 it
     * gains. NAN: not known. */
    double pct, lo, hi;
    bool tie;         /* not told apart */
    bool untold;      /* nothing can be said */
    double confirmed; /* percent between runs in full detail; NAN: not run */

    struct estimate_input *input; /* of a changed launch, or NULL */
    struct estimate_gpu *gpu;     /* a changed one, or NULL */
    const char *sched;            /* another one, or NULL */
    int tb;
};

struct what_if_list {
    struct what_if *item; /* the largest gain first */
    size_t count;
};

/* Every change of the plan's only point that its kernel and GPU allow. The
 * first `confirm` changes are run in full detail, too. what_if_free() in either
 * case. */
bool what_if_run(struct what_if_list *out, const struct plan *p,
                 const struct options *o, size_t confirm,
                 struct estimate_error *e);

/* Estimate the changes of a list, and drop those of which nothing can be said.
 * Two estimates err alike, so that their difference is known better than either
 * of them: the interval is how wrong such changes were found to be, or the two
 * estimates' own where these are narrower. It is empty where both points were
 * run whole. */
bool what_if_estimate(struct what_if_list *l, const struct plan *p,
                      const struct options *o, struct estimate_error *e);

/* Run a change, or with NULL the point itself, in full detail: microseconds,
 * NAN where a limit came first. */
bool what_if_detail(double *us, const struct what_if *w, const struct plan *p,
                    const struct options *o, struct estimate_error *e);
void what_if_free(struct what_if_list *l);

#endif
