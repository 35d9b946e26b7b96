/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table for people. Row 0 holds the headings, column 0 the rows' labels; what
 * is in a cell is asked for when it is printed, so that a table holds nothing.
 * One that is wider than the page is printed in parts, one below the other,
 * each with the labels. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "cli/page.h"

#include <stddef.h>

#define CELL_MAX 512

struct cell {
    char text[CELL_MAX]; /* a label may be broken at " = ", or at blanks */
    enum style style;
};

struct grid {
    const void *of;
    size_t rows, columns; /* headings and labels among them */
    /* *out comes empty and plain. */
    void (*cell)(struct cell *out, const void *of, size_t row, size_t column);
    unsigned left; /* bit i: column i is left-aligned, the labels' first */
};

/* Whether it is printed in one part, no label broken. */
bool grid_fits(const struct grid *g, const struct page *p);
void grid_put(const struct grid *g, const struct page *p);

#endif
