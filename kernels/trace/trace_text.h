/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a trace, line by line, from a plain or an xz-compressed file,
 * through one buffer whatever the file's size. */
#ifndef KERNELS_TRACE_TRACE_TEXT_H
#define KERNELS_TRACE_TRACE_TEXT_H

#include "base/error.h"

#include <stdint.h>

/* A piece of a line: [at, end). */
struct span {
    const char *at, *end;
};

struct trace_text {
    const char *path;
    uint64_t line; /* number of the line read last, the first is 1 */
    /* the rest is the reader's own */
    int fd;
    struct trace_xz *xz; /* NULL: the file is plain text */
    char *buffer;
    size_t at, fill;
    bool ended;
    uint64_t hash, hash_rest;
    unsigned hash_rest_bytes;
};

enum trace_line { TRACE_LINE, TRACE_END, TRACE_ERROR };

bool trace_text_open(struct trace_text *t, const char *path, struct error *e);
void trace_text_close(struct trace_text *t);

/* The next line without its end and trailing blanks; valid until the next
 * call. */
enum trace_line trace_text_line(struct trace_text *t, struct span *out,
                                struct error *e);

/* A hash of all text read, the same for a file and its compressed form. */
uint64_t trace_text_hash(const struct trace_text *t);

/* One step of that hash. */
uint64_t trace_hash_add(uint64_t hash, uint64_t word);

/* Report "path:line: ..." at the line read last and return false. */
bool trace_fail(const struct trace_text *t, struct error *e, const char *format,
                ...) __attribute__((format(printf, 3, 4)));
/* Likewise at another line. */
bool trace_fail_at(const struct trace_text *t, uint64_t line, struct error *e,
                   const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* A printable beginning of a piece of text, for messages. */
#define SHOWN_SIZE 44
const char *trace_show(char out[SHOWN_SIZE], struct span text);

/* ---- scanning a line: fields are separated by blanks -------------------- */

/* Each takes the next field off s. False, with s at the field, when it is
 * missing, is not of that form or does not fit. */
bool span_hex(struct span *s, uint64_t *out); /* with or without 0x */
/* Likewise one that is mostly like the field before, *f (all zero: none), but
 * for the last digits; *f becomes it. */
struct hex_field {
    uint64_t value;
    const char *at;
    int length;
};
bool span_hex_like(struct span *s, struct hex_field *f);
bool span_decimal(struct span *s, int64_t *out);
bool span_word(struct span *s, struct span *out);

static inline bool span_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Skip blanks; whether nothing is left. */
static inline bool span_empty(struct span *s)
{
    while (s->at < s->end && span_blank(*s->at))
        s->at++;
    return s->at == s->end;
}

bool span_starts(struct span s, const char *text);

#endif
