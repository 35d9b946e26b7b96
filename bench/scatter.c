/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/scatter.h"

#include <math.h>

#define WIDTH      640.0
#define HEIGHT     600.0
#define LEFT       70.0 /* of the plotting area, from the picture's edge */
#define RIGHT      20.0
#define TOP        40.0
#define BOTTOM     60.0
#define MARGIN     1.3 /* of the axes beyond the outermost points */
#define ERROR_BAND 0.25

/* Okabe and Ito, Color Universal Design, 2008: told apart by colour-blind
 * readers too. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73",
                                      "#cc79a7", "#e69f00", "#56b4e9",
                                      "#000000", "#f0e442"};
#define COLOURS (sizeof(colours) / sizeof(colours[0]))

/* Both axes have the same range. */
struct axes {
    double low, high;
};

static struct axes axes_of(const struct scatter *s)
{
    struct axes a = {INFINITY, 0};
    for (size_t i = 0; i < s->count; i++) {
        a.low = fmin(a.low, fmin(s->point[i].x, s->point[i].y));
        a.high = fmax(a.high, fmax(s->point[i].x, s->point[i].y));
    }
    return (struct axes){a.low / MARGIN, a.high * MARGIN};
}

/* Where v lies between the axis' ends, 0 to 1. */
static double place(const struct axes *a, double v)
{
    return log(v / a->low) / log(a->high / a->low);
}

static double across(const struct axes *a, double v)
{
    return LEFT + place(a, v) * (WIDTH - LEFT - RIGHT);
}

static double down(const struct axes *a, double v)
{
    return HEIGHT - BOTTOM - place(a, v) * (HEIGHT - TOP - BOTTOM);
}

static void write_text(FILE *out, double x, double y, const char *style,
                       const char *text)
{
    fprintf(out, "<text x='%.1f' y='%.1f' %s>", x, y, style);
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        default:
            fputc(*text, out);
        }
    fputs("</text>\n", out);
}

static void write_line(FILE *out, double x1, double y1, double x2, double y2,
                       const char *style)
{
    fprintf(out, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' %s/>\n", x1, y1,
            x2, y2, style);
}

static void write_tick(FILE *out, const struct axes *a, double v)
{
    static const char grid[] = "stroke='#e0e0e0'";
    char label[32];
    snprintf(label, sizeof(label), "%g", v);
    write_line(out, across(a, v), TOP, across(a, v), HEIGHT - BOTTOM, grid);
    write_line(out, LEFT, down(a, v), WIDTH - RIGHT, down(a, v), grid);
    write_text(out, across(a, v), HEIGHT - BOTTOM + 16, "text-anchor='middle'",
               label);
    write_text(out, LEFT - 6, down(a, v) + 4, "text-anchor='end'", label);
}

/* Ticks at 1, 2 and 5 times the powers of ten. */
static void write_axes(FILE *out, const struct axes *a)
{
    static const double step[] = {1, 2, 5};
    for (double decade = pow(10, floor(log10(a->low))); decade <= a->high;
         decade *= 10)
        for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++)
            if (decade * step[i] >= a->low && decade * step[i] <= a->high)
                write_tick(out, a, decade * step[i]);
    fprintf(out,
            "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='none' "
            "stroke='#404040'/>\n",
            LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
}

/* The line y = ratio x inside the axes. */
static void write_ratio(FILE *out, const struct axes *a, double ratio,
                        const char *style)
{
    double from = fmax(a->low, a->low / ratio);
    double to = fmin(a->high, a->high / ratio);
    write_line(out, across(a, from), down(a, ratio * from), across(a, to),
               down(a, ratio * to), style);
}

static void write_points(FILE *out, const struct axes *a,
                         const struct scatter *s)
{
    for (size_t i = 0; i < s->count; i++)
        fprintf(out,
                "<circle cx='%.1f' cy='%.1f' r='3' fill='%s' "
                "fill-opacity='0.6'/>\n",
                across(a, s->point[i].x), down(a, s->point[i].y),
                colours[s->point[i].group % COLOURS]);
}

static void write_legend(FILE *out, const struct scatter *s)
{
    for (size_t i = 0; i < s->groups; i++) {
        double y = TOP + 20 + 18 * (double)i;
        fprintf(out, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n",
                LEFT + 16, y - 4, colours[i % COLOURS]);
        write_text(out, LEFT + 26, y, "", s->group[i]);
    }
    double y = TOP + 20 + 18 * (double)s->groups;
    write_line(out, LEFT + 8, y - 4, LEFT + 24, y - 4,
               "stroke='#808080' stroke-dasharray='4 3'");
    write_text(out, LEFT + 30, y, "", "+-25 %");
}

void scatter_write(FILE *out, const struct scatter *s)
{
    static const char dashed[] = "stroke='#808080' stroke-dasharray='4 3'";
    struct axes a = axes_of(s);
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%.0f' "
            "height='%.0f' font-family='sans-serif' font-size='12'>\n"
            "<rect width='100%%' height='100%%' fill='#ffffff'/>\n",
            WIDTH, HEIGHT);
    write_text(out, WIDTH / 2, 24, "text-anchor='middle' font-size='14'",
               s->title);
    write_axes(out, &a);
    write_ratio(out, &a, 1, "stroke='#404040'");
    write_ratio(out, &a, 1 + ERROR_BAND, dashed);
    write_ratio(out, &a, 1 - ERROR_BAND, dashed);
    write_points(out, &a, s);
    write_legend(out, s);
    write_text(out, WIDTH / 2, HEIGHT - 20, "text-anchor='middle'", s->x_label);
    write_text(out, -HEIGHT / 2, 18,
               "text-anchor='middle' transform='rotate(-90)'", s->y_label);
    fputs("</svg>\n", out);
}
