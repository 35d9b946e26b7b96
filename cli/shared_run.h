/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run that several processes share (cli/shard.h). The store of each, where it
 * has one, notes all of the run's studies, whose they are and which are done.
 */
#ifndef CLI_SHARED_RUN_H
#define CLI_SHARED_RUN_H

#include "cli/points.h"

/* Leave this shard's cases in the plan. */
bool shared_run_begin(struct plan *p, const struct options *o,
                      struct estimate_error *e);
/* Note which are done. */
bool shared_run_end(const struct plan *p, const struct options *o,
                    const struct estimate_results *results,
                    struct estimate_error *e);

#endif
