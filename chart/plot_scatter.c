/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/plot.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>
#include <stdint.h>

#define CLASS      32
#define MANY       200 /* dots of a series */
#define LABELS     8
#define BESIDE     6.0
#define LABEL_STEP (FONT_SIZE + 3)

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

/* ---- labels --------------------------------------------------------------
 */

struct label_box {
    double left, right, line; /* line: its base */
};

struct labels {
    struct label_box at[LABELS];
    size_t count;
};

static bool is_free(const struct labels *l, const struct label_box *b)
{
    for (size_t i = 0; i < l->count; i++)
        if (b->left < l->at[i].right && b->right > l->at[i].left &&
            fabs(b->line - l->at[i].line) < FONT_SIZE)
            return false;
    return true;
}

/* Right of a dot and above it, of a line below; left where the frame ends;
 * further below where another label stands. */
static void draw_label(FILE *out, const struct frame *f, struct labels *l,
                       const struct chart_value *v)
{
    double width = svg_width(v->label, FONT_SIZE), x = scale_place(&f->x, v->x);
    bool line = v->series < f->panel->joined;
    struct label_box b = {.left = x + BESIDE,
                          .line = scale_place(&f->y, v->y) +
                                  (line ? BESIDE + FONT_SIZE : -BESIDE)};
    if (b.left + width > f->right)
        b.left = fmax(f->left, x - BESIDE - width);
    b.right = b.left + width;
    b.line = fmax(b.line, f->top + FONT_SIZE);
    while (!is_free(l, &b) && b.line + LABEL_STEP < f->bottom)
        b.line += LABEL_STEP;
    l->at[l->count++] = b;
    svg_text(
        out,
        &(struct svg_label){.x = b.left, .y = b.line, .class_name = "label"},
        v->label);
}

static void draw_labels(FILE *out, const struct frame *f)
{
    struct labels l = {.count = 0};
    for (size_t i = 0; i < f->panel->values && l.count < LABELS; i++)
        if (f->panel->value[i].label != NULL &&
            frame_shows(f, &f->panel->value[i]))
            draw_label(out, f, &l, &f->panel->value[i]);
}

/* ---- dots ----------------------------------------------------------------
 */

static size_t shown(const struct frame *f, size_t series)
{
    size_t n = 0;
    for (size_t i = 0; i < f->panel->values; i++)
        n += f->panel->value[i].series == series &&
             frame_shows(f, &f->panel->value[i]);
    return n;
}

static bool has_series(uint64_t set, size_t series)
{
    return series < 64 && (set >> series & 1) != 0;
}

/* Those of many dots, a bit each. */
static uint64_t many_series(const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    uint64_t many = 0;
    for (size_t s = p->joined + p->dense; s < p->serieses && s < 64; s++)
        many |= (uint64_t)(shown(f, s) > MANY) << s;
    return many;
}

/* Many are one path of points with round ends, a fifth of the text. */
static void draw_many(FILE *out, const struct frame *f, size_t series)
{
    char name[CLASS];
    style_class(name, sizeof(name), f->panel, "dots", series);
    fputs("<path d='", out);
    for (size_t i = 0; i < f->panel->values; i++) {
        const struct chart_value *v = &f->panel->value[i];
        if (v->series == series && frame_shows(f, v))
            fprintf(out, "M%.1f %.1fh0", scale_place(&f->x, v->x),
                    scale_place(&f->y, v->y));
    }
    fprintf(out, "' class='%s'/>\n", name);
}

/* In the order of the values: the last is on top. */
static void draw_dots(FILE *out, const struct frame *f, uint64_t many)
{
    const struct chart_panel *p = f->panel;
    for (size_t i = 0; i < p->values; i++) {
        const struct chart_value *v = &p->value[i];
        char name[CLASS];
        if (v->series < p->joined + p->dense || !frame_shows(f, v) ||
            has_series(many, v->series))
            continue;
        style_class(name, sizeof(name), p, "fill", v->series);
        svg_circle(out, scale_place(&f->x, v->x), scale_place(&f->y, v->y), 3,
                   name);
    }
}

void plot_scatter(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    for (size_t i = 0; i < p->ratios; i++)
        draw_ratio(out, f, p->ratio[i],
                   p->ratio[i] == 1 && p->ratios > 1 ? "axis" : "guide");
    for (size_t s = 0; s < p->joined; s++)
        draw_joined(out, f, s);
    for (size_t s = p->joined; s < p->joined + p->dense; s++)
        plot_density(out, f, s);
    uint64_t many = many_series(f);
    for (size_t s = 0; s < p->serieses; s++)
        if (has_series(many, s))
            draw_many(out, f, s);
    draw_dots(out, f, many);
    draw_labels(out, f);
}
