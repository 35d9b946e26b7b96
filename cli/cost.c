/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cost.h"

#include "cli/values.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 128 /* of an expression */
#define DEPTH_MAX 64  /* of parentheses and signs, within each other */

/* A step of the expression in reverse Polish notation: an operator, or a value
 * to be put on the stack. */
struct cost_step {
    char op; /* + - * / ^, ~ changes the sign; 0: a value */
    const struct estimate_key *key; /* NULL: the number */
    double number;
};

struct cost {
    struct cost_step step[STEPS_MAX];
    int steps;
};

struct cost_parser {
    struct cost *cost;
    const char *text, *at;
    int depth;
    struct estimate_error *error;
};

static bool wrong(struct cost_parser *p, const char *what)
{
    if (*p->at == '\0')
        return fail(p->error, ESTIMATE_USAGE, "--cost %s: %s at the end",
                    p->text, what);
    return fail(p->error, ESTIMATE_USAGE, "--cost %s: %s at '%s'", p->text,
                what, p->at);
}

static bool add_step(struct cost_parser *p, struct cost_step step)
{
    if (p->cost->steps == STEPS_MAX)
        return wrong(p, "the expression is too long");
    p->cost->step[p->cost->steps++] = step;
    return true;
}

static void skip_blanks(struct cost_parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool take(struct cost_parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static bool parse_key(struct cost_parser *p)
{
    char name[VALUE_MAX];
    struct estimate_error why;
    size_t length = 0;
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_' ||
           p->at[length] == '.')
        length++;
    if (length == 0 || length >= sizeof(name))
        return wrong(p, "expected a number, a key or '('");
    memcpy(name, p->at, length);
    name[length] = '\0';
    const struct estimate_key *key = estimate_key_find(name, &why);
    if (key == NULL)
        return fail(p->error, ESTIMATE_USAGE, "--cost %s: %s", p->text,
                    why.text);
    p->at += length;
    return add_step(p, (struct cost_step){.key = key});
}

static bool parse_sum(struct cost_parser *p);

static bool parse_value(struct cost_parser *p)
{
    double number;
    if (take(p, '(')) {
        if (!parse_sum(p))
            return false;
        return take(p, ')') || wrong(p, "expected ')'");
    }
    if (isdigit((unsigned char)*p->at) && scan_real(&p->at, &number))
        return add_step(p, (struct cost_step){.number = number});
    return parse_key(p);
}

/* A sign binds less than a power, which goes from right to left. */
static bool parse_power(struct cost_parser *p)
{
    if (++p->depth > DEPTH_MAX)
        return wrong(p, "too deep an expression");
    bool ok;
    if (take(p, '-'))
        ok = parse_power(p) && add_step(p, (struct cost_step){.op = '~'});
    else
        ok = parse_value(p) &&
             (!take(p, '^') ||
              (parse_power(p) && add_step(p, (struct cost_step){.op = '^'})));
    p->depth--;
    return ok;
}

static bool parse_product(struct cost_parser *p)
{
    bool ok = parse_power(p);
    while (ok) {
        char op = take(p, '*') ? '*' : take(p, '/') ? '/' : '\0';
        if (op == '\0')
            break;
        ok = parse_power(p) && add_step(p, (struct cost_step){.op = op});
    }
    return ok;
}

static bool parse_sum(struct cost_parser *p)
{
    bool ok = parse_product(p);
    while (ok) {
        char op = take(p, '+') ? '+' : take(p, '-') ? '-' : '\0';
        if (op == '\0')
            break;
        ok = parse_product(p) && add_step(p, (struct cost_step){.op = op});
    }
    return ok;
}

struct cost *cost_parse(const char *text, struct estimate_error *e)
{
    struct cost *c = calloc(1, sizeof(*c));
    struct cost_parser p = {.cost = c, .text = text, .at = text, .error = e};
    if (c == NULL) {
        fail_no_memory(e);
        return NULL;
    }
    if (parse_sum(&p)) {
        skip_blanks(&p);
        if (*p.at == '\0')
            return c;
        wrong(&p, "expected an operator");
    }
    free(c);
    return NULL;
}

void cost_free(struct cost *c)
{
    free(c);
}

static double apply(char op, double a, double b)
{
    switch (op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    default:
        return pow(a, b);
    }
}

double cost_of(const struct cost *c, const struct estimate_gpu *g)
{
    double stack[STEPS_MAX];
    int top = 0;
    for (int i = 0; i < c->steps; i++) {
        const struct cost_step *s = &c->step[i];
        if (s->op == '~') {
            stack[top - 1] = -stack[top - 1];
        } else if (s->op != '\0') {
            top--;
            stack[top - 1] = apply(s->op, stack[top - 1], stack[top]);
        } else {
            stack[top++] =
                s->key != NULL ? estimate_gpu_get(g, s->key) : s->number;
        }
    }
    return stack[0];
}
