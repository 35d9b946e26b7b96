/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the samples of one study run so far say: fitted parameters, the residual
 * about the fitted model, the slice's bias, and how far predictions at block
 * counts without samples are off. */
#ifndef CALIB_PREDICT_H
#define CALIB_PREDICT_H

#include "calib/fit.h"
#include "calib/job.h"
#include "calib/residual.h"
#include "calib/slice.h"

struct prediction {
    struct job *job;
    struct slice_bias bias;
    struct fit fit;
    struct residual *residual;
    const struct sample **standing; /* [points of the study] or NULL */
    double scale;                   /* on the residual's standard deviations */
    double pair_scale;              /* ... of differences between policies */
    double leave_one_out_pct; /* mean absolute; NAN below two block counts */
    double slice_pct;         /* NAN when not measured */
    struct residual_point *scratch; /* [job->ran] */
};

/* From job->sample[0 .. ran-1]. prediction_free() also after a failure. */
bool prediction_make(struct prediction *p, struct job *job);
void prediction_free(struct prediction *p);

/* Log cycles of a sampled point for the whole GPU. */
double prediction_log_cycles(const struct prediction *p,
                             const struct sample *s);

/* Fill the points and differences of out from the prediction. */
void prediction_results(const struct prediction *p, struct study_result *out);

#endif
