/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_OUT_FIT_H
#define CLI_OUT_FIT_H

#include "cli/report.h"

/* What calibrate prints: a line a kernel and GPU with what its samples took and
 * how well the fit holds. */
void write_fits(FILE *f, const struct report *r);

#endif
