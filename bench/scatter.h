/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A log-log scatter plot of ours against theirs as an SVG file. */
#ifndef BENCH_SCATTER_H
#define BENCH_SCATTER_H

#include <stddef.h>
#include <stdio.h>

struct scatter_point {
    double x, y; /* positive */
    size_t group;
};

struct scatter {
    const char *title, *x_label, *y_label;
    const char *const *group; /* names, a colour each, no more than eight */
    size_t groups;
    const struct scatter_point *point;
    size_t count; /* at least one */
};

/* With the diagonal and lines at +-25 %. */
void scatter_write(FILE *out, const struct scatter *s);

#endif
