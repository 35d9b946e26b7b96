/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the fitted model leaves over: the log ratio of sampled to modelled
 * cycles, interpolated over log(tb) and policy by a Gaussian process
 * (Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006,
 * Ch. 2). A residual is a part common to all policies plus one of the policy's
 * own, both smooth in log(tb). */
#ifndef CALIB_RESIDUAL_H
#define CALIB_RESIDUAL_H

#include <stddef.h>

struct throughput;

struct residual_point {
    double log_tb;
    int policy;
    double value; /* log(sampled / modelled) */
    double se;    /* of the sample; 0 = exact */
    const struct throughput
        *throughput; /* of the sample, for errors that samples
                      * over the same blocks share; may be NULL */
    /* A slice of the GPU and a window of the grid miss something that no
     * sampling error shows. Deviations of what all policies share of it and of
     * what is a policy's own; 0 for a full run. */
    double bias_common, bias_own;
};

/* Standard deviations of the two parts and their correlation length in
 * log(tb): chosen by their posterior given the points. */
enum residual_shape_param {
    SHAPE_COMMON,
    SHAPE_OWN,
    SHAPE_LENGTH,
    SHAPE_PARAMS
};
struct residual_shape {
    double value[SHAPE_PARAMS];
};

/* For one thread at a time. */
struct residual;

/* Condition on points; with shape NULL choose the shape too. The fewer waves
 * the grid's blocks per SM make at a block count, the rougher the residual is
 * there. NULL when out of memory. No point at all is allowed. */
struct residual *residual_create(const struct residual_point *points,
                                 size_t count, double blocks_per_sm,
                                 const struct residual_shape *shape);
void residual_free(struct residual *r);
const struct residual_shape *residual_shape_of(const struct residual *r);

struct residual_value {
    double mean, variance;
};

/* The true residual at a point; with `like` not NULL, what a sample with its
 * error and bias would show there. */
struct residual_value residual_predict(const struct residual *r, double log_tb,
                                       int policy,
                                       const struct residual_point *like);
/* The difference between the true residuals of two policies there, a minus b.
 */
struct residual_value residual_difference(const struct residual *r,
                                          double log_tb, int a, int b);

#endif
