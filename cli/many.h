/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Very many designs by the model alone, so many at a time: what is kept of each
 * is what designs are compared by. Rows are estimated anew as they are written,
 * when it is known which designs are on the front. */
#ifndef CLI_MANY_H
#define CLI_MANY_H

#include "cli/points.h"

/* How many designs a plan is to hold at a time: UINT64_MAX where the whole
 * report has to be there before it is written. */
uint64_t many_at_once(const struct options *o);

/* Run a plan that holds a part of its designs; the exit status. */
int run_many(const struct options *o, struct plan *p, struct estimate_error *e);

#endif
