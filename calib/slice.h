/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far a slice of the GPU is from the whole one. */
#ifndef CALIB_SLICE_H
#define CALIB_SLICE_H

#include "calib/job.h"

/* Whether what comes behind a start is as the slice beside it has it. */
bool slice_tells(const struct sample *s);

/* Cycles that the whole GPU takes of what comes behind a start: what the slice
 * takes (sample.rest), and longer where the start is slower than the slice, or
 * shorter where it is faster. */
double slice_rest(const struct sample *s);

/* What is added to the log cycles that a sample says of a slice, by how much
 * longer the model has the whole GPU take, or shorter, since what SMs share is
 * brought once for all of them: of one that runs a window in the middle a half
 * of that, of one beside the grid's start what the start does not show. 0 of
 * other samples. */
double slice_correction(const struct job *job, const struct sample *s);

/* Log cycles, signed, that a slice leaves unsure: a share of how far it is from
 * the whole GPU, as they are beside each other at the grid's start, or by the
 * model. 0 of samples without one. */
double slice_unsure(const struct job *job, const struct sample *s);
/* ... that it will under the default policies, of a window in the middle. */
double slice_planned_unsure(const struct job *job, const struct window *w);

#endif
