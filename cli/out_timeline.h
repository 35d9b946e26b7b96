/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the warps of one SM do from cycle to cycle, as text: a row a warp, a
 * character a cycle. */
#ifndef CLI_OUT_TIMELINE_H
#define CLI_OUT_TIMELINE_H

#include "cli/points.h"

/* Run the plan's only point again, to the end of --timeline, and print it
 * behind a blank line on standard output. */
bool write_timeline(const struct options *o, const struct plan *p,
                    struct estimate_error *e);

#endif
