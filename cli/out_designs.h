/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUT_DESIGNS_H
#define CLI_OUT_DESIGNS_H

#include "cli/report.h"

/* The table of designs: those on the front, or all, best first; then what each
 * key is worth, and the best design at the first GPU's cost. */
void write_designs(FILE *f, const struct report *r);

/* Of those that cost no more than the first GPU as it is configured, the best
 * by the first objective, and what that GPU costs. False: there is none. */
bool affordable_design(size_t *out, double *limit, const struct report *r);

#endif
