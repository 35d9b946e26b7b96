/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate compare A B: two results, what changed point by point and where the
 * cycles went. */
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/results_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What tells points apart, the GPU first. */
static const char *const identity[] = {"gpu",      "kernel",    "tb",  "sched",
                                       "tb_sched", "l1_policy", "mode"};
#define IDENTITY (sizeof(identity) / sizeof(identity[0]))

/* What the cycles of an issue slot are spent on. */
static const struct {
    const char *column, *text;
} stacks[] = {
    {"stall_issued", "issuing"},
    {"stall_idle", "idle"},
    {"stall_sb_mem", "waits for memory"},
    {"stall_sb_alu", "waits for results"},
    {"stall_pipe_mem", "memory pipeline"},
    {"stall_pipe_alu", "other pipelines"},
};
#define STACKS (sizeof(stacks) / sizeof(stacks[0]))

static const char *cell(const struct table_file *t, size_t row,
                        const char *column)
{
    return table_file_cell(t, row, table_file_column(t, column));
}

static double number(const struct table_file *t, size_t row, const char *column)
{
    const char *text = cell(t, row, column);
    return text[0] != '\0' ? strtod(text, NULL) : NAN;
}

/* Whether they are the same point, but for the first `from` of what tells
 * points apart. */
static bool alike(const struct table_file *a, size_t i,
                  const struct table_file *b, size_t j, size_t from)
{
    for (size_t k = from; k < IDENTITY; k++)
        if (strcmp(cell(a, i, identity[k]), cell(b, j, identity[k])) != 0)
            return false;
    return true;
}

/* The row of b that is row i of a; 0: there is none. The next ones first, so
 * that files in one order take no time. */
static size_t find(const struct table_file *a, size_t i,
                   const struct table_file *b, size_t after, size_t from)
{
    for (size_t n = 1; n < b->rows; n++) {
        size_t j = 1 + (after + n - 1) % (b->rows - 1);
        if (alike(a, i, b, j, from))
            return j;
    }
    return 0;
}

/* The part of the stack that changed most, in percent of all cycles. */
static void put_stack(const struct table_file *a, size_t i,
                      const struct table_file *b, size_t j)
{
    double before = number(a, i, "cycles"), after = number(b, j, "cycles");
    double most = 0;
    size_t at = STACKS;
    for (size_t k = 0; k < STACKS; k++) {
        double change = after * number(b, j, stacks[k].column) -
                        before * number(a, i, stacks[k].column);
        if (fabs(change) > fabs(most)) {
            most = change;
            at = k;
        }
    }
    if (at < STACKS)
        printf("  changed most: %s %+.1f %%", stacks[at].text,
               100 * most / before);
}

static void put_point(const struct table_file *a, size_t i,
                      const struct table_file *b, size_t j)
{
    double before = number(a, i, "cycles"), after = number(b, j, "cycles");
    printf("%s on %s tb=%s %s", cell(a, i, "kernel"), cell(a, i, "gpu"),
           cell(a, i, "tb"), cell(a, i, "sched"));
    if (strcmp(cell(a, i, "gpu"), cell(b, j, "gpu")) != 0)
        printf(" (then %s)", cell(b, j, "gpu"));
    if (before == after) {
        printf("  %.1f  no change\n", before);
        return;
    }
    printf("  %.1f to %.1f  %+.1f %%", before, after,
           100 * (after / before - 1));
    put_stack(a, i, b, j);
    const char *was = cell(a, i, "limiter"), *is = cell(b, j, "limiter");
    if (strcmp(was, is) != 0)
        printf("; limiter %s, was %s", is, was);
    printf("\n");
}

struct compared {
    size_t points, missing;
    double log_sum;
};

static void compare(struct compared *c, const struct table_file *a,
                    const struct table_file *b)
{
    size_t from = find(a, 1, b, 0, 0) > 0 ? 0 : 1, j = 0;
    for (size_t i = 1; i < a->rows; i++) {
        size_t found = find(a, i, b, j, from);
        double ratio = number(b, found, "cycles") / number(a, i, "cycles");
        if (found == 0 || !(ratio > 0)) {
            c->missing++;
            continue;
        }
        j = found;
        c->points++;
        c->log_sum += log(ratio);
        put_point(a, i, b, j);
    }
}

static bool has_cycles(const struct table_file *t, struct estimate_error *e)
{
    if (table_file_column(t, "cycles") >= 0)
        return true;
    return fail(e, ESTIMATE_BAD_INPUT, "%s: there is no column 'cycles'",
                t->path);
}

static void put_sum(const struct compared *c)
{
    double mean = exp(c->log_sum / (double)c->points) - 1;
    if (c->points > 1 && c->log_sum != 0)
        printf("%zu points, geometric mean %+.1f %%\n", c->points, 100 * mean);
    if (c->missing > 0)
        printf("%zu points are in the first alone\n", c->missing);
}

int run_compare(const struct options *o, struct estimate_error *e)
{
    struct table_file a = {0}, b = {0};
    struct compared c = {0};
    bool ok = o->inputs == 2 || fail(e, ESTIMATE_USAGE,
                                     "compare: expected two results, "
                                     ".csv, .json or .jsonl");
    for (size_t i = 0; ok && i < o->inputs; i++)
        if (is_store_file(o->input[i]))
            ok = fail_store(o->input[i], e);
    ok = ok && table_file_read(&a, o->input[0], e) && has_cycles(&a, e) &&
         table_file_read(&b, o->input[1], e) && has_cycles(&b, e);
    if (ok)
        compare(&c, &a, &b);
    if (ok && c.points == 0)
        ok = fail(e, ESTIMATE_BAD_INPUT, "%s and %s have no point in common",
                  o->input[0], o->input[1]);
    if (ok)
        put_sum(&c);
    table_file_free(&a);
    table_file_free(&b);
    return ok ? ESTIMATE_OK : (int)e->status;
}
