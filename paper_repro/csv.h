/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of CSV files, quoted where they have to be (RFC 4180). */
#ifndef PAPER_REPRO_CSV_H
#define PAPER_REPRO_CSV_H

#include <stdio.h>

#define CSV_LINE 65536 /* bytes at most */

void csv_write(FILE *f, const char *text);
/* Cut the next cell out of *line, in place; NULL at its end. */
char *csv_next(char **line);

#endif
