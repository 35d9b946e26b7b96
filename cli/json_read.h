/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the results of a JSON report back. */
#ifndef CLI_JSON_READ_H
#define CLI_JSON_READ_H

#include "cli/error.h"

struct json_results {
    char *text; /* of the file, which strings of points stand in */
    struct estimate_point *point;
    size_t points;
};

/* ESTIMATE_BAD_INPUT when the file cannot be read or holds no "results".
 * Columns that are not known here are passed over. json_results_free() in
 * either case. */
bool json_results_read(struct json_results *out, const char *path,
                       struct estimate_error *e);
void json_results_free(struct json_results *r);

#endif
