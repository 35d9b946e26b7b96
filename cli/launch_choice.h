/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which launches of a list are run: those of --kernels; of them those that
 * stand for others alike, with --representatives, as principal kernel selection
 * has it (Avalos Baddouh, Khairy, Green, Payer and Rogers, "Principal Kernel
 * Analysis", MICRO 2021): launches of one group by what does not depend on the
 * machine's state, each group told by its first; of these the heaviest, with
 * --heaviest. What a launch is like and weighs is the model's. */
#ifndef CLI_LAUNCH_CHOICE_H
#define CLI_LAUNCH_CHOICE_H

#include "cli/points.h"

/* ESTIMATE_USAGE where the options do not agree or are wrong. */
bool launch_choice_check(const struct options *o, struct estimate_error *e);

/* Leave in the plan, whose kernels are loaded, those that are to be run. What
 * is left out is told on `notes`. */
bool launch_choice(struct plan *p, const struct options *o, FILE *notes,
                   struct estimate_error *e);

#endif
