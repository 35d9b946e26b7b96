/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far hybrid and the model alone are from the truth, for the kernels of
 * development and for those that only judge, and by GPU. */
#ifndef BENCH_ACCURACY_REPORT_H
#define BENCH_ACCURACY_REPORT_H

#include "bench/accuracy_points.h"

struct report_options {
    const char *title;  /* of the table */
    const char *traces; /* folder of traces */
    const char *csv;    /* gets the points whose cases are shown; NULL: none */
    const char *store;  /* of samples, calib_options.store; NULL: none */
    int threads;        /* 0 = all */
    bool show_all;      /* each case by itself; else those of development */
};

/* Estimate all cases that have a known point, and print on stdout. */
bool report_points(const struct accuracy_points *p,
                   const struct report_options *o, struct error *e);

#endif
