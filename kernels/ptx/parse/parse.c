/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module: its head, and what stands outside functions. */
#include "kernels/ptx/parse/parse.h"
#include "kernels/ptx/parse/reach.h"

#include <ctype.h>
#include <stdio.h>

/* ---- the head ----------------------------------------------------------- */

/* .version 8.5: the number is one token with a dot in it. */
static bool parse_version(struct parser *p)
{
    struct ptx_token t;
    if (!parse_at_dot(p, "version"))
        return ptx_expected(&p->lexer, &p->lexer.token, ".version");
    if (!parse_next(p))
        return false;
    t = p->lexer.token;
    unsigned major, minor;
    if (t.kind != TOKEN_FLOAT || sscanf(t.text, "%u.%u", &major, &minor) != 2 ||
        major > 99 || minor > 9)
        return ptx_expected(&p->lexer, &t, "a version like 8.5");
    p->out->version = 10 * major + minor;
    return parse_next(p);
}

/* sm_75, sm_90a: two or three digits, then what is the architecture's own or
 * its family's; 0 when it is none. */
static uint32_t target_number(const struct ptx_token *t)
{
    uint32_t at = 3, number = 0;
    for (; at < t->length && isdigit((unsigned char)t->text[at]); at++)
        number =
            number > 99 ? 1000 : 10 * number + (uint32_t)(t->text[at] - '0');
    bool own = at < t->length && (t->text[at] == 'a' || t->text[at] == 'f');
    bool known = number >= 10 && number < 1000 && at + own == t->length;
    return known ? number : 0;
}

/* .target sm_75, texmode_independent, debug */
static bool parse_target(struct parser *p)
{
    struct ptx_token t;
    do {
        if (!parse_next(p) || !parse_name(p, &t))
            return false;
        if (t.length < 3 || memcmp(t.text, "sm_", 3) != 0)
            continue;
        p->out->target = target_number(&t);
        if (p->out->target == 0)
            return ptx_expected(&p->lexer, &t, "a .target like sm_75");
        snprintf(p->out->target_name, sizeof(p->out->target_name), "%.*s",
                 (int)t.length, t.text);
    } while (parse_at_sign(p, ','));
    return true;
}

static bool parse_address_size(struct parser *p)
{
    uint64_t bits;
    const struct ptx_token at = p->lexer.token;
    if (!parse_next(p) || !parse_whole(p, 64, &bits))
        return false;
    return bits == 64 || ptx_expected(&p->lexer, &at,
                                      "64 behind it: addresses of 32 bits "
                                      "are not supported");
}

/* ---- directives --------------------------------------------------------- */

/* .section .debug_str { .. } */
static bool parse_section(struct parser *p)
{
    while (!parse_at_sign(p, '{')) {
        if (p->lexer.token.kind == TOKEN_END)
            return parse_sign(p, '{');
        if (!parse_next(p))
            return false;
    }
    return parse_skip_braces(p);
}

static bool parse_linking(struct parser *p, bool *is_external)
{
    for (*is_external = false;;) {
        if (parse_at_dot(p, "extern"))
            *is_external = true;
        else if (!parse_at_dot(p, "visible") && !parse_at_dot(p, "weak") &&
                 !parse_at_dot(p, "common"))
            return true;
        if (!parse_next(p))
            return false;
    }
}

static bool parse_global(struct parser *p)
{
    bool is_external;
    uint8_t space;
    if (parse_at_dot(p, "file"))
        return ptx_lexer_skip_line(&p->lexer);
    if (parse_at_dot(p, "section"))
        return parse_section(p);
    if (parse_at_dot(p, "pragma") || parse_at_dot(p, "alias"))
        return parse_skip_past(p, ';');
    if (parse_at_dot(p, "target"))
        return parse_target(p);
    if (parse_at_dot(p, "address_size"))
        return parse_address_size(p);
    if (!parse_linking(p, &is_external))
        return false;
    if (parse_at_dot(p, "entry") || parse_at_dot(p, "func")) {
        bool is_entry = parse_at_dot(p, "entry");
        return parse_next(p) &&
               (parse_at_dot(p, "attribute") ? parse_skip_past(p, ')')
                                             : true) &&
               parse_function(p, is_entry);
    }
    if (parse_is_space(p, &space))
        return parse_variables(p, is_external);
    return ptx_expected(&p->lexer, &p->lexer.token,
                        "a function, a variable or a directive");
}

/* Some entry reaches only what is supported; else the error of the first that
 * does not, or of the first function where there is no entry. */
static bool any_entry_left(const struct parser *p)
{
    const struct ptx_module *m = p->out;
    const char *error = NULL;
    for (uint32_t i = 0; i < m->functions; i++) {
        uint32_t missing = i;
        if (m->function[i].is_entry && m->function[i].has_body &&
            !ptx_find_missing(m, i, &missing))
            return parse_no_memory(p);
        if (missing == PTX_NONE)
            return true;
        if (error == NULL)
            error = m->function[missing].missing;
    }
    return error_set(p->lexer.e, STATUS_BAD_INPUT, "%s", error);
}

static bool parse_module(struct parser *p)
{
    if (!parse_version(p))
        return false;
    if (!parse_at_dot(p, "target"))
        return ptx_expected(&p->lexer, &p->lexer.token, ".target");
    while (p->lexer.token.kind != TOKEN_END)
        if (!parse_global(p))
            return false;
    return p->unknowns == 0 || any_entry_left(p);
}

bool ptx_parse(struct ptx_module *out, const char *text, size_t size,
               const char *path, struct error *e)
{
    struct parser p = {.out = out, .function = PTX_NONE};
    struct ptx_token name = {.text = path, .length = (uint32_t)strlen(path)};
    *out = (struct ptx_module){0};
    bool ok = (ptx_names_open(&p.names) || error_no_memory(e)) &&
              ptx_lexer_open(&p.lexer, text, size, path, e) &&
              parse_copy_name(&p, &name, &out->path) && parse_module(&p);
    ptx_names_close(&p.names);
    free(p.use);
    if (!ok)
        ptx_module_free(out);
    return ok;
}
