/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/range.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>

#define FILLED    0.8 /* of a subject's slot */
#define MOST_WIDE 60.0
#define CLASS     32

/* One subject's bars. */
struct slot {
    double width; /* of a bar */
    double all;   /* of them together */
};

static struct slot slot_of(const struct frame *f, size_t bars)
{
    const struct chart_panel *p = f->panel;
    double room = (f->right - f->left) / (double)p->subjects * FILLED;
    double width = fmin(room / (double)bars, MOST_WIDE);
    return (struct slot){width, width * (double)bars};
}

static void tip_of(char *out, size_t size, const struct chart_panel *p,
                   const struct chart_value *v)
{
    int n = snprintf(out, size, "%s, %s: %g", p->subject[v->subject],
                     p->series[v->series], v->y);
    if (isfinite(v->low) && isfinite(v->high) && n > 0 && (size_t)n < size)
        n += snprintf(out + n, size - (size_t)n, " [%g, %g]", v->low, v->high);
    if (isfinite(v->mark) && n > 0 && (size_t)n < size)
        snprintf(out + n, size - (size_t)n, ", reference %g", v->mark);
}

static void draw_bar(FILE *out, const struct frame *f,
                     const struct chart_value *v, double left, double width,
                     double base)
{
    char name[CLASS], tip[256];
    style_class(name, sizeof(name), f->panel, "fill", v->series);
    tip_of(tip, sizeof(tip), f->panel, v);
    svg_box(out, left, scale_place(&f->y, base), left + width,
            scale_place(&f->y, base + v->y - f->panel->y.origin), name, tip);
}

void plot_bars(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    struct slot s = slot_of(f, p->serieses);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (!frame_shows(f, v))
            continue;
        double left = frame_slot(f, (double)v->subject) - s.all / 2 +
                      (double)v->series * s.width;
        draw_bar(out, f, v, left, s.width, p->y.origin);
        plot_interval(out, f, v, left + s.width / 2, fmin(s.width / 3, 4));
        plot_mark(out, f, v, left + s.width / 2,
                  fmax(2.5, fmin(s.width / 2, 5)));
    }
}

void plot_stack(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    struct slot s = slot_of(f, 1);
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        if (!frame_shows(f, v))
            continue;
        double left = frame_slot(f, (double)v->subject) - s.all / 2;
        draw_bar(out, f, v, left, s.width, range_base(p, i));
    }
    for (size_t i = 0; i < p->values; i++) {
        struct chart_value v = p->value[i];
        double middle = frame_slot(f, (double)v.subject);
        if (!frame_shows(f, &v))
            continue;
        v.low += range_base(p, i);
        v.high += range_base(p, i);
        plot_interval(out, f, &v, middle, 4);
        plot_mark(out, f, &v, middle, 4);
    }
}
