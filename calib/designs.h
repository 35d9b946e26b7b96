/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many GPUs for one kernel, by the model alone. What takes long is the profile,
 * so that those whose profiles would be alike but for the latency of memory
 * share some: at latencies a tenth apart, with what lies between interpolated.
 * Where there are few, each has its own. */
#ifndef CALIB_DESIGNS_H
#define CALIB_DESIGNS_H

#include "calib/round.h"

/* Take the step for every job of the batch, with a profile lent to those that
 * share one. */
bool designs_run(struct batch *b,
                 void (*step)(struct job *job, const struct batch *b),
                 struct error *e);

#endif
