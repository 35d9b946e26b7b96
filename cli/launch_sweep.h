/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loading inputs, each once for every combination of swept launch keys: block
 * (threads of a block), regs (registers of a thread), shared (bytes of shared
 * memory of a block). */
#ifndef CLI_LAUNCH_SWEEP_H
#define CLI_LAUNCH_SWEEP_H

#include "cli/points.h"

/* Fill plan.input, plan.kernel and what was swept of their launches. */
bool launches_load(struct plan *p, const char *const *input, size_t count,
                   const struct options *o, FILE *notes,
                   struct estimate_error *e);

/* Combinations of the swept launch keys; UINT64_MAX: more. */
uint64_t launch_combinations(const struct options *o);

#endif
