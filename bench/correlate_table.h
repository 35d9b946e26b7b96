/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reference's points beside our runs of them. */
#ifndef BENCH_CORRELATE_TABLE_H
#define BENCH_CORRELATE_TABLE_H

#include "bench/correlate_points.h"
#include "bench/correlate_run.h"
#include "bench/correlate_stats.h"
#include "cli/agreement.h"

struct compared {
    struct reference_point theirs;
    struct run_outcome ours;
};

/* Rows in the reference's order. */
struct table {
    struct compared *row;
    size_t count;
};

/* Run every point of r, several at once; the results do not depend on how
 * many. Traces are read from folder and work (correlate_traces.h). On failure
 * e is of the first point that failed. */
bool table_run(struct table *out, const struct reference *r, const char *folder,
               const char *work, struct error *e);
void table_free(struct table *t);

/* The rows that `take` selects, in order. */
typedef bool take_row(const struct compared *row, const void *what);

/* False when memory is out. count = 0: nothing else of *out is set. */
bool table_agreement(struct agreement *out, const struct table *t,
                     take_row *take, const void *what);

/* Points that differ in nothing but the warp scheduler, or in nothing but the
 * resident blocks, are a series. Its first member is the first in the table or
 * the one with the fewest blocks. */
enum series { SERIES_SCHEDULERS, SERIES_BLOCKS };

/* The first member of row i's series, or i itself where it is the first or
 * repeats an earlier member. */
size_t table_first(const struct table *t, size_t i, enum series kind);

/* Of the rows that `take` selects. */
struct differences table_differences(const struct table *t, enum series kind,
                                     take_row *take, const void *what);

#endif
