/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/figure.h"

#include <gsl/gsl_rng.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#define SAMPLES  2000
#define SEED     1
#define COVERAGE 0.9

/* Of the kernels that pick[] names. */
static double mean_of(const double *value, const double *base,
                      const size_t *pick, size_t count, enum figure_mean mean)
{
    double values = 0, bases = 0, ratios = 0, logs = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double ratio = value[pick[i]] / base[pick[i]];
        values += value[pick[i]];
        bases += base[pick[i]];
        ratios += ratio;
        logs += log(ratio);
    }
    return mean == RATIO_OF_MEANS      ? values / bases
           : mean == RATIOS_ARITHMETIC ? ratios / n
                                       : exp(logs / n);
}

void figure_mean(struct figure_value *v, const double *value,
                 const double *base, size_t count, enum figure_mean mean)
{
    enum { MOST = 256 };
    size_t pick[MOST];
    double sample[SAMPLES];
    if (count == 0 || count > MOST)
        return;
    for (size_t i = 0; i < count; i++)
        pick[i] = i;
    v->ours = mean_of(value, base, pick, count, mean);
    gsl_rng *rng = count > 1 ? gsl_rng_alloc(gsl_rng_mt19937) : NULL;
    if (rng == NULL)
        return;
    gsl_rng_set(rng, SEED);
    for (int s = 0; s < SAMPLES; s++) {
        for (size_t i = 0; i < count; i++)
            pick[i] = gsl_rng_uniform_int(rng, count);
        sample[s] = mean_of(value, base, pick, count, mean);
    }
    gsl_rng_free(rng);
    gsl_sort(sample, 1, SAMPLES);
    v->low = gsl_stats_quantile_from_sorted_data(sample, 1, SAMPLES,
                                                 (1 - COVERAGE) / 2);
    v->high = gsl_stats_quantile_from_sorted_data(sample, 1, SAMPLES,
                                                  (1 + COVERAGE) / 2);
}
