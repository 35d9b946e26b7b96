/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/range.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>

#define CLASS     32
#define MOST_DOTS 40 /* of a series: more points are no dots */

/* Values of a series with a place. */
static size_t shown(const struct frame *f, size_t series)
{
    size_t n = 0;
    for (size_t i = 0; i < f->panel->values; i++)
        n += f->panel->value[i].series == series &&
             frame_shows(f, &f->panel->value[i]);
    return n;
}

/* The path of a series, which a value that has no place breaks. */
static void draw_line(FILE *out, const struct frame *f, size_t series)
{
    const struct chart_panel *p = f->panel;
    char name[CLASS];
    bool open = false;
    style_class(name, sizeof(name), p, "line", series);
    fputs("<path d='", out);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (v->series != series)
            continue;
        bool here = frame_shows(f, v);
        if (here) {
            double x = scale_place(&f->x, v->x), y = scale_place(&f->y, v->y);
            if (open && p->kind == CHART_STEPS)
                fprintf(out, "H%.1fV%.1f", x, y);
            else
                fprintf(out, "%c%.1f %.1f", open ? 'L' : 'M', x, y);
        }
        open = here;
    }
    fprintf(out, "' class='%s'/>\n", name);
}

static void draw_dots(FILE *out, const struct frame *f, size_t series,
                      bool dots)
{
    const struct chart_panel *p = f->panel;
    char name[CLASS];
    style_class(name, sizeof(name), p, "fill", series);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (v->series != series || !frame_shows(f, v))
            continue;
        double x = scale_place(&f->x, v->x);
        plot_interval(out, f, v, x, 3);
        if (dots)
            svg_circle(out, x, scale_place(&f->y, v->y), 3, name);
        plot_mark(out, f, v, x, 4);
    }
}

void plot_lines(FILE *out, const struct frame *f)
{
    for (size_t s = 0; s < f->panel->serieses; s++) {
        size_t n = shown(f, s);
        if (n > 1)
            draw_line(out, f, s);
        draw_dots(out, f, s,
                  n == 1 || (f->panel->kind == CHART_LINES && n <= MOST_DOTS));
    }
}

/* The upper edge of a series' area forwards, then the lower one backwards: a
 * level holds until the next x. */
static void draw_area(FILE *out, const struct frame *f, size_t series)
{
    const struct chart_panel *p = f->panel;
    char name[CLASS];
    const char *step = "M%.1f %.1f";
    style_class(name, sizeof(name), p, "fill", series);
    fputs("<path d='", out);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (v->series != series || !frame_shows(f, v))
            continue;
        fprintf(out, step, scale_place(&f->x, v->x),
                scale_place(&f->y, range_base(p, i) + v->y));
        step = "H%.1fV%.1f";
    }
    for (size_t i = p->values; i-- > 0;) {
        const struct chart_value *v = &p->value[i];
        if (v->series == series && frame_shows(f, v))
            fprintf(out, "V%.1fH%.1f", scale_place(&f->y, range_base(p, i)),
                    scale_place(&f->x, v->x));
    }
    fprintf(out, "z' class='%s'/>\n", name);
}

void plot_areas(FILE *out, const struct frame *f)
{
    for (size_t s = 0; s < f->panel->serieses; s++)
        if (shown(f, s) > 0)
            draw_area(out, f, s);
}
