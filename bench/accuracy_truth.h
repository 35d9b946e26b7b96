/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The truth: points in full detail. It is kept with a hash of the sources that
 * decide it, in a file beside it, FILE.sources. */
#ifndef BENCH_ACCURACY_TRUTH_H
#define BENCH_ACCURACY_TRUTH_H

#include "bench/accuracy_points.h"

struct truth {
    const char *path;    /* of its table */
    const char *sources; /* hash of today's sources */
    const char *traces;  /* folder of traces */
};

/* Run the points that nobody knows, `threads` at a time and in random order, so
 * that what is there so far is about an unbiased sample, and add each to the
 * table when it is done. */
bool truth_run(const struct truth *t, struct accuracy_points *p, int threads,
               struct error *e);

/* Whether the table holds for today's sources. Where their hash is another one,
 * `vouch` points that are known are run again: when all take the same cycles
 * the new hash is kept, else the table is given up and all points are unknown.
 * Says on stderr what it does. */
bool truth_check(const struct truth *t, struct accuracy_points *p, int vouch,
                 struct error *e);

#endif
