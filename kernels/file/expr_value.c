/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators on numbers, and on the values of a warp. */
#include "kernels/file/expr.h"
#include "kernels/file/hash_draw.h"

/* Affine values within these bounds cannot wrap inside a warp, so what holds
 * at lanes 0 and 31 holds between them. */
#define BASE_SMALL   ((int64_t)1 << 60)
#define STRIDE_SMALL ((int64_t)1 << 54)

typedef int64_t (*binary_function)(int64_t a, int64_t b);

/* ---- two numbers -------------------------------------------------------- */

static int64_t add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t sub(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* Neither negative nor above 32 bits, whose division takes half as long. */
static bool are_short(int64_t a, int64_t b)
{
    return ((uint64_t)a | (uint64_t)b) <= UINT32_MAX;
}

static int64_t divide(int64_t a, int64_t b)
{
    if (are_short(a, b) && b != 0)
        return (uint32_t)a / (uint32_t)b;
    if (b == -1)
        return sub(0, a); /* INT64_MIN / -1 would trap */
    return b == 0 ? 0 : a / b;
}

static int64_t modulo(int64_t a, int64_t b)
{
    if (are_short(a, b) && b != 0)
        return (uint32_t)a % (uint32_t)b;
    return b == 0 || b == -1 ? 0 : a % b;
}

static int64_t shift_left(int64_t a, int64_t n)
{
    return n < 0 || n > 63 ? 0 : (int64_t)((uint64_t)a << n);
}

static int64_t shift_right(int64_t a, int64_t n)
{
    if (n < 0 || n > 63)
        return 0;
    return a >= 0 ? a >> n : ~(~a >> n);
}

static int64_t bit_and(int64_t a, int64_t b)
{
    return a & b;
}

static int64_t bit_or(int64_t a, int64_t b)
{
    return a | b;
}

static int64_t bit_xor(int64_t a, int64_t b)
{
    return a ^ b;
}

static int64_t less(int64_t a, int64_t b)
{
    return a < b;
}

static int64_t less_equal(int64_t a, int64_t b)
{
    return a <= b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b;
}

static int64_t greater_equal(int64_t a, int64_t b)
{
    return a >= b;
}

static int64_t equal(int64_t a, int64_t b)
{
    return a == b;
}

static int64_t not_equal(int64_t a, int64_t b)
{
    return a != b;
}

static int64_t both(int64_t a, int64_t b)
{
    return a != 0 && b != 0;
}

static int64_t either(int64_t a, int64_t b)
{
    return a != 0 || b != 0;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Every binary operator with its function on two numbers. */
#define BINARY_OPERATORS(X)                                                    \
    X(EXPR_ADD, add)                                                           \
    X(EXPR_SUB, sub)                                                           \
    X(EXPR_MUL, mul)                                                           \
    X(EXPR_DIV, divide)                                                        \
    X(EXPR_MOD, modulo)                                                        \
    X(EXPR_SHL, shift_left)                                                    \
    X(EXPR_SHR, shift_right)                                                   \
    X(EXPR_AND, bit_and)                                                       \
    X(EXPR_OR, bit_or)                                                         \
    X(EXPR_XOR, bit_xor)                                                       \
    X(EXPR_LT, less)                                                           \
    X(EXPR_LE, less_equal)                                                     \
    X(EXPR_GT, greater)                                                        \
    X(EXPR_GE, greater_equal)                                                  \
    X(EXPR_EQ, equal)                                                          \
    X(EXPR_NE, not_equal)                                                      \
    X(EXPR_BOTH, both)                                                         \
    X(EXPR_EITHER, either)                                                     \
    X(EXPR_MIN, least)                                                         \
    X(EXPR_MAX, greatest)                                                      \
    X(EXPR_HASH, hash_below)                                                   \
    X(EXPR_HGEOM, hash_geometric)

#define TABLE_ENTRY(op, function) [op] = (function),
static const binary_function binary[] = {BINARY_OPERATORS(TABLE_ENTRY)};

int64_t expr_fold(enum expr_op op, int64_t a, int64_t b)
{
    return binary[op](a, b);
}

/* ---- values ------------------------------------------------------------- */

static bool is_uniform(const struct value *v)
{
    return v->affine && v->stride == 0;
}

static void expand(struct value *v)
{
    if (!v->affine)
        return;
    for (int l = 0; l < WARP_LANES; l++)
        v->lane[l] = value_lane(v, l);
    v->affine = false;
}

/* Affine, nowhere negative, and too small to wrap. */
static bool is_rising(const struct value *v)
{
    return v->affine && v->base >= 0 && v->base < BASE_SMALL &&
           v->stride >= 0 && v->stride < STRIDE_SMALL;
}

static bool is_small(const struct value *v)
{
    return v->affine && v->base > -BASE_SMALL && v->base < BASE_SMALL &&
           v->stride > -STRIDE_SMALL && v->stride < STRIDE_SMALL;
}

uint32_t value_true_lanes(const struct value *v, uint32_t mask)
{
    if (is_uniform(v))
        return v->base != 0 ? mask : 0;
    uint32_t lanes = 0;
    for (int l = 0; l < WARP_LANES; l++)
        lanes |= (uint32_t)(value_lane(v, l) != 0) << l;
    return lanes & mask;
}

void value_make_affine(struct value *v, uint32_t mask)
{
    if (v->affine || mask == 0)
        return;
    int first = __builtin_ctz(mask);
    uint32_t rest = mask & (mask - 1);
    if (rest == 0) {
        value_set_affine(v, v->lane[first], 0);
        return;
    }
    int second = __builtin_ctz(rest);
    int64_t rise = sub(v->lane[second], v->lane[first]);
    if (rise % (second - first) != 0)
        return;
    int64_t stride = rise / (second - first);
    int64_t base = sub(v->lane[first], mul(first, stride));
    for (; rest != 0; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        if (v->lane[l] != add(base, mul(l, stride)))
            return;
    }
    value_set_affine(v, base, stride);
}

/* ---- operators on values ------------------------------------------------ */

/* Rising values by a power of two. */
static void divide_by_shift(struct value *a, int64_t c, bool want_quotient)
{
    int shift = __builtin_ctzll((unsigned long long)c);
    uint64_t base = (uint64_t)a->base, stride = (uint64_t)a->stride;
    a->affine = false;
    for (uint64_t l = 0; l < WARP_LANES; l++) {
        uint64_t v = base + l * stride;
        a->lane[l] =
            (int64_t)(want_quotient ? v >> shift : v & ((uint64_t)c - 1));
    }
}

/* Quotient or remainder of a rising value by c > 0, in place of a; lane after
 * lane without dividing again. */
static void divide_rising(struct value *a, int64_t c, bool want_quotient)
{
    int64_t quotient = a->base / c, remainder = a->base % c;
    int64_t step_quotient = a->stride / c, step_remainder = a->stride % c;
    int64_t last = remainder + (WARP_LANES - 1) * step_remainder;
    if (last < c) { /* never carries: both are affine */
        if (want_quotient)
            value_set_affine(a, quotient, step_quotient);
        else
            value_set_affine(a, remainder, step_remainder);
        return;
    }
    if ((c & (c - 1)) == 0) {
        divide_by_shift(a, c, want_quotient);
        return;
    }
    a->affine = false;
    for (int l = 0; l < WARP_LANES; l++) {
        a->lane[l] = want_quotient ? quotient : remainder;
        quotient += step_quotient;
        remainder += step_remainder;
        int carry = remainder >= c;
        quotient += carry;
        remainder -= carry ? c : 0;
    }
}

/* Comparisons of values that cannot wrap: the same for all lanes when it is for
 * the first and the last. */
static bool compare_affine(enum expr_op op, struct value *a,
                           const struct value *b)
{
    if (!is_small(a) || !is_small(b))
        return false;
    int64_t first = binary[op](a->base, b->base);
    if (first != binary[op](value_lane(a, WARP_LANES - 1),
                            value_lane(b, WARP_LANES - 1)))
        return false;
    value_set_affine(a, first, 0);
    return true;
}

/* Operators that keep an affine value affine when the other, c, is the same for
 * all lanes; false when op does not here. */
static bool apply_uniform(enum expr_op op, struct value *a, int64_t c)
{
    switch (op) {
    case EXPR_SHL:
        value_set_affine(a, shift_left(a->base, c), shift_left(a->stride, c));
        return true;
    case EXPR_DIV:
    case EXPR_MOD:
        if (c < 1 || !is_rising(a))
            return false;
        divide_rising(a, c, op == EXPR_DIV);
        return true;
    case EXPR_SHR:
        if (c < 0 || c > 62 || !is_rising(a))
            return false;
        divide_rising(a, (int64_t)1 << c, true);
        return true;
    case EXPR_AND: /* a mask of low bits */
        if (c < 0 || c == INT64_MAX || (c & (c + 1)) != 0 || !is_rising(a))
            return false;
        divide_rising(a, c + 1, false);
        return true;
    default:
        return false;
    }
}

/* The operators that keep affine values affine; false when op does not here. */
static bool apply_affine(enum expr_op op, struct value *a,
                         const struct value *b)
{
    int64_t c = b->base;
    switch (op) {
    case EXPR_ADD:
        value_set_affine(a, add(a->base, c), add(a->stride, b->stride));
        return true;
    case EXPR_SUB:
        value_set_affine(a, sub(a->base, c), sub(a->stride, b->stride));
        return true;
    case EXPR_MUL:
        if (a->stride != 0 && b->stride != 0)
            return false;
        value_set_affine(a, mul(a->base, c),
                         add(mul(a->stride, c), mul(a->base, b->stride)));
        return true;
    case EXPR_LT:
    case EXPR_LE:
    case EXPR_GT:
    case EXPR_GE:
        return compare_affine(op, a, b);
    default:
        return b->stride == 0 && apply_uniform(op, a, c);
    }
}

/* Draws whose second operand is the same for all lanes; false for other
 * operators. */
static bool apply_draw(enum expr_op op, struct value *a, int64_t c)
{
    if (op != EXPR_HASH && op != EXPR_HGEOM)
        return false;
    expand(a);
    if (op == EXPR_HASH)
        hash_below_lanes(a->lane, c);
    else
        hash_geometric_lanes(a->lane, c);
    return true;
}

/* Lane by lane; a loop for each operator, so that compilers see through the
 * function. */
#define LANE_CASE(op, function)                                                \
    case op:                                                                   \
        for (int l = 0; l < WARP_LANES; l++)                                   \
            x[l] = function(x[l], y[l]);                                       \
        break;
static void apply_lanes(enum expr_op op, struct value *a, struct value *b)
{
    expand(a);
    expand(b);
    int64_t *restrict x = a->lane;
    const int64_t *restrict y = b->lane;
    switch (op) {
        BINARY_OPERATORS(LANE_CASE)
    default:
        break;
    }
}

/* 0 && x and 1 || x, whatever the lanes of x. */
static bool decides(enum expr_op op, const struct value *v)
{
    return is_uniform(v) && (op == EXPR_BOTH     ? v->base == 0
                             : op == EXPR_EITHER ? v->base != 0
                                                 : false);
}

void value_apply(enum expr_op op, struct value *a, struct value *b)
{
    if (a->affine && b->affine && apply_affine(op, a, b))
        return;
    if (is_uniform(a) && is_uniform(b))
        value_set_affine(a, binary[op](a->base, b->base), 0);
    else if (decides(op, a) || decides(op, b))
        value_set_affine(a, op == EXPR_EITHER, 0);
    else if (!is_uniform(b) || !apply_draw(op, a, b->base))
        apply_lanes(op, a, b);
}
