/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A kernel file's text and the cursor its parsers read it with. Everything
 * parsed is a pointer into that one text, so that an error can name the line
 * and column it stands at. */
#ifndef KERNELS_FILE_SOURCE_TEXT_H
#define KERNELS_FILE_SOURCE_TEXT_H

#include "base/error.h"

#include <stdint.h>

struct source_text {
    const char *path; /* as errors name it */
    const char *text; /* NUL-terminated */
};

/* A piece of the text that is being read, usually one line. */
struct cursor {
    const struct source_text *source;
    const char *at, *end;
    struct error *error;
};

/* A name or number in the text. */
struct word {
    const char *at;
    int length; /* 0: none */
};

/* How much of a word an error message repeats. */
#define WORD_SHOWN 40

int source_line(const struct source_text *source, const char *at);

/* Report "path:line:column: ..." for the place `at` and return false. */
bool source_fail(const struct source_text *source, const char *at,
                 struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Report what stands at the cursor and what was expected; return false. */
bool cursor_expected(const struct cursor *c, const char *expected);

void cursor_skip_space(struct cursor *c);
/* After blanks: whether the cursor's piece is used up. */
bool cursor_at_end(struct cursor *c);
/* Skip blanks, then take `token` when it is next. */
bool cursor_take(struct cursor *c, const char *token);
/* Skip blanks, then take [A-Za-z_][A-Za-z0-9_]*. */
bool cursor_take_name(struct cursor *c, struct word *out);
/* Skip blanks, then take a decimal or 0x number that fits int64_t. False with
 * the error set when there is none or it does not fit. */
bool cursor_take_integer(struct cursor *c, int64_t *out);
/* Likewise for a decimal number with optional fraction and exponent. */
bool cursor_take_real(struct cursor *c, double *out);

bool word_is(const struct word *w, const char *text);
int word_shown(const struct word *w); /* length cut to WORD_SHOWN */

/* The likely intended name for w out of a table (see nearest_name) as
 * " (did you mean x?)" in out, or "" when none is near. */
void word_suggestion(char *out, size_t size, const struct word *w,
                     const void *table, size_t count,
                     const char *(*get)(const void *table, size_t i));

#endif
