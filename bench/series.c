/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/series.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

void series_add(struct series *s, double v)
{
    if (s->count == s->room) {
        s->room = s->room > 0 ? 2 * s->room : 256;
        s->value = realloc(s->value, s->room * sizeof(*s->value));
        if (s->value == NULL)
            abort();
    }
    s->value[s->count++] = v;
}

double series_mean(const struct series *s)
{
    return s->count > 0 ? gsl_stats_mean(s->value, 1, s->count) : NAN;
}

double series_quantile(struct series *s, double f)
{
    if (s->count == 0)
        return NAN;
    gsl_sort(s->value, 1, s->count);
    return gsl_stats_quantile_from_sorted_data(s->value, 1, s->count, f);
}

double series_half_width(const struct series *s)
{
    if (s->count < 2)
        return NAN;
    double se = gsl_stats_sd(s->value, 1, s->count) / sqrt((double)s->count);
    return gsl_cdf_tdist_Pinv(0.975, (double)s->count - 1) * se;
}
