/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table in a file (cli/table_file.h) as an array of structs. */
#ifndef BENCH_CORRELATE_CSV_H
#define BENCH_CORRELATE_CSV_H

#include "base/error.h"

enum csv_type {
    CSV_TEXT,         /* char[size] */
    CSV_TEXT_OR_NONE, /* likewise, and may be empty */
    CSV_INT,          /* int, not negative */
    CSV_REAL,         /* double, positive */
    CSV_MAY_LACK      /* double, not negative; NAN where the field is empty */
};

/* A column and where it goes in a row's struct; columns that no field names
 * are passed over. */
struct csv_field {
    const char *name;
    enum csv_type type;
    size_t offset, size; /* size: of CSV_TEXT */
};

/* *rows gets *count structs of row_size bytes; the caller frees it. On failure
 * (STATUS_BAD_INPUT naming file and line) both are untouched. */
bool csv_load(void **rows, size_t *count, size_t row_size, const char *path,
              const struct csv_field *fields, size_t field_count,
              struct error *e);

#endif
