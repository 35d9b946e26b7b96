/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of merit that claims and figures compare. */
#ifndef PAPER_REPRO_METRICS_H
#define PAPER_REPRO_METRICS_H

#include "sampler/sampler.h"

double speed(const struct sampler_run *r);       /* 1 / cycles */
double duration(const struct sampler_run *r);    /* cycles */
double idle_share(const struct sampler_run *r);  /* of issue slots */
double memory_load(const struct sampler_run *r); /* in flight, mean */
double alu_load(const struct sampler_run *r);
double alu_time(const struct sampler_run *r); /* percent of cycles with ALU
                                               * operations in flight */
double scoreboard_stalls(const struct sampler_run *r); /* issue slots */
double pipeline_stalls(const struct sampler_run *r);
double all_stalls(const struct sampler_run *r);
double l1_mpki(const struct sampler_run *r);
double traffic(const struct sampler_run *r); /* flits times links */

/* Where the criticality predictor runs (cawa); NAN where there are none. ----
 */

/* Looks at it in which the warp that ended last counted as slow, percent
 * (Sec. 5.2). */
double critical_accuracy(const struct sampler_run *r);
/* Hits of critical warps over their accesses (Fig. 14). */
double critical_hits(const struct sampler_run *r);
/* Lines that critical warps brought and nobody used again, of those evicted,
 * percent (Fig. 15). */
double critical_unused(const struct sampler_run *r);
/* Lines that critical warps could use again, of which those evicted before,
 * percent (Fig. 3). */
double critical_evicted(const struct sampler_run *r);

#endif
