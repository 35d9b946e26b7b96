/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/legend.h"

#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>

#define LINE         18.0
#define SWATCH       18.0 /* across, with what is before its name */
#define GAP          14.0 /* between entries */
#define GAP_Y        4.0
#define MOST_OF_RAMP 9 /* entries: of more every second, third, ... */

struct legend {
    FILE *out;
    const struct chart_panel *panel;
    double left, right; /* of all entries */
    double x, y;        /* of the next one, its middle */
};

enum swatch { SERIES, MARK, RATIO };

static void draw_swatch(const struct legend *l, enum swatch kind, size_t series)
{
    const struct chart_panel *p = l->panel;
    bool line = p->kind == CHART_LINES || p->kind == CHART_STEPS ||
                (p->kind == CHART_SCATTER && series < p->joined);
    char name[32];
    style_class(name, sizeof(name), p, line ? "line" : "fill", series);
    if (kind == MARK)
        svg_diamond(l->out, l->x + 6, l->y, 4.5, "mark");
    else if (kind == RATIO)
        svg_line(l->out, l->x, l->y, l->x + 14, l->y, "guide");
    else if (line)
        svg_line(l->out, l->x, l->y, l->x + 14, l->y, name);
    else if (p->kind == CHART_SCATTER && series >= p->joined + p->dense)
        svg_circle(l->out, l->x + 7, l->y, 4, name);
    else
        svg_box(l->out, l->x + 1, l->y - 5, l->x + 12, l->y + 6, name, NULL);
}

static void entry(struct legend *l, enum swatch kind, size_t series,
                  const char *text)
{
    double width = SWATCH + svg_width(text, FONT_SIZE);
    if (l->x > l->left && l->x + width > l->right) {
        l->x = l->left;
        l->y += LINE;
    }
    if (l->out != NULL) {
        draw_swatch(l, kind, series);
        svg_text(l->out,
                 &(struct svg_label){.x = l->x + SWATCH,
                                     .y = l->y + FONT_SIZE / 3,
                                     .class_name = "label"},
                 text);
    }
    l->x += width + GAP;
}

bool legend_has_marks(const struct chart_panel *p)
{
    for (size_t i = 0; i < p->values; i++)
        if (isfinite(p->value[i].mark) && isfinite(p->value[i].y))
            return true;
    return false;
}

double legend_draw(FILE *out, const struct chart_panel *p, const char *mark,
                   double x, double y, double width)
{
    struct legend l = {out, p, x, x + width, x, y + LINE / 2 + GAP_Y};
    size_t entries = 0;
    size_t each = p->ramp ? (p->serieses + MOST_OF_RAMP - 1) / MOST_OF_RAMP : 1;
    for (size_t s = 0; p->serieses > 1 && s < p->serieses; s += each, entries++)
        entry(&l, SERIES, s, p->series[s]);
    if (p->ratio_name != NULL && ++entries > 0)
        entry(&l, RATIO, 0, p->ratio_name);
    if (mark != NULL && legend_has_marks(p) && ++entries > 0)
        entry(&l, MARK, 0, mark);
    return entries > 0 ? l.y + LINE / 2 - y : 0;
}
