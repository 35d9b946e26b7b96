/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The range of what a panel shows. */
#ifndef CHART_RANGE_H
#define CHART_RANGE_H

#include "chart/chart.h"

struct range {
    double low, high; /* low > high: nothing */
};

/* Of values, intervals and marks; of stacks and areas their sums. */
struct range range_of_y(const struct chart_panel *p);
struct range range_of_x(const struct chart_panel *p);
/* What lies below value i in its stack or area, on its side of 0. */
double range_base(const struct chart_panel *p, size_t i);

#endif
