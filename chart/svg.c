/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/svg.h"

#include <math.h>
#include <string.h>

/* Of a character, in font sizes: by DejaVu Sans, which is a wide font. */
static double character_width(char c)
{
    if (strchr("ijl .,:;'|", c) != NULL)
        return 0.34;
    if (strchr("frt()[]/I-", c) != NULL)
        return 0.43;
    return (c >= 'A' && c <= 'Z') || strchr("mw%@", c) != NULL ? 0.8 : 0.63;
}

/* Bytes of the UTF-8 sequence that begins at s; 0: none does. */
static int sequence(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    int n = u[0] < 0x80                    ? 1
            : u[0] >= 0xc2 && u[0] <= 0xdf ? 2
            : u[0] >= 0xe0 && u[0] <= 0xef ? 3
            : u[0] >= 0xf0 && u[0] <= 0xf4 ? 4
                                           : 0;
    for (int i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '\'':
        return "&#39;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static void escape(FILE *out, const char *text, size_t size)
{
    for (const char *end = text + size; text < end;) {
        int n = sequence(text);
        if (n == 0)
            fputc('?', out);
        else if (n > 1)
            fwrite(text, 1, (size_t)n, out);
        else if (entity(*text) != NULL)
            fputs(entity(*text), out);
        else
            fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
        text += n == 0 ? 1 : n;
    }
}

void svg_escape(FILE *out, const char *text)
{
    escape(out, text, strlen(text));
}

static void open_text(FILE *out, const struct svg_label *at)
{
    static const char *const anchor[] = {"start", "middle", "end"};
    fprintf(out, "<text x='%.1f' y='%.1f' class='%s' text-anchor='%s'", at->x,
            at->y, at->class_name, anchor[at->anchor]);
    if (at->turn != 0)
        fprintf(out, " transform='rotate(%g %.1f %.1f)'", at->turn, at->x,
                at->y);
    fputc('>', out);
}

void svg_text(FILE *out, const struct svg_label *at, const char *text)
{
    open_text(out, at);
    svg_escape(out, text);
    fputs("</text>\n", out);
}

void svg_line(FILE *out, double x1, double y1, double x2, double y2,
              const char *class_name)
{
    fprintf(out, "<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' class='%s'/>\n",
            x1, y1, x2, y2, class_name);
}

void svg_box(FILE *out, double x1, double y1, double x2, double y2,
             const char *class_name, const char *tip)
{
    fprintf(
        out, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' class='%s'",
        fmin(x1, x2), fmin(y1, y2), fabs(x2 - x1), fabs(y2 - y1), class_name);
    if (tip == NULL) {
        fputs("/>\n", out);
        return;
    }
    fputs("><title>", out);
    svg_escape(out, tip);
    fputs("</title></rect>\n", out);
}

void svg_diamond(FILE *out, double x, double y, double radius,
                 const char *class_name)
{
    fprintf(out,
            "<path d='M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz' "
            "class='%s'/>\n",
            x - radius, y, radius, -radius, radius, radius, -radius, radius,
            class_name);
}

void svg_circle(FILE *out, double x, double y, double radius,
                const char *class_name)
{
    fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%g' class='%s'/>\n", x, y,
            radius, class_name);
}

static double width_of(const char *text, size_t size, double font_size)
{
    double sum = 0;
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            sum += character_width(text[i]);
    return sum * font_size;
}

double svg_width(const char *text, double font_size)
{
    return width_of(text, strlen(text), font_size);
}

/* Bytes of the words at the beginning of text that fit. */
static size_t fitting(const char *text, double width, double font_size)
{
    size_t fit = strcspn(text, " ");
    while (text[fit] != '\0') {
        size_t next = fit + strspn(text + fit, " ");
        next += strcspn(text + next, " ");
        if (width_of(text, next, font_size) > width)
            break;
        fit = next;
    }
    return fit;
}

int svg_wrapped(FILE *out, double x, double y, double width, double font_size,
                double line_height, const char *class_name, const char *text)
{
    int lines = 0;
    for (text += strspn(text, " "); *text != '\0'; lines++) {
        size_t n = fitting(text, width, font_size);
        if (out != NULL) {
            open_text(out, &(struct svg_label){.x = x,
                                               .y = y + lines * line_height,
                                               .class_name = class_name});
            escape(out, text, n);
            fputs("</text>\n", out);
        }
        text += n;
        text += strspn(text, " ");
    }
    return lines;
}
