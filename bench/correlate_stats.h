/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How differences within series agree, and how numbers are spread. */
#ifndef BENCH_CORRELATE_STATS_H
#define BENCH_CORRELATE_STATS_H

#include <stddef.h>

/* Differences that large in the reference should have the same sign in ours. */
#define APART_PCT 2.0

/* Members of series against the first of their series: the difference is
 * 100 (member / first - 1), its error ours less theirs, in percentage points.
 */
struct differences {
    size_t count;
    double sum_abs_error, worst_error; /* worst: signed */
    size_t apart; /* theirs are more than APART_PCT from the first */
    size_t right; /* ... and ours have the same sign */
};

/* Differences in percent. */
void differences_add(struct differences *d, double ours, double theirs);
double differences_mean_error(const struct differences *d); /* NAN for none */

struct spread {
    double median, min, max;
};

/* Sorts value. count 0: all NAN. */
struct spread spread_of(double *value, size_t count);

#endif
