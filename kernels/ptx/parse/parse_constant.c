/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and constant expressions (PTX ISA 9.0, section 4.5). Whole numbers
 * are .s64, or .u64 where table 4.5.6 says so; others are .f64, except what is
 * written 0f, which is no part of an expression. */
#include "kernels/ptx/forms/half.h"
#include "kernels/ptx/parse/parse.h"

#include <stdio.h>

#define DEPTH_MAX 64

struct value {
    bool is_float, is_single, is_unsigned;
    uint64_t bits; /* of a double when is_float */
};

enum operation {
    CHOOSE,
    OR_ELSE,
    AND_THEN,
    BITS_OR,
    BITS_XOR,
    BITS_AND,
    EQUAL,
    UNEQUAL,
    LESS_EQUAL,
    GREATER_EQUAL,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    LESS,
    GREATER,
    PLUS,
    MINUS,
    TIMES,
    DIVIDE,
    REMAINDER,
    OPERATIONS
};

/* Those of two characters stand before the ones that they begin with. */
static const struct {
    const char *text;
    uint8_t operation;
    uint8_t precedence; /* C's */
} operations[] = {
    {"||", OR_ELSE, 2},    {"&&", AND_THEN, 3},    {"==", EQUAL, 7},
    {"!=", UNEQUAL, 7},    {"<=", LESS_EQUAL, 8},  {">=", GREATER_EQUAL, 8},
    {"<<", SHIFT_LEFT, 9}, {">>", SHIFT_RIGHT, 9}, {"?", CHOOSE, 1},
    {"|", BITS_OR, 4},     {"^", BITS_XOR, 5},     {"&", BITS_AND, 6},
    {"<", LESS, 8},        {">", GREATER, 8},      {"+", PLUS, 10},
    {"-", MINUS, 10},      {"*", TIMES, 11},       {"/", DIVIDE, 11},
    {"%", REMAINDER, 11},
};
#define OPERATION_ROWS (sizeof(operations) / sizeof(operations[0]))

static bool expression(struct parser *p, int least, int depth,
                       struct value *out);

/* ---- values ------------------------------------------------------------- */

static double as_double(const struct value *v)
{
    if (v->is_float)
        return double_from_bits(v->bits);
    return v->is_unsigned ? (double)v->bits : (double)(int64_t)v->bits;
}

static bool is_true(const struct value *v)
{
    return v->is_float ? double_from_bits(v->bits) != 0 : v->bits != 0;
}

static struct value of_double(double x)
{
    return (struct value){.is_float = true, .bits = double_bits(x)};
}

static struct value of_bool(bool holds)
{
    return (struct value){.bits = holds};
}

static bool compare(enum operation o, bool less, bool equal)
{
    switch (o) {
    case EQUAL:
        return equal;
    case UNEQUAL:
        return !equal;
    case LESS:
        return less;
    case LESS_EQUAL:
        return less || equal;
    case GREATER:
        return !less && !equal;
    default:
        return !less;
    }
}

static bool is_comparison(enum operation o)
{
    return o == EQUAL || o == UNEQUAL || o == LESS || o == LESS_EQUAL ||
           o == GREATER || o == GREATER_EQUAL;
}

static struct value of_doubles(enum operation o, double x, double y)
{
    if (is_comparison(o)) /* no constant is a NaN */
        return of_bool(compare(o, x < y, x == y));
    return of_double(o == PLUS    ? x + y
                     : o == MINUS ? x - y
                     : o == TIMES ? x * y
                                  : x / y);
}

/* The quotient or remainder; y is not 0. */
static uint64_t divide(enum operation o, bool is_unsigned, uint64_t x,
                       uint64_t y)
{
    if (is_unsigned)
        return o == DIVIDE ? x / y : x % y;
    if (y == UINT64_MAX) /* -1: INT64_MIN has no opposite */
        return o == DIVIDE ? 0 - x : 0;
    int64_t q = (int64_t)x / (int64_t)y, r = (int64_t)x % (int64_t)y;
    return (uint64_t)(o == DIVIDE ? q : r);
}

static uint64_t shift_right(const struct value *v, uint64_t amount)
{
    if (v->is_unsigned)
        return amount > 63 ? 0 : v->bits >> amount;
    return (uint64_t)((int64_t)v->bits >> (amount > 63 ? 63 : amount));
}

static struct value of_wholes(enum operation o, const struct value *a,
                              const struct value *b)
{
    uint64_t x = a->bits, y = b->bits;
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    bool less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;
    if (is_comparison(o))
        return of_bool(compare(o, less, x == y));
    struct value v = {.is_unsigned = is_unsigned};
    switch (o) {
    case BITS_OR:
    case BITS_XOR:
    case BITS_AND:
        v.is_unsigned = true;
        v.bits = o == BITS_OR ? x | y : o == BITS_XOR ? x ^ y : x & y;
        return v;
    case SHIFT_LEFT:
    case SHIFT_RIGHT:
        v.is_unsigned = a->is_unsigned;
        v.bits = o == SHIFT_RIGHT ? shift_right(a, y) : y > 63 ? 0 : x << y;
        return v;
    case DIVIDE:
    case REMAINDER:
        v.bits = divide(o, is_unsigned, x, y);
        return v;
    default:
        v.bits = o == PLUS ? x + y : o == MINUS ? x - y : x * y;
        return v;
    }
}

/* ---- operators ---------------------------------------------------------- */

static bool is_for_floats(enum operation o)
{
    return is_comparison(o) || o == PLUS || o == MINUS || o == TIMES ||
           o == DIVIDE;
}

static bool apply(struct parser *p, const struct ptx_token *at,
                  enum operation o, struct value *a, const struct value *b)
{
    if (a->is_single || b->is_single)
        return ptx_expected(&p->lexer, at, "no operator with a 0f number");
    if (o == OR_ELSE || o == AND_THEN) {
        *a = of_bool(o == AND_THEN ? is_true(a) && is_true(b)
                                   : is_true(a) || is_true(b));
        return true;
    }
    bool is_float = a->is_float || b->is_float;
    if (is_float && !is_for_floats(o))
        return ptx_expected(&p->lexer, at, "whole numbers on both sides of it");
    if (!is_float && (o == DIVIDE || o == REMAINDER) && b->bits == 0)
        return ptx_expected(&p->lexer, at, "no division by 0");
    *a = is_float ? of_doubles(o, as_double(a), as_double(b))
                  : of_wholes(o, a, b);
    return true;
}

/* The row of the operator here, or NULL. The lexer gives single characters. */
static int operation_at(const struct parser *p)
{
    const struct ptx_token *t = &p->lexer.token;
    if (t->kind != TOKEN_SIGN)
        return -1;
    for (size_t i = 0; i < OPERATION_ROWS; i++) {
        const char *text = operations[i].text;
        if (text[0] == t->text[0] &&
            (text[1] == '\0' || text[1] == p->lexer.at[0]))
            return (int)i;
    }
    return -1;
}

static bool choose(struct parser *p, int depth, struct value *out)
{
    struct value yes, no;
    if (!expression(p, 1, depth + 1, &yes) || !parse_sign(p, ':') ||
        !expression(p, 1, depth + 1, &no))
        return false;
    *out = is_true(out) ? yes : no;
    return true;
}

/* ---- operands ----------------------------------------------------------- */

static bool number(struct parser *p, struct value *out)
{
    const struct ptx_token *t = &p->lexer.token;
    bool is_warp_size = ptx_token_is(t, TOKEN_NAME, "WARP_SZ");
    if (!is_warp_size && t->kind != TOKEN_INTEGER && t->kind != TOKEN_FLOAT &&
        t->kind != TOKEN_SINGLE)
        return ptx_expected(&p->lexer, t, "a number");
    bool marked = t->kind == TOKEN_INTEGER && t->text[t->length - 1] == 'U';
    *out = (struct value){
        .is_float = t->kind == TOKEN_FLOAT || t->kind == TOKEN_SINGLE,
        .is_single = t->kind == TOKEN_SINGLE,
        .is_unsigned = marked || (t->kind == TOKEN_INTEGER && t->bits >> 63),
        .bits = is_warp_size ? WARP_LANES : t->bits};
    return parse_next(p);
}

/* ( .s64 ) or ( .u64 ) before an operand, or ( expression ). */
static bool parenthesis(struct parser *p, int depth, struct value *out)
{
    if (!parse_next(p))
        return false;
    bool to_signed = parse_at_dot(p, "s64");
    if (!to_signed && !parse_at_dot(p, "u64"))
        return expression(p, 1, depth + 1, out) && parse_sign(p, ')');
    const struct ptx_token at = p->lexer.token;
    if (!parse_next(p) || !parse_sign(p, ')') ||
        !expression(p, OPERATIONS, depth + 1, out))
        return false;
    if (out->is_float)
        return ptx_expected(&p->lexer, &at, "a whole number behind it");
    out->is_unsigned = !to_signed;
    return true;
}

static void negate(struct value *v)
{
    if (v->is_float)
        v->bits ^= v->is_single ? UINT64_C(1) << 31 : UINT64_C(1) << 63;
    else
        v->bits = 0 - v->bits;
}

static bool unary(struct parser *p, int depth, struct value *out)
{
    const struct ptx_token at = p->lexer.token;
    if (depth > DEPTH_MAX)
        return ptx_expected(&p->lexer, &at, "an expression less deep");
    if (parse_at_sign(p, '('))
        return parenthesis(p, depth, out);
    if (at.kind != TOKEN_SIGN || strchr("+-!~", at.text[0]) == NULL)
        return number(p, out);
    if (!parse_next(p) || !unary(p, depth + 1, out))
        return false;
    if (at.text[0] == '-')
        negate(out);
    if (at.text[0] == '!')
        *out = of_bool(!is_true(out));
    if (at.text[0] != '~')
        return true;
    if (out->is_float)
        return ptx_expected(&p->lexer, &at, "a whole number behind it");
    *out = (struct value){.is_unsigned = true, .bits = ~out->bits};
    return true;
}

/* Operators of at least that precedence. */
static bool expression(struct parser *p, int least, int depth,
                       struct value *out)
{
    struct value right;
    int row;
    if (!unary(p, depth, out))
        return false;
    while ((row = operation_at(p)) >= 0 &&
           operations[row].precedence >= least) {
        const struct ptx_token at = p->lexer.token;
        enum operation o = operations[row].operation;
        if (!parse_next(p) ||
            (operations[row].text[1] != '\0' && !parse_next(p)))
            return false;
        bool ok = o == CHOOSE ? choose(p, depth, out)
                              : expression(p, operations[row].precedence + 1,
                                           depth + 1, &right) &&
                                    apply(p, &at, o, out, &right);
        if (!ok)
            return false;
    }
    return true;
}

bool parse_constant(struct parser *p, struct ptx_operand *out)
{
    struct value v;
    if (!expression(p, 1, 0, &v))
        return false;
    *out = (struct ptx_operand){.kind = v.is_float ? OPERAND_FLOAT
                                                   : OPERAND_INTEGER,
                                .single = v.is_single,
                                .second = PTX_NONE,
                                .bits = v.bits};
    return true;
}

bool parse_is_constant(const struct parser *p)
{
    const struct ptx_token *t = &p->lexer.token;
    return (t->kind != TOKEN_NAME && t->kind != TOKEN_DOT) ||
           ptx_token_is(t, TOKEN_NAME, "WARP_SZ");
}

bool parse_count(struct parser *p, uint64_t max, uint64_t *out)
{
    struct ptx_operand o;
    const struct ptx_token at = p->lexer.token;
    char expected[64];
    snprintf(expected, sizeof(expected), "a whole number up to %llu",
             (unsigned long long)max);
    if (!parse_is_constant(p))
        return ptx_expected(&p->lexer, &at, expected);
    if (!parse_constant(p, &o))
        return false;
    if (o.kind != OPERAND_INTEGER || o.bits > max)
        return ptx_expected(&p->lexer, &at, expected);
    *out = o.bits;
    return true;
}
