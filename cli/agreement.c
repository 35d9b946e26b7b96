/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

double error_pct(double ours, double theirs)
{
    return 100 * (ours / theirs - 1);
}

/* Fills the errors of `a`; `size` gets their sizes. */
static void errors_of(struct agreement *a, double *size, const double *ours,
                      const double *theirs)
{
    for (size_t i = 0; i < a->count; i++) {
        double error = error_pct(ours[i], theirs[i]);
        size[i] = fabs(error);
        a->bias_pct += error / (double)a->count;
        if (size[i] > fabs(a->worst_pct)) {
            a->worst_pct = error;
            a->worst = i;
        }
    }
    a->mean_abs_pct = gsl_stats_mean(size, 1, a->count);
    gsl_sort(size, 1, a->count);
    a->median_abs_pct = gsl_stats_median_from_sorted_data(size, 1, a->count);
}

bool agreement_of(struct agreement *out, const double *ours,
                  const double *theirs, size_t count)
{
    double *work = calloc(2 * count, sizeof(*work));
    if (work == NULL)
        return false;
    *out = (struct agreement){.count = count, .pearson = NAN, .spearman = NAN};
    errors_of(out, work, ours, theirs);
    if (count >= 3 && gsl_stats_sd(ours, 1, count) > 0 &&
        gsl_stats_sd(theirs, 1, count) > 0) {
        out->pearson = gsl_stats_correlation(ours, 1, theirs, 1, count);
        out->spearman = gsl_stats_spearman(ours, 1, theirs, 1, count, work);
    }
    free(work);
    return true;
}
