/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_designs.h"

#include "cli/columns.h"
#include "cli/exploration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL 12 /* columns of a value */

struct listed {
    const double *value;
    int values;
    size_t index;
};

static int best_first(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    for (int k = 0; k < x->values; k++) {
        if (isnan(x->value[k]) != isnan(y->value[k]))
            return isnan(x->value[k]) ? 1 : -1;
        if (x->value[k] != y->value[k] && !isnan(x->value[k]))
            return x->value[k] < y->value[k] ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static int key_width(const struct estimate_key *key)
{
    int width = (int)strlen(estimate_key_name(key));
    return width > 8 ? width : 8;
}

static void put_head(FILE *f, const struct report *r)
{
    const struct plan *p = r->plan;
    const struct designs *d = r->designs;
    fprintf(f, "  %-12s", "gpu");
    for (size_t k = 0; k < p->keys; k++)
        fprintf(f, " %*s", key_width(p->key[k]), estimate_key_name(p->key[k]));
    for (int i = 0; i < d->by.count; i++)
        fprintf(f, " %*s", CELL, objective_names[d->by.of[i]]);
    fputc('\n', f);
}

/* Of a design of which some were sampled. */
static char mark(const struct report *r, size_t index)
{
    const struct designs *d = r->designs;
    if (!exploration_asked(r->options, r->plan))
        return ' ';
    if (d->is_slower[index])
        return '!';
    return d->is_sampled[index] ? ' ' : '~';
}

/* A row; `alike`: others that are as good. */
static void put_design(FILE *f, const struct report *r, size_t index,
                       size_t alike)
{
    const struct plan *p = r->plan;
    const struct designs *d = r->designs;
    double swept[SWEEPS_MAX];
    design_values(swept, p, index);
    fprintf(f, "%c%c%-12s", d->front[index] ? '*' : ' ', mark(r, index),
            estimate_gpu_name(design_gpu(p, index)));
    for (size_t k = 0; k < p->keys; k++) {
        char text[COLUMN_VALUE_MAX];
        swept_text(text, p->key[k], swept[k]);
        fprintf(f, " %*s", key_width(p->key[k]), text);
    }
    for (int i = 0; i < d->by.count; i++) {
        double value = d->value[index * (size_t)d->by.count + (size_t)i];
        if (isnan(value))
            fprintf(f, " %*s", CELL, "-");
        else
            fprintf(f, " %*.6g", CELL, value);
    }
    if (alike > 0)
        fprintf(f, "  +%zu alike", alike);
    fputc('\n', f);
}

static size_t on_front(const struct designs *d)
{
    size_t n = 0;
    for (size_t i = 0; i < d->count; i++)
        n += d->front[i];
    return n;
}

static void put_elasticities(FILE *f, const struct report *r)
{
    const struct plan *p = r->plan;
    const struct designs *d = r->designs;
    if (p->keys == 0)
        return;
    fprintf(f, "\nelasticities: what 1 %% more of a key changes, percent\n");
    for (size_t k = 0; k < p->keys; k++) {
        fprintf(f, "  %-24s", estimate_key_name(p->key[k]));
        for (int i = 0; i < d->by.count; i++) {
            double e = d->elasticity[k][i];
            if (isnan(e))
                fprintf(f, "  %s -", objective_names[d->by.of[i]]);
            else
                fprintf(f, "  %s %+.2f", objective_names[d->by.of[i]], e);
        }
        fputc('\n', f);
    }
}

bool affordable_design(size_t *out, double *limit, const struct report *r)
{
    const struct designs *d = r->designs;
    size_t best = d->count;
    *limit =
        d->cost != NULL ? cost_of(r->options->cost, r->plan->gpus.gpu[0]) : NAN;
    for (size_t i = 0; d->cost != NULL && i < d->count; i++) {
        const double *v = &d->value[i * (size_t)d->by.count];
        if (d->is_made[i] && d->cost[i] <= *limit && !isnan(v[0]) &&
            (best == d->count || v[0] < d->value[best * (size_t)d->by.count]))
            best = i;
    }
    *out = best;
    return best < d->count;
}

static void put_affordable(FILE *f, const struct report *r)
{
    double limit;
    size_t best;
    if (!affordable_design(&best, &limit, r))
        return;
    fprintf(f, "\nbest at the cost of %s as it is, %.6g:\n",
            estimate_gpu_name(r->plan->gpus.gpu[0]), limit);
    put_design(f, r, best, 0);
}

/* How many after number i are as good in all. */
static size_t count_alike(const struct designs *d, const struct listed *list,
                          size_t listed, size_t i)
{
    size_t bytes = (size_t)d->by.count * sizeof(double), n = i + 1;
    while (n < listed && memcmp(list[n].value, list[i].value, bytes) == 0)
        n++;
    return n - i - 1;
}

static void put_list(FILE *f, const struct report *r, struct listed *list)
{
    const struct designs *d = r->designs;
    size_t listed = 0;
    for (size_t i = 0; i < d->count; i++)
        if (d->front[i] || (r->options->all && d->is_made[i]))
            list[listed++] = (struct listed){&d->value[i * (size_t)d->by.count],
                                             d->by.count, i};
    qsort(list, listed, sizeof(*list), best_first);
    for (size_t i = 0; i < listed;) {
        size_t alike = r->options->all ? 0 : count_alike(d, list, listed, i);
        put_design(f, r, list[i].index, alike);
        i += 1 + alike;
    }
}

/* What was sampled, and what marks of rows mean. */
static void put_marks(FILE *f, const struct report *r)
{
    const struct designs *d = r->designs;
    size_t sampled = 0, slower = 0;
    if (!exploration_asked(r->options, r->plan))
        return;
    for (size_t i = 0; i < d->count; i++) {
        sampled += d->is_sampled[i];
        slower += d->is_slower[i];
    }
    fprintf(
        f,
        "\n%zu were sampled, on and near the front by longer runs; the rest "
        "(~) is told\nby those",
        sampled);
    if (slower > 0)
        fprintf(f, "; %zu (!) are over 1 %% slower with more of a key", slower);
}

void write_designs(FILE *f, const struct report *r)
{
    const struct designs *d = r->designs;
    size_t most = r->options->all ? d->made : on_front(d);
    struct listed *list = calloc(most + 1, sizeof(*list));
    if (list == NULL)
        return;
    fprintf(f, "%zu design%s, %zu on the front (*)%s", d->made,
            d->made == 1 ? "" : "s", on_front(d),
            r->options->all ? "" : "; --all lists the rest");
    if (r->plan->kernels > 1)
        fprintf(f, "; geometric means over %zu kernels", r->plan->kernels);
    put_marks(f, r);
    if (r->interrupted)
        fprintf(f,
                "\nstopped: %zu of %zu points are finished, the others are by "
                "the model alone",
                r->rows, r->plan->shown_points);
    fprintf(f, "\n\n");
    put_head(f, r);
    put_list(f, r, list);
    put_elasticities(f, r);
    put_affordable(f, r);
    free(list);
}
