/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page: one file, nothing fetched, readable on any screen and on paper. */
#ifndef CLI_OUT_HTML_H
#define CLI_OUT_HTML_H

#include "cli/explain.h"
#include "cli/report.h"
#include "cli/table_file.h"
#include "cli/warps.h"

struct html_columns;
struct html_drawn;

/* What a page shows: results of a report, or of a file that was read back. */
struct html_page {
    const struct estimate_point *const *point; /* [points] */
    size_t points;
    const struct report *report;    /* NULL: of a file */
    const struct table_file *table; /* the file; NULL: of a report */
    struct html_columns *columns;   /* html_write() sets these */
    const struct html_drawn *drawn;
    const struct explanation *explained; /* NULL: none */
    const struct warps *warps;           /* of the same point; NULL: none */
    const struct options *options;
};

void html_write(FILE *f, const struct html_page *p);

#endif
