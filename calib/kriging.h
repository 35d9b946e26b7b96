/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kriging: a Gaussian process through values that are known at some points of
 * the unit cube, which tells those between and how far off it may be (Sacks,
 * Welch, Mitchell and Wynn, "Design and Analysis of Computer Experiments",
 * Statistical Science 4(4), 1989). Its mean is a constant, its correlation
 * Matern's of 5/2 (Rasmussen and Williams, "Gaussian Processes for Machine
 * Learning", 2006, eq. 4.17); lengths and noise are the likeliest of a grid. */
#ifndef CALIB_KRIGING_H
#define CALIB_KRIGING_H

#include "base/error.h"

#include <stddef.h>

#define KRIGING_DIMS_MAX 24

struct kriging;

/* x[count * dims], y[count]; x stays the caller's and must outlive it. NULL
 * without memory; count is at least 1. */
struct kriging *kriging_create(const double *x, const double *y, size_t count,
                               int dims, struct error *e);
void kriging_free(struct kriging *k);

/* At x[dims]: the value and its deviation. Any number of threads at once;
 * scratch[count] is the caller's. */
double kriging_at(const struct kriging *k, const double *x, double *scratch,
                  double *sd);

#endif
