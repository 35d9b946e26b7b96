/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The values of a panel in its frame. */
#ifndef CHART_PLOT_H
#define CHART_PLOT_H

#include "chart/frame.h"

void plot_bars(FILE *out, const struct frame *f);
void plot_stack(FILE *out, const struct frame *f);
void plot_lines(FILE *out, const struct frame *f);
void plot_areas(FILE *out, const struct frame *f);
void plot_scatter(FILE *out, const struct frame *f);
void plot_spans(FILE *out, const struct frame *f);
/* A series of a scatter as how many values are where. */
void plot_density(FILE *out, const struct frame *f, size_t series);

/* The interval and the reference of a value that is drawn at x. */
void plot_interval(FILE *out, const struct frame *f,
                   const struct chart_value *v, double x, double cap);
void plot_mark(FILE *out, const struct frame *f, const struct chart_value *v,
               double x, double radius);

#endif
