/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of a panel's series beside their colours, and those of marks and
 * ratio lines. */
#ifndef CHART_LEGEND_H
#define CHART_LEGEND_H

#include "chart/chart.h"

/* From (x, y) down, no wider than `width` where names allow; returns the
 * height. With out NULL nothing is written. mark: the name of marks, NULL:
 * none. */
double legend_draw(FILE *out, const struct chart_panel *p, const char *mark,
                   double x, double y, double width);

/* A value that is shown has a mark. */
bool legend_has_marks(const struct chart_panel *p);

#endif
