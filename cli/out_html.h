/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page: one file, nothing fetched, readable on any screen and on paper. */
#ifndef CLI_OUT_HTML_H
#define CLI_OUT_HTML_H

#include "cli/explain.h"
#include "cli/report.h"
#include "cli/warps.h"

/* What a page shows. */
struct html_page {
    const struct estimate_point *const *point; /* [points] */
    size_t points;
    const struct report *report; /* they are of; NULL: they were read back */
    const struct explanation *explained; /* NULL: none */
    const struct warps *warps;           /* of the same point; NULL: none */
    const struct options *options;
};

void html_write(FILE *f, const struct html_page *p);

#endif
