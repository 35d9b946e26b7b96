/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of CSV and JSON: the library's, and the swept GPU keys, which
 * follow SWEPT_AFTER of these. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/report.h"

#define COLUMN_VALUE_MAX 128
#define SWEPT_AFTER      6

/* The value as text, empty when not known: the point's own where that is text,
 * which may be longer than any buffer, or else what is put into `buffer`. */
const char *column_value(char buffer[COLUMN_VALUE_MAX],
                         const struct estimate_column *c,
                         const struct estimate_point *p);

/* A swept value: as many digits as it was given with, or its name. */
void swept_text(char out[COLUMN_VALUE_MAX], const struct estimate_key *key,
                double value);

#endif
