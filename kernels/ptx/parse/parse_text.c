/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/parse/parse.h"

#include <stdio.h>

bool parse_no_memory(const struct parser *p)
{
    return error_no_memory(p->lexer.e);
}

bool parse_next(struct parser *p)
{
    return ptx_lexer_next(&p->lexer);
}

bool parse_at_sign(const struct parser *p, char sign)
{
    return ptx_token_sign(&p->lexer.token, sign);
}

bool parse_at_dot(const struct parser *p, const char *word)
{
    return ptx_token_is(&p->lexer.token, TOKEN_DOT, word);
}

bool parse_sign(struct parser *p, char sign)
{
    const char expected[] = {'\'', sign, '\'', '\0'};
    if (!parse_at_sign(p, sign))
        return ptx_expected(&p->lexer, &p->lexer.token, expected);
    return parse_next(p);
}

bool parse_name(struct parser *p, struct ptx_token *out)
{
    *out = p->lexer.token;
    if (out->kind != TOKEN_NAME)
        return ptx_expected(&p->lexer, out, "a name");
    return parse_next(p);
}

bool parse_whole(struct parser *p, uint64_t max, uint64_t *out)
{
    const struct ptx_token *t = &p->lexer.token;
    char expected[64];
    snprintf(expected, sizeof(expected), "a whole number up to %llu",
             (unsigned long long)max);
    if (t->kind != TOKEN_INTEGER || t->bits > max)
        return ptx_expected(&p->lexer, t, expected);
    *out = t->bits;
    return parse_next(p);
}

bool parse_skip_past(struct parser *p, char sign)
{
    while (!parse_at_sign(p, sign)) {
        if (p->lexer.token.kind == TOKEN_END)
            return parse_sign(p, sign);
        if (!parse_next(p))
            return false;
    }
    return parse_next(p);
}

bool parse_skip_braces(struct parser *p)
{
    size_t depth = 0;
    if (!parse_at_sign(p, '{'))
        return parse_sign(p, '{');
    do {
        if (parse_at_sign(p, '{'))
            depth++;
        if (parse_at_sign(p, '}'))
            depth--;
        if (p->lexer.token.kind == TOKEN_END)
            return parse_sign(p, '}');
        if (!parse_next(p))
            return false;
    } while (depth > 0);
    return true;
}

bool parse_declare(struct parser *p, const struct ptx_token *name,
                   enum name_kind kind, uint32_t index, uint32_t count)
{
    const struct ptx_name entry = {name->text, name->length, p->scope,
                                   kind,       index,        count};
    if (ptx_name_in(&p->names, p->scope, name->text, name->length) != NULL)
        return ptx_expected(&p->lexer, name, "a name not declared before");
    return ptx_name_add(&p->names, &entry) || parse_no_memory(p);
}

bool parse_copy_name(const struct parser *p, const struct ptx_token *name,
                     char **out)
{
    *out = calloc(name->length + (size_t)1, 1);
    if (*out == NULL)
        return parse_no_memory(p);
    memcpy(*out, name->text, name->length);
    return true;
}
