/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"

#include "chart/legend.h"
#include "chart/plot.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>
#include <string.h>

#define WIDTH     600.0
#define MARGIN    10.0
#define BETWEEN   14.0 /* panels, across */
#define TITLE_TOP 24.0 /* base line of the first line */
#define TITLE_ROW 20.0
#define BOLD      1.2 /* times as wide, at most */
#define NOTE_ROW  15.0

struct chart_value chart_bar(size_t series, size_t subject, double y)
{
    return (struct chart_value){.series = series,
                                .subject = subject,
                                .y = y,
                                .low = NAN,
                                .high = NAN,
                                .mark = NAN,
                                .end = NAN};
}

struct chart_value chart_point(size_t series, double x, double y)
{
    struct chart_value v = chart_bar(series, 0, y);
    v.x = x;
    return v;
}

struct chart_value chart_span(size_t series, double y, double x, double end)
{
    struct chart_value v = chart_point(series, x, y);
    v.low = y;
    v.high = y + 1;
    v.end = end;
    return v;
}

/* ---- rows of panels ----------------------------------------------------- */

static size_t columns_of(const struct chart *c)
{
    return c->columns > 0 ? c->columns : 1;
}

static bool same_series(const struct chart_panel *a,
                        const struct chart_panel *b)
{
    if (a->serieses != b->serieses || a->ramp != b->ramp || a->kind != b->kind)
        return false;
    for (size_t s = 0; s < a->serieses; s++)
        if (strcmp(a->series[s], b->series[s]) != 0)
            return false;
    return true;
}

/* The panel of the row from `first` whose legend stands for all of it: one with
 * marks where there are any. NULL: that of the row above does. */
static const struct chart_panel *legend_of(const struct chart *c, size_t first)
{
    const struct chart_panel *p = &c->panel[first];
    size_t columns = columns_of(c), end = first + columns;
    if (first > 0 && same_series(p, p - columns))
        return NULL;
    for (size_t i = first; i < end && i < c->panels; i++)
        if (legend_has_marks(&c->panel[i]))
            return &c->panel[i];
    return p;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Of panel i's y axis: panels of a row whose axes say the same have the same
 * range. */
static struct range row_range(const struct chart *c, size_t first, size_t i)
{
    const struct chart_axis *y = &c->panel[i].y;
    struct range r = range_of_y(&c->panel[i]);
    for (size_t k = first; k < first + columns_of(c) && k < c->panels; k++) {
        const struct chart_axis *other = &c->panel[k].y;
        struct range o = range_of_y(&c->panel[k]);
        if (!same_text(y->title, other->title) ||
            !same_text(y->unit, other->unit) || y->origin != other->origin)
            continue;
        r.low = fmin(r.low, o.low);
        r.high = fmax(r.high, o.high);
    }
    return r;
}

/* Draw the row from panel `first` below y, or only measure it (out NULL);
 * returns its height. */
static double draw_panels(FILE *out, const struct chart *c, size_t first,
                          double y)
{
    size_t columns = columns_of(c);
    double width = (WIDTH - 2 * MARGIN - (double)(columns - 1) * BETWEEN) /
                   (double)columns;
    double height = 0;
    for (size_t i = first; i < first + columns && i < c->panels; i++) {
        double x = MARGIN + (double)(i - first) * (width + BETWEEN);
        struct frame f =
            frame_of(&c->panel[i], row_range(c, first, i), x, y, width);
        static void (*const plot[])(FILE *, const struct frame *) = {
            [CHART_BARS] = plot_bars,   [CHART_STACK] = plot_stack,
            [CHART_LINES] = plot_lines, [CHART_STEPS] = plot_lines,
            [CHART_AREAS] = plot_areas, [CHART_SCATTER] = plot_scatter,
            [CHART_SPANS] = plot_spans};
        height = fmax(height, f.height);
        if (out != NULL)
            frame_draw(out, &f);
        if (out != NULL && f.any)
            plot[f.panel->kind](out, &f);
    }
    return height;
}

/* All that is below the title's base line; returns where it ends. */
static double draw_body(FILE *out, const struct chart *c, double y)
{
    for (size_t i = 0; i < c->panels; i += columns_of(c)) {
        const struct chart_panel *named = legend_of(c, i);
        if (named != NULL)
            y +=
                legend_draw(out, named, c->mark, MARGIN, y, WIDTH - 2 * MARGIN);
        y += draw_panels(out, c, i, y);
    }
    if (c->note != NULL)
        y += NOTE_ROW * svg_wrapped(out, MARGIN, y + NOTE_ROW,
                                    WIDTH - 2 * MARGIN, NOTE_SIZE, NOTE_ROW,
                                    "note", c->note);
    return y + MARGIN;
}

/* ---- the whole ---------------------------------------------------------- */

static double draw_title(FILE *out, const struct chart *c)
{
    int lines = svg_wrapped(out, MARGIN, TITLE_TOP, WIDTH - 2 * MARGIN,
                            BOLD * TITLE_SIZE, TITLE_ROW, "title", c->title);
    return lines > 0 ? TITLE_TOP + (lines - 1) * TITLE_ROW + MARGIN : MARGIN;
}

static size_t longest_ramp(const struct chart *c)
{
    size_t most = 0;
    for (size_t i = 0; i < c->panels; i++)
        if (c->panel[i].ramp && c->panel[i].serieses > most)
            most = c->panel[i].serieses;
    return most;
}

static void write_element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    svg_escape(out, text);
    fprintf(out, "</%s>\n", name);
}

void chart_write(FILE *out, const struct chart *c)
{
    double body = draw_title(NULL, c);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' class='chart' role='img' "
            "viewBox='0 0 %.0f %.0f'>\n",
            WIDTH, ceil(draw_body(NULL, c, body)));
    write_element(out, "title", c->title);
    write_element(out, "desc", c->description != NULL ? c->description : "");
    style_write(out, longest_ramp(c));
    fputs("<rect width='100%' height='100%' class='paper'/>\n", out);
    draw_title(out, c);
    draw_body(out, c, body);
    fputs("</svg>\n", out);
}
