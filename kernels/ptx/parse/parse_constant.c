/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers and constant expressions (PTX ISA 9.0, section 4.5). Whole numbers
 * are .s64, or .u64 when one of both sides is; others are .f64, except what is
 * written 0f, which is no part of an expression. What the section leaves open
 * is as ptxas of CUDA 13.0 has it: % is of .u64, shifts take six bits, and no
 * operator has a whole number on one side and a fraction on the other. */
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

/* y is not 0. */
static uint64_t divide(bool is_unsigned, uint64_t x, uint64_t y)
{
    if (is_unsigned)
        return x / y;
    return y == UINT64_MAX ? 0 - x /* INT64_MIN has no opposite */
                           : (uint64_t)((int64_t)x / (int64_t)y);
}

static uint64_t shift_right(const struct value *v, uint64_t amount)
{
    return v->is_unsigned ? v->bits >> (amount & 63)
                          : (uint64_t)((int64_t)v->bits >> (amount & 63));
}

static uint64_t whole_result(enum operation o, const struct value *a,
                             uint64_t y, bool is_unsigned)
{
    uint64_t x = a->bits;
    switch (o) {
    case BITS_OR:
        return x | y;
    case BITS_XOR:
        return x ^ y;
    case BITS_AND:
        return x & y;
    case SHIFT_LEFT:
        return x << (y & 63);
    case SHIFT_RIGHT:
        return shift_right(a, y);
    case DIVIDE:
        return divide(is_unsigned, x, y);
    case REMAINDER:
        return x % y;
    default:
        return o == PLUS ? x + y : o == MINUS ? x - y : x * y;
    }
}

static struct value of_wholes(enum operation o, const struct value *a,
                              const struct value *b)
{
    uint64_t x = a->bits, y = b->bits;
    bool is_unsigned = a->is_unsigned || b->is_unsigned;
    bool less = is_unsigned ? x < y : (int64_t)x < (int64_t)y;
    if (is_comparison(o))
        return of_bool(compare(o, less, x == y));
    if (o == OR_ELSE || o == AND_THEN)
        return of_bool(o == OR_ELSE ? x != 0 || y != 0 : x != 0 && y != 0);
    bool is_shift = o == SHIFT_LEFT || o == SHIFT_RIGHT;
    return (struct value){.is_unsigned = is_shift
                                             ? a->is_unsigned
                                             : is_unsigned || o == REMAINDER,
                          .bits = whole_result(o, a, y, is_unsigned)};
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
    if (a->is_float != b->is_float)
        return ptx_expected(&p->lexer, at, "numbers of one type around it");
    if (a->is_float && !is_for_floats(o))
        return ptx_expected(&p->lexer, at, "whole numbers on both sides of it");
    if (!a->is_float && (o == DIVIDE || o == REMAINDER) && b->bits == 0)
        return ptx_expected(&p->lexer, at, "no division by 0");
    *a = a->is_float ? of_doubles(o, double_from_bits(a->bits),
                                  double_from_bits(b->bits))
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

static bool choose(struct parser *p, const struct ptx_token *at, int depth,
                   struct value *out)
{
    struct value yes, no;
    if (out->is_float)
        return ptx_expected(&p->lexer, at, "a whole number before it");
    if (!expression(p, 1, depth + 1, &yes) || !parse_sign(p, ':') ||
        !expression(p, 1, depth + 1, &no))
        return false;
    *out = out->bits != 0 ? yes : no;
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
    if (out->is_single)
        return ptx_expected(&p->lexer, &at, "no operator with a 0f number");
    if (at.text[0] == '-')
        out->bits =
            out->is_float ? out->bits ^ UINT64_C(1) << 63 : 0 - out->bits;
    if (at.text[0] == '-' || at.text[0] == '+')
        return true;
    if (out->is_float)
        return ptx_expected(&p->lexer, &at, "a whole number behind it");
    *out = at.text[0] == '!'
               ? of_bool(out->bits == 0)
               : (struct value){.is_unsigned = true, .bits = ~out->bits};
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
        bool ok = o == CHOOSE ? choose(p, &at, depth, out)
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
