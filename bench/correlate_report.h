/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is printed of a table: every point, how the two agree, the differences
 * within series, how fast the two are. All return false when memory is out. */
#ifndef BENCH_CORRELATE_REPORT_H
#define BENCH_CORRELATE_REPORT_H

#include "bench/correlate_table.h"

#include <stdio.h>

void report_points(FILE *out, const struct table *t);
bool report_agreement(FILE *out, const struct table *t);
void report_series(FILE *out, const struct table *t);
bool report_rates(FILE *out, const struct table *t);

/* The table as comma-separated values, no times in it. */
void report_csv(FILE *out, const struct table *t);

/* The scatter plot, a colour a configuration. */
bool report_plot(FILE *out, const struct table *t);

#endif
