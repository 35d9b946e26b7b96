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

/* Energy without memory behind the L2, of which ikra counts none (Sec. 5.2):
 * core, L1, shared memory, L2 and network. Microjoules, and percent of it. */
double cu_energy(const struct sampler_run *r);
double core_energy_share(const struct sampler_run *r);
double memory_system_energy_share(const struct sampler_run *r); /* the rest */
double l2_and_network_energy_share(const struct sampler_run *r);

/* Accesses that were served there, percent of all and a count. */
double l1_served(const struct sampler_run *r);
double l2_served(const struct sampler_run *r);
double memory_trips(const struct sampler_run *r);

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
