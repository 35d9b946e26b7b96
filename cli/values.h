/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strict reading of the small values options are made of. */
#ifndef CLI_VALUES_H
#define CLI_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VALUE_MAX 256 /* bytes of one entry of a comma list */

/* A whole number in decimal digits alone, min..max. */
bool parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* A number without a sign, "12", "0.5" or "1e6", at the start of *text; moves
 * *text past it. Does not take the first dot of "1..8" for a decimal point. */
bool scan_real(const char **text, double *out);

/* The same with nothing after it. */
bool parse_real(const char *text, double *out);

/* A whole number that may be written 20M, 1e6 or 0.5G: min..max. */
bool parse_amount(const char *text, uint64_t min, uint64_t max, uint64_t *out);

/* The next entry of a comma list: false at the end of it. *cursor starts at the
 * list and is NULL after the last entry. An entry too long for `out` is cut,
 * which no valid name survives. */
bool list_next(const char **cursor, char out[VALUE_MAX]);

#endif
