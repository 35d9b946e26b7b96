/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Results read back: what --format json, jsonl or csv wrote. */
#ifndef CLI_RESULTS_FILE_H
#define CLI_RESULTS_FILE_H

#include "cli/table_file.h"

struct results_file {
    struct table_file table; /* whose cells are the texts of points */
    struct estimate_point *point;
    size_t points;
};

/* Whether a path names such a file, or a store, by how it ends. */
bool is_results_file(const char *path);
bool is_store_file(const char *path);

/* False: a store where results are expected, and what to give instead. */
bool fail_store(const char *path, struct estimate_error *e);

/* ESTIMATE_BAD_INPUT when the file cannot be read or is no table of results.
 * Columns that are not known here are passed over. results_file_free() in
 * either case. */
bool results_file_read(struct results_file *out, const char *path,
                       struct estimate_error *e);
void results_file_free(struct results_file *r);

#endif
