/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands as written (PTX ISA 9.0, section 6): which are allowed where is
 * checked later, against the instruction's form. */
#include "kernels/ptx/forms/special.h"
#include "kernels/ptx/parse/parse.h"

#include <ctype.h>

/* ---- names -------------------------------------------------------------- */

static uint32_t parts_of(const struct parser *p, uint32_t reg)
{
    return p->out->function[p->function].reg[reg].parts;
}

/* %r12 of a declaration %r<20>. */
static const struct ptx_name *
numbered(const struct parser *p, const struct ptx_token *t, uint32_t *index)
{
    uint32_t digits = 0;
    uint64_t n = 0;
    while (digits < t->length - 1 &&
           isdigit((unsigned char)t->text[t->length - 1 - digits]))
        digits++;
    for (; digits > 0; digits--) {
        uint32_t stem = t->length - digits;
        const struct ptx_name *name =
            ptx_name_find(&p->names, p->scope, t->text, stem);
        if (name == NULL || name->count == 0 || digits > 7 ||
            (t->text[stem] == '0' && digits > 1))
            continue;
        for (n = 0; stem < t->length; stem++)
            n = 10 * n + (uint64_t)(t->text[stem] - '0');
        if (n >= name->count)
            return NULL;
        *index = name->index + (uint32_t)n * parts_of(p, name->index);
        return name;
    }
    return NULL;
}

static const struct ptx_name *
find_name(const struct parser *p, const struct ptx_token *t, uint32_t *index)
{
    const struct ptx_name *name =
        ptx_name_find(&p->names, p->scope, t->text, t->length);
    if (name == NULL || name->count > 0)
        return numbered(p, t, index);
    *index = name->index;
    return name;
}

/* %tid.x; an unknown one is not taken for anything. */
static bool take_special(struct parser *p, const struct ptx_token *name,
                         struct ptx_operand *out)
{
    struct ptx_token part = p->lexer.token;
    bool has_part = part.kind == TOKEN_DOT;
    enum ptx_special s = ptx_special_named(name->text, name->length, part.text,
                                           has_part ? part.length : 0);
    if (s == SPECIALS)
        return ptx_expected(&p->lexer, name,
                            "a declared register or a special one");
    out->kind = OPERAND_SPECIAL;
    out->index = s;
    return !has_part || parse_next(p);
}

bool parse_use_label(struct parser *p, const struct ptx_token *name,
                     uint32_t *out)
{
    const struct label_use use = {*name, p->scope};
    if (!array_room(&p->use, p->uses, 1))
        return parse_no_memory(p);
    *out = (uint32_t)p->uses;
    p->use[p->uses++] = use;
    return true;
}

/* Behind the name of a vector: .x of it, or all of its parts. */
static bool take_part(struct parser *p, struct ptx_operand *out)
{
    static const char *const names[] = {"x", "r", "y", "g", "z", "b", "w", "a"};
    struct ptx_module *m = p->out;
    uint32_t parts = parts_of(p, out->index), first = out->index;
    if (parts == 1)
        return p->lexer.token.kind != TOKEN_DOT ||
               ptx_expected(&p->lexer, &p->lexer.token,
                            "no part of a register: not supported");
    if (p->lexer.token.kind != TOKEN_DOT) {
        if (!array_room(&m->operand, m->operands, parts))
            return parse_no_memory(p);
        out->kind = OPERAND_VECTOR;
        out->first = (uint32_t)m->operands;
        out->count = parts;
        for (uint32_t i = 0; i < parts; i++)
            m->operand[m->operands++] =
                (struct ptx_operand){.kind = OPERAND_REGISTER,
                                     .index = first + i,
                                     .second = PTX_NONE};
        return true;
    }
    for (uint32_t i = 0; i < 2 * parts; i++)
        if (parse_at_dot(p, names[i])) {
            out->index = first + i / 2;
            return parse_next(p);
        }
    return ptx_expected(&p->lexer, &p->lexer.token,
                        parts == 2 ? ".x or .y" : ".x, .y, .z or .w");
}

static const uint8_t kind_of_name[] = {
    [NAME_REGISTER] = OPERAND_REGISTER, [NAME_VARIABLE] = OPERAND_VARIABLE,
    [NAME_FUNCTION] = OPERAND_FUNCTION, [NAME_LABEL] = OPERAND_LABEL,
    [NAME_TARGETS] = OPERAND_TARGETS,   [NAME_PROTOTYPE] = OPERAND_PROTOTYPE,
};

static bool take_name(struct parser *p, struct ptx_operand *out)
{
    struct ptx_token t;
    if (!parse_name(p, &t))
        return false;
    *out = (struct ptx_operand){.second = PTX_NONE};
    if (ptx_token_is(&t, TOKEN_NAME, "_")) {
        out->kind = OPERAND_SINK;
        return true;
    }
    const struct ptx_name *name = find_name(p, &t, &out->index);
    if (name == NULL && t.text[0] == '%')
        return take_special(p, &t, out);
    if (name == NULL || name->kind == NAME_LABEL) {
        out->kind = OPERAND_LABEL;
        return parse_use_label(p, &t, &out->index);
    }
    out->kind = kind_of_name[name->kind];
    return name->kind != NAME_REGISTER || take_part(p, out);
}

/* ---- composed operands -------------------------------------------------- */

/* A vector that is an element stands for its parts. */
static bool flatten(struct parser *p, struct ptx_operand *part, uint32_t *count)
{
    const struct ptx_operand vector = part[*count];
    if (vector.kind != OPERAND_VECTOR) {
        ++*count;
        return true;
    }
    if (vector.count > PTX_VECTOR_MAX - *count)
        return ptx_expected(&p->lexer, &p->lexer.token, "at most 128 elements");
    for (uint32_t i = 0; i < vector.count; i++)
        part[(*count)++] = p->out->operand[vector.first + i];
    return true;
}

/* {a, b} or (a, b), the bracket included. */
static bool take_list(struct parser *p, char close, struct ptx_operand *out)
{
    struct ptx_operand part[PTX_VECTOR_MAX];
    uint32_t count = 0;
    struct ptx_module *m = p->out;
    if (!parse_next(p))
        return false;
    while (!parse_at_sign(p, close)) {
        if (count == PTX_VECTOR_MAX)
            return ptx_expected(&p->lexer, &p->lexer.token,
                                "at most 128 elements");
        if (parse_at_sign(p, '{') || parse_at_sign(p, '('))
            return ptx_expected(&p->lexer, &p->lexer.token, "an element");
        if (!parse_operand(p, &part[count]) || !flatten(p, part, &count))
            return false;
        if (!parse_at_sign(p, close) && !parse_sign(p, ','))
            return false;
    }
    *out = (struct ptx_operand){.kind = close == '}' ? OPERAND_VECTOR
                                                     : OPERAND_LIST,
                                .second = PTX_NONE,
                                .first = (uint32_t)m->operands,
                                .count = count};
    if (!array_room(&m->operand, m->operands, count))
        return parse_no_memory(p);
    for (uint32_t i = 0; i < count; i++)
        m->operand[m->operands++] = part[i];
    return parse_next(p);
}

static bool take_offset(struct parser *p, struct ptx_operand *out)
{
    struct ptx_operand number;
    if (!parse_at_sign(p, '+') && !parse_at_sign(p, '-'))
        return true;
    const struct ptx_token at = p->lexer.token;
    if (!parse_constant(p, &number))
        return false;
    if (number.kind != OPERAND_INTEGER)
        return ptx_expected(&p->lexer, &at, "a whole number");
    out->offset = (int64_t)number.bits;
    return true;
}

/* ", {%r1, %r2}" or ", %r1" behind a texture; a sampler may stand before it. */
static bool take_coordinates(struct parser *p, struct ptx_operand *out)
{
    struct ptx_module *m = p->out;
    struct ptx_operand at = {.kind = OPERAND_SINK};
    for (int i = 0; i < 2 && parse_at_sign(p, ','); i++)
        if (!parse_next(p) || !parse_operand(p, &at))
            return false;
    if (at.kind == OPERAND_VECTOR) {
        out->first = at.first;
        out->count = at.count;
    } else if (at.kind != OPERAND_SINK) {
        if (!array_room(&m->operand, m->operands, 1))
            return parse_no_memory(p);
        out->first = (uint32_t)m->operands;
        out->count = 1;
        m->operand[m->operands++] = at;
    }
    return true;
}

/* [%rd1+4], [name], [16], [texture, {%f1, %f2}] */
static bool take_address(struct parser *p, struct ptx_operand *out)
{
    if (!parse_next(p))
        return false;
    const struct ptx_token at = p->lexer.token;
    if (parse_is_constant(p) ? !parse_constant(p, out) : !take_name(p, out))
        return false;
    switch (out->kind) {
    case OPERAND_REGISTER:
        out->base = BASE_REGISTER;
        break;
    case OPERAND_VARIABLE:
        out->base = BASE_VARIABLE;
        break;
    case OPERAND_INTEGER:
        out->base = BASE_NONE;
        out->offset = (int64_t)out->bits;
        break;
    default:
        return ptx_expected(&p->lexer, &at, "a register or a variable");
    }
    out->kind = OPERAND_ADDRESS;
    return (out->base == BASE_NONE || take_offset(p, out)) &&
           take_coordinates(p, out) && parse_sign(p, ']');
}

/* a|b behind a */
static bool take_second(struct parser *p, struct ptx_operand *out)
{
    struct ptx_operand second;
    const struct ptx_token at = p->lexer.token;
    if (!parse_next(p) || !take_name(p, &second))
        return false;
    if (second.kind == OPERAND_SINK)
        return true;
    if (second.kind != OPERAND_REGISTER)
        return ptx_expected(&p->lexer, &at, "a register behind it");
    out->second = second.index;
    return true;
}

bool parse_operand(struct parser *p, struct ptx_operand *out)
{
    if (parse_at_sign(p, '{'))
        return take_list(p, '}', out);
    if (parse_at_sign(p, '(') && p->is_call)
        return take_list(p, ')', out);
    if (parse_at_sign(p, '['))
        return take_address(p, out);
    const struct ptx_lexer here = p->lexer;
    bool negated = parse_at_sign(p, '!');
    if (negated && !parse_next(p))
        return false;
    if (parse_is_constant(p)) {
        p->lexer = here;
        return parse_constant(p, out);
    }
    if (!take_name(p, out))
        return false;
    out->negated = negated;
    if ((out->kind == OPERAND_VARIABLE || out->kind == OPERAND_REGISTER) &&
        !take_offset(p, out))
        return false;
    return !parse_at_sign(p, '|') || take_second(p, out);
}
