/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the samples of one study run so far say: fitted parameters, the residual
 * about the fitted model, and how far predictions at block counts without
 * samples are off.
 *
 * Most samples are of a few SMs with their share of L2 and DRAM, over a window
 * of the grid. What that misses (lines that SMs share, an uneven load on
 * channels, the wait for the last of all SMs, how long caches take to warm)
 * changes sign with the number of SMs, so it is not extrapolated from slices of
 * several sizes: it is an error of its own in the residual, shared by the
 * policies of a block count, and full runs of single points (anchors) take it
 * away. */
#ifndef CALIB_PREDICT_H
#define CALIB_PREDICT_H

#include "calib/fit.h"
#include "calib/job.h"
#include "calib/residual.h"

struct prediction {
    struct job *job;
    struct fit fit;
    struct residual *residual;
    const struct sample **standing; /* [points of the study] or NULL; a full
                                     * run rather than a slice */
    double scale;                   /* on the residual's standard deviations */
    double pair_scale;              /* ... of differences between policies */
    double leave_one_out_pct; /* mean absolute; NAN below two block counts */
    struct residual_point *scratch; /* [job->ran] */
};

/* From job->sample[0 .. ran-1]. prediction_free() also after a failure. */
bool prediction_make(struct prediction *p, struct job *job);
void prediction_free(struct prediction *p);

/* Mean percentage that results add to what the slices themselves say; NAN
 * without slices. */
double prediction_slice_pct(const struct prediction *p);

/* Fill the points and differences of out from the prediction. */
void prediction_results(const struct prediction *p, struct study_result *out);

#endif
