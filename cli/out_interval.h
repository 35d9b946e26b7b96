/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUT_INTERVAL_H
#define CLI_OUT_INTERVAL_H

#include "cli/points.h"

/* Run the plan's only point again and write what it counts every --interval
 * cycles as CSV: behind a blank line on standard output, or to the file of
 * --interval-out. */
bool write_intervals(const struct options *o, const struct plan *p,
                     struct estimate_error *e);

#endif
