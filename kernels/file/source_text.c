/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/source_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 64 /* characters of a number */

int source_line(const struct source_text *source, const char *at)
{
    int line = 1;
    for (const char *c = source->text; c < at; c++)
        line += *c == '\n';
    return line;
}

bool source_fail(const struct source_text *source, const char *at,
                 struct error *e, const char *format, ...)
{
    char message[sizeof(e->text)];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof(message), format, args);
    va_end(args);
    const char *start = at;
    while (start > source->text && start[-1] != '\n')
        start--;
    return error_set(e, STATUS_BAD_INPUT, "%s:%d:%d: %s", source->path,
                     source_line(source, at), (int)(at - start) + 1, message);
}

bool cursor_expected(const struct cursor *c, const char *expected)
{
    struct cursor found = *c;
    cursor_skip_space(&found);
    if (found.at == found.end)
        return source_fail(c->source, found.at, c->error,
                           "line ends here, expected %s", expected);
    const char *end = found.at + 1;
    while (*found.at != ',' && end < c->end && *end != ',' &&
           !isspace((unsigned char)*end))
        end++;
    struct word w = {found.at, (int)(end - found.at)};
    return source_fail(c->source, w.at, c->error, "found '%.*s', expected %s",
                       word_shown(&w), w.at, expected);
}

void cursor_skip_space(struct cursor *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

bool cursor_at_end(struct cursor *c)
{
    cursor_skip_space(c);
    return c->at == c->end;
}

bool cursor_take(struct cursor *c, const char *token)
{
    cursor_skip_space(c);
    size_t length = strlen(token);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0)
        return false;
    c->at += length;
    return true;
}

static bool name_character(char c, bool first)
{
    return isalpha((unsigned char)c) || c == '_' ||
           (!first && isdigit((unsigned char)c));
}

bool cursor_take_name(struct cursor *c, struct word *out)
{
    cursor_skip_space(c);
    const char *p = c->at;
    while (p < c->end && name_character(*p, p == c->at))
        p++;
    *out = (struct word){c->at, (int)(p - c->at)};
    c->at = p;
    return out->length > 0;
}

/* Copy the number at the cursor, for strtoll and strtod: digits, letters and
 * dots, a sign only behind an exponent's e. */
static size_t copy_number(struct cursor *c, char *out)
{
    cursor_skip_space(c);
    size_t n = 0;
    bool hex = false;
    if (c->at == c->end || !(isdigit((unsigned char)*c->at) || *c->at == '.'))
        return 0;
    for (const char *p = c->at; p < c->end && n < NUMBER_MAX - 1; p++) {
        bool sign = (*p == '-' || *p == '+') && n > 0 && !hex &&
                    (p[-1] == 'e' || p[-1] == 'E');
        if (!isalnum((unsigned char)*p) && *p != '.' && !sign)
            break;
        hex = hex || (n == 1 && (*p == 'x' || *p == 'X'));
        out[n++] = *p;
    }
    out[n] = '\0';
    return n;
}

bool cursor_take_integer(struct cursor *c, int64_t *out)
{
    char text[NUMBER_MAX], *end;
    size_t n = copy_number(c, text);
    if (n == 0)
        return cursor_expected(c, "a whole number");
    errno = 0;
    bool hex =
        n > 2 && text[0] == '0' && tolower((unsigned char)text[1]) == 'x';
    long long value = strtoll(text, &end, hex ? 16 : 10);
    if (*end != '\0')
        return cursor_expected(c, "a whole number");
    if (errno == ERANGE)
        return cursor_expected(c, "a number below 2^63");
    *out = value;
    c->at += n;
    return true;
}

bool cursor_take_real(struct cursor *c, double *out)
{
    char text[NUMBER_MAX], *end;
    size_t n = copy_number(c, text);
    if (n == 0)
        return cursor_expected(c, "a number");
    *out = strtod(text, &end);
    if (*end != '\0')
        return cursor_expected(c, "a number");
    c->at += n;
    return true;
}

bool word_is(const struct word *w, const char *text)
{
    return strlen(text) == (size_t)w->length &&
           memcmp(w->at, text, (size_t)w->length) == 0;
}

int word_shown(const struct word *w)
{
    return w->length < WORD_SHOWN ? w->length : WORD_SHOWN;
}

void word_suggestion(char *out, size_t size, const struct word *w,
                     const void *table, size_t count,
                     const char *(*get)(const void *table, size_t i))
{
    char name[WORD_SHOWN + 1];
    out[0] = '\0';
    if (w->length > WORD_SHOWN)
        return;
    snprintf(name, sizeof(name), "%.*s", w->length, w->at);
    const char *near = nearest_name(name, table, count, get);
    if (near != NULL)
        snprintf(out, size, " (did you mean '%s'?)", near);
}
