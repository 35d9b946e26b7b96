/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recursive descent over one expression, straight into postfix code. */
#include "kernels/file/expr.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct parser {
    struct expr_pool *pool;
    const struct scope *scope;
    struct cursor *c;
    const char *start; /* of the expression */
    size_t first;      /* its first code */
    int nesting;
    int depth; /* of the evaluation stack */
    bool per_lane;
};

static bool parse_level(struct parser *p, int level);

/* ---- emission ----------------------------------------------------------- */

static bool emit(struct parser *p, struct expr_code code, int stack_change)
{
    struct expr_pool *pool = p->pool;
    if (pool->count == pool->capacity) {
        size_t capacity = pool->capacity * 2 + 64;
        void *grown = realloc(pool->code, capacity * sizeof(*pool->code));
        if (grown == NULL)
            return error_no_memory(p->c->error);
        pool->code = grown;
        pool->capacity = capacity;
    }
    p->depth += stack_change;
    if (p->depth > EXPR_STACK)
        return source_fail(p->c->source, p->start, p->c->error,
                           "found an expression that needs more than %d "
                           "intermediate values, expected a simpler one",
                           EXPR_STACK);
    pool->code[pool->count++] = code;
    return true;
}

static bool emit_constant(struct parser *p, int64_t value)
{
    return emit(p, (struct expr_code){.op = EXPR_CONST, .integer = value}, 1);
}

/* The last value on the stack, when it is a constant. */
static struct expr_code *last_constant(struct parser *p)
{
    struct expr_pool *pool = p->pool;
    if (pool->count == p->first)
        return NULL;
    struct expr_code *last = &pool->code[pool->count - 1];
    return last->op == EXPR_CONST ? last : NULL;
}

static bool emit_binary(struct parser *p, enum expr_op op, const char *at)
{
    struct expr_code *right = last_constant(p);
    if ((op == EXPR_DIV || op == EXPR_MOD) && right != NULL &&
        right->integer == 0)
        return source_fail(p->c->source, at, p->c->error,
                           "found a division by zero, expected a divisor");
    /* In postfix, a constant right before another is the left operand. */
    if (right != NULL && p->pool->count - p->first >= 2 &&
        right[-1].op == EXPR_CONST) {
        right[-1].integer = expr_fold(op, right[-1].integer, right->integer);
        p->pool->count--;
        p->depth--;
        return true;
    }
    return emit(p, (struct expr_code){.op = (uint16_t)op}, -1);
}

/* ---- names -------------------------------------------------------------- */

enum variable_kind { UNIFORM, PER_LANE };

struct variable {
    const char *name;
    enum expr_op op;
    enum variable_kind kind;
};

static const struct variable variables[] = {
    {"tid", EXPR_TID, PER_LANE},    {"lane", EXPR_LANE, PER_LANE},
    {"gtid", EXPR_GTID, PER_LANE},  {"warp", EXPR_WARP, UNIFORM},
    {"block", EXPR_BLOCK, UNIFORM}, {"bx", EXPR_BX, UNIFORM},
    {"by", EXPR_BY, UNIFORM},       {"bz", EXPR_BZ, UNIFORM},
};

/* Names that stand for a constant or a formula of the launch. */
static const char *const launch_names[] = {"ntid", "nblocks", "tx", "ty", "tz"};

/* Arguments: e an expression, n an expression of at least 1, c a constant of at
 * least 1, r a real number between low and high. */
struct function {
    const char *name;
    enum expr_op op;
    const char *arguments;
    bool draws, per_lane;
    double low, high;
};

/* The greatest mean for which a geometric draw fits 32 bits: the least uniform
 * number is 2^-32, so the greatest draw about 22.2 means. */
#define GEOM_MEAN_MAX 1e8

static const struct function functions[] = {
    {"hash", EXPR_HASH, "en", false, false, 0, 0},
    {"hgeom", EXPR_HGEOM, "en", false, false, 0, 0},
    {"min", EXPR_MIN, "ee", false, false, 0, 0},
    {"max", EXPR_MAX, "ee", false, false, 0, 0},
    {"rand", EXPR_RAND, "n", true, true, 0, 0},
    {"wrand", EXPR_WRAND, "n", true, false, 0, 0},
    {"zipf", EXPR_ZIPF, "cr", true, true, 0, ZIPF_EXPONENT_MAX},
    {"wzipf", EXPR_WZIPF, "cr", true, false, 0, ZIPF_EXPONENT_MAX},
    {"geom", EXPR_GEOM, "r", true, true, 1, GEOM_MEAN_MAX},
    {"wgeom", EXPR_WGEOM, "r", true, false, 1, GEOM_MEAN_MAX},
    {"chance", EXPR_CHANCE, "r", true, true, 0, 1},
    {"wchance", EXPR_WCHANCE, "r", true, false, 0, 1},
};

#define RESERVED_NAMES                                                         \
    (COUNT(variables) + COUNT(launch_names) + COUNT(functions))

static const char *reserved_name(size_t i)
{
    if (i < COUNT(variables))
        return variables[i].name;
    i -= COUNT(variables);
    if (i < COUNT(launch_names))
        return launch_names[i];
    return functions[i - COUNT(launch_names)].name;
}

bool expr_name_is_reserved(const struct word *w)
{
    for (size_t i = 0; i < RESERVED_NAMES; i++)
        if (word_is(w, reserved_name(i)))
            return true;
    return false;
}

/* Every name that means something, for suggestions: reserved ones and buffers
 * (a loop's name would have to be copied out of the text). */
static const char *known_name(const void *table, size_t i)
{
    const struct scope *scope = table;
    return i < RESERVED_NAMES ? reserved_name(i)
                              : scope->named[i - RESERVED_NAMES].name;
}

static bool unknown_name(struct parser *p, const struct word *w)
{
    char suggestion[2 * WORD_SHOWN];
    word_suggestion(suggestion, sizeof(suggestion), w, p->scope,
                    RESERVED_NAMES + p->scope->named_count, known_name);
    return source_fail(p->c->source, w->at, p->c->error,
                       "found '%.*s', expected a variable, loop, buffer or "
                       "function%s",
                       word_shown(w), w->at, suggestion);
}

/* ---- terms -------------------------------------------------------------- */

static bool keep_zipf(struct parser *p, struct zipf z, uint32_t *index)
{
    struct expr_pool *pool = p->pool;
    if (pool->zipf_count == pool->zipf_capacity) {
        size_t capacity = pool->zipf_capacity * 2 + 4;
        void *grown = realloc(pool->zipf, capacity * sizeof(*pool->zipf));
        if (grown == NULL)
            return error_no_memory(p->c->error);
        pool->zipf = grown;
        pool->zipf_capacity = capacity;
    }
    *index = (uint32_t)pool->zipf_count;
    pool->zipf[pool->zipf_count++] = z;
    return true;
}

static bool positive_argument(struct parser *p, bool must_be_constant)
{
    cursor_skip_space(p->c);
    const char *at = p->c->at;
    if (!parse_level(p, 0))
        return false;
    const struct expr_code *constant = last_constant(p);
    if (constant == NULL && must_be_constant)
        return source_fail(p->c->source, at, p->c->error,
                           "found an expression, expected a constant count");
    if (constant != NULL && constant->integer < 1)
        return source_fail(p->c->source, at, p->c->error,
                           "found %lld, expected a count of at least 1",
                           (long long)constant->integer);
    return true;
}

static bool real_argument(struct parser *p, const struct function *f,
                          double *out)
{
    cursor_skip_space(p->c);
    const char *at = p->c->at;
    if (!cursor_take_real(p->c, out))
        return false;
    if (!(*out >= f->low && *out <= f->high))
        return source_fail(p->c->source, at, p->c->error,
                           "found %g, expected a number from %g to %g", *out,
                           f->low, f->high);
    return true;
}

/* Turn the arguments just read into the function's one operation. */
static bool emit_function(struct parser *p, const struct function *f,
                          double real, const char *at)
{
    struct expr_code code = {.op = (uint16_t)f->op};
    p->pool->draws = p->pool->draws || f->draws;
    p->per_lane = p->per_lane || f->per_lane;
    if (strcmp(f->arguments, "cr") == 0) {
        int64_t n = last_constant(p)->integer;
        p->pool->count--;
        p->depth--;
        return keep_zipf(p, zipf_prepare(n, real), &code.arg) &&
               emit(p, code, 1);
    }
    if (strcmp(f->arguments, "r") == 0) {
        code.real = real;
        return emit(p, code, 1);
    }
    if (strlen(f->arguments) == 2)
        return emit_binary(p, f->op, at);
    return emit(p, code, 0);
}

static bool parse_call(struct parser *p, const struct function *f,
                       const char *at)
{
    double real = 0;
    if (!cursor_take(p->c, "("))
        return cursor_expected(p->c, "'(' after a function's name");
    for (const char *a = f->arguments; *a != '\0'; a++) {
        if (a != f->arguments && !cursor_take(p->c, ","))
            return cursor_expected(p->c, "',' and another argument");
        bool ok = *a == 'r'   ? real_argument(p, f, &real)
                  : *a == 'e' ? parse_level(p, 0)
                              : positive_argument(p, *a == 'c');
        if (!ok)
            return false;
    }
    if (!cursor_take(p->c, ")"))
        return cursor_expected(p->c, "')'");
    return emit_function(p, f, real, at);
}

/* tx, ty and tz follow from tid; the evaluator finds out whether they are
 * affine for this block shape. */
static bool emit_launch_name(struct parser *p, const struct word *w)
{
    const struct kernel *k = p->scope->kernel;
    if (k == NULL)
        return unknown_name(p, w);
    if (word_is(w, "ntid"))
        return emit_constant(p, k->threads_per_block);
    if (word_is(w, "nblocks"))
        return emit_constant(p, (int64_t)k->blocks);
    int64_t below = 1, size = k->block.x;
    if (w->at[1] == 'y') {
        below = k->block.x;
        size = k->block.y;
    } else if (w->at[1] == 'z') {
        below = (int64_t)k->block.x * k->block.y;
        size = k->block.z;
    }
    if (size == 1)
        return emit_constant(p, 0);
    p->per_lane = true;
    if (!emit(p, (struct expr_code){.op = EXPR_TID}, 1))
        return false;
    if (below > 1 &&
        !(emit_constant(p, below) && emit_binary(p, EXPR_DIV, p->start)))
        return false;
    if (below * size >= (int64_t)k->threads_per_block)
        return true; /* the outermost: nothing to wrap */
    return emit_constant(p, size) && emit_binary(p, EXPR_MOD, p->start);
}

static bool parse_name(struct parser *p)
{
    struct word w;
    cursor_take_name(p->c, &w);
    for (int d = p->scope->depth - 1; d >= 0; d--) {
        const struct word *loop = &p->scope->level[d].name;
        if (loop->length == w.length && w.length > 0 &&
            memcmp(loop->at, w.at, (size_t)w.length) == 0)
            return emit(
                p, (struct expr_code){.op = EXPR_LOOP, .arg = (uint32_t)d}, 1);
    }
    for (size_t i = 0; i < COUNT(variables); i++) {
        if (!word_is(&w, variables[i].name))
            continue;
        p->per_lane = p->per_lane || variables[i].kind == PER_LANE;
        return emit(p, (struct expr_code){.op = (uint16_t)variables[i].op}, 1);
    }
    for (size_t i = 0; i < COUNT(launch_names); i++)
        if (word_is(&w, launch_names[i]))
            return emit_launch_name(p, &w);
    for (size_t i = 0; i < COUNT(functions); i++)
        if (word_is(&w, functions[i].name))
            return parse_call(p, &functions[i], w.at);
    for (size_t i = 0; i < p->scope->named_count; i++)
        if (word_is(&w, p->scope->named[i].name))
            return emit_constant(p, p->scope->named[i].value);
    return unknown_name(p, &w);
}

static bool parse_term(struct parser *p);

static bool parse_term_inside(struct parser *p)
{
    struct cursor *c = p->c;
    if (cursor_take(c, "(")) {
        if (!parse_level(p, 0))
            return false;
        return cursor_take(c, ")") || cursor_expected(c, "')'");
    }
    if (cursor_take(c, "-")) {
        const char *at = c->at;
        return parse_term(p) && emit_constant(p, -1) &&
               emit_binary(p, EXPR_MUL, at);
    }
    if (cursor_at_end(c))
        return cursor_expected(c, "a number or name");
    if ((*c->at >= '0' && *c->at <= '9')) {
        int64_t value;
        return cursor_take_integer(c, &value) && emit_constant(p, value);
    }
    const char first = *c->at;
    if ((first | 32) < 'a' || (first | 32) > 'z')
        if (first != '_')
            return cursor_expected(c, "a number or name");
    return parse_name(p);
}

static bool parse_term(struct parser *p)
{
    if (++p->nesting > EXPR_NESTING)
        return source_fail(p->c->source, p->c->at, p->c->error,
                           "found more than %d nested parentheses, expected a "
                           "simpler expression",
                           EXPR_NESTING);
    bool ok = parse_term_inside(p);
    p->nesting--;
    return ok;
}

/* ---- operators ---------------------------------------------------------- */

struct binary_operator {
    const char *token;
    const char *not_before; /* characters that make it another operator */
    int level;              /* C's precedence, 0 binds least */
    enum expr_op op;
};

static const struct binary_operator operators[] = {
    {"||", "", 0, EXPR_EITHER}, {"&&", "", 1, EXPR_BOTH},
    {"|", "|", 2, EXPR_OR},     {"^", "", 3, EXPR_XOR},
    {"&", "&", 4, EXPR_AND},    {"==", "", 5, EXPR_EQ},
    {"!=", "", 5, EXPR_NE},     {"<=", "", 6, EXPR_LE},
    {">=", "", 6, EXPR_GE},     {"<", "<=", 6, EXPR_LT},
    {">", ">=", 6, EXPR_GT},    {"<<", "", 7, EXPR_SHL},
    {">>", "", 7, EXPR_SHR},    {"+", "", 8, EXPR_ADD},
    {"-", "", 8, EXPR_SUB},     {"*", "", 9, EXPR_MUL},
    {"/", "", 9, EXPR_DIV},     {"%", "", 9, EXPR_MOD},
};
#define LEVELS 10

static const struct binary_operator *take_operator(struct cursor *c, int level)
{
    cursor_skip_space(c);
    for (size_t i = 0; i < COUNT(operators); i++) {
        const struct binary_operator *o = &operators[i];
        const char *before = c->at;
        if (o->level != level || !cursor_take(c, o->token))
            continue;
        if (c->at == c->end || strchr(o->not_before, *c->at) == NULL)
            return o;
        c->at = before;
    }
    return NULL;
}

static bool parse_level(struct parser *p, int level)
{
    if (level == LEVELS)
        return parse_term(p);
    if (!parse_level(p, level + 1))
        return false;
    for (;;) {
        const struct binary_operator *o = take_operator(p->c, level);
        if (o == NULL)
            return true;
        cursor_skip_space(p->c);
        const char *at = p->c->at;
        if (!parse_level(p, level + 1) || !emit_binary(p, o->op, at))
            return false;
    }
}

bool expr_compile(struct expr_pool *pool, const struct scope *scope,
                  struct cursor *c, struct expr *out)
{
    cursor_skip_space(c);
    struct parser p = {.pool = pool,
                       .scope = scope,
                       .c = c,
                       .start = c->at,
                       .first = pool->count};
    if (!parse_level(&p, 0))
        return false;
    *out = (struct expr){(uint32_t)p.first, (uint32_t)(pool->count - p.first),
                         p.per_lane};
    return true;
}

void expr_pool_free(struct expr_pool *pool)
{
    free(pool->code);
    free(pool->zipf);
}
