/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"

#include "chart/svg.h"

void plot_interval(FILE *out, const struct frame *f,
                   const struct chart_value *v, double x, double cap)
{
    if (!scale_shows(&f->y, v->low) || !scale_shows(&f->y, v->high))
        return;
    double low = scale_place(&f->y, v->low), high = scale_place(&f->y, v->high);
    svg_line(out, x, low, x, high, "whisker");
    svg_line(out, x - cap, low, x + cap, low, "whisker");
    svg_line(out, x - cap, high, x + cap, high, "whisker");
}

void plot_mark(FILE *out, const struct frame *f, const struct chart_value *v,
               double x, double radius)
{
    if (scale_shows(&f->y, v->mark))
        svg_diamond(out, x, scale_place(&f->y, v->mark), radius, "mark");
}
