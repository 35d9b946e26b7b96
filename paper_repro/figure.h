/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure or table of a paper as a row: what is measured for it, how it is
 * drawn, and what the paper prints of it. Its values are written as CSV, from
 * which nothing that is drawn is missing, and drawn as SVG, or set as a table
 * in Markdown. */
#ifndef PAPER_REPRO_FIGURE_H
#define PAPER_REPRO_FIGURE_H

#include "chart/chart.h"
#include "paper_repro/view.h"

struct figure_panel {
    const char *title; /* NULL: none, of a figure of one panel */
    enum chart_kind kind;
    const char *y, *unit; /* unit: NULL for counts and ratios */
    double origin;        /* of bars: 1 for ratios to a baseline */
    const char *x;        /* NULL: none, as of subjects with names */
    bool ramp;            /* series have an order */
    double height;        /* 0: a usual one */
};

/* Kernels of one type, and the name that their mean is drawn under (NULL:
 * none). */
struct figure_group {
    const char *kernels, *mean;
};

/* What the paper prints of a bar. */
struct figure_mark {
    int panel;
    const char *subject, *series;
    double value;
};

enum figure_mean {
    RATIOS_GEOMETRIC, /* mean of each kernel's ratio to the baseline */
    RATIOS_ARITHMETIC,
    RATIO_OF_MEANS /* of the kernels' arithmetic means */
};

#define FIGURE_PANELS 8
#define FIGURE_GROUPS 4

struct figure_data;
struct figure;

/* Adds a figure's values; false with e when a run failed. */
typedef bool figure_filler(struct figure_data *d, const struct figure *f,
                           const struct view *v, struct error *e);

struct figure {
    const char *id;     /* "fig9a"; files are named PAPER_ID */
    const char *title;  /* "Fig. 9a: ..." */
    const char *what;   /* a sentence or two without numbers of ours */
    const char *claims; /* ids that are about it: "paws-07 paws-08" */
    struct figure_panel panel[FIGURE_PANELS]; /* up to one without y; a table
                                               * has none */
    int columns;                              /* of panels, 0 = 1 */
    const struct figure_mark *mark;           /* ends with a NULL subject */
    const char *gpu; /* NULL: the paper's machine (machines.h) */
    /* Subjects are kernels, series policies (lists separated by spaces), values
     * the metric or its ratio to that under `baseline`, in one panel. */
    struct figure_group group[FIGURE_GROUPS]; /* up to one without kernels */
    const char *series, *baseline;
    double (*metric)(const struct sampler_run *r);
    enum figure_mean mean;
    figure_filler *fill; /* instead of all that */
};

/* In the paper's order; ends with a NULL id. */
extern const struct figure paws_figures[], perfsat_figures[], kaws_figures[],
    cawa_figures[], ikra_figures[];

/* ---- for fills ---------------------------------------------------------- */

/* NaN: none. Strings are copied. */
struct figure_value {
    int panel;
    const char *subject; /* a bar's; of lines "" or what the CSV is to say */
    const char *series;
    double tb;    /* resident blocks, where they are the x axis */
    double cycle; /* where time is */
    double ours, low, high, paper;
    const char *gpu;  /* NULL: the view's */
    const char *unit; /* NULL: the panel's */
};

/* All else NaN and NULL. */
struct figure_value figure_value(int panel, const char *subject,
                                 const char *series, double ours);
bool figure_add(struct figure_data *d, const struct figure_value *v,
                struct error *e);

/* The metric of a point, and the interval between half the window and the
 * window, NaN where the lab runs other than quick windows or nothing beside
 * them. */
struct figure_measured {
    double value, half;
};
bool figure_measure(struct figure_measured *out, const struct view *v,
                    const struct point *p,
                    double (*metric)(const struct sampler_run *r),
                    struct error *e);
/* ours, low and high of a value over another (base NULL: over 1). */
void figure_ratio(struct figure_value *v, const struct figure_measured *m,
                  const struct figure_measured *base);
/* ours, low and high of the mean over kernels: a 90 % interval from 2000
 * bootstrap samples of the kernels (percentiles; Efron, 1979), none of one. */
void figure_mean(struct figure_value *v, const double *value,
                 const double *base, size_t count, enum figure_mean mean);

/* ---- data --------------------------------------------------------------- */

/* NULL when memory is out. */
struct figure_data *figure_data_create(void);
void figure_data_free(struct figure_data *d);
size_t figure_values(const struct figure_data *d);
const struct figure_value *figure_value_at(const struct figure_data *d,
                                           size_t i);

/* Measure f on v's machine or its own, and note the paper's marks. */
bool figure_fill(struct figure_data *d, const struct figure *f,
                 const struct view *v, struct error *e);

/* A figure without panels is a table. */
bool figure_is_table(const struct figure *f);
void figure_write_csv(FILE *out, const struct figure *f,
                      const struct figure_data *d, const struct view *v);
/* False when memory is out. */
bool figure_write_svg(FILE *out, const struct figure *f,
                      const struct figure_data *d, const struct view *v);
/* A row for each subject, a column for each series: "ours (paper)". False when
 * memory is out. */
bool figure_write_table(FILE *out, const struct figure *f,
                        const struct figure_data *d);

#endif
