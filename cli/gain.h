/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The best point of a case and what it gains over the default one. */
#ifndef CLI_GAIN_H
#define CLI_GAIN_H

#include "cli/report.h"

/* Differences within this many percent are not told apart. */
#define TIE_PCT 1.0

struct point {
    int tb, policy; /* indices into the case */
};

/* How many percent fewer cycles one point takes than another, with interval. */
struct gain {
    double pct, lo, hi;
};

/* A point as the report shows it; NULL when it was not finished. */
const struct estimate_point *report_point(const struct report *r,
                                          const struct report_case *c,
                                          struct point p);

/* Likewise of those that are to be shown: what was asked for and the default
 * point; NULL for others. */
const struct estimate_point *shown_point(const struct report *r,
                                         const struct report_case *c,
                                         struct point p);

/* The point asked for with the fewest cycles; of equal ones the default, or
 * else the first. False when nothing was finished. */
bool best_point(struct point *out, const struct report *r,
                const struct report_case *c);

/* gto, rr, lru at the occupancy limit. False when the case lacks it. */
bool default_point(struct point *out, const struct report *r,
                   const struct report_case *c);

/* What `a` gains over `base`, the default point. At one tb from the paired
 * difference; otherwise from both points' own intervals as if they erred
 * independently, which is too wide rather than too narrow since they share
 * samples. */
struct gain gain_over_default(const struct estimate_point *a,
                              const struct estimate_point *base);

/* Of half its interval, what a gain has to be to be likely: seven chances in
 * ten that it is one, if nine in ten lie in the interval of a normal
 * distribution. Chosen: keeping the default where the gain is a tie costs 0.7
 * and 0.5 % of the time at best (make accuracy, development and judging half),
 * 38 at worst, where only what is not likely is kept 0.4, 0.2 and 14. */
#define LIKELY_SHARE 0.32

/* A tie unless the interval lies wholly outside +-TIE_PCT. */
bool is_tie(double lo, double hi);
/* Whether a gain that is a tie is worth a try: more than TIE_PCT, and likely.
 */
bool is_likely(struct gain g);

#endif
