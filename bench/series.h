/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growing list of numbers. */
#ifndef BENCH_SERIES_H
#define BENCH_SERIES_H

#include <stddef.h>

struct series {
    double *value;
    size_t count, room;
};

void series_add(struct series *s, double v);
double series_mean(const struct series *s);
/* Sorts s. */
double series_quantile(struct series *s, double f);
/* Half-width of the 95 % interval of the mean. */
double series_half_width(const struct series *s);

#endif
