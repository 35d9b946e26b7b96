/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far hybrid and the model alone are from the truth, for the kernels of
 * development and for those that only judge, and by GPU. */
#ifndef BENCH_ACCURACY_REPORT_H
#define BENCH_ACCURACY_REPORT_H

#include "bench/accuracy_points.h"

#include <stdint.h>

struct report_options {
    const char *traces; /* folder of traces */
    const char *csv;    /* gets the points; NULL: none */
    const char *store;  /* of samples, calib_options.store; NULL: none */
    int threads;        /* 0 = all */
    uint64_t seed;      /* of model and hybrid; of the truth, 0 */
};

struct accuracy_report;

/* The options must outlive it. */
struct accuracy_report *accuracy_report_create(const struct report_options *o,
                                               struct error *e);
void accuracy_report_free(struct accuracy_report *r);

/* Estimate all cases of a table that have a known point, and print on stdout
 * each of them and what is found of all. */
bool accuracy_report_table(struct accuracy_report *r, const char *title,
                           const struct accuracy_points *p, struct error *e);

/* Print what is found of the cases of all tables so far. */
void accuracy_report_all(struct accuracy_report *r);

#endif
