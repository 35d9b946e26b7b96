/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a page shows, a file each. */
#ifndef CLI_HTML_SECTIONS_H
#define CLI_HTML_SECTIONS_H

#include "cli/html_columns.h"
#include "cli/html_group.h"

/* Which points are best, and the command line that repeats the page. */
void html_verdicts(FILE *f, const struct html_page *p);
/* A cell for each block count and policy. */
void html_heat(FILE *f, const struct html_group *g);
/* Where issue slots go, a bar a policy at the best block count. */
void html_stack(FILE *f, const struct html_group *g);
/* The roofline (Williams, Waterman, Patterson, CACM 52(4), 2009) in warp
 * instructions: achieved against instructions a byte from DRAM. */
void html_roofline(FILE *f, const struct html_group *g);
void html_phases(FILE *f, const struct explanation *x);
/* Which phase each warp of an SM is in, over time. */
void html_warps(FILE *f, const struct warps *w);
/* What the numbers stand on. */
void html_accuracy(FILE *f, const struct html_page *p);
/* All points, for the script to read. */
void html_json(FILE *f, const struct html_page *p);
/* Of the points what differs, as a table that sorts. */
void html_data(FILE *f, const struct html_page *p);

#endif
