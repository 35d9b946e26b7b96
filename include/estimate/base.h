/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds for the whole library.
 *
 * Errors. A function that can fail returns NULL or false and fills *e, which
 * may be NULL. What it was to make is then not made, what it was to change is
 * as before. Memory that runs out is such an error too; nothing ends the
 * process, prints, or leaves a signal or locale changed.
 *
 * Ownership. Handles are opaque; each *_load, *_create, *_copy and *_open has
 * its *_free or *_close, which take NULL. Strings and structs that functions
 * return as const pointers belong to the handle they were asked of and live as
 * long as it does. What is handed in as text or as a struct is copied, unless
 * said otherwise.
 *
 * Growth. A struct that the caller fills begins with `size` and has a function
 * *_init(&s, sizeof(s)) that sets it and every default. Fields are only ever
 * added at the end, so a program built with an older header gets the defaults
 * of what it does not know. Structs that the library returns by pointer grow at
 * the end as well: do not copy or index them.
 *
 * Threads. Any number of threads may use the library at once. A handle may be
 * read by many threads as long as none changes it: functions that take it as
 * const only read it.
 *
 * Units are in the names of fields or beside them: cycles are core cycles,
 * shares go from 0 to 1, NAN stands for what is not known. */
#ifndef ESTIMATE_BASE_H
#define ESTIMATE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ESTIMATE_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* The program's exit statuses, which are also the kinds of error. */
enum estimate_status {
    ESTIMATE_OK = 0,
    ESTIMATE_FAILED = 1,    /* anything not named below, memory among it */
    ESTIMATE_USAGE = 2,     /* names, options, values out of range */
    ESTIMATE_BAD_INPUT = 3, /* files, and what is wrong with a launch */
    ESTIMATE_LIMIT = 4,     /* a limit was hit */
    ESTIMATE_GATE = 5,      /* an accuracy asked for was missed */
    ESTIMATE_STOPPED = 6    /* given up because of cancel or a deadline */
};

struct estimate_error {
    int status;     /* enum estimate_status */
    char text[512]; /* one line, "file:line:col: found, expected" */
};

/* "0.1.0"; and the revision the library was built from, NULL when unknown. */
ESTIMATE_API const char *estimate_version(void);
ESTIMATE_API const char *estimate_revision(void);

/* Seconds on the monotonic clock that deadlines are told on. */
ESTIMATE_API double estimate_clock(void);

/* The one of `count` names that is likely meant by a mistyped `name`, NULL when
 * none is near enough (edit distance at most 1 + length / 3). */
ESTIMATE_API const char *
estimate_nearest(const char *name, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif

#endif
