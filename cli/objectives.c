/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/objectives.h"

#include "cli/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const objective_names[OBJECTIVES] = {
    [OBJECTIVE_CYCLES] = "cycles",
    [OBJECTIVE_TIME] = "time_us",
    [OBJECTIVE_ENERGY] = "energy_uj",
    [OBJECTIVE_COST] = "cost",
};

static const char *name_of(const void *table, size_t i)
{
    (void)table;
    return objective_names[i];
}

static bool unknown(const char *name, struct estimate_error *e)
{
    const char *near = nearest_row(name, NULL, OBJECTIVES, name_of);
    return fail(
        e, ESTIMATE_USAGE,
        "--pareto %s: expected cycles, time_us, energy_uj or cost%s%s%s", name,
        near != NULL ? ", such as '" : "", near != NULL ? near : "",
        near != NULL ? "'" : "");
}

bool objectives_have(const struct objectives *o, enum objective what)
{
    for (int i = 0; i < o->count; i++)
        if (o->of[i] == what)
            return true;
    return false;
}

bool objectives_parse(struct objectives *out, const char *list,
                      struct estimate_error *e)
{
    char name[VALUE_MAX];
    *out = (struct objectives){.count = 0};
    for (const char *p = list; list_next(&p, name);) {
        int i = 0;
        while (i < OBJECTIVES && strcmp(objective_names[i], name) != 0)
            i++;
        if (i == OBJECTIVES)
            return unknown(name, e);
        if (objectives_have(out, (enum objective)i))
            return fail(e, ESTIMATE_USAGE, "--pareto: %s is given twice", name);
        out->of[out->count++] = (enum objective)i;
    }
    return true;
}

/* ---- the front ----------------------------------------------------------- */

struct candidate {
    const double *value;
    size_t index;
    int objectives;
};

static int by_value(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    for (int k = 0; k < x->objectives; k++)
        if (x->value[k] != y->value[k])
            return x->value[k] < y->value[k] ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool dominates(const struct candidate *a, const struct candidate *b)
{
    bool better = false;
    for (int k = 0; k < a->objectives; k++) {
        if (a->value[k] > b->value[k])
            return false;
        better |= a->value[k] < b->value[k];
    }
    return better;
}

static bool is_known(const double *value, int objectives)
{
    for (int k = 0; k < objectives; k++)
        if (isnan(value[k]))
            return false;
    return true;
}

/* In the order of values what comes later dominates nothing before it, so the
 * front so far, kept at the beginning of c, is all there is to look at. */
static void mark(bool *front, struct candidate *c, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = kept;
        while (k > 0 && !dominates(&c[k - 1], &c[i]))
            k--;
        if (k > 0)
            continue;
        front[c[i].index] = true;
        c[kept++] = c[i];
    }
}

bool pareto_front(bool *front, const double *value, size_t count,
                  int objectives)
{
    struct candidate *c = calloc(count + 1, sizeof(*c));
    size_t known = 0;
    if (c == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        const double *v = &value[i * (size_t)objectives];
        front[i] = false;
        if (is_known(v, objectives))
            c[known++] = (struct candidate){v, i, objectives};
    }
    qsort(c, known, sizeof(*c), by_value);
    mark(front, c, known);
    free(c);
    return true;
}

/* Whether one of the front is no worse in anything. */
static bool is_matched(const bool *front, const double *value, size_t count,
                       const double *less, size_t objectives)
{
    for (size_t n = 0; n < count; n++) {
        bool matched = front[n];
        for (size_t k = 0; matched && k < objectives; k++)
            matched = value[n * objectives + k] <= less[k];
        if (matched)
            return true;
    }
    return false;
}

void pareto_close(bool *close, const bool *front, const double *value,
                  size_t count, const struct objectives *by, double share)
{
    size_t objectives = (size_t)by->count;
    for (size_t i = 0; i < count; i++) {
        const double *v = &value[i * objectives];
        double less[OBJECTIVES];
        for (size_t k = 0; k < objectives; k++)
            less[k] = by->of[k] == OBJECTIVE_COST ? v[k] : (1 - share) * v[k];
        close[i] = is_known(v, by->count) &&
                   !is_matched(front, value, count, less, objectives);
    }
}
