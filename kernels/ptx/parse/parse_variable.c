/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Declarations of registers and variables (PTX ISA 9.0, section 5). */
#include "kernels/ptx/parse/parse.h"

#define REGISTERS_MAX  (1u << 20) /* of one function */
#define BYTES_MAX      (UINT64_C(1) << 32)
#define ALIGN_MAX      4096
#define DIMENSIONS_MAX 8
#define VECTOR_BYTES   16 /* of a vector of registers */

bool parse_is_space(const struct parser *p, uint8_t *space)
{
    const struct ptx_token *t = &p->lexer.token;
    const struct ptx_modifier_row *w =
        t->kind == TOKEN_DOT ? ptx_modifier_named(t->text, t->length) : NULL;
    if (w == NULL || w->group != GROUP_SPACE)
        return false;
    *space = w->word;
    return true;
}

/* ---- registers ---------------------------------------------------------- */

static bool add_registers(struct parser *p, const struct ptx_token *name,
                          uint8_t type, uint32_t parts, uint32_t count)
{
    struct ptx_function *f = &p->out->function[p->function];
    uint32_t first = (uint32_t)f->regs;
    uint32_t all = (count == 0 ? 1 : count) * parts;
    if (all > REGISTERS_MAX - f->regs)
        return ptx_expected(&p->lexer, name,
                            "at most 1048576 registers in a function");
    if (!array_room(&f->reg, f->regs, all))
        return parse_no_memory(p);
    for (uint32_t i = 0; i < all; i++)
        f->reg[f->regs++] =
            (struct ptx_register){type, i % parts == 0 ? (uint8_t)parts : 1};
    return parse_declare(p, name, NAME_REGISTER, first, count);
}

static bool parse_type(struct parser *p, uint8_t *type)
{
    const struct ptx_token *t = &p->lexer.token;
    *type =
        t->kind == TOKEN_DOT ? ptx_type_named(t->text, t->length) : PTX_NO_TYPE;
    if (*type == PTX_NO_TYPE || *type >= PTX_U2)
        return ptx_expected(&p->lexer, t, "a type");
    return parse_next(p);
}

/* name or name<count>. */
static bool parse_register_name(struct parser *p, uint8_t type, uint32_t parts)
{
    struct ptx_token name;
    uint64_t count = 0;
    if (!parse_name(p, &name))
        return false;
    if (parse_at_sign(p, '<')) {
        if (!parse_next(p) || !parse_whole(p, REGISTERS_MAX, &count) ||
            !parse_sign(p, '>'))
            return false;
        if (count == 0)
            return ptx_expected(&p->lexer, &name, "at least one register");
    }
    return add_registers(p, &name, type, parts, (uint32_t)count);
}

/* ".b32" or ".v4 .f32" behind .reg. */
static bool parse_register_type(struct parser *p, uint8_t *type,
                                uint32_t *parts)
{
    *parts = 1;
    while (parse_at_dot(p, "v2") || parse_at_dot(p, "v4")) {
        *parts = parse_at_dot(p, "v2") ? 2 : 4;
        if (!parse_next(p))
            return false;
    }
    const struct ptx_token at = p->lexer.token;
    if (!parse_type(p, type))
        return false;
    if (*parts > 1 && *type == PTX_PRED)
        return ptx_expected(&p->lexer, &at, "no vector of predicates");
    return *parts * ptx_types[*type].bytes <= VECTOR_BYTES ||
           ptx_expected(&p->lexer, &at, "at most 128 bits in a vector");
}

bool parse_registers(struct parser *p)
{
    uint8_t type;
    uint32_t parts;
    if (!parse_next(p) || !parse_register_type(p, &type, &parts) ||
        !parse_register_name(p, type, parts))
        return false;
    while (parse_at_sign(p, ','))
        if (!parse_next(p) || !parse_register_name(p, type, parts))
            return false;
    return parse_sign(p, ';');
}

bool parse_register(struct parser *p, uint32_t *out)
{
    uint8_t type;
    uint32_t parts;
    *out = (uint32_t)p->out->function[p->function].regs;
    return parse_next(p) && parse_register_type(p, &type, &parts) &&
           parse_register_name(p, type, parts);
}

/* ---- variables ---------------------------------------------------------- */

struct declaration {
    uint8_t space, type;
    bool is_opaque;
    uint32_t align, vector;
};

/* .ptr and what follows it (section 5.1.6, "Kernel Function Parameter
 * attribute"): about what a pointer points to. */
static bool parse_pointer_attribute(struct parser *p)
{
    uint8_t space;
    uint64_t align;
    if (!parse_next(p))
        return false;
    if (parse_is_space(p, &space) && !parse_next(p))
        return false;
    if (!parse_at_dot(p, "align"))
        return true;
    return parse_next(p) && parse_whole(p, BYTES_MAX, &align);
}

static bool parse_align(struct parser *p, struct declaration *d)
{
    uint64_t align;
    const struct ptx_token at = p->lexer.token;
    if (!parse_next(p) || !parse_whole(p, ALIGN_MAX, &align))
        return false;
    if (align == 0 || (align & (align - 1)) != 0)
        return ptx_expected(&p->lexer, &at, "a power of two behind it");
    d->align = (uint32_t)align;
    return true;
}

/* .texref and its like hold a handle. */
static bool parse_opaque(struct parser *p, struct declaration *d)
{
    d->is_opaque = true;
    d->type = PTX_B64;
    return parse_next(p);
}

static bool is_opaque(const struct parser *p)
{
    return parse_at_dot(p, "texref") || parse_at_dot(p, "samplerref") ||
           parse_at_dot(p, "surfref");
}

/* The words before the name. */
static bool parse_words(struct parser *p, struct declaration *d)
{
    while (p->lexer.token.kind == TOKEN_DOT) {
        const struct ptx_token *t = &p->lexer.token;
        const struct ptx_modifier_row *w =
            ptx_modifier_named(t->text, t->length);
        bool ok;
        if (parse_at_dot(p, "align"))
            ok = parse_align(p, d);
        else if (parse_at_dot(p, "ptr"))
            ok = parse_pointer_attribute(p);
        else if (parse_at_dot(p, "attribute"))
            ok = parse_next(p) && parse_skip_past(p, ')');
        else if (w != NULL && w->group == GROUP_VECTOR &&
                 d->type == PTX_NO_TYPE)
            ok = (d->vector = ptx_vector_length(w->word), parse_next(p));
        else if (is_opaque(p))
            ok = parse_opaque(p, d);
        else
            ok = parse_type(p, &d->type);
        if (!ok)
            return false;
    }
    return true;
}

/* [2][3] or []; sides[0] = 0 for an open array. */
static bool parse_sides(struct parser *p, uint64_t *sides, size_t *dimensions)
{
    for (*dimensions = 0; parse_at_sign(p, '['); ++*dimensions) {
        if (*dimensions == DIMENSIONS_MAX)
            return ptx_expected(&p->lexer, &p->lexer.token,
                                "at most 8 dimensions");
        if (!parse_next(p))
            return false;
        sides[*dimensions] = 0;
        if (!parse_at_sign(p, ']') &&
            !parse_count(p, BYTES_MAX, &sides[*dimensions]))
            return false;
        if (!parse_sign(p, ']'))
            return false;
    }
    return true;
}

static uint64_t elements_of(const uint64_t *sides, size_t dimensions)
{
    uint64_t n = 1;
    for (size_t i = 0; i < dimensions && n <= BYTES_MAX; i++)
        n *= sides[i];
    return n;
}

static bool add_variable(struct parser *p, const struct ptx_token *name,
                         const struct ptx_variable *v, uint32_t *out)
{
    struct ptx_module *m = p->out;
    *out = (uint32_t)m->variables;
    if (!array_room(&m->variable, m->variables, 1))
        return parse_no_memory(p);
    m->variable[m->variables++] = *v;
    if (!parse_copy_name(p, name, &m->variable[*out].name))
        return false;
    /* Parameters of declarations alone and prototypes may be called _. */
    return ptx_token_is(name, TOKEN_NAME, "_") ||
           parse_declare(p, name, NAME_VARIABLE, *out, 0);
}

/* An earlier declaration of the same module variable takes this one in. */
static struct ptx_variable *
declared_before(struct parser *p, const struct ptx_token *name, uint32_t *out)
{
    const struct ptx_name *n =
        ptx_name_in(&p->names, p->scope, name->text, name->length);
    if (n == NULL || n->kind != NAME_VARIABLE || p->scope != SCOPE_MODULE)
        return NULL;
    *out = n->index;
    return &p->out->variable[n->index];
}

/* Whether an array's size may be left open: it lies elsewhere, its values tell
 * it, or it takes what a function's further arguments are (section 7.2). */
static bool may_be_open(const struct parser *p, const struct declaration *d,
                        bool is_external)
{
    return is_external || parse_at_sign(p, '=') ||
           (d->space == MOD_PARAM && !p->out->function[p->function].is_entry);
}

/* name[..] = .. behind the words of *d. */
static bool parse_one(struct parser *p, const struct declaration *d,
                      bool is_external, uint32_t *out)
{
    struct ptx_token name;
    uint64_t sides[DIMENSIONS_MAX];
    size_t dimensions;
    if (!parse_name(p, &name) || !parse_sides(p, sides, &dimensions))
        return false;
    uint64_t size = (uint64_t)ptx_types[d->type].bytes * d->vector;
    uint64_t n = elements_of(sides, dimensions);
    if (n == 0 && !may_be_open(p, d, is_external))
        return ptx_expected(&p->lexer, &name, "an array whose size is given");
    if (n > BYTES_MAX / size)
        return ptx_expected(&p->lexer, &name, "at most 4 GiB a variable");
    const struct ptx_variable v = {
        .space = d->space,
        .type = d->type,
        .align = d->align > 0 ? d->align : (uint32_t)size,
        .bytes = n * size,
        .is_dynamic = is_external && d->space == MOD_SHARED && n == 0,
        .is_opaque = d->is_opaque,
        .function = p->function};
    struct ptx_variable *before = declared_before(p, &name, out);
    if (before != NULL && before->bytes < v.bytes)
        before->bytes = v.bytes;
    if (before == NULL && !add_variable(p, &name, &v, out))
        return false;
    if (!parse_at_sign(p, '='))
        return true;
    return parse_next(p) &&
           (d->is_opaque ? parse_skip_braces(p)
                         : parse_initial(p, *out, sides, dimensions));
}

static bool parse_declaration(struct parser *p, uint8_t space,
                              struct declaration *d)
{
    *d = (struct declaration){.space = space, .vector = 1};
    if (!parse_next(p) || !parse_words(p, d))
        return false;
    if (d->type == PTX_NO_TYPE || d->type == PTX_PRED)
        return ptx_expected(&p->lexer, &p->lexer.token,
                            "a type a variable can have");
    return true;
}

bool parse_variable(struct parser *p, uint8_t space, bool is_external,
                    uint32_t *out)
{
    struct declaration d;
    return parse_declaration(p, space, &d) &&
           parse_one(p, &d, is_external, out);
}

bool parse_variables(struct parser *p, bool is_external)
{
    struct declaration d;
    uint8_t space;
    uint32_t index;
    if (!parse_is_space(p, &space))
        return ptx_expected(&p->lexer, &p->lexer.token, "a state space");
    if (!parse_declaration(p, space, &d) ||
        !parse_one(p, &d, is_external, &index))
        return false;
    while (parse_at_sign(p, ','))
        if (!parse_next(p) || !parse_one(p, &d, is_external, &index))
            return false;
    return parse_sign(p, ';');
}
