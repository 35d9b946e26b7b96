/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run as Chrome trace events, which Perfetto and chrome://tracing open. A
 * process is an SM; its tracks are its schedulers and, below each, its warp
 * slots. Slices: the warps' lives and, within them, their phases; stretches in
 * which all slots of a scheduler were put down to one cause. Counters: warp
 * instructions a cycle and SM, bytes from and to the DRAM, resident warps. */
#ifndef CLI_OUT_TRACE_H
#define CLI_OUT_TRACE_H

#include "cli/points.h"

/* Run the plan's only point again and write what it does to the file of
 * --trace-json while it goes on. */
bool write_trace(const struct options *o, const struct plan *p,
                 struct estimate_error *e);

#endif
