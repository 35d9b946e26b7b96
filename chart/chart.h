/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Charts as SVG text that needs nothing besides: real text in the reader's own
 * sans-serif, styles by class for light and dark screens, colours that
 * colour-blind readers tell apart, a title and a description for screen
 * readers. This folder uses no other, so that program, benchmarks and papers
 * can all draw. */
#ifndef CHART_CHART_H
#define CHART_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum chart_kind {
    CHART_BARS,  /* side by side for each subject, from the y axis' origin */
    CHART_STACK, /* on top of each other for each subject, from 0 */
    CHART_LINES, /* straight from point to point */
    CHART_STEPS, /* level until the next point */
    CHART_AREAS, /* steps on top of each other; all series at the same x */
    CHART_SCATTER,
    CHART_SPANS /* boxes from x to end, low to high; y is low */
};

/* What is shown of a series at a subject or at an x. A NaN stands for "none":
 * as y it is left out, in low and high there is no interval, in mark no mark.
 * What is infinite is left out, too; so is what a log axis cannot show. */
struct chart_value {
    size_t series, subject; /* subject: bars and stacks */
    double x, y;            /* x: the other kinds */
    double low, high;       /* whiskers; of stacks: from its lower edge */
    double mark;            /* a reference value, as a diamond */
    double end;             /* spans: where it ends, >= x */
    const char *label;      /* scatter: beside it, NULL: none */
};

/* A value with nothing but y. */
struct chart_value chart_bar(size_t series, size_t subject, double y);
struct chart_value chart_point(size_t series, double x, double y);
/* A span of height 1 on y. */
struct chart_value chart_span(size_t series, double y, double x, double end);

struct chart_axis {
    const char *title; /* NULL: none */
    const char *unit;  /* NULL: none; behind the title in brackets */
    double origin;     /* y only: the axis reaches it, bars grow from it */
    bool log;          /* scatter only */
};

struct chart_panel {
    enum chart_kind kind;
    const char *title; /* NULL: none */
    struct chart_axis x, y;
    const char *const *subject; /* bars and stacks; long names are turned, and
                                 * shortened in the end */
    size_t subjects;
    const char *const *series; /* names, a colour each */
    size_t serieses;
    const struct chart_value *value; /* in each series by growing x */
    size_t values;
    bool ramp;         /* series have an order: colours from dark to bright */
    double height;     /* of the plotting area, 0: a usual one */
    const char *empty; /* why there are no values, said instead of them */
    size_t joined;     /* scatter: the first so many series are lines */
    size_t dense;      /* scatter: the series behind these so many are shown as
                        * how many of their values are in each part of the panel */
    /* Scatter: lines at y = ratio x, of several that of 1 drawn through. */
    const double *ratio;
    size_t ratios;
    const char *ratio_name;
};

/* Panels from left to right, top to bottom. Those side by side have the same
 * series: they share a legend, with the row above, too, where it has them; and
 * the range of their y axes where these say the same. */
struct chart {
    const char *title;
    const char *description; /* for screen readers */
    const char *note;        /* under the panels, NULL: none */
    const char *mark;        /* what marks are, in the legend */
    const struct chart_panel *panel;
    size_t panels, columns; /* columns: 0 = 1 */
};

/* To out, whose error flag says whether all of it was written. */
void chart_write(FILE *out, const struct chart *c);

#endif
