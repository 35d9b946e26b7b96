/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/lexer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX  40
#define NUMBER_MAX 64

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static void describe(const struct ptx_token *t, char out[SHOWN_MAX + 8])
{
    int length = t->length < SHOWN_MAX ? (int)t->length : SHOWN_MAX;
    const char *dot = t->kind == TOKEN_DOT ? "." : "";
    if (t->kind == TOKEN_END)
        strcpy(out, "the end of the file");
    else
        snprintf(out, SHOWN_MAX + 8, "'%s%.*s'", dot, length, t->text);
}

bool ptx_expected(const struct ptx_lexer *l, const struct ptx_token *t,
                  const char *expected)
{
    char found[SHOWN_MAX + 8];
    describe(t, found);
    return error_set(l->e, STATUS_BAD_INPUT, "%s:%u:%u: found %s, expected %s",
                     l->path, t->line, t->column, found, expected);
}

bool ptx_token_is(const struct ptx_token *t, enum ptx_token_kind kind,
                  const char *text)
{
    return t->kind == kind && strlen(text) == t->length &&
           memcmp(t->text, text, t->length) == 0;
}

bool ptx_token_sign(const struct ptx_token *t, char sign)
{
    return t->kind == TOKEN_SIGN && t->text[0] == sign;
}

static uint32_t column_of(const struct ptx_lexer *l, const char *at)
{
    return (uint32_t)(at - l->line_start) + 1;
}

static bool fail_here(const struct ptx_lexer *l, const char *message)
{
    return error_set(l->e, STATUS_BAD_INPUT, "%s:%u:%u: %s", l->path, l->line,
                     column_of(l, l->at), message);
}

static void skip_to_line_end(struct ptx_lexer *l)
{
    while (l->at < l->end && *l->at != '\n')
        l->at++;
}

static bool skip_comment(struct ptx_lexer *l)
{
    const char *close = l->at + 2;
    while (close + 1 < l->end && (close[0] != '*' || close[1] != '/'))
        close++;
    if (close + 1 >= l->end)
        return fail_here(l, "found a comment without an end, expected */");
    for (; l->at < close + 2; l->at++)
        if (*l->at == '\n') {
            l->line++;
            l->line_start = l->at + 1;
        }
    return true;
}

static bool skip_space(struct ptx_lexer *l)
{
    while (l->at < l->end) {
        if (*l->at == '\n') {
            l->line++;
            l->line_start = l->at + 1;
        }
        if (isspace((unsigned char)*l->at)) {
            l->at++;
        } else if (l->at[0] == '/' && l->at[1] == '/') {
            skip_to_line_end(l);
        } else if (l->at[0] == '/' && l->at[1] == '*') {
            if (!skip_comment(l))
                return false;
        } else {
            return true;
        }
    }
    return true;
}

/* ---- numbers ------------------------------------------------------------ */

/* 0f and 8, 0d and 16 hexadecimal digits (section 4.5.2). */
static bool read_exact_float(struct ptx_token *t, const char *text)
{
    bool single = text[1] == 'f' || text[1] == 'F';
    size_t digits = single ? 8 : 16;
    if (t->length != digits + 2 ||
        strspn(text + 2, "0123456789abcdefABCDEF") != digits)
        return false;
    uint64_t bits = strtoull(text + 2, NULL, 16);
    t->kind = single ? TOKEN_SINGLE : TOKEN_FLOAT;
    t->bits = bits;
    return true;
}

static bool read_decimal_float(struct ptx_token *t, const char *text)
{
    char *end;
    double value = strtod(text, &end);
    t->kind = TOKEN_FLOAT;
    memcpy(&t->bits, &value, sizeof(t->bits));
    return *end == '\0';
}

static bool read_integer(struct ptx_token *t, const char *text)
{
    char *end;
    int base = 10;
    const char *digits = text;
    if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        base = 2;
        digits = text + 2;
    } else if (text[0] == '0') {
        base = 0;
    }
    errno = 0;
    t->kind = TOKEN_INTEGER;
    t->bits = strtoull(digits, &end, base);
    if (*end == 'U' && end != digits)
        end++;
    return *end == '\0' && end != digits && errno == 0;
}

/* The characters of a number: digits, letters, one dot, and a sign behind the
 * e of a decimal fraction. */
static size_t number_length(const char *text)
{
    bool hex = text[0] == '0' && text[1] != '\0' &&
               strchr("xXfFdDbB", text[1]) != NULL;
    size_t n = 0;
    while (is_name(text[n]) || (!hex && text[n] == '.') ||
           (!hex && n > 0 && strchr("+-", text[n]) != NULL && text[n] != '\0' &&
            strchr("eE", text[n - 1]) != NULL))
        n++;
    return n;
}

/* .5 and .5e2, which no word behind a dot is, as .2d. */
static bool is_fraction(const char *text)
{
    size_t n = 1;
    if (text[0] != '.' || !isdigit((unsigned char)text[1]))
        return false;
    while (isdigit((unsigned char)text[n]))
        n++;
    return !is_name(text[n]) || ((text[n] == 'e' || text[n] == 'E') &&
                                 (isdigit((unsigned char)text[n + 1]) ||
                                  text[n + 1] == '-' || text[n + 1] == '+'));
}

static bool read_number(struct ptx_lexer *l)
{
    struct ptx_token *t = &l->token;
    char text[NUMBER_MAX];
    size_t length = number_length(t->text);
    t->kind = TOKEN_INTEGER;
    t->length = (uint32_t)length;
    l->at += length;
    if (length >= sizeof(text))
        return ptx_expected(l, t, "a number");
    memcpy(text, t->text, length);
    text[length] = '\0';
    bool ok;
    if (text[0] == '0' && text[1] != '\0' && strchr("fFdD", text[1]) != NULL)
        ok = read_exact_float(t, text);
    else if (strchr(text, '.') != NULL ||
             (strncmp(text, "0x", 2) != 0 && strncmp(text, "0X", 2) != 0 &&
              strpbrk(text, "eE") != NULL))
        ok = read_decimal_float(t, text);
    else
        ok = read_integer(t, text);
    return ok || ptx_expected(l, t, "a number");
}

/* ---- other tokens ------------------------------------------------------- */

static bool read_string(struct ptx_lexer *l)
{
    const char *close = l->at + 1;
    while (close < l->end && *close != '"' && *close != '\n')
        close++;
    if (close == l->end || *close != '"')
        return fail_here(l, "found a string without an end, expected \"");
    l->token.kind = TOKEN_STRING;
    l->token.text = l->at + 1;
    l->token.length = (uint32_t)(close - l->at) - 1;
    l->at = close + 1;
    return true;
}

static void read_name(struct ptx_lexer *l)
{
    const char *start = l->at++;
    while (is_name(*l->at))
        l->at++;
    l->token.kind = TOKEN_NAME;
    l->token.length = (uint32_t)(l->at - start);
}

/* A word behind a dot; "L1::no_allocate" is one. */
static void read_dot(struct ptx_lexer *l)
{
    const char *start = ++l->at;
    while (is_name(*l->at) ||
           (l->at[0] == ':' && l->at[1] == ':' && is_name(l->at[2])) ||
           (l->at[0] == ':' && l->at[-1] == ':'))
        l->at++;
    l->token.kind = TOKEN_DOT;
    l->token.text = start;
    l->token.length = (uint32_t)(l->at - start);
}

static bool read_token(struct ptx_lexer *l)
{
    char c = *l->at;
    l->token.text = l->at;
    l->token.length = 1;
    if (isdigit((unsigned char)c) || is_fraction(l->at))
        return read_number(l);
    if (c == '"')
        return read_string(l);
    if (is_name_start(c) && (c != '%' || is_name(l->at[1]))) {
        read_name(l);
        return true;
    }
    if (c == '.' && is_name(l->at[1])) {
        read_dot(l);
        return true;
    }
    l->token.kind = TOKEN_SIGN;
    if (strchr("{}()[]<>,;:+-=!|@*&^~?/%", c) == NULL || c == '\0')
        return fail_here(l, isprint((unsigned char)c)
                                ? "found a character that is not PTX"
                                : "found binary data, expected PTX text");
    l->at++;
    return true;
}

bool ptx_lexer_next(struct ptx_lexer *l)
{
    if (!skip_space(l))
        return false;
    l->token.line = l->line;
    l->token.column = column_of(l, l->at);
    l->token.kind = TOKEN_END;
    l->token.length = 0;
    return l->at >= l->end || read_token(l);
}

bool ptx_lexer_skip_line(struct ptx_lexer *l)
{
    if (l->token.line == l->line)
        skip_to_line_end(l);
    return ptx_lexer_next(l);
}

bool ptx_lexer_open(struct ptx_lexer *l, const char *text, size_t size,
                    const char *path, struct error *e)
{
    *l = (struct ptx_lexer){.path = path,
                            .at = text,
                            .end = text + size,
                            .line_start = text,
                            .line = 1,
                            .e = e};
    return ptx_lexer_next(l);
}
