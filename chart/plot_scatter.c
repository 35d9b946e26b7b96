/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>

#define CLASS 32

/* The line y = ratio x inside the frame. */
static void draw_ratio(FILE *out, const struct frame *f, double ratio,
                       const char *name)
{
    double from = fmax(f->x.low, f->y.low / ratio);
    double to = fmin(f->x.high, f->y.high / ratio);
    if (from < to)
        svg_line(out, scale_place(&f->x, from),
                 scale_place(&f->y, ratio * from), scale_place(&f->x, to),
                 scale_place(&f->y, ratio * to), name);
}

/* Series that are lines come first, under the dots. */
static void draw_joined(FILE *out, const struct frame *f, size_t series)
{
    const struct chart_panel *p = f->panel;
    const char *step = "M%.1f %.1f";
    char name[CLASS];
    style_class(name, sizeof(name), p, "line", series);
    fputs("<path d='", out);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (v->series != series || !frame_shows(f, v))
            continue;
        fprintf(out, step, scale_place(&f->x, v->x), scale_place(&f->y, v->y));
        step = "L%.1f %.1f";
    }
    fprintf(out, "' class='%s'/>\n", name);
}

void plot_scatter(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    for (size_t i = 0; i < p->ratios; i++)
        draw_ratio(out, f, p->ratio[i], p->ratio[i] == 1 ? "axis" : "guide");
    for (size_t s = 0; s < p->joined; s++)
        draw_joined(out, f, s);
    for (size_t s = p->joined; s < p->joined + p->dense; s++)
        plot_density(out, f, s);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        char name[CLASS];
        if (v->series < p->joined + p->dense || !frame_shows(f, v))
            continue;
        style_class(name, sizeof(name), p, "fill", v->series);
        svg_circle(out, scale_place(&f->x, v->x), scale_place(&f->y, v->y), 3,
                   name);
    }
}
