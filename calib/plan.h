/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which points hybrid mode samples. First the least, the most and a middle
 * number of blocks, and all those of which the grid is less than two waves;
 * then, as long as some interval is too wide and the budget lasts, what is
 * widest: a block count without samples, or the slices of one that has them, by
 * full runs of two of its points. Every block count is sampled under every
 * policy over the same blocks, so that policies are compared in pairs. */
#ifndef CALIB_PLAN_H
#define CALIB_PLAN_H

#include "calib/job.h"

/* All return false, with job->error set, when out of memory. */

/* The pilots of the first block counts; sets what samples may take. */
bool plan_first(struct job *job);

/* The other policies of every block count whose pilot was run. */
bool plan_other_policies(struct job *job);

/* What narrows the widest interval of the results in job->out, if that pays. */
bool plan_widest(struct job *job);

#endif
