/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results of single points: a sample's counts carried over to the whole grid,
 * a model's estimate moved to calibrated cycles, intervals, differences. */
#ifndef CALIB_POINT_H
#define CALIB_POINT_H

#include "calib/job.h"

/* The result of a point's own run as it is; of a partial one, of what ran. */
void point_from_run(struct result *out, const struct sample *s);

/* The result of a sampled point: its run carried over to the whole grid at
 * exp(log_cycles) with that deviation. A whole run is exact. */
void point_from_sample(struct result *out, const struct job *job,
                       const struct sample *s, double log_cycles,
                       double log_sd);

/* Move a model's estimate to cycles = exp(log_cycles) with that deviation. */
void point_from_model(struct result *inout, const struct gpu *gpu,
                      double log_cycles, double log_sd);

/* Deviation of log cycles, by the 90 % interval. */
double point_log_sd(const struct result *r);

/* Half-width of the 90 % interval of log cycles, as a percentage, at most. */
double point_half_width_pct(const struct result *r);

/* The differences between points of out, whose errors are so correlated. */
void point_differences(const struct job *job, struct study_result *out,
                       double correlation);

/* Percent and 90 % interval of a log difference. */
struct paired_delta point_delta(double log_difference, double log_sd);
/* Deviation of a log difference, by its interval. */
double point_delta_sd(const struct paired_delta *d);

#endif
