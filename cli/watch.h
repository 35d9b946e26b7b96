/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is asked of a single point over its time: --timeline, --interval and
 * --trace-json, each by a run of its own behind the results. */
#ifndef CLI_WATCH_H
#define CLI_WATCH_H

#include "cli/points.h"

/* ESTIMATE_USAGE when the plan is not one point or an option does not fit it;
 * ESTIMATE_FAILED when a file cannot be written. */
bool check_watch(const struct options *o, const struct plan *p,
                 struct estimate_error *e);
/* Write all that was asked for. */
bool write_watch(const struct options *o, const struct plan *p,
                 struct estimate_error *e);

#endif
