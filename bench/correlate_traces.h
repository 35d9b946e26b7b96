/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the traces of a reference are: FOLDER/real holds those of real kernels,
 * FOLDER/make_traces.py writes the others. */
#ifndef BENCH_CORRELATE_TRACES_H
#define BENCH_CORRELATE_TRACES_H

#include "bench/correlate_points.h"
#include "bench/correlate_run.h"

/* The folder of point p's trace; generated ones are under `work`. */
void trace_path(char *out, size_t size, const char *folder, const char *work,
                const struct reference_point *p);

/* The run of point p: its trace, its configuration below `folder`, our name of
 * its scheduler. */
bool trace_request(struct run_request *out, const struct reference_point *p,
                   const char *folder, const char *work, struct error *e);

/* Write those that `work` lacks, several at once. */
bool traces_generate(const struct reference *r, const char *folder,
                     const char *work, struct error *e);

#endif
