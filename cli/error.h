/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the program's own functions report a failure: as the library's do. */
#ifndef CLI_ERROR_H
#define CLI_ERROR_H

#include <estimate.h>

/* Fill e (may be NULL) from a printf format, control characters as blanks, and
 * return false, so that a caller can write `return fail(e, ESTIMATE_USAGE,
 * "--%s: ...", name);`. */
bool fail(struct estimate_error *e, enum estimate_status status,
          const char *format, ...) __attribute__((format(printf, 3, 4)));
bool fail_no_memory(struct estimate_error *e);

/* The one of `count` names that is likely meant by `name`, or NULL. `get`
 * returns name i of `table`. */
const char *nearest_row(const char *name, const void *table, size_t count,
                        const char *(*get)(const void *table, size_t i));

#endif
