/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/designs.h"

#include "cli/columns.h"
#include "cli/elasticity.h"

#include <math.h>
#include <stdlib.h>

bool designs_asked(const struct options *o)
{
    return o->cost != NULL || o->pareto.count > 0;
}

bool designs_check(const struct options *o, struct estimate_error *e)
{
    if (objectives_have(&o->pareto, OBJECTIVE_COST) && o->cost == NULL)
        return fail(e, ESTIMATE_USAGE, "--pareto cost: there is no --cost");
    return true;
}

/* An objective as it is printed, so that who reads the rows finds the same
 * front. */
static double printed(const struct estimate_point *p, enum objective what)
{
    char text[COLUMN_VALUE_MAX];
    const struct estimate_column *c =
        estimate_column_find(objective_names[what]);
    estimate_column_text(text, sizeof(text), c, p);
    return text[0] != '\0' ? strtod(text, NULL) : NAN;
}

/* The least of a case's points. */
static double least(const struct plan *p,
                    const struct estimate_results *results, size_t which,
                    enum objective what)
{
    double best = NAN;
    for (int tb = 0; tb < p->at[which].shown_tbs; tb++)
        for (int q = 0; q < p->shown_policies; q++)
            best = fmin(best, printed(estimate_result(results, which,
                                                      (size_t)tb, (size_t)q),
                                      what));
    return best;
}

/* Of a design with kernels that are missing (of another shard) nothing is
 * known. */
static void fill_values(struct designs *d, const struct plan *p,
                        const struct estimate_results *results)
{
    int n = d->by.count;
    size_t *kernels = calloc(d->count, sizeof(*kernels));
    for (size_t i = 0; kernels != NULL && i < p->cases; i++) {
        size_t at = (size_t)(p->at[i].variant - p->variant);
        kernels[at]++;
        for (int k = 0; k < n; k++)
            if (d->by.of[k] != OBJECTIVE_COST)
                d->value[at * (size_t)n + (size_t)k] +=
                    log(least(p, results, i, d->by.of[k]));
    }
    for (size_t i = 0; i < d->count; i++)
        for (int k = 0; k < n; k++) {
            double *v = &d->value[i * (size_t)n + (size_t)k];
            if (d->by.of[k] == OBJECTIVE_COST)
                *v = d->cost[i];
            else if (kernels == NULL || kernels[i] < p->kernels)
                *v = NAN;
            else
                *v = exp(*v / (double)p->kernels);
        }
    free(kernels);
}

static void set_objectives(struct designs *d, const struct options *o)
{
    static const struct objectives usual = {{OBJECTIVE_CYCLES, OBJECTIVE_COST},
                                            2};
    d->by = o->pareto.count > 0 ? o->pareto : usual;
}

bool designs_create(struct designs *d, const struct options *o,
                    const struct plan *p,
                    const struct estimate_results *results,
                    struct estimate_error *e)
{
    *d = (struct designs){.count = p->variants};
    set_objectives(d, o);
    d->value = calloc(d->count * (size_t)d->by.count, sizeof(*d->value));
    d->front = calloc(d->count, sizeof(*d->front));
    if (o->cost != NULL)
        d->cost = calloc(d->count, sizeof(*d->cost));
    if (d->value == NULL || d->front == NULL ||
        (o->cost != NULL && d->cost == NULL))
        return fail_no_memory(e);
    for (size_t i = 0; d->cost != NULL && i < d->count; i++)
        d->cost[i] = cost_of(o->cost, p->variant[i].gpu);
    fill_values(d, p, results);
    elasticities(d, p);
    return pareto_front(d->front, d->value, d->count, d->by.count) ||
           fail_no_memory(e);
}

void designs_free(struct designs *d)
{
    free(d->value);
    free(d->front);
    free(d->cost);
    *d = (struct designs){.count = 0};
}
