/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Initial values of variables (PTX ISA 9.0, section 5.4.4). */
#include "kernels/ptx/parse/constant.h"
#include "kernels/ptx/parse/parse.h"

#define INITIAL_MAX (UINT64_C(1) << 26) /* bytes of a variable with values */

struct filler {
    struct parser *p;
    uint32_t variable;
    const uint64_t *sides;
    size_t dimensions;
};

static struct ptx_variable *variable(const struct filler *f)
{
    return &f->p->out->variable[f->variable];
}

static bool too_many(const struct filler *f)
{
    return ptx_expected(&f->p->lexer, &f->p->lexer.token,
                        "no more values than the variable has elements");
}

/* Make the initial bytes reach to `bytes`. */
static bool reach(const struct filler *f, uint64_t bytes)
{
    struct ptx_variable *v = variable(f);
    bool is_open = f->dimensions > 0 && f->sides[0] == 0;
    if (bytes > v->bytes && !is_open)
        return too_many(f);
    if (v->initial != NULL && bytes <= v->bytes)
        return true;
    uint64_t old = v->initial != NULL ? v->bytes : 0;
    uint64_t size = bytes > v->bytes ? bytes : v->bytes;
    if (size > INITIAL_MAX)
        return ptx_expected(&f->p->lexer, &f->p->lexer.token,
                            "at most 64 MiB in a variable with values");
    uint8_t *grown = realloc(v->initial, size + 1);
    if (grown == NULL)
        return parse_no_memory(f->p);
    memset(grown + old, 0, size + 1 - old);
    v->initial = grown;
    v->bytes = size;
    return true;
}

static bool put_number(struct filler *f, uint64_t at)
{
    struct ptx_variable *v = variable(f);
    struct ptx_operand value;
    uint8_t type = v->type, size = ptx_types[type].bytes;
    if (!reach(f, at + size) || !parse_constant(f->p, &value))
        return false;
    uint64_t bits = ptx_constant_bits(&value, (enum ptx_type)type);
    memcpy(variable(f)->initial + at, &bits, size);
    return true;
}

/* sym, sym+4, generic(sym)-4; of it the bits from `shift` on. */
static bool put_address(struct filler *f, uint64_t at, unsigned shift)
{
    struct parser *p = f->p;
    struct ptx_token name;
    uint64_t offset = 0;
    if (!parse_name(p, &name))
        return false;
    bool generic = ptx_token_is(&name, TOKEN_NAME, "generic");
    if (generic &&
        (!parse_sign(p, '(') || !parse_name(p, &name) || !parse_sign(p, ')')))
        return false;
    bool minus = parse_at_sign(p, '-');
    if ((minus || parse_at_sign(p, '+')) &&
        (!parse_next(p) || !parse_whole(p, INT64_MAX, &offset)))
        return false;
    const struct ptx_name *n =
        ptx_name_find(&p->names, p->scope, name.text, name.length);
    if (n == NULL || (n->kind != NAME_VARIABLE && n->kind != NAME_FUNCTION))
        return ptx_expected(&p->lexer, &name, "a variable or function");
    uint8_t size = ptx_types[variable(f)->type].bytes;
    const struct ptx_relocation r = {
        .at = at,
        .variable = n->kind == NAME_VARIABLE ? n->index : PTX_NONE,
        .function = n->kind == NAME_FUNCTION ? n->index : PTX_NONE,
        .addend = minus ? -(int64_t)offset : (int64_t)offset,
        .width = size,
        .shift = (uint8_t)shift};
    if (!reach(f, at + size))
        return false;
    struct ptx_variable *v = variable(f);
    if (!array_room(&v->relocation, v->relocations, 1))
        return parse_no_memory(p);
    v->relocation[v->relocations++] = r;
    return true;
}

/* 0xff00(sym): as many bits of an address as an element has. */
static bool put_masked(struct filler *f, uint64_t at,
                       const struct ptx_token *mask)
{
    unsigned bits = 8u * ptx_types[variable(f)->type].bytes, shift = 0;
    uint64_t ones = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    while (shift < 64 && mask->bits != ones << shift)
        shift += bits;
    if (shift >= 64)
        return ptx_expected(&f->p->lexer, mask,
                            "a mask of the bits of one element");
    return parse_next(f->p) && put_address(f, at, shift) &&
           parse_sign(f->p, ')');
}

static bool put_value(struct filler *f, uint64_t at)
{
    struct parser *p = f->p;
    const struct ptx_lexer here = p->lexer;
    if (!parse_is_constant(p))
        return put_address(f, at, 0);
    if (here.token.kind == TOKEN_INTEGER) {
        if (!parse_next(p))
            return false;
        if (parse_at_sign(p, '('))
            return put_masked(f, at, &here.token);
        p->lexer = here;
    }
    return put_number(f, at);
}

/* The bytes of one element of level `level` of the braces. */
static uint64_t stride_of(const struct filler *f, size_t level)
{
    const struct ptx_variable *v = variable(f);
    uint64_t n = ptx_types[v->type].bytes;
    if (level >= f->dimensions) /* the parts of a vector */
        return n;
    for (size_t i = level + 1; i < f->dimensions; i++)
        n *= f->sides[i];
    return n;
}

static bool put_list(struct filler *f, uint64_t at, size_t level)
{
    struct parser *p = f->p;
    if (!parse_at_sign(p, '{'))
        return put_value(f, at);
    if (level > f->dimensions)
        return ptx_expected(&p->lexer, &p->lexer.token, "a value");
    if (!parse_next(p))
        return false;
    uint64_t stride = stride_of(f, level);
    for (; !parse_at_sign(p, '}'); at += stride) {
        if (!put_list(f, at, level + 1))
            return false;
        if (parse_at_sign(p, ',')) {
            if (!parse_next(p))
                return false;
        } else if (!parse_at_sign(p, '}')) {
            return parse_sign(p, '}');
        }
    }
    return parse_next(p);
}

bool parse_initial(struct parser *p, uint32_t index, const uint64_t *sides,
                   size_t dimensions)
{
    struct filler f = {p, index, sides, dimensions};
    return put_list(&f, 0, 0);
}
