/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the samples that a study has run so far say: the parameters fitted to
 * them, the residual about the fitted model, and how far predictions at block
 * counts without samples are off.
 *
 * Most samples are slices: a few SMs with their share of L2 and DRAM, over a
 * window of the grid. A slice does not see the lines that its SMs share with
 * others, the uneven load on channels, the wait for the last of all SMs, or how
 * long the caches take to warm. This bias changes sign with the number of SMs,
 * so slices of several sizes would not tell it. The residual therefore counts
 * it as an error of its own, shared by the policies of a block count. Full runs
 * of single points do not have it, and take it away near them. */
#ifndef CALIB_PREDICT_H
#define CALIB_PREDICT_H

#include "calib/fit.h"
#include "calib/job.h"
#include "calib/residual.h"

struct prediction {
    struct job *job;
    struct fit fit;
    struct residual *residual;
    /* The sample that represents each point of the study, a full run rather
     * than a slice; NULL where there is none. */
    const struct sample **representative;
    double scale;             /* on the residual's standard deviations */
    double pair_scale;        /* on those of differences between policies */
    double leave_one_out_pct; /* mean absolute; NAN below two block counts */
    struct residual_point *scratch; /* [job->ran] */
};

/* From job->sample[0 .. ran-1]. prediction_free() also after a failure. */
bool prediction_make(struct prediction *p, struct job *job);
void prediction_free(struct prediction *p);

/* Whether a sample represents some point of block count tb. */
bool prediction_has_sample(const struct prediction *p, int tb);

/* Mean percentage that results add to what the slices themselves say; NAN
 * without slices. */
double prediction_slice_pct(const struct prediction *p);

/* Fill the points and differences of out from the prediction. */
void prediction_results(const struct prediction *p, struct study_result *out);

#endif
