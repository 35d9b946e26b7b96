/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUT_DESIGNS_H
#define CLI_OUT_DESIGNS_H

#include "cli/report.h"

/* The table of designs: those on the front, or all, best first; then what each
 * key is worth, and the best design at the first GPU's cost. */
void write_designs(FILE *f, const struct report *r);

#endif
