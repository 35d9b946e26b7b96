/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The design points of the accuracy benchmark, and the cycles that full detail
 * takes for them. Both are kept as tables:
 *
 *     points   kernel,gpu,grid,tb,sched
 *     truth    kernel,gpu,grid,tb,sched,cycles,warp_insts
 *
 * kernel: a bundled kernel's or PTX example's name; NAME#N, launch N of those
 * of an example; trace:NAME, what bench/random_traces.py makes of NAME. grid:
 * blocks by side, "64x64x1". Points of one kernel, GPU and grid make a case and
 * stand together. */
#ifndef BENCH_ACCURACY_POINTS_H
#define BENCH_ACCURACY_POINTS_H

#include "base/error.h"

#define ACCURACY_NAME 64

struct accuracy_point {
    char kernel[ACCURACY_NAME], gpu[ACCURACY_NAME], grid[ACCURACY_NAME];
    char sched[ACCURACY_NAME];
    int tb;
    double cycles, warp_insts; /* NAN as long as nobody knows */
};

struct accuracy_points {
    struct accuracy_point *point;
    size_t count;
};

/* Add the points of the file at path. */
bool points_load(struct accuracy_points *p, const char *path, struct error *e);
void points_free(struct accuracy_points *p);

/* Set what the table of truth at path says of the points; a file that is not
 * there says nothing. */
bool truth_load(struct accuracy_points *p, const char *path, struct error *e);
/* Add a point to that table, with a header where it is new. */
bool truth_append(const char *path, const struct accuracy_point *point,
                  struct error *e);

/* Whether b is of the same kernel, GPU and grid as a. */
bool points_same_case(const struct accuracy_point *a,
                      const struct accuracy_point *b);

/* Half of the kernels are for development, the other half only judges: of all
 * the points' kernels, sorted by name, every second one, whatever its GPU and
 * grid. */
bool point_is_development(const struct accuracy_points *all,
                          const struct accuracy_point *p);

#endif
