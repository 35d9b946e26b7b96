/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cycles for people: one unit a table and as many digits as the intervals
 * leave, which is one more than the leading digit of their half-width. */
#ifndef CLI_FIGURES_H
#define CLI_FIGURES_H

#include <estimate.h>

#define FIGURE_MAX 64

/* What a table's numbers are like. Begin with {0}. */
struct figures {
    double least, most; /* of the cycles shown */
    double half;        /* the narrowest half-width that is not 0, 0: none */
};

void figures_see(struct figures *s, const struct estimate_point *p);

struct unit {
    double of;        /* cycles in one */
    const char *name; /* "", "k", "M", "G" */
    int decimals;
};

/* The unit for what was seen; whole cycles where all of it is known to the
 * cycle and where `exact`. */
struct unit figures_unit(const struct figures *s, bool exact);

void figure_text(char out[FIGURE_MAX], const struct unit *u, double cycles);

/* Microseconds with as many digits as the interval leaves. */
void time_text(char out[FIGURE_MAX], const struct estimate_point *p);

/* The longer half of a point's interval in percent of its cycles. */
double half_width_pct(const struct estimate_point *p);
/* "+-4 %", two digits below 10 %; empty for an interval of nothing. */
void half_width_text(char out[FIGURE_MAX], double pct);

#endif
