/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/designs.h"

#include "cli/columns.h"
#include "cli/elasticity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOWER 0.01 /* share of time that is told */

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

/* Over the kernels, `which` being their cases. Of a design with kernels that
 * are missing (of another shard) nothing is known. */
static double mean(const struct plan *p, const struct estimate_results *results,
                   const size_t *which, enum objective what)
{
    double sum = 0;
    for (size_t i = 0; i < p->kernels; i++)
        sum +=
            which[i] < p->cases ? log(least(p, results, which[i], what)) : NAN;
    return exp(sum / (double)p->kernels);
}

static bool all_sampled(const struct plan *p,
                        const struct estimate_results *results,
                        const size_t *which)
{
    for (size_t i = 0; i < p->kernels; i++) {
        const struct plan_case *c = &p->at[which[i]];
        for (int tb = 0; which[i] < p->cases && tb < c->shown_tbs; tb++)
            for (int q = 0; q < p->shown_policies; q++)
                if (!estimate_result(results, which[i], (size_t)tb, (size_t)q)
                         ->sampled)
                    return false;
    }
    return true;
}

static void set_design(struct designs *d, const struct options *o,
                       const struct plan *p,
                       const struct estimate_results *results,
                       const struct variant *v, const size_t *which)
{
    double *value = &d->value[v->number * (size_t)d->by.count];
    d->is_made[v->number] = true;
    d->is_sampled[v->number] = all_sampled(p, results, which);
    if (d->cost != NULL)
        d->cost[v->number] = cost_of(o->cost, v->gpu);
    for (int k = 0; k < d->by.count; k++)
        value[k] = d->by.of[k] == OBJECTIVE_COST
                       ? d->cost[v->number]
                       : mean(p, results, which, d->by.of[k]);
}

/* The cases of each variant, [variants * kernels]; where there is none, the
 * number of cases. */
static size_t *cases_of(const struct plan *p)
{
    size_t count = p->variants * p->kernels;
    size_t *which = calloc(count + 1, sizeof(*which));
    for (size_t i = 0; which != NULL && i < count; i++)
        which[i] = p->cases;
    for (size_t i = 0; which != NULL && i < p->cases; i++)
        which[(size_t)(p->at[i].variant - p->variant) * p->kernels +
              p->at[i].number / p->variants] = i;
    return which;
}

static void set_objectives(struct designs *d, const struct options *o)
{
    static const struct objectives usual = {{OBJECTIVE_CYCLES, OBJECTIVE_COST},
                                            2};
    d->by = o->pareto.count > 0 ? o->pareto : usual;
}

bool designs_create(struct designs *d, const struct options *o,
                    const struct plan *p, struct estimate_error *e)
{
    *d = (struct designs){.count = p->designs};
    set_objectives(d, o);
    d->value = calloc(d->count * (size_t)d->by.count, sizeof(*d->value));
    d->front = calloc(d->count, sizeof(*d->front));
    d->is_made = calloc(d->count, sizeof(*d->is_made));
    d->is_sampled = calloc(d->count, sizeof(*d->is_sampled));
    d->is_slower = calloc(d->count, sizeof(*d->is_slower));
    d->is_close = calloc(d->count, sizeof(*d->is_close));
    if (o->cost != NULL)
        d->cost = calloc(d->count, sizeof(*d->cost));
    if (d->value == NULL || d->front == NULL || d->is_made == NULL ||
        d->is_sampled == NULL || d->is_slower == NULL || d->is_close == NULL ||
        (o->cost != NULL && d->cost == NULL))
        return fail_no_memory(e);
    for (size_t i = 0; i < d->count * (size_t)d->by.count; i++)
        d->value[i] = NAN;
    return true;
}

bool designs_add(struct designs *d, const struct options *o,
                 const struct plan *p, const struct estimate_results *results,
                 struct estimate_error *e)
{
    size_t *which = cases_of(p);
    if (which == NULL)
        return fail_no_memory(e);
    for (size_t i = 0; i < p->variants; i++)
        set_design(d, o, p, results, &p->variant[i], &which[i * p->kernels]);
    d->made += p->variants;
    free(which);
    return true;
}

/* ---- resources -------------------------------------------------------------
 */

/* What a kernel does not take longer with more of. */
static const char *const resources[] = {
    "sms",        "dram.gbps",    "l1.size_kb",      "l2.size_kb",
    "l1.mshr",    "l2.mshr",      "l2.banks",        "l2.port_bytes",
    "dram.banks", "sm.registers", "icnt.flit_bytes",
};

static bool is_resource(const struct estimate_key *key)
{
    for (size_t i = 0; i < sizeof(resources) / sizeof(resources[0]); i++)
        if (strcmp(estimate_key_name(key), resources[i]) == 0)
            return true;
    return false;
}

/* The first objective that is time, -1: none is. */
static int time_objective(const struct designs *d)
{
    for (int k = 0; k < d->by.count; k++)
        if (d->by.of[k] == OBJECTIVE_CYCLES || d->by.of[k] == OBJECTIVE_TIME)
            return k;
    return -1;
}

/* Designs that are `apart` apart in number differ by a step of the key. */
static void find_slower(struct designs *d, const struct plan *p, size_t key,
                        size_t apart)
{
    int k = time_objective(d);
    uint64_t steps = p->swept[key]->count;
    for (size_t i = 0; k >= 0 && i < d->count; i++) {
        const double *less = &d->value[i * (size_t)d->by.count];
        if (i / apart % steps + 1 == steps)
            continue;
        const double *more = &less[apart * (size_t)d->by.count];
        if (more[k] > (1 + SLOWER) * less[k])
            d->is_slower[i] = d->is_slower[i + apart] = true;
    }
}

static void find_all_slower(struct designs *d, const struct plan *p)
{
    size_t apart = 1;
    for (size_t k = p->keys; k-- > 0;) {
        if (is_resource(p->key[k]))
            find_slower(d, p, k, apart);
        apart *= p->swept[k]->count;
    }
}

bool designs_finish(struct designs *d, const struct plan *p,
                    struct estimate_error *e)
{
    elasticities(d, p);
    find_all_slower(d, p);
    return pareto_front(d->front, d->value, d->count, d->by.count) ||
           fail_no_memory(e);
}

void designs_mark_close(struct designs *d, double share)
{
    pareto_close(d->is_close, d->front, d->value, d->count, &d->by, share);
}

void designs_free(struct designs *d)
{
    free(d->is_close);
    free(d->value);
    free(d->front);
    free(d->is_made);
    free(d->is_sampled);
    free(d->is_slower);
    free(d->cost);
    *d = (struct designs){.count = 0};
}
