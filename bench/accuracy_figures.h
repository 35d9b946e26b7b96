/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is found of the estimates of some cases. Errors are absolute, in percent
 * of the truth. */
#ifndef BENCH_ACCURACY_FIGURES_H
#define BENCH_ACCURACY_FIGURES_H

#include "bench/accuracy_case.h"
#include "bench/series.h"

enum figure {
    FIGURE_HYBRID,       /* error, every point */
    FIGURE_HYBRID_SHORT, /* ... not run in full */
    FIGURE_MODEL,        /* error, every point */
    FIGURE_FULL,         /* 1 / 0: run in full */
    FIGURE_HOLDS,        /* 1 / 0: 90 % interval, points not run in full */
    FIGURE_CASE_HELD,    /* of a case, how many of those hold, ... */
    FIGURE_CASE_SHORT,   /* ... and how many there are */
    FIGURE_ORDERED,      /* 1 / 0: pair truly over 2 % apart */
    FIGURE_SAID,         /* 1 / 0: ... one of them gto: said so */
    FIGURE_TIE,          /* 1 / 0: pair with gto within 1 %: said tie */
    FIGURE_REGRET,       /* truth at the best estimate over the best, a case */
    FIGURE_SPEEDUP,      /* in warp instructions, on the own grid, a case */
    FIGURES
};

struct figures {
    struct series of[FIGURES];
};

/* The truth and the estimates of a case; all by the index of its study. Cycles
 * that nobody knows are NAN. */
struct compared {
    const struct accuracy_case *c;
    const double *truth;
    const struct study_result *hybrid, *model;
    double speedup; /* of sampling its own grid */
};

void figures_add(struct figures *f, const struct compared *k);
void figures_free(struct figures *f);

/* Mean, quantile and worst of one; NAN where there is none. */
double figure_mean(const struct figures *f, enum figure of);
double figure_quantile(struct figures *f, enum figure of, double quantile);
/* Share of values that are at most `most`. */
double figure_share(const struct figures *f, enum figure of, double most);
/* The 95 % interval of the share of intervals that hold, when cases are drawn
 * anew (bootstrap): points of one kernel err together. */
void figure_holds_interval(const struct figures *f, double *lo, double *hi);

#endif
