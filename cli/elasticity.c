/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/elasticity.h"

#include <math.h>
#include <string.h>

#define TERMS (SWEEPS_MAX + 1) /* the keys and a constant */

/* Normal equations, the right side in the last column. */
struct normal {
    double a[TERMS][TERMS + 1];
    int terms;
};

static void add_row(struct normal *n, const double x[TERMS], double y)
{
    for (int i = 0; i < n->terms; i++) {
        for (int j = 0; j < n->terms; j++)
            n->a[i][j] += x[i] * x[j];
        n->a[i][n->terms] += x[i] * y;
    }
}

/* By Gauss and Jordan with pivots of the diagonal, which is positive where a
 * term can be told from those before it. */
static void solve(struct normal *n, double out[TERMS])
{
    bool told[TERMS];
    for (int i = 0; i < n->terms; i++) {
        double pivot = n->a[i][i];
        told[i] = pivot > 1e-9;
        for (int r = 0; told[i] && r < n->terms; r++) {
            double times = r == i ? 0 : n->a[r][i] / pivot;
            for (int c = i; times != 0 && c <= n->terms; c++)
                n->a[r][c] -= times * n->a[i][c];
        }
    }
    for (int i = 0; i < n->terms; i++)
        out[i] = told[i] ? n->a[i][n->terms] / n->a[i][i] : NAN;
}

/* Keys of names and values of 0 have no log. Values ascend. */
static bool has_log(const struct plan *p, int key)
{
    return estimate_key_type(p->key[key]) != ESTIMATE_KEY_NAME &&
           sweep_value(p->swept[key], 0) > 0;
}

static void elasticity(struct designs *d, const struct plan *p, int objective)
{
    struct normal n = {.terms = (int)p->keys + 1};
    double slope[TERMS];
    bool log_of[SWEEPS_MAX];
    for (int k = 0; k < (int)p->keys; k++)
        log_of[k] = has_log(p, k);
    for (size_t i = 0; i < d->count; i++) {
        double y = log(d->value[i * (size_t)d->by.count + (size_t)objective]);
        double x[TERMS] = {1}, swept[SWEEPS_MAX];
        if (!isfinite(y))
            continue;
        design_values(swept, p, i);
        for (int k = 0; k < (int)p->keys; k++)
            x[k + 1] = log_of[k] ? log(swept[k]) : 0;
        add_row(&n, x, y);
    }
    solve(&n, slope);
    for (int k = 0; k < (int)p->keys; k++)
        d->elasticity[k][objective] = slope[k + 1];
}

void elasticities(struct designs *d, const struct plan *p)
{
    for (int i = 0; i < d->by.count; i++)
        elasticity(d, p, i);
}
