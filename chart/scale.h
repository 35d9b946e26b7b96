/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From values to places along an axis, and the ticks of it: at 1, 2 and 5 times
 * powers of ten. */
#ifndef CHART_SCALE_H
#define CHART_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#define SCALE_TICKS 64 /* at most */

struct scale {
    double low, high; /* values at the ends, low < high, finite */
    double from, to;  /* their places */
    bool log;         /* low > 0 */
    double step;      /* linear: between ticks */
};

/* Linear, widened to whole steps of which about `steps` fit. */
struct scale scale_linear(double low, double high, int steps);
/* Linear with the ends as they are (low == high becomes a range). */
struct scale scale_between(double low, double high, int steps);
/* A margin beyond the ends, which are positive. */
struct scale scale_log(double low, double high);

double scale_place(const struct scale *s, double v);
/* Whether the scale has a place for v. */
bool scale_shows(const struct scale *s, double v);
/* The ticks' values, ascending; their number. */
size_t scale_ticks(double tick[SCALE_TICKS], const struct scale *s);
/* A tick's label, with k, M or G for thousands where the axis needs it. */
void scale_label(char *out, size_t size, const struct scale *s, double tick);

#endif
