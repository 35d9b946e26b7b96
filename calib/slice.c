/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/slice.h"

/* Deviation of the bias where nothing measured it, and of what is left after a
 * measurement: part of it differs from point to point. */
#define UNMEASURED_SD 0.03
#define LEFT_OVER_SD  0.01

/* What n SMs still miss. Sharing among n of them misses 1/n of it. */
static double missed(int sms)
{
    return 1.0 / sms;
}

static bool same_point(const struct sample *a, const struct sample *b)
{
    return a->done && b->done && a->tb_index == b->tb_index &&
           a->policy_index == b->policy_index &&
           a->window.kind != WINDOW_GRID && b->window.kind != WINDOW_GRID;
}

void slice_bias_measure(struct slice_bias *out, const struct sample *sample,
                        size_t samples, int gpu_sms)
{
    *out = (struct slice_bias){.variance = UNMEASURED_SD * UNMEASURED_SD};
    double sxy = 0, sxx = 0;
    for (size_t i = 0; i < samples; i++)
        for (size_t j = 0; j < samples; j++) {
            const struct sample *one = &sample[i], *more = &sample[j];
            if (one->window.sms != 1 || more->window.sms == 1 ||
                !same_point(one, more))
                continue;
            double x = missed(1) - missed(more->window.sms);
            sxy += x * (more->log_cycles - one->log_cycles);
            sxx += x * x;
        }
    if (sxx == 0)
        return;
    double reach = missed(1) - missed(gpu_sms);
    out->measured = true;
    out->log_shift = reach * sxy / sxx;
    out->variance = LEFT_OVER_SD * LEFT_OVER_SD;
}
