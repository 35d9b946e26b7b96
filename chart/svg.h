/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Elements of an SVG text, in user units of the view box; a class says how they
 * look (chart/style.h). Every coordinate is finite. */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include <stddef.h>
#include <stdio.h>

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct svg_label {
    double x, y; /* of the anchor, on the base line */
    enum svg_anchor anchor;
    double turn; /* degrees, clockwise */
    const char *class_name;
};

/* Text between tags or in an attribute: what XML reserves is written as an
 * entity, what it forbids as a blank or a question mark. */
void svg_escape(FILE *out, const char *text);
void svg_text(FILE *out, const struct svg_label *at, const char *text);
void svg_line(FILE *out, double x1, double y1, double x2, double y2,
              const char *class_name);
/* Of any two opposite corners; tip (may be NULL) is shown by pointing at it. */
void svg_box(FILE *out, double x1, double y1, double x2, double y2,
             const char *class_name, const char *tip);
/* A square on its corner, around (x, y). */
void svg_diamond(FILE *out, double x, double y, double radius,
                 const char *class_name);
void svg_circle(FILE *out, double x, double y, double radius,
                const char *class_name);

/* Wide enough for the usual sans-serif fonts. */
double svg_width(const char *text, double font_size);
/* Lines of words no wider than `width`, unless a word is; returns how many.
 * With out NULL nothing is written. */
int svg_wrapped(FILE *out, double x, double y, double width, double font_size,
                double line_height, const char *class_name, const char *text);

#endif
