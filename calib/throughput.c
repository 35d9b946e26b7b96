/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/throughput.h"

#include "calib/constants.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_statistics_double.h>

bool throughput_measure(struct throughput *out, const uint64_t *end,
                        size_t count, size_t from, size_t wave)
{
    *out = (struct throughput){.cycles_per_block = NAN, .relative_se = NAN};
    size_t waves = from < count ? (count - 1 - from) / wave : 0;
    if (waves == 0)
        return false;
    size_t per_batch = (waves + THROUGHPUT_BATCHES - 1) / THROUGHPUT_BATCHES;
    size_t batches = waves / per_batch;
    size_t blocks = per_batch * wave;
    for (size_t i = 0; i < batches; i++) {
        const uint64_t *at = end + from + i * blocks;
        out->batch[i] = (double)(at[blocks] - at[0]) / (double)blocks;
    }
    out->batches = (int)batches;
    out->cycles_per_block = gsl_stats_mean(out->batch, 1, batches);
    if (batches > 1)
        out->relative_se = gsl_stats_sd(out->batch, 1, batches) /
                           (sqrt((double)batches) * out->cycles_per_block);
    return true;
}

double throughput_correlation(const struct throughput *a,
                              const struct throughput *b)
{
    size_t n = (size_t)a->batches;
    if (a->batches != b->batches || n < 3 || !(a->relative_se > 0) ||
        !(b->relative_se > 0))
        return 0;
    return gsl_stats_correlation(a->batch, 1, b->batch, 1, n);
}

bool throughput_precise(const struct throughput *t, int look, double target)
{
    if (t->batches < ENOUGH_BATCHES)
        return false;
    double spend = STOP_ALPHA * 6 / (M_PI * M_PI * look * look);
    double quantile = gsl_cdf_tdist_Pinv(1 - spend / 2, t->batches - 1);
    return quantile * t->relative_se <= target;
}
