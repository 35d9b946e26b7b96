/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/accuracy_figures.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BOOTSTRAPS = 2000, SEED = 1 };

static size_t points(const struct compared *k)
{
    return (size_t)(k->c->study.tb_count * k->c->study.policy_count);
}

static double error_pct(double cycles, double truth)
{
    return 100 * fabs(cycles / truth - 1);
}

static void add_points(struct figures *f, const struct compared *k)
{
    double held = 0, shorter = 0;
    for (size_t i = 0; i < points(k); i++) {
        const struct result *h = &k->hybrid->result[i];
        double truth = k->truth[i];
        if (isnan(truth))
            continue;
        bool full = h->cycles_lo == h->cycles_hi;
        bool holds = h->cycles_lo <= truth && truth <= h->cycles_hi;
        series_add(&f->of[FIGURE_HYBRID], error_pct(h->cycles, truth));
        series_add(&f->of[FIGURE_MODEL],
                   error_pct(k->model->result[i].cycles, truth));
        series_add(&f->of[FIGURE_FULL], full);
        if (full)
            continue;
        series_add(&f->of[FIGURE_HYBRID_SHORT], error_pct(h->cycles, truth));
        series_add(&f->of[FIGURE_HOLDS], holds);
        held += holds;
        shorter++;
    }
    if (shorter > 0) {
        series_add(&f->of[FIGURE_CASE_HELD], held);
        series_add(&f->of[FIGURE_CASE_SHORT], shorter);
    }
}

static void add_pair(struct figures *f, const struct compared *k, size_t a,
                     size_t b)
{
    double gap = k->truth[a] / k->truth[b] - 1;
    const struct result *h = k->hybrid->result;
    if (fabs(gap) > 0.02)
        series_add(&f->of[FIGURE_ORDERED],
                   (gap > 0) == (h[a].cycles > h[b].cycles));
}

/* What the program says of a scheduler against the first, gto: a tie unless
 * the interval of their difference lies wholly beyond 1 %. */
static void add_said(struct figures *f, const struct compared *k, size_t first,
                     size_t a)
{
    const struct paired_delta *d = &k->hybrid->delta[a];
    double gap = k->truth[a] / k->truth[first] - 1;
    bool tie = d->lo <= 1 && d->hi >= -1;
    if (fabs(gap) <= 0.01)
        series_add(&f->of[FIGURE_TIE], tie);
    else if (fabs(gap) > 0.02)
        series_add(&f->of[FIGURE_SAID], !tie && (gap > 0) == (d->pct > 0));
}

static void add_pairs(struct figures *f, const struct compared *k)
{
    size_t scheds = (size_t)k->c->study.policy_count;
    for (size_t first = 0; first < points(k); first += scheds)
        for (size_t a = first + 1; a < first + scheds; a++) {
            for (size_t b = first; b < a; b++)
                if (!isnan(k->truth[a]) && !isnan(k->truth[b]))
                    add_pair(f, k, a, b);
            if (!isnan(k->truth[a]) && !isnan(k->truth[first]))
                add_said(f, k, first, a);
        }
}

static void add_regret(struct figures *f, const struct compared *k)
{
    size_t said = 0, best = 0;
    for (size_t i = 0; i < points(k); i++) {
        if (isnan(k->truth[i]))
            return;
        if (k->hybrid->result[i].cycles < k->hybrid->result[said].cycles)
            said = i;
        if (k->truth[i] < k->truth[best])
            best = i;
    }
    series_add(&f->of[FIGURE_REGRET],
               error_pct(k->truth[said], k->truth[best]));
}

void figures_add(struct figures *f, const struct compared *k)
{
    add_points(f, k);
    add_pairs(f, k);
    add_regret(f, k);
    series_add(&f->of[FIGURE_SPEEDUP], k->speedup);
}

void figures_free(struct figures *f)
{
    for (int i = 0; i < FIGURES; i++)
        free(f->of[i].value);
}

double figure_mean(const struct figures *f, enum figure of)
{
    return series_mean(&f->of[of]);
}

double figure_quantile(struct figures *f, enum figure of, double quantile)
{
    return series_quantile(&f->of[of], quantile);
}

double figure_share(const struct figures *f, enum figure of, double most)
{
    size_t n = 0;
    for (size_t i = 0; i < f->of[of].count; i++)
        n += f->of[of].value[i] <= most;
    return f->of[of].count > 0 ? (double)n / (double)f->of[of].count : NAN;
}

static double drawn_share(const struct figures *f, gsl_rng *rng)
{
    const struct series *held = &f->of[FIGURE_CASE_HELD];
    double holds = 0, all = 0;
    for (size_t i = 0; i < held->count; i++) {
        size_t at = gsl_rng_uniform_int(rng, held->count);
        holds += held->value[at];
        all += f->of[FIGURE_CASE_SHORT].value[at];
    }
    return holds / all;
}

void figure_holds_interval(const struct figures *f, double *lo, double *hi)
{
    double share[BOOTSTRAPS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    *lo = *hi = NAN;
    if (rng == NULL || f->of[FIGURE_CASE_HELD].count == 0) {
        gsl_rng_free(rng);
        return;
    }
    gsl_rng_set(rng, SEED);
    for (int i = 0; i < BOOTSTRAPS; i++)
        share[i] = drawn_share(f, rng);
    gsl_sort(share, 1, BOOTSTRAPS);
    *lo = gsl_stats_quantile_from_sorted_data(share, 1, BOOTSTRAPS, 0.025);
    *hi = gsl_stats_quantile_from_sorted_data(share, 1, BOOTSTRAPS, 0.975);
    gsl_rng_free(rng);
}
