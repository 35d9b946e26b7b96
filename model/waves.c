/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/waves.h"

#include "model/constants.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

/* Chances of so many blocks of an SM, which is as likely sooner or later than
 * others by some standard deviations as the weights have it. */
#define CHANCES 17
struct chances {
    double weight[CHANCES];
    double taken[CHANCES]; /* the chance of one block */
    double all[CHANCES];   /* of `count` of them, and no more */
    double count;
};

/* Of the variance of a block's end the share `alike` is its SM's, normally
 * distributed; it has ended by when the share `taken` of all have. */
static void chances_set(struct chances *c, double taken, double resident,
                        double alike)
{
    double sum = 0, by = gsl_cdf_ugaussian_Pinv(taken);
    c->count = resident;
    for (int i = 0; i < CHANCES; i++) {
        double late = 8.0 * i / (CHANCES - 1) - 4; /* standard deviations */
        double ended = (by - sqrt(alike) * late) / sqrt(1 - alike);
        c->taken[i] = fmax(gsl_cdf_ugaussian_P(ended), DBL_MIN);
        c->all[i] = pow(c->taken[i], resident);
        c->weight[i] = gsl_ran_ugaussian_pdf(late);
        sum += c->weight[i];
    }
    for (int i = 0; i < CHANCES; i++)
        c->weight[i] /= sum;
}

static double chances_mean(const struct chances *c)
{
    double mean = 0;
    for (int i = 0; i < CHANCES; i++)
        mean += c->weight[i] * c->all[i];
    return mean;
}

/* Of one block fewer. */
static void chances_fewer(struct chances *c, double resident)
{
    double n = c->count--;
    for (int i = 0; i < CHANCES; i++)
        c->all[i] *= n / (resident - n + 1) * (1 - c->taken[i]) / c->taken[i];
}

/* The most of a wave's `last` blocks that an SM gets where all end together:
 * those that are the first to end take as many as they have room for,
 * `resident`, before others get one. So many that half an SM is to be expected
 * with as many. */
static double most_of_last(double last, double sms, double resident,
                           double alike)
{
    double even = ceil(last / sms), expected;
    struct chances c;
    chances_set(&c, last / (resident * sms), resident, alike);
    expected = sms * chances_mean(&c);
    while (c.count > even && expected < 0.5) {
        chances_fewer(&c, resident);
        expected += sms * chances_mean(&c);
    }
    return fmin(c.count, last);
}

struct waves waves_of(double blocks, double sms, double resident)
{
    double wave = resident * sms, whole = ceil(blocks / wave) - 1;
    double last = blocks - whole * wave, of_sm = ceil(last / sms);
    return (struct waves){whole, of_sm, last / of_sm};
}

double waves_alike(double block_cycles)
{
    return block_cycles / (block_cycles + ALIKE_CYCLES);
}

struct waves waves_in_step(double blocks, double sms, double resident,
                           double alike)
{
    struct waves w = waves_of(blocks, sms, resident);
    double last = w.of_sm * w.sms;
    double even = w.of_sm;
    if (w.whole > 0)
        w.of_sm = most_of_last(last, sms, resident, fmax(0, alike));
    if (alike < 0)
        w.of_sm = even + (1 + alike) * (w.of_sm - even);
    w.sms = last / w.of_sm;
    return w;
}
