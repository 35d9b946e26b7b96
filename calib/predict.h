/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From samples to the time of a point. A sampled point takes the rate of its
 * window for the whole grid, weighed against the model. Another one lies
 * between its two anchors: the log ratio of their cycles to modelled ones is
 * linear in log(tb) between them. */
#ifndef CALIB_PREDICT_H
#define CALIB_PREDICT_H

#include "calib/job.h"

/* The anchors at or below tb and at or above it, of 1..most. */
void anchors_about(int tb, int most, int *below, int *above);

/* Deviation of log cycles by the model alone. */
double prediction_model_sd(const struct job *job, int tb, int policy);

/* Whether the point is between anchors, its interval is wider than the error
 * asked for, and a sample of its own, of deviation own_sd, would be worth it.
 */
bool prediction_is_vague(const struct job *job, int tb, int policy,
                         double own_sd);

/* Whether it will be, however well its anchors agree with the model: then they
 * need not be run for its sake. */
bool prediction_will_be_vague(const struct job *job, int tb, int policy,
                              double own_sd);

/* Fill the points and differences of out from the samples that have run. */
void prediction_results(const struct job *job, struct study_result *out);

#endif
