/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the counters of a machine to a result. */
#ifndef SAMPLER_COUNTS_H
#define SAMPLER_COUNTS_H

#include "sampler/machine.h"

#include <stdbool.h>

/* Tell the intervals that end up to cycle `now`, before anything happens in it:
 * between two steps only stalls add up. */
void counts_tell(struct machine *m, uint64_t now);

/* The run's result begins here. */
void counts_begin_measuring(struct machine *m);

/* Sum up all SMs at the end of a run; `partial`: at a limit before it. */
void counts_collect(struct sampler_run *out, struct machine *m, bool partial);

#endif
