/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/file/config_text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct scanner {
    const struct source_text *source;
    struct error *e;
    const char *at;
    int depth;         /* of brackets */
    bool program_next; /* the next string is a program */
    struct program_texts *out;
};

/* Brackets around a program: none, or those of `kernels` and of one in it. */
#define KERNEL_DEPTH 2

static void skip_line(struct scanner *s)
{
    s->at += strcspn(s->at, "\n");
}

static bool skip_comment(struct scanner *s)
{
    if (*s->at == '#' || (s->at[0] == '/' && s->at[1] == '/')) {
        skip_line(s);
        return true;
    }
    if (s->at[0] != '/' || s->at[1] != '*')
        return false;
    const char *end = strstr(s->at + 2, "*/");
    s->at = end != NULL ? end + 2 : s->at + strlen(s->at);
    return true;
}

static bool keep_program(struct scanner *s, struct word w)
{
    struct program_texts *p = s->out;
    struct word *grown = realloc(p->text, (p->count + 1) * sizeof(*grown));
    if (grown == NULL)
        return error_no_memory(s->e);
    p->text = grown;
    p->text[p->count++] = w;
    return true;
}

static bool take_string(struct scanner *s)
{
    const char *start = ++s->at;
    while (*s->at != '\0' && *s->at != '"')
        s->at += s->at[0] == '\\' && s->at[1] != '\0' ? 2 : 1;
    struct word inside = {start, (int)(s->at - start)};
    if (s->program_next && !keep_program(s, inside))
        return false;
    s->program_next = false;
    if (*s->at == '\0')
        return source_fail(s->source, start - 1, s->e,
                           "found a string without end, expected '\"'");
    s->at++;
    return true;
}

static void take_name(struct scanner *s)
{
    const char *start = s->at;
    while (isalnum((unsigned char)*s->at) || strchr("_-*", *s->at) != NULL) {
        if (*s->at == '\0')
            break;
        s->at++;
    }
    struct word w = {start, (int)(s->at - start)};
    s->program_next =
        (s->depth == 0 || s->depth == KERNEL_DEPTH) && word_is(&w, "program");
}

/* libconfig keeps whole numbers in 32 bits unless an L stands behind them. */
static bool take_number(struct scanner *s)
{
    const char *start = s->at;
    s->at += strcspn(s->at, " \t\r\n,;)]}#/=:\"");
    struct word w = {start, (int)(s->at - start)};
    bool hex = w.length > 2 && (start[1] | 32) == 'x';
    if (!hex && strcspn(start, ".eE") < (size_t)w.length)
        return true;
    bool wide = memchr(start, 'L', (size_t)w.length) != NULL;
    uint64_t limit = wide ? INT64_MAX : INT32_MAX, value = 0;
    uint64_t radix = hex ? 16 : 10;
    for (const char *c = start + (hex ? 2 : 0); c < s->at; c++) {
        if (!isxdigit((unsigned char)*c))
            break;
        unsigned digit = isdigit((unsigned char)*c)
                             ? (unsigned)(*c - '0')
                             : (unsigned)((*c | 32) - 'a' + 10);
        if (digit >= radix || value > (limit - digit) / radix)
            return source_fail(
                s->source, start, s->e,
                "found %.*s, expected a number up to %s", word_shown(&w), start,
                wide ? "2^63 - 1" : "2^31 - 1, or an L behind it");
        value = value * radix + digit;
    }
    return true;
}

static bool take_other(struct scanner *s)
{
    static const char include[] = "@include";
    if (strncmp(s->at, include, sizeof(include) - 1) == 0)
        return source_fail(s->source, s->at, s->e,
                           "found '@include', expected a file that stands on "
                           "its own");
    s->depth += strchr("{([", *s->at) != NULL;
    s->depth -= strchr("})]", *s->at) != NULL;
    s->at++;
    return true;
}

bool config_text_scan(const struct source_text *source,
                      struct program_texts *out, struct error *e)
{
    struct scanner s = {
        .source = source, .e = e, .at = source->text, .out = out};
    *out = (struct program_texts){0};
    while (*s.at != '\0') {
        if (skip_comment(&s))
            continue;
        if (*s.at == '"') {
            if (!take_string(&s))
                return false;
        } else if (isalpha((unsigned char)*s.at)) {
            take_name(&s);
        } else if (isdigit((unsigned char)*s.at)) {
            if (!take_number(&s))
                return false;
        } else if (!take_other(&s)) {
            return false;
        }
    }
    return true;
}
