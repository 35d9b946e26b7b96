/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stable columns of CSV and JSON, in order. Swept GPU keys follow
 * SWEPT_AFTER columns from the start. */
#ifndef CLI_COLUMNS_H
#define CLI_COLUMNS_H

#include "cli/report.h"

enum column_type {
    COLUMN_LABEL, /* char array in the row */
    COLUMN_NAME,  /* pointer to text in the row */
    COLUMN_INT,
    COLUMN_U64,
    COLUMN_BOOL, /* 0 or 1 */
    COLUMN_REAL  /* NAN: not known */
};

struct column {
    const char *name;
    const char *unit; /* as the manual page gives it */
    enum column_type type;
    size_t offset; /* in struct row */
    int decimals;  /* of a COLUMN_REAL */
};

#define COLUMN_VALUE_MAX 128
#define SWEPT_AFTER      6

extern const struct column columns[];
extern const size_t column_count;

/* The value as text; empty when not known. A COLUMN_NAME's may be longer than
 * any buffer: use column_text() for those that are text. */
void column_number(char out[COLUMN_VALUE_MAX], const struct column *c,
                   const struct row *row);
/* The text of a COLUMN_LABEL or COLUMN_NAME, NULL for other types. */
const char *column_text(const struct column *c, const struct row *row);

/* A swept value: as many digits as it was given with, or its name. */
void swept_text(char out[COLUMN_VALUE_MAX], const struct gpu_key *key,
                double value);

#endif
