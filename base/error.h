/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How everything below cli/ reports a failure: a function returns false (or
 * NULL) and has filled a struct error with one line for the user and the exit
 * status the program documents for it. Nothing below cli/ prints or exits. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Exit statuses of the program, also the kinds of error. */
enum status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,    /* anything not named below */
    STATUS_USAGE = 2,     /* options and names on the command line */
    STATUS_BAD_INPUT = 3, /* files, and what is wrong with a launch */
    STATUS_LIMIT = 4,     /* a limit was hit, results are partial */
    STATUS_GATE = 5,      /* an accuracy gate asked for was missed */
    STATUS_STOPPED = 6    /* work was given up (base/stop.h): no exit status */
};

struct error {
    enum status status;
    char text[512]; /* one line, no newline: "file:line:col: found, expected" */
};

/* Fill e (may be NULL) from a printf format and return false, so that a caller
 * can write `return error_set(e, STATUS_BAD_INPUT, "%s:%d: ...", f, line);`. */
bool error_set(struct error *e, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* error_set for an allocation that failed: "out of memory", STATUS_FAILED. */
bool error_no_memory(struct error *e);

/* The one of `count` names nearest to `name` (edit distance, of equal ones that
 * which begins with more of it), or NULL when none is near enough to be a
 * likely slip (distance at most 1 + length / 3). `get` returns name i of
 * `table`. */
const char *nearest_name(const char *name, const void *table, size_t count,
                         const char *(*get)(const void *table, size_t i));

#endif
