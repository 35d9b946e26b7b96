/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is seen of a window's run while it goes: how far it has come by when,
 * its blocks, and whether that is enough. */
#ifndef CALIB_PROGRESS_H
#define CALIB_PROGRESS_H

#include "calib/block_times.h"
#include "calib/steady.h"
#include "calib/window.h"
#include "sampler/sampler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Marks of a run, at most. Chosen: four times those of one as planned. */
#define MARKS_MAX 256

struct progress {
    const struct window *window;
    struct mark mark[MARKS_MAX];
    size_t count;
    int due; /* marks of the length that was planned */
    struct sampler_underway underway;
    struct block_times blocks;
    uint64_t first_ended; /* of the first wave */
    uint64_t underway_ended;
    uint64_t ended_insts;        /* of blocks that ended */
    uint64_t whole, whole_insts; /* blocks run from their beginning to their
                                  * end, and their instructions */
    double issued, time;         /* by resident blocks, times cycles; cycles */
    bool goes_on;                /* for `more`, since its parts differ */
    bool stopped;                /* by us, not by a limit */
    double sm_spread;            /* sampler_run.sm_spread at its end */
};

/* Of a run that is to begin, of whose blocks those of the window that begin in
 * their middle are `underway`; NULL: they are anywhere, or there are none. */
struct progress progress_of(const struct window *w,
                            const struct sampler_underway *underway);

/* ... in which marks are near enough for a window that is a small part of it to
 * be compared with that part. */
struct progress progress_of_finely(const struct window *w);

/* Have it called as the run goes: progress and block_done of the options. */
void progress_listen(struct progress *p, struct sampler_options *options);

/* Measure up to `to` warp instructions of the run, whole waves where its blocks
 * are in step, of which times spread so far. False where there is nothing to
 * measure. */
bool progress_measure(struct steady *out, const struct progress *p,
                      double spread, double to);

/* Of the log instructions of a block, how far those of the run are from the
 * grid's mean; 0: not more than chance may have it, or than shorter ones, which
 * end first, do. */
double progress_uneven(const struct progress *p);

/* Of the instructions of its resident blocks the share that they have issued on
 * average; NAN where it was not seen. */
double progress_issued(const struct progress *p);

#endif
