/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/correlate_stats.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

void differences_add(struct differences *d, double ours, double theirs)
{
    double error = ours - theirs;
    d->count++;
    d->sum_abs_error += fabs(error);
    if (fabs(error) > fabs(d->worst_error))
        d->worst_error = error;
    if (fabs(theirs) > APART_PCT) {
        d->apart++;
        d->right += ours * theirs > 0;
    }
}

double differences_mean_error(const struct differences *d)
{
    return d->count > 0 ? d->sum_abs_error / (double)d->count : NAN;
}

struct spread spread_of(double *value, size_t count)
{
    if (count == 0)
        return (struct spread){NAN, NAN, NAN};
    gsl_sort(value, 1, count);
    return (struct spread){gsl_stats_median_from_sorted_data(value, 1, count),
                           value[0], value[count - 1]};
}
