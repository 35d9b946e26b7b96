/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the points of a plan, with progress on standard error and, where the
 * format on standard output is one of single points, these as they finish. */
#ifndef CLI_PLAN_RUN_H
#define CLI_PLAN_RUN_H

#include "cli/points.h"

/* NULL with e set. *wall_s (may be NULL): how long it took. */
struct estimate_results *plan_run(const struct plan *p, const struct options *o,
                                  double *wall_s, struct estimate_error *e);

#endif
