/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sampler's rate on another simulator's traces, whole GPUs, one core. */
#ifndef BENCH_SPEED_REFERENCE_H
#define BENCH_SPEED_REFERENCE_H

#include "base/error.h"

/* Prints warp instructions a second of CPU time beside the reference's, one
 * point a trace and configuration of FOLDER/accelsim.csv (correlate_points.h),
 * then of real traces, and the most memory the process ever had. */
bool speed_of_reference(const char *folder, const char *work, struct error *e);

#endif
