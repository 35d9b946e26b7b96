/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * PTX text as tokens (PTX ISA 9.0, section 4). Comments and white space are
 * skipped. Tokens point into the text, which must outlive them. */
#ifndef KERNELS_PTX_PARSE_LEXER_H
#define KERNELS_PTX_PARSE_LEXER_H

#include "base/error.h"

#include <stdint.h>

enum ptx_token_kind {
    TOKEN_END,
    TOKEN_NAME,    /* add, %r1, $L__BB0_1, _ */
    TOKEN_DOT,     /* .global; text is without the dot */
    TOKEN_INTEGER, /* bits */
    TOKEN_FLOAT,   /* bits of a double */
    TOKEN_SINGLE,  /* the same, written 0f with the 32 bits of a float */
    TOKEN_STRING,  /* text is without the quotes */
    TOKEN_SIGN     /* text[0] is the character */
};

struct ptx_token {
    enum ptx_token_kind kind;
    const char *text;
    uint32_t length, line, column;
    uint64_t bits;
};

struct ptx_lexer {
    const char *path;
    const char *at, *end, *line_start;
    uint32_t line;
    struct ptx_token token; /* the current one */
    struct error *e;
};

/* Start at the first token. */
bool ptx_lexer_open(struct ptx_lexer *l, const char *text, size_t size,
                    const char *path, struct error *e);

/* Go on to the next token. False with the error set when there is none that is
 * PTX; at the end of the text it stays TOKEN_END. */
bool ptx_lexer_next(struct ptx_lexer *l);

/* Skip what is left of the current token's line. */
bool ptx_lexer_skip_line(struct ptx_lexer *l);

bool ptx_token_is(const struct ptx_token *t, enum ptx_token_kind kind,
                  const char *text);
bool ptx_token_sign(const struct ptx_token *t, char sign);

/* "path:line:column: found 'x', expected .." for a token; returns false. */
bool ptx_expected(const struct ptx_lexer *l, const struct ptx_token *t,
                  const char *expected);

#endif
