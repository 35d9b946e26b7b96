/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/frame.h"

#include "chart/range.h"
#include "chart/style.h"
#include "chart/svg.h"

#include <math.h>
#include <string.h>

#define USUAL_HEIGHT 200.0
#define TITLE_HEIGHT 22.0
#define TOP_GAP      8.0
#define BOTTOM_GAP   8.0
#define RIGHT_GAP    12.0
#define TICK         4.0     /* between an axis and its labels */
#define LINE         17.0    /* of text */
#define TURN         (-45.0) /* degrees of long names */
#define TURNED       0.7071  /* its sine and cosine */
#define TURNED_SLOT  19.0    /* that a turned label needs, across */
#define LABEL_CHARS  22      /* of a name; longer ones are shortened */
#define LABEL_TEXT   88      /* bytes of so many */
#define LABEL_BYTES  96      /* with the mark that says so */

bool frame_by_subject(const struct chart_panel *p)
{
    return p->kind == CHART_BARS || p->kind == CHART_STACK;
}

bool frame_shows(const struct frame *f, const struct chart_value *v)
{
    return v->series < f->panel->serieses && scale_shows(&f->y, v->y) &&
           (frame_by_subject(f->panel) ? v->subject < f->panel->subjects
                                       : scale_shows(&f->x, v->x));
}

double frame_slot(const struct frame *f, double i)
{
    return f->left +
           (i + 0.5) * (f->right - f->left) / (double)f->panel->subjects;
}

/* ---- layout ------------------------------------------------------------- */

/* A subject's name, shortened where it is long. */
static void short_name(char out[LABEL_BYTES], const char *name)
{
    int bytes = 0, chars = 0;
    while (name[bytes] != '\0' && chars < LABEL_CHARS && bytes < LABEL_TEXT) {
        do
            bytes++;
        while (((unsigned char)name[bytes] & 0xc0) == 0x80 &&
               bytes < LABEL_TEXT);
        chars++;
    }
    snprintf(out, LABEL_BYTES, "%.*s%s", bytes, name,
             name[bytes] != '\0' ? "\xe2\x80\xa6" : "");
}

static double widest_subject(const struct chart_panel *p)
{
    char name[LABEL_BYTES];
    double widest = 0;
    for (size_t i = 0; i < p->subjects; i++) {
        short_name(name, p->subject[i]);
        widest = fmax(widest, svg_width(name, FONT_SIZE));
    }
    return widest;
}

static double widest_tick(const struct scale *s)
{
    double tick[SCALE_TICKS], widest = 0;
    size_t n = scale_ticks(tick, s);
    for (size_t i = 0; i < n; i++) {
        char label[32];
        scale_label(label, sizeof(label), s, tick[i]);
        widest = fmax(widest, svg_width(label, FONT_SIZE));
    }
    return widest;
}

static struct scale scale_of_y(const struct chart_panel *p, struct range r,
                               double height)
{
    int steps = (int)fmax(2, height / 40);
    if (p->y.log)
        return r.low > r.high ? scale_log(1, 10) : scale_log(r.low, r.high);
    double origin = p->y.origin;
    return scale_linear(fmin(r.low, origin), fmax(r.high, origin), steps);
}

static struct scale scale_of_x(const struct chart_panel *p, double width)
{
    struct range r = range_of_x(p);
    if (r.low > r.high)
        return scale_between(0, 1, 1);
    return p->x.log ? scale_log(r.low, r.high)
                    : scale_between(r.low, r.high, (int)fmax(2, width / 50));
}

static bool turned(const struct frame *f)
{
    return widest_subject(f->panel) + FONT_SIZE / 2 >
           (f->right - f->left) / (double)f->panel->subjects;
}

/* Below the plotting area. */
static double x_labels_height(const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    if (!frame_by_subject(p) || !turned(f))
        return TICK + LINE;
    return TICK + widest_subject(p) * TURNED + FONT_SIZE;
}

/* Turned labels reach to the left of their slot. */
static double left_overhang(const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    if (!frame_by_subject(p) || p->subjects == 0 || !turned(f))
        return 0;
    return widest_subject(p) * TURNED + FONT_SIZE / 2 -
           (f->right - f->left) / (double)p->subjects / 2;
}

struct frame frame_of(const struct chart_panel *p, struct range y_range,
                      double x, double y, double width)
{
    double height = p->height > 0 ? p->height : USUAL_HEIGHT;
    struct frame f = {.panel = p, .begin = x, .end = x + width};
    struct range r = range_of_y(p);
    f.any = r.low <= r.high && (!frame_by_subject(p) || p->subjects > 0);
    f.top = y + TOP_GAP + (p->title != NULL ? TITLE_HEIGHT : 0);
    f.bottom = f.top + height;
    f.y = scale_of_y(p, y_range, height);
    double labels = fmax(widest_tick(&f.y), svg_width("100", FONT_SIZE)) +
                    TICK + FONT_SIZE / 2;
    f.left = x + labels + (p->y.title != NULL ? LINE : 0);
    f.right = x + width - RIGHT_GAP;
    f.x = scale_of_x(p, f.right - f.left);
    if (!frame_by_subject(p))
        f.right -= fmax(0, widest_tick(&f.x) / 2 - RIGHT_GAP);
    f.left = fmax(f.left, x + left_overhang(&f));
    f.x.from = f.left;
    f.x.to = f.right;
    f.y.from = f.bottom;
    f.y.to = f.top;
    f.height = f.bottom - y + (f.any ? x_labels_height(&f) : 0) +
               (f.any && p->x.title != NULL ? LINE : 0) + BOTTOM_GAP;
    return f;
}

/* ---- drawing ------------------------------------------------------------ */

static void axis_title(char *out, size_t size, const struct chart_axis *a)
{
    if (a->unit != NULL)
        snprintf(out, size, "%s (%s)", a->title, a->unit);
    else
        snprintf(out, size, "%s", a->title);
}

static void draw_titles(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    double across = (f->left + f->right) / 2;
    double down = (f->top + f->bottom) / 2;
    char text[256];
    if (p->title != NULL)
        svg_text(out,
                 &(struct svg_label){
                     .x = f->begin, .y = f->top - 12, .class_name = "label"},
                 p->title);
    if (p->y.title != NULL) {
        axis_title(text, sizeof(text), &p->y);
        svg_text(out,
                 &(struct svg_label){f->begin + FONT_SIZE, down, SVG_MIDDLE,
                                     -90, "label"},
                 text);
    }
    if (p->x.title != NULL && f->any) {
        axis_title(text, sizeof(text), &p->x);
        svg_text(out,
                 &(struct svg_label){across,
                                     f->bottom + x_labels_height(f) + FONT_SIZE,
                                     SVG_MIDDLE, 0, "label"},
                 text);
    }
}

static void draw_y_ticks(FILE *out, const struct frame *f)
{
    double tick[SCALE_TICKS];
    size_t n = scale_ticks(tick, &f->y);
    for (size_t i = 0; i < n; i++) {
        char label[32];
        double y = scale_place(&f->y, tick[i]);
        scale_label(label, sizeof(label), &f->y, tick[i]);
        svg_line(out, f->left, y, f->right, y, "grid");
        svg_text(out,
                 &(struct svg_label){f->left - TICK, y + FONT_SIZE / 3, SVG_END,
                                     0, "label"},
                 label);
    }
}

/* Labels where they have room. */
static void draw_x_ticks(FILE *out, const struct frame *f)
{
    double tick[SCALE_TICKS], end = -INFINITY;
    size_t n = scale_ticks(tick, &f->x);
    for (size_t i = 0; i < n; i++) {
        char label[32];
        double x = scale_place(&f->x, tick[i]);
        scale_label(label, sizeof(label), &f->x, tick[i]);
        if (f->x.log)
            svg_line(out, x, f->top, x, f->bottom, "grid");
        svg_line(out, x, f->bottom, x, f->bottom + TICK, "axis");
        double half = svg_width(label, FONT_SIZE) / 2;
        if (x - half < end)
            continue;
        end = x + half + FONT_SIZE / 2;
        svg_text(out,
                 &(struct svg_label){x, f->bottom + TICK + FONT_SIZE,
                                     SVG_MIDDLE, 0, "label"},
                 label);
    }
}

/* As many as have room. */
static void draw_subjects(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    bool turn = turned(f);
    double slot = (f->right - f->left) / (double)p->subjects;
    size_t each = turn ? (size_t)fmax(1, ceil(TURNED_SLOT / slot)) : 1;
    for (size_t i = 0; i < p->subjects; i += each) {
        char name[LABEL_BYTES];
        struct svg_label at = {
            frame_slot(f, (double)i) + (turn ? FONT_SIZE / 3 : 0),
            f->bottom + TICK + FONT_SIZE, turn ? SVG_END : SVG_MIDDLE,
            turn ? TURN : 0, "label"};
        short_name(name, p->subject[i]);
        svg_text(out, &at, name);
    }
}

/* Dots stand for themselves, whatever the axis reaches. */
static double origin_of(const struct frame *f)
{
    bool low = f->y.log || f->panel->kind == CHART_SCATTER;
    return low ? f->y.low : f->panel->y.origin;
}

static void draw_origin(FILE *out, const struct frame *f)
{
    double y = scale_place(&f->y, origin_of(f));
    svg_line(out, f->left, y, f->right, y, "origin");
    svg_line(out, f->left, f->top, f->left, f->bottom, "axis");
    if (!frame_by_subject(f->panel) && y != f->bottom)
        svg_line(out, f->left, f->bottom, f->right, f->bottom, "axis");
}

void frame_draw(FILE *out, const struct frame *f)
{
    const struct chart_panel *p = f->panel;
    draw_titles(out, f);
    if (!f->any) {
        svg_box(out, f->left, f->top, f->right, f->bottom, "paper", NULL);
        svg_wrapped(out, f->left + LINE, f->top + 2 * LINE,
                    f->right - f->left - 2 * LINE, FONT_SIZE, LINE, "missing",
                    p->empty != NULL ? p->empty : "no values");
        return;
    }
    draw_y_ticks(out, f);
    if (frame_by_subject(p))
        draw_subjects(out, f);
    else
        draw_x_ticks(out, f);
    draw_origin(out, f);
}
