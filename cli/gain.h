/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best point of a study and what it gains over the default one. */
#ifndef CLI_GAIN_H
#define CLI_GAIN_H

#include "cli/report.h"

/* Differences within this many percent are not told apart. */
#define TIE_PCT 1.0

struct point {
    int tb, policy; /* indices into the study */
};

/* How many percent fewer cycles one point takes than another, with interval. */
struct gain {
    double pct, lo, hi;
};

/* A result as the report shows it; NULL when it was not finished. */
const struct result *report_result(const struct report *r,
                                   const struct report_study *s,
                                   struct point p);

/* The shown point with the fewest cycles; of equal ones the default, or else
 * the first. False when nothing was finished. */
bool best_point(struct point *out, const struct report *r,
                const struct report_study *s);

/* gto, rr, lru at the occupancy limit. False when the study lacks it. */
bool default_point(struct point *out, const struct report *r,
                   const struct report_study *s);

/* What `a` gains over `base`, the default point. At one tb from the paired
 * difference; otherwise from both points' own intervals as if they erred
 * independently, which is too wide rather than too narrow since they share
 * samples. */
struct gain gain_over_default(const struct report_study *s, struct point a,
                              struct point base);

/* A tie unless the interval lies wholly outside +-TIE_PCT. */
bool is_tie(double lo, double hi);

#endif
